// Scenes in code for the tests of the model, and the questions they ask of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "elastic/joint.h"
#include "math/rotation.h"
#include "writhe/model.h"

namespace writhe::test {

// A rubber cord of 5 mm radius, and a ribbon whose two bending stiffnesses differ.
inline Scene empty_scene() {
  Scene scene;
  scene.materials.push_back({"rubber", 1e6, 1300, 0.5, {}});
  scene.sections.push_back({"cord", CircleSection{0.005}, 1});
  scene.sections.push_back({"ribbon", RectangleSection{0.02, 0.002}, 1});
  return scene;
}

inline Rod rod(std::string name, Centreline centreline, int segments, Rest rest = StraightRest{}) {
  Rod out;
  out.name = std::move(name);
  out.section = "ribbon";
  out.material = "rubber";
  out.centreline = std::move(centreline);
  out.segments = segments;
  out.rest = std::move(rest);
  return out;
}

inline Scene scene_of(Rod given) {
  Scene scene = empty_scene();
  scene.rods.push_back(std::move(given));
  return scene;
}

// A curve with curvature and torsion, so that nothing is zero by symmetry.
inline HelixShape coil() { return {{0.1, 0.2, 0.3}, {0.2, 0.1, 1}, {1, 0, 0}, 0.1, 0.05, 1.4}; }

inline Support clamp(const std::string& place) {
  Support out;
  out.kind = Support::Kind::clamp;
  out.at = Place::parse(place);
  return out;
}
inline Support pin(const std::string& place, std::string axes = "xyz") {
  Support out;
  out.at = Place::parse(place);
  out.axes = std::move(axes);
  return out;
}

// Bend and twist of a joint times its length, as the elastic element will see it.
inline Vec3 angles(const Model& model, const State& state, int joint) {
  const Joints& j = model.joints();
  return elastic::joint_angles(conj(state.q[j.a[joint]] * j.turn_a[joint]) * state.q[j.b[joint]] * j.turn_b[joint]);
}
inline Vec3 strain_excess(const Model& model, const State& state, int joint) {
  return angles(model, state, joint) / model.joints().length[joint] - model.joints().strain_rest[joint];
}
// Largest bend-twist strain beyond rest over all joints, times the joint's length: rad.
inline double largest_excess(const Model& model) {
  const State state = model.initial_state();
  double largest = 0;
  for (int i = 0; i < model.joint_count(); ++i)
    largest = std::max(largest, norm(strain_excess(model, state, i)) * model.joints().length[i]);
  return largest;
}

inline void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}
// The same quaternion, sign included.
inline void expect_near(const Quat& a, const Quat& b, double tolerance) {
  EXPECT_NEAR(a.w, b.w, tolerance);
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

}  // namespace writhe::test
