// Random rods with everything that makes them unlike each other: section, rest shape, stress, loads, supports, motion.
#pragma once

#include <cmath>
#include <random>
#include <string>

#include "support/scenes.h"

namespace writhe::test {

class RandomScenes {
 public:
  explicit RandomScenes(unsigned seed) : m_engine(seed) {}

  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(m_engine); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(m_engine); }
  double spread(double lo, double hi) { return std::exp(uniform(std::log(lo), std::log(hi))); }  // evenly on a log scale
  Vec3 vec(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec3 direction() {
    for (;;)
      if (const Vec3 v = vec(1); norm(v) > 0.3 && norm(v) < 1) return normalized(v);
  }

  // An open rod of length about 1 m, held or free.
  Scene chain() {
    Scene scene = surroundings();
    add_rod(scene, "rod", PolylineShape{{{0, 0, 0}, Vec3{0.5, 0, 0} + vec(0.08), Vec3{1, 0, 0} + vec(0.15)}});
    hold(scene, "rod");
    press(scene, "rod");
    return scene;
  }

  // A closed rod with a closing angle, of circumference about 1 m.
  Scene ring() {
    Scene scene = surroundings();
    const Vec3 normal = direction();
    Rod& rod = add_rod(scene, "rod", RingShape{vec(0.1), normal, cross(normal, direction()), uniform(0.14, 0.18)});
    rod.segments = integer(14, 24);
    rod.closing_angle = uniform(-1, 1);
    rod.initial_twist = rod.closing_angle;
    rod.rest_twist = uniform(-1, 1);
    if (integer(0, 2) > 0) rod.rest = AsBuiltRest{};
    if (integer(0, 1) > 0) rod.closing_motion.keys = {{0, 0}, {0.1, uniform(-1, 1)}};
    if (integer(0, 2) > 0) pin(scene, "rod.node[" + std::to_string(integer(0, 12)) + "]", some_axes());
    press(scene, "rod");
    return scene;
  }

  // Three or four arms that meet, each of its own section and material, and a rod across two of their ends.
  Scene net() {
    Scene scene = surroundings();
    const int arms = integer(3, 4);
    const Quat turn = exp_rotation(vec(2));
    Junction hub{"hub", {}};
    std::vector<Vec3> ends;
    for (int i = 0; i < arms; ++i) {
      const double angle = 2 * pi * i / arms + uniform(-0.2, 0.2);
      ends.push_back(rotate(turn, Vec3{0.5 * std::cos(angle), 0.5 * std::sin(angle), uniform(-0.1, 0.1)}));
      const std::string name = "arm" + std::to_string(i);
      add_rod(scene, name, LineShape{{0, 0, 0}, ends.back()}).segments = integer(4, 10);
      hub.places.push_back(Place::parse(name + ".start"));
    }
    add_rod(scene, "across", PolylineShape{{ends[0], 0.6 * (ends[0] + ends[1]), ends[1]}}).segments = integer(6, 12);
    scene.joints = {hub,
                    {"first", {Place::parse("arm0.end"), Place::parse("across.start")}},
                    {"second", {Place::parse("arm1.end"), Place::parse("across.end")}}};
    if (integer(0, 1) > 0) clamp(scene, "arm2.end");
    if (integer(0, 1) > 0) pin(scene, "across.node[2]", some_axes());
    press(scene, "arm0");
    press(scene, "across");
    return scene;
  }

  // Loads of any kind, and others, on one rod.
  void press(Scene& scene, const std::string& rod) {
    const double weight = 0.3;  // N: about that of a rod
    load(scene, ForceLoad{Place::parse(rod + "@" + std::to_string(uniform(0, 1))), vec(weight), integer(0, 1) > 0});
    load(scene, MomentLoad{Place::parse(rod + "@" + std::to_string(uniform(0, 1))), vec(2e-3), integer(0, 1) > 0});
    load(scene, LineLoad{rod, vec(weight)});
    if (integer(0, 1) > 0) load(scene, DragLoad{rod, spread(1e-3, 1), spread(1e-3, 1), vec(2)});
    if (integer(0, 1) > 0) load(scene, WindLoad{rod, vec(5)});
  }

  // Velocities of a rigid motion and of a wave along the way, the same for everything that is joined.
  void set_in_motion(State& state) {
    const Vec3 velocity = vec(2), spin = vec(3), wave = vec(5), amplitude = vec(1);
    for (std::size_t i = 0; i < state.x.size(); ++i)
      state.v[i] = velocity + cross(spin, state.x[i]) + std::sin(dot(wave, state.x[i])) * amplitude;
    for (std::size_t s = 0; s < state.q.size(); ++s) state.w[s] = rotate(conj(state.q[s]), spin) + vec(1);
  }

 private:
  Scene surroundings() {
    Scene scene;
    scene.gravity = vec(10);
    scene.damping = {integer(0, 1) * uniform(0, 2), integer(0, 1) * spread(1e-4, 1e-2)};
    scene.dt = spread(1e-3, 5e-3);
    return scene;
  }

  // Bending stiffness over weight such that a rod of 1 m sags, and does not fold where it is clamped.
  std::string add_section(Scene& scene) {
    std::string name = "section" + std::to_string(scene.sections.size());
    const double shear_factor = uniform(0.5, 1);
    switch (integer(0, 2)) {
      case 0:
        scene.sections.push_back({name, RectangleSection{uniform(0.006, 0.02), uniform(0.006, 0.02)}, shear_factor});
        break;
      case 1:
        scene.sections.push_back({name, EllipseSection{uniform(0.003, 0.01), uniform(0.003, 0.01)}, shear_factor});
        break;
      default: {
        DirectSection own;
        own.EA = spread(100, 1000);
        own.GA = own.EA * uniform(0.2, 1.5);
        own.EI1 = spread(3e-3, 3e-2);
        own.EI2 = own.EI1 * spread(0.2, 5);
        own.GJ = own.EI1 * spread(0.2, 5);
        own.linear_density = uniform(0.05, 0.2);
        own.inertia1 = spread(1e-6, 1e-5);
        own.inertia2 = own.inertia1 * uniform(0.4, 1);
        own.inertia3 = own.inertia1 * uniform(1, 1.5);
        own.radius = 0.005;
        scene.sections.push_back({name, own, 1});
      }
    }
    return name;
  }

  std::string add_material(Scene& scene) {
    const double young = spread(2e6, 5e7);
    scene.materials.push_back(
        {"material" + std::to_string(scene.materials.size()), young, uniform(800, 1500), {}, young * uniform(0.2, 0.5)});
    return scene.materials.back().name;
  }

  Rod& add_rod(Scene& scene, const std::string& name, const Centreline& centreline) {
    Rod rod;
    rod.name = name;
    rod.section = add_section(scene);
    rod.material = add_material(scene);
    rod.centreline = centreline;
    rod.segments = integer(5, 25);
    rod.d1 = direction();
    rod.initial_twist = uniform(-1, 1);
    rod.rest_twist = uniform(-1, 1);
    const bool dimensions = !std::holds_alternative<DirectSection>(scene.sections.back().shape);
    if (dimensions && integer(0, 1) > 0) rod.taper = {{0, 1}, {uniform(0.2, 0.8), uniform(0.7, 1.3)}, {1, uniform(0.7, 1)}};
    // Strains about a tenth of it, bent to a part of a circle.
    const double turn = uniform(0.5, 2), length = uniform(0.97, 1.03);
    switch (integer(0, 2)) {
      case 0:
        rod.rest = AsBuiltRest{};
        break;
      case 1:
        break;  // straight
      default: {
        const auto* line = std::get_if<LineShape>(&centreline);
        if (std::holds_alternative<RingShape>(centreline)) break;
        const double built = line ? norm(line->to - line->from) : polyline_length(std::get<PolylineShape>(centreline));
        rod.rest = ShapeRest{ArcShape{{}, direction(), direction(), length * built / turn, turn}, direction()};
      }
    }
    scene.rods.push_back(rod);
    return scene.rods.back();
  }

  static double polyline_length(const PolylineShape& shape) {
    double out = 0;
    for (std::size_t i = 1; i < shape.points.size(); ++i) out += norm(shape.points[i] - shape.points[i - 1]);
    return out;
  }

  std::string some_axes() {
    const char* const choices[] = {"x", "yz", "xyz", "z", "xy"};
    return choices[integer(0, 4)];
  }

  void hold(Scene& scene, const std::string& rod) {
    const int last = scene.rods.back().segments;
    switch (integer(0, 4)) {
      case 0:
        break;  // free
      case 1:
        clamp(scene, rod + ".start");
        break;
      case 2:
        clamp(scene, rod + ".node[" + std::to_string(integer(1, last - 1)) + "]");
        break;
      case 3:
        pin(scene, rod + ".start", some_axes());
        pin(scene, rod + ".node[" + std::to_string(integer(1, last - 1)) + "]", some_axes());
        break;
      default:
        clamp(scene, rod + ".end");
        pin(scene, rod + ".node[" + std::to_string(integer(1, last - 2)) + "]", some_axes());
        lead(scene.supports.front());
    }
  }

  void lead(Support& support) {
    Motion motion;
    motion.translate.keys = {{0, {0, 0, 0}}, {0.1, vec(0.1)}};
    motion.axis = direction();
    motion.angle.keys = {{0, 0}, {0.1, uniform(-1, 1)}};
    motion.twist.keys = {{0, 0}, {0.1, uniform(-1, 1)}};
    support.motion = motion;
  }

  std::mt19937 m_engine;
};

}  // namespace writhe::test
