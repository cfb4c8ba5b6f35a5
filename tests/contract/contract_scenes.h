// The scenes of the contract suite. Every direction is given, so that they can be moved and mirrored.
#pragma once

#include <string>
#include <vector>

#include "solvers/features.h"
#include "support/scenes.h"

namespace writhe::test {

struct NamedScene {
  std::string name;
  Scene scene;
  Feature needs = Feature::chains;
};

// A rubber ribbon along +x, d1 along +y.
inline Scene ribbon(int segments = 20) {
  Scene scene = Cord{.segments = segments}.scene();
  scene.sections = {{"section", RectangleSection{0.012, 0.008}}};
  scene.rods[0].d1 = Vec3{0, 1, 0};
  return scene;
}

inline Scene helix() {
  Scene scene = ribbon(40);
  scene.rods[0].centreline = HelixShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.1, 0.05, 2};
  scene.rods[0].rest = AsBuiltRest{};
  scene.rods[0].d1 = Vec3{0, 0, 1};
  return scene;
}

inline Scene ring() {
  Scene scene = ribbon(24);
  scene.rods[0].centreline = RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.2};
  scene.rods[0].rest = AsBuiltRest{};
  scene.rods[0].d1 = Vec3{0, 0, 1};
  return scene;
}

// Two sharp corners without stress; closed, a frame of four, one of them where it closes.
inline Scene bracket(bool closed = false) {
  Scene scene = ribbon(24);
  scene.rods[0].centreline = PolylineShape{{{0, 0, 0}, {0.3, 0, 0}, {0.3, 0.3, 0.1}, {0.1, 0.3, 0.3}}};
  scene.rods[0].rest = AsBuiltRest{};
  scene.rods[0].closed = closed;
  scene.rods[0].d1 = Vec3{0, 0.3, 1};
  return scene;
}

// Three arms from the origin.
inline Scene net() {
  Scene scene = ribbon(8);
  const Rod first = scene.rods[0];
  scene.rods.clear();
  Junction junction{"hub", {}};
  for (const Vec3 end : {Vec3{0.4, 0, 0}, Vec3{-0.2, 0.35, 0}, Vec3{-0.2, -0.35, 0}}) {
    Rod arm = first;
    arm.name = "arm" + std::to_string(scene.rods.size());
    arm.centreline = LineShape{{0, 0, 0}, end};
    arm.d1 = Vec3{0, 0, 1};
    scene.rods.push_back(arm);
    junction.places.push_back(Place::parse(arm.name + ".start"));
  }
  scene.joints = {junction};
  return scene;
}

// Two ribbons side by side: a damped spring between places within them, and a tether between their ends, just taut.
inline Scene linked() {
  Scene scene = ribbon(12);
  Rod other = scene.rods[0];
  other.name = "other";
  other.centreline = LineShape{{0.1, 0.3, 0.05}, {0.9, 0.4, -0.1}};
  scene.rods.push_back(other);
  Link spring, tether;
  spring.from = Place::parse("rod@0.37");
  spring.to = Place::parse("other@0.71");
  spring.stiffness = 5;
  spring.damping = 0.05;
  tether.kind = Link::Kind::tether;
  tether.from = Place::parse("rod.end");
  tether.to = Place::parse("other.end");
  tether.stiffness = 20;
  scene.links = {spring, tether};
  return scene;
}

// Without stress and without load: nothing should ever move.
inline std::vector<NamedScene> scenes_at_rest() {
  Scene clamped = ribbon(), pinned = ribbon(), twisted = ribbon(), tapered = ribbon(), coil = helix(), held_ring = ring();
  clamp(clamped, "rod.start");
  clamp(clamped, "rod.end");
  pin(pinned, "rod.start");
  pin(pinned, "rod@0.5", "yz");
  twisted.rods[0].initial_twist = twisted.rods[0].rest_twist = 5;
  clamp(twisted, "rod.start");
  tapered.rods[0].taper = {{0, 1}, {1, 0.4}};
  tapered.damping = {0.5, 0.01};
  clamp(tapered, "rod@0.5");
  clamp(coil, "rod.start");
  Scene held_bracket = bracket(), frame = bracket(true);
  clamp(held_bracket, "rod.node[8]");  // its first corner
  frame.rods[0].initial_twist = frame.rods[0].rest_twist = frame.rods[0].closing_angle = 2;
  pin(frame, "rod.node[3]");
  pin(held_ring, "rod.node[6]");
  return {{"straight and free", ribbon()},
          {"clamped at both ends", clamped},
          {"pinned", pinned},
          {"twisted", twisted},
          {"tapered and damped", tapered},
          {"a free helix", helix()},
          {"a clamped helix", coil},
          {"a free ring", ring(), Feature::rings},
          {"a pinned ring", held_ring, Feature::rings},
          {"a net", net(), Feature::nets},
          {"linked", linked(), Feature::links},
          {"with corners", bracket(), Feature::corners},
          {"a clamped corner", held_bracket, Feature::corners},
          {"a closed frame", frame, Feature::corners}};
}

// Held by a clamp that moves and turns, twisted, out of its rest shape, and under every kind of load: swings through large
// rotations in 0.4 s.
inline Scene swinging() {
  Scene scene = ribbon(30);
  scene.rods[0].centreline = PolylineShape{{{0, 0, 0}, {0.6, 0.1, 0.05}, {0.9, 0.3, 0.3}}};
  scene.rods[0].initial_twist = 2;
  scene.rods[0].rest_twist = 0.5;
  scene.gravity = {0, 0, -9.81};
  scene.gravity_ramp.points = {{0, 0.5}, {0.1, 1}};
  scene.damping = {0.2, 1e-3};
  scene.dt = 2e-3;
  clamp(scene, "rod.start");
  Motion wave;
  wave.translate.keys = {{0, {0, 0, 0}}, {0.2, {0.05, 0.08, -0.02}}};
  wave.axis = {1, 2, -0.5};
  wave.about = Vec3{0.1, -0.2, 0.1};
  wave.angle.keys = {{0, 0}, {0.3, 0.8}};
  wave.twist.keys = {{0.05, 0}, {0.35, 1.5}};
  wave.easing = Easing::smooth;
  scene.supports[0].motion = wave;
  load(scene, ForceLoad{Place::parse("rod.end"), {0.02, 0.15, 0.05}, false}, {{{0, 0}, {0.1, 1}, {0.3, 0}}});
  load(scene, ForceLoad{Place::parse("rod@0.7"), {0.03, 0.05, 0.02}, true});
  load(scene, MomentLoad{Place::parse("rod.end"), {1e-3, 2e-3, -1e-3}, false});
  load(scene, MomentLoad{Place::parse("rod@0.5"), {5e-4, 1e-3, 2e-3}, true});
  load(scene, LineLoad{"rod", {0.1, -0.2, 0.05}});
  load(scene, DragLoad{"rod", 0.02, 0.005, {0.5, -0.3, 0.1}});
  load(scene, WindLoad{"rod", {1, 2, -1}});
  return scene;
}

// Rods of many lengths that fall: work that threads can share in many ways.
inline Scene flock() {
  Scene scene = ribbon();
  scene.gravity = {0, 0, -9.81};
  const Rod first = scene.rods[0];
  scene.rods.clear();
  for (int i = 0; i < 11; ++i) {
    Rod rod = first;
    rod.name = "rod" + std::to_string(i);
    rod.segments = 4 + 3 * (i * 7 % 11);
    rod.centreline = LineShape{{0, 0.1 * i, 0}, {0.5 + 0.05 * i, 0.1 * i, 0.1}};
    rod.initial_twist = 0.3 * i;
    scene.rods.push_back(rod);
    clamp(scene, rod.name + ".start");
  }
  return scene;
}

// Rods of one layout, each of its own stiffness and with loads of its own: what a method may solve side by side.
inline Scene comb() {
  Scene scene = ribbon(10);
  scene.gravity = {0, 0, -9.81};
  const Rod first = scene.rods[0];
  const Material rubber = scene.materials[0];
  scene.rods.clear();
  for (int i = 0; i < 19; ++i) {
    const std::string own = std::to_string(i);
    scene.materials.push_back(rubber);
    scene.materials.back().name = "rubber" + own;
    scene.materials.back().young *= 1 + i;
    Rod rod = first;
    rod.name = "rod" + own;
    rod.material = "rubber" + own;
    rod.centreline = LineShape{{0, 0.1 * i, 0}, {0.5, 0.1 * i, 0.02 * i}};
    scene.rods.push_back(rod);
    clamp(scene, rod.name + ".start");
    load(scene, ForceLoad{Place::parse(rod.name + ".end"), {0, 0.01 * i, 0}, i % 2 == 0});
    load(scene, DragLoad{rod.name, 0.05 * i, 0.01, {0, 1, 0}});
  }
  return scene;
}

}  // namespace writhe::test
