// A rod with a sharp corner in its rest shape: two legs, a = b = 1 m, at a right angle. At the corner two half segments, each
// along its own leg, meet in a free frame, which is condensed into one joint (docs/theory/rod.md, "Corners").
//
// Small loads: beam theory with shear and stretch (reference.py). A force at the tip in the plane of the legs bends both by EI1;
// one across it bends them by EI2, and twists the first by GJ. Clamped at both ends and pushed across its plane in the middle of
// the first leg, the angle is torn between the two: the torque of one leg is the bending moment of the other. All of this is
// linear: what is measured is half the difference between those by F and by -F, with F small.
//
// Large loads: the same angle of two rods that are joined has a frame there that is really free.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/rest_study.h"
#include "../common/static_study.h"
#include "math/rotation.h"
#include "study/convergence.h"
#include "study/registry.h"

namespace writhe::experiments::corner {

namespace {

using study::Expectation;

const std::string folder = "experiments/corner/";
constexpr double small_force = 1e-3;            // N
const std::vector<int> meshes{12, 20, 40, 80};  // of both legs together

StaticOptions to_rounding() {
  StaticOptions options;
  options.tolerance = 1e-12;
  return options;
}

std::string force_is(const Vec3& f) { return fmt::format("loads[0].force=[{}, {}, {}]", f.x, f.y, f.z); }
std::string segments(const std::string& rod, int count) { return fmt::format("rods.{}.segments={}", rod, count); }

Equilibrated loaded(const std::string& scene, const Vec3& force, int count) {
  return equilibrate(folder + scene, {force_is(force), segments("angle", count)}, to_rounding());
}

// ---- small loads -----------------------------------------------------------------------------------------------------
struct Tip {
  Vec3 x{}, turn{};
};
Tip tip_of(const Equilibrated& rod) {
  const Model& model = rod.statics.model();
  const State& state = rod.statics.state();
  const int last = model.segment_count() - 1;
  return {state.x[last + 1], log_rotation(state.q[last] * conj(model.segments().q_initial[last]))};
}

// By a unit force, per newton.
Tip compliance(const Vec3& direction, int count) {
  const Tip to = tip_of(loaded("cantilever.yaml", small_force * direction, count));
  const Tip back = tip_of(loaded("cantilever.yaml", -small_force * direction, count));
  return {(0.5 / small_force) * (to.x - back.x), (0.5 / small_force) * (to.turn - back.turn)};
}

// About the second leg, at its clamp, by a unit force in the middle of the first: m.
double torque_held(int count) {
  const auto about_y = [&](double force) {
    const Equilibrated rod = loaded("held.yaml", {0, 0, force}, count);
    return rod.statics.reactions()[1].moment.y;
  };
  return (about_y(small_force) - about_y(-small_force)) / (2 * small_force);
}

struct Case {
  const char* name;
  double (*measure)(int count);
  bool refines;  // the twist is exact on any mesh
};
const Case cases[] = {
    {"in_plane",
     [](int count) {
       return compliance({1, 0, 0}, count).x.x;
     },
     true},
    {"out_of_plane",
     [](int count) {
       return compliance({0, 0, 1}, count).x.z;
     },
     true},
    {"twist",
     [](int count) {
       return compliance({0, 0, 1}, count).turn.x;
     },
     false},
    {"torque", torque_held, true},
};

void measure_small(study::Result& result, const study::Context& context, const nlohmann::json& reference) {
  std::vector<study::Series> errors;
  for (const Case& one : cases) {
    context.progress(one.name);
    const std::string key = one.name;
    const double exact = reference.at(key);
    if (!one.refines) {
      result.measure(key, one.measure(meshes.back()));
      continue;
    }
    const std::vector<double> found = measure_refined(result, {key, "order_" + key, exact, meshes}, one.measure);
    result.measure("error_" + key, found.back());
    errors.push_back(over_meshes(key, meshes, found));
  }
  result.plots.push_back(error_plot("An angle under small loads", "relative error, beam theory", std::move(errors), 2));
}

// ---- large loads: the same with a frame that is free, and by another method -----------------------------------------------
const Vec3 large{2.4, 0, 3.2};  // N, 4 EI1/a^2

double largest_distance(const Model& model, const State& one, const Model& other_model, const State& other) {
  const int count = model.rods()[0].segment_count, half = count / 2;
  double most = 0;
  for (int k = 0; k <= count; ++k) {
    const int node = k <= half ? other_model.node_of(0, k) : other_model.node_of(1, k - half);
    most = std::max(most, norm(one.x[model.node_of(0, k)] - other.x[node]) / model.rods()[0].length);
  }
  return most;
}

void measure_large(study::Result& result, const study::Context& context) {
  std::vector<double> resolutions, differences;
  for (const int count : meshes) {
    context.progress(fmt::format("large load, {} segments", count));
    const Equilibrated one = loaded("cantilever.yaml", large, count);
    const Equilibrated two = equilibrate(
        folder + "joined.yaml", {force_is(large), segments("inner", count / 2), segments("outer", count / 2)}, to_rounding());
    differences.push_back(largest_distance(one.statics.model(), one.statics.state(), two.statics.model(), two.statics.state()));
    resolutions.push_back(count);
    result.measure(fmt::format("free_frame_difference_n{}", count), differences.back());
    if (count == 40) {
      State built = one.statics.model().initial_state();
      const std::vector<State> states{built, one.statics.state()};
      draw(result, "An angle, as built and under the large load, 40 segments", one.statics.model(), states);
    }
  }
  result.measure("order_free_frame", study::convergence_order(resolutions, differences));
  result.plots.push_back(error_plot("One rod with a corner, or two that are joined, large load", "largest distance / length",
                                    {over_meshes("distance", meshes, differences)}, 3));
}

void measure_methods(study::Result& result, const study::Context& context) {
  const Equilibrated exact = loaded("cantilever.yaml", large, 20);
  for (const std::string& method : {std::string("newton"), std::string("pd")}) {
    context.progress("at rest by " + method);
    const Simulation rest =
        settled(folder + "cantilever.yaml", {force_is(large), segments("angle", 20), "solver.method=" + method});
    double most = 0;
    for (std::size_t i = 0; i < rest.state().x.size(); ++i)
      most = std::max(most, norm(rest.state().x[i] - exact.statics.state().x[i]) / rest.model().rods()[0].length);
    result.measure("difference_" + method, most);
  }
}

void perform(study::Result& result, const study::Context& context) {
  const nlohmann::json reference = embedded_reference(folder + "reference.json");
  for (const Case& one : cases) {
    const std::string key = one.name;
    result.expect(key, Expectation::within_relative(reference.at(key), 5e-4, "beam theory, " + folder + "reference.py"));
    if (one.refines)
      result.expect("order_" + key, Expectation::at_least(1.8, "half segments that meet in a frame, docs/theory/rod.md"));
  }
  result.expect("order_free_frame", Expectation::within(3, 0.2, "the cube of the turn of one joint, docs/theory/rod.md"));
  result.expect("free_frame_difference_n12", Expectation::at_most(1e-3, "likewise"));
  for (const char* key : {"difference_newton", "difference_pd"})
    result.expect(key, Expectation::at_most(1e-6, "the same discrete rod; both rest where nothing is faster than 1e-9 m/s"));
  result.notes = {
      "in_plane, out_of_plane (m/N), twist (rad/N): of the tip of an angle clamped at one end, by a force at the tip in its "
      "plane "
      "and out of it; torque (m): about the second leg at its clamp, where both ends are held, over a force across the plane in "
      "the "
      "middle of the first leg; 80 segments, legs of 1 m",
      "free_frame_difference: largest distance from two rods that are joined at the corner, over the length, under 4 EI/a^2 "
      "askew; "
      "difference: of the rod at rest by a method from its equilibrium, 20 segments"};
  measure_small(result, context, reference);
  measure_large(result, context);
  measure_methods(result, context);
}

}  // namespace

study::Experiment experiment() {
  return {"corner", "A rod with a sharp corner: in its plane, out of it, and twisted",
          "beam theory: Timoshenko, Strength of Materials; docs/theory/rod.md, \"Corners\"", false, perform};
}

}  // namespace writhe::experiments::corner
