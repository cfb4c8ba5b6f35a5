// What every method has to keep, whatever it computes. Each property is a group of tests over every row of solver_table(), with
// each of its integrators and in each of its variants.
//
// A method that cannot keep a property says so in its row (SolverInfo::exemptions) with a reason; its tests are then skipped, and
// `writhe solvers` tells the user.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "solvers/solver.h"
#include "support/scenes.h"

namespace writhe::test {

struct Row : SolverInfo {
  IntegratorInfo integrator_info;
  SolverSettings settings;  // method, integrator and what makes the variant
  std::string label;        // newton, newton_midpoint, pd_published
};
inline void PrintTo(const Row& row, std::ostream* out) { *out << row.label; }

inline Row variant_row(const SolverInfo& info, const SolverVariant& variant) {
  Row row{info, info.integrators.front(), variant.settings, info.name + "_" + variant.name};
  row.settings.method = info.name;
  row.settings.integrator = row.integrator_info.kind;
  row.features = variant.features;
  row.exemptions.insert(row.exemptions.end(), variant.exemptions.begin(), variant.exemptions.end());
  return row;
}

inline std::vector<Row> contract_rows() {
  std::vector<Row> rows;
  for (const SolverInfo& info : solver_table()) {
    for (const IntegratorInfo& integrator : info.integrators) {
      Row row{info, integrator, {}, info.name + (integrator.kind == Integrator::midpoint ? "_midpoint" : "")};
      row.settings.method = info.name;
      row.settings.integrator = integrator.kind;
      rows.push_back(row);
    }
    for (const SolverVariant& variant : info.variants) rows.push_back(variant_row(info, variant));
  }
  return rows;
}

enum class Property { rest, symmetry, mirror, flight, spin, threads, resume, refusal, failure, supports };
inline constexpr std::array<std::string_view, 10> property_names{"rest",    "symmetry", "mirror",  "flight",  "spin",
                                                                 "threads", "resume",   "refusal", "failure", "supports"};

// Lengths are parts of the rod's length; the tolerance of symmetry and mirror is the method's own (SolverInfo).
namespace tolerance {
inline constexpr double rest_drift = 1e-10;    // of a rod without stress, in 1000 steps
inline constexpr double settled_drift = 1e-8;  // of a loaded rod that has settled to 1e-9 m/s, in 1000 steps
// Of what it was thrown with. The forces left over at solver.tolerance 1e-11 add up like a random walk.
inline constexpr double linear_momentum = 3e-11;
inline constexpr double angular_momentum = 0.02;  // the same, for the longest step; it falls with the order of the method
// Of a method that keeps it: the forces left over, at the lever of the rod, and for as many steps.
inline constexpr double kept_angular_momentum = 1e-8;
inline constexpr double order = 0.15;      // how far the observed order may be from that of the method
inline constexpr double rounding = 1e-14;  // of the size of a scene: one formula computed in two ways
}  // namespace tolerance

template <Property property>
class Keeps : public testing::TestWithParam<Row> {
 protected:
  void SetUp() override {
    for (const Exemption& exemption : GetParam().exemptions)
      if (exemption.property == property_names[static_cast<std::size_t>(property)]) GTEST_SKIP() << exemption.reason;
  }

  // The scene by the method under test.
  Simulation start(Scene scene, int threads = 1) const {
    SolverSettings settings = GetParam().settings;
    settings.tolerance = scene.solver.tolerance;
    settings.newton.max_iterations = scene.solver.newton.max_iterations;
    settings.pd.iterations = 2000;  // properties of the method, not of how far a budget gets it
    scene.solver = settings;
    return simulate(scene, threads);
  }
  bool supports(Feature feature) const { return GetParam().features.has(feature); }
};

// Instantiates a property's tests over all methods.
#define WRITHE_EVERY_SOLVER(suite)                                                             \
  INSTANTIATE_TEST_SUITE_P(Solvers, suite, testing::ValuesIn(::writhe::test::contract_rows()), \
                           [](const auto& row) { return row.param.label; })

inline void take_steps(Simulation& simulation, int count, double dt) {
  for (int k = 0; k < count; ++k) {
    const StepReport report = simulation.step(dt);
    ASSERT_TRUE(report.accepted()) << "step " << k << ", rod " << report.rod << ", node " << report.node << ": " << report.cause;
  }
}

// Every bit of a state, as a string: equal when the states are equal to the last bit, the sign of zeros included.
inline std::string bits(const State& state) {
  std::string out;
  const auto add = [&out](const auto* values, std::size_t count) {
    out.append(reinterpret_cast<const char*>(values), count * sizeof *values);
  };
  add(&state.time, 1);
  State::visit_arrays([&](const auto& array) { add(array.data(), array.size()); }, state);
  for (const std::vector<double>& memory : state.memory) add(memory.data(), memory.size());
  return out;
}

inline bool all_finite(const State& state) {
  bool all = true;
  const auto one = [](const auto& value) {
    if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>)
      return std::isfinite(value);
    else
      return finite(value);
  };
  State::visit_arrays([&](const auto& array) { all = all && std::all_of(array.begin(), array.end(), one); }, state);
  return all;
}

}  // namespace writhe::test
