#include "statics/shaken.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "math/rotation.h"

namespace writhe::statics {

namespace {

constexpr int trials = 9;
constexpr int waves = 4;            // whose sum a field is
constexpr double amplitude = 0.01;  // of the extent, each wave
constexpr double twist = 0.1;       // rad, likewise

// A smooth field in space: displacements and a twist, sums of plane waves of random direction and phase.
class Field {
 public:
  Field(const Vec3& centre, double extent, std::mt19937& random) : m_centre(centre) {
    const auto number = [&random] { return 2 * (static_cast<double>(random()) / 4294967295.0) - 1; };
    const auto vector = [&number] {
      const double x = number(), y = number();
      return Vec3{x, y, number()};
    };
    for (Wave& wave : m_waves) {
      wave.number = (4 / extent) * vector();
      wave.size = (amplitude * extent) * vector();
      wave.phase = pi * number();
      wave.twist = twist * number();
    }
  }

  Vec3 displacement(const Vec3& x) const {
    Vec3 out{};
    for (const Wave& wave : m_waves) out += std::sin(wave.at(x - m_centre)) * wave.size;
    return out;
  }
  // rad, space: how a fibre along the unit vector t is turned.
  Vec3 turn(const Vec3& x, const Vec3& t) const {
    Vec3 stretched{};
    double about = 0;
    for (const Wave& wave : m_waves) {
      stretched += (std::cos(wave.at(x - m_centre)) * dot(wave.number, t)) * wave.size;
      about += wave.twist * std::sin(wave.at(x - m_centre));
    }
    return cross(t, stretched) + about * t;
  }

 private:
  struct Wave {
    Vec3 number{};  // 1/m
    Vec3 size{};    // m
    double phase = 0, twist = 0;
    double at(const Vec3& x) const { return dot(number, x) + phase; }
  };
  Vec3 m_centre;
  Wave m_waves[waves];
};

struct Box {
  Vec3 low{}, high{};
  void add(const Vec3& x) {
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
};

Box box_of(const Model& model, const Component& part, const State& state) {
  const Vec3& first = state.x[model.node_of(part.rods.front(), 0)];
  Box box{first, first};
  for (const int rod : part.rods)
    for (int k = 0; k <= model.rods()[rod].segment_count; ++k) box.add(state.x[model.node_of(rod, k)]);
  return box;
}

void shake_part(const Model& model, const assembly::Assembly& assembly, const Component& part, const State& state,
                const Field& field, Eigen::VectorXd& step) {
  const auto place = [&step](int block, const Vec3& value) {  // once: rods share nodes
    step.segment<3>(3 * static_cast<Eigen::Index>(block)) << value.x, value.y, value.z;
  };
  const auto turn = [&](int orientation, const Vec3& x) {
    const int block = assembly.block_of_orientation(orientation);
    if (block < 0) return;
    const Quat& q = state.q[orientation];
    place(block, rotate_back(q, field.turn(x, rotate(q, Vec3{0, 0, 1}))));
  };
  for (const int rod : part.rods) {
    const RodRange& range = model.rods()[rod];
    for (int k = 0; k <= range.segment_count; ++k) {
      const int node = model.node_of(rod, k);
      place(assembly.block_of_node(node), field.displacement(state.x[node]));
    }
    for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s)
      turn(s, 0.5 * (state.x[model.segments().node0[s]] + state.x[model.segments().node1[s]]));
  }
}

}  // namespace

Shaken shaken(const Model& model, const assembly::Assembly& assembly, const State& state, bool both_ways) {
  Shaken out{{state}, {}};
  if (both_ways) out.opposite.push_back(state);
  std::mt19937 random(1);
  for (int trial = 0; trial < trials; ++trial) {
    Eigen::VectorXd step = Eigen::VectorXd::Zero(assembly.size());
    for (const Component& part : model.components()) {
      const Box box = box_of(model, part, state);
      double extent = norm(box.high - box.low);
      for (const int rod : part.rods) extent = std::max(extent, 1e-3 * model.rods()[rod].length);  // a ball of string
      const Field field(0.5 * (box.low + box.high), extent, random);
      shake_part(model, assembly, part, state, field, step);
    }
    step = step.cwiseProduct(assembly.free());
    assembly.move(state, step, 1, out.states.emplace_back(state));
    if (both_ways) assembly.move(state, step, -1, out.opposite.emplace_back(state));
  }
  return out;
}

}  // namespace writhe::statics
