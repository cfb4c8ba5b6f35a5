// Solids that push as one: half space, ball, capsule, brick. docs/theory/contact.md, "Obstacles".
//
// Each has its touch with a point, inside as outside; whether it meets a box with edges along the axes (never no where it does);
// its bounds; and half of its least width, m.
#pragma once

#include <algorithm>
#include <limits>

#include "contact/span.h"
#include "contact/touch.h"
#include "writhe/scene.h"

namespace writhe::contact {

class HalfSpace {
 public:
  explicit HalfSpace(const PlaneObstacle& plane) : m_point(plane.point), m_normal(normalized(plane.normal)) {}
  Touch touch(const Vec3& point) const { return {dot(point - m_point, m_normal), m_normal, {}}; }
  bool meets(const Box& box) const;
  Box bounds() const;  // without end
  double half_width() const { return std::numeric_limits<double>::infinity(); }

 private:
  Vec3 m_point, m_normal;
};

class Ball {
 public:
  explicit Ball(const SphereObstacle& sphere) : m_centre(sphere.centre), m_radius(sphere.radius) {}
  Touch touch(const Vec3& point) const;
  bool meets(const Box& box) const;
  Box bounds() const { return Box{m_centre, m_centre}.grown(m_radius); }
  double half_width() const { return m_radius; }

 private:
  Vec3 m_centre;
  double m_radius;
};

class Capsule {
 public:
  explicit Capsule(const CapsuleObstacle& capsule) : m_from(capsule.from), m_to(capsule.to), m_radius(capsule.radius) {}
  Touch touch(const Vec3& point) const;
  bool meets(const Box& box) const;
  Box bounds() const { return Box::around(m_from, m_to, m_to).grown(m_radius); }
  double half_width() const { return m_radius; }

 private:
  Vec3 m_from, m_to;
  double m_radius;
};

class Brick {
 public:
  explicit Brick(const BoxObstacle& box);
  Touch touch(const Vec3& point) const;
  bool meets(const Box& box) const;
  Box bounds() const;
  double half_width() const { return std::min({m_half.x, m_half.y, m_half.z}); }

 private:
  Touch touch_within(const Vec3& local) const;
  double half_shadow(const Vec3& direction) const;  // m, of its shadow on a line, for a unit vector

  Vec3 m_centre, m_half;  // m: half edges along the rows
  Mat3 m_axes;            // unit, in space
};

// m: of a point from a box, 0 within.
double distance_to_box(const Vec3& point, const Box& box);

}  // namespace writhe::contact
