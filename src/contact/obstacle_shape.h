// The geometry of an obstacle as it stands in the scene, where it has not moved. Pose::back leads points to it.
// docs/theory/contact.md, "Obstacles".
//
// Immutable after it is built, so threads may share it.
#pragma once

#include <variant>
#include <vector>

#include "contact/convex_shapes.h"
#include "contact/obstacle_mesh.h"
#include "contact/span.h"
#include "contact/touch.h"
#include "writhe/scene.h"

namespace writhe::contact {

// A feature is what pushes on its own: the whole of a plane, sphere, capsule or box (feature 0); a triangle, edge or corner of a
// mesh. What they do is summed up with their weights.
class ObstacleShape {
 public:
  explicit ObstacleShape(const Obstacle& obstacle);

  // Appends those that may come within the box (m) in ascending order, each once. A solid does where it meets the box, also
  // where the box lies inside.
  void find(const Box& box, std::vector<int>& features) const;
  double weight(int feature) const { return is_mesh() ? mesh().weight(feature) : 1; }
  // Solids: inside, the distance is negative and leads to the nearest place of the surface. Meshes: never negative.
  Touch touch(int feature, const Vec3& point) const {
    return std::visit([&](const auto& shape) { return touch_of(shape, feature, point); }, m_shape);
  }

  // Below a plane, within a solid or a closed mesh; never of an open one.
  bool contains(const Vec3& point) const;
  // m, of the surface: negative inside. Of an open mesh, on either side.
  double distance(const Vec3& point) const;
  Box bounds() const;         // of a plane without end
  double half_width() const;  // m, at the least: of a plane infinite, of a mesh 0, as its surface has none

  bool is_mesh() const { return std::holds_alternative<ObstacleMesh>(m_shape); }
  const ObstacleMesh& mesh() const { return std::get<ObstacleMesh>(m_shape); }

 private:
  using Shape = std::variant<HalfSpace, Ball, Brick, Capsule, ObstacleMesh>;
  static Shape shape_of(const Obstacle& obstacle);
  template <class Solid>
  static Touch touch_of(const Solid& solid, int, const Vec3& point) {
    return solid.touch(point);
  }
  static Touch touch_of(const ObstacleMesh& mesh, int feature, const Vec3& point) { return mesh.touch(feature, point); }

  Shape m_shape;
};

}  // namespace writhe::contact
