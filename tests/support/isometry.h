// A motion or a mirror image of space, and scenes and states carried along by it.
//
// A mirror reverses handedness. What turns (moments, angular velocities, normals, axes: axial vectors) gets a sign beyond that of
// what points (positions, velocities, forces), and angles about a rod's own d3 change sign. Body components follow the frame
// whose d1 and d3 are the images of d1 and d3; its d2, so that it stays right-handed, is minus the image of d2.
#pragma once

#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "math/rotation.h"
#include "writhe/writhe.h"

namespace writhe::test {

struct Isometry {
  Quat rotation{1, 0, 0, 0};
  Vec3 shift{0, 0, 0};   // m, after the rotation
  bool mirrors = false;  // y -> -y, before the rotation

  double handedness() const { return mirrors ? -1 : 1; }
  Vec3 vector(const Vec3& v) const { return rotate(rotation, Vec3{v.x, handedness() * v.y, v.z}); }
  Vec3 point(const Vec3& p) const { return vector(p) + shift; }
  Vec3 axial(const Vec3& v) const { return handedness() * vector(v); }
  Vec3 body_vector(const Vec3& v) const { return {v.x, handedness() * v.y, v.z}; }
  Vec3 body_axial(const Vec3& v) const { return handedness() * body_vector(v); }
  double angle_about_d3(double angle) const { return handedness() * angle; }
  Quat frame(const Quat& q) const { return rotation * Quat{q.w, handedness() * q.x, q.y, handedness() * q.z}; }
};

// ---- scenes --------------------------------------------------------------------------------------------------------
inline Centreline moved(const Centreline& shape, const Isometry& to) {
  const auto visit = [&to](auto s) -> Centreline {
    using Shape = decltype(s);
    if constexpr (std::is_same_v<Shape, LineShape> || std::is_same_v<Shape, ParabolaShape> ||
                  std::is_same_v<Shape, CatenaryShape>) {
      s.from = to.point(s.from);
      s.to = to.point(s.to);
    } else if constexpr (std::is_same_v<Shape, PolylineShape> || std::is_same_v<Shape, ObjShape>) {
      for (Vec3& p : s.points) p = to.point(p);
    } else {
      s.centre = to.point(s.centre);
      s.start = to.vector(s.start);
    }
    if constexpr (std::is_same_v<Shape, ParabolaShape> || std::is_same_v<Shape, CatenaryShape>) s.up = to.vector(s.up);
    if constexpr (std::is_same_v<Shape, ArcShape> || std::is_same_v<Shape, RingShape>) s.normal = to.axial(s.normal);
    if constexpr (std::is_same_v<Shape, HelixShape>) {
      s.axis = to.vector(s.axis);  // the direction of the climb; the handedness is in the sign of the turns
      s.turns *= to.handedness();
    }
    return s;
  };
  return std::visit(visit, shape);
}

inline void move_vector(std::optional<Vec3>& v, const Isometry& to) {
  if (v) v = to.vector(*v);
}

inline Rod moved(Rod rod, const Isometry& to) {
  rod.centreline = moved(rod.centreline, to);
  move_vector(rod.d1, to);
  if (auto* own = std::get_if<ShapeRest>(&rod.rest)) {
    own->shape = moved(own->shape, to);
    move_vector(own->d1, to);
  }
  if (auto* curved = std::get_if<CurvedRest>(&rod.rest)) {
    const Vec3 rate = to.body_axial({curved->curvature1, curved->curvature2, curved->twist});
    curved->curvature1 = rate.x, curved->curvature2 = rate.y, curved->twist = rate.z;
  }
  if (rod.initial_twist) rod.initial_twist = to.angle_about_d3(*rod.initial_twist);
  for (double* angle : {&rod.rest_twist, &rod.closing_angle}) *angle = to.angle_about_d3(*angle);
  for (auto& key : rod.closing_motion.keys) key.second = to.angle_about_d3(key.second);
  return rod;
}

inline Motion moved(Motion motion, const Isometry& to) {
  for (auto& key : motion.translate.keys) key.second = to.vector(key.second);
  motion.axis = to.axial(motion.axis);
  if (motion.about) motion.about = to.point(*motion.about);
  for (auto& key : motion.twist.keys) key.second = to.angle_about_d3(key.second);
  return motion;
}

inline Support moved(Support support, const Isometry& to) {
  if (support.axes != "xyz" && !(to.rotation == Quat{1, 0, 0, 0}))
    throw std::logic_error("a support that holds some axes of space has no image under a rotation");
  move_vector(support.tangent, to);
  move_vector(support.d1, to);
  if (support.motion) support.motion = moved(*support.motion, to);
  return support;
}

inline Load moved(const Load& load, const Isometry& to) {
  const auto visit = [&to](auto kind) -> decltype(Load::kind) {
    using Kind = decltype(kind);
    if constexpr (std::is_same_v<Kind, ForceLoad>) {
      kind.force = kind.follower ? to.body_vector(kind.force) : to.vector(kind.force);
    } else if constexpr (std::is_same_v<Kind, MomentLoad>) {
      kind.moment = kind.follower ? to.body_axial(kind.moment) : to.axial(kind.moment);
    } else if constexpr (std::is_same_v<Kind, LineLoad>) {
      kind.force_per_length = to.vector(kind.force_per_length);
    } else {
      kind.velocity = to.vector(kind.velocity);
    }
    return kind;
  };
  return {std::visit(visit, load.kind), load.ramp};
}

// Every direction that the scene leaves to the program (a d1 that is not given) is the program's choice here too: give them.
inline Scene moved(Scene scene, const Isometry& to) {
  scene.gravity = to.vector(scene.gravity);
  for (Rod& rod : scene.rods) rod = moved(std::move(rod), to);
  for (Support& support : scene.supports) support = moved(std::move(support), to);
  for (Load& load : scene.loads) load = moved(load, to);
  return scene;
}

// ---- states --------------------------------------------------------------------------------------------------------
inline State moved(State state, const Isometry& to) {
  for (Vec3& x : state.x) x = to.point(x);
  for (Vec3& v : state.v) v = to.vector(v);
  for (Quat& q : state.q) q = to.frame(q);
  for (Vec3& w : state.w) w = to.body_axial(w);
  for (double& angle : state.closing) angle = to.angle_about_d3(angle);
  return state;
}

}  // namespace writhe::test
