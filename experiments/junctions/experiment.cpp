// Rods joined at junctions. A junction is a frame to which each arm is joined over half a segment.
//
// Split: a cantilever in one piece and the same in two, joined in the middle. There two half joints in series stand for one whole
// joint. Twist is the same to the last digit. A bend by the angle a takes the moment (EI/l) sin a in a whole joint, but
// (2EI/l) sin(a/2) in two halves: for the same moment they differ by a^3/8. So both rods are the same to 1e-9 where joints bend
// by a milliradian, and at large loads their distance falls as N^-3.
//
// Stiffness: arms clamped at their far ends resist a turn of the junction by 4 EI/L each when bent and by GJ/L when twisted. A
// pair of forces on a lever that is joined to the same junction puts a pure moment on it (a single force for the T, whose two
// arms carry it without a turn). The lever's own bending does not matter.
//
// Balance: a star bent far, forces and moments summed up at every node, segment and frame.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../common/balance.h"
#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "math/rotation.h"
#include "study/convergence.h"
#include "study/registry.h"

namespace writhe::experiments::junctions {

namespace {

using study::Expectation;

const std::string folder = "experiments/junctions/";

StaticOptions to_rounding() {
  StaticOptions options;
  options.tolerance = 1e-12;
  return options;
}

std::string force_is(int load, const Vec3& f) { return fmt::format("loads[{}].force=[{}, {}, {}]", load, f.x, f.y, f.z); }

// ---- a chain split by a junction ---------------------------------------------------------------------------------------
struct Difference {
  double position = 0;  // largest distance of nodes, rod lengths
  double turn = 0;      // rad, largest angle between the first axes of the sections
  double bend = 0;      // rad, of the joint where the chain is split
  Statics split;
};

// A force of this size (N) across both axes of the section, and a moment about the rod as built.
std::vector<std::string> askew(double load) {
  return {force_is(0, {0, 0.6 * load, -0.8 * load}), fmt::format("loads[1].moment=[{}, 0, 0]", 0.1 * load)};
}

Difference difference_by_split(double load, int segments) {
  std::vector<std::string> of_whole = askew(load), of_parts = askew(load);
  of_whole.push_back(fmt::format("rods.whole.segments={}", segments));
  for (const char* half : {"inner", "outer"}) of_parts.push_back(fmt::format("rods.{}.segments={}", half, segments / 2));
  const Equilibrated one = equilibrate(folder + "chain.yaml", of_whole, to_rounding());
  Equilibrated two = equilibrate(folder + "split.yaml", of_parts, to_rounding());

  const Model &whole = one.statics.model(), &parts = two.statics.model();
  const State &a = one.statics.state(), &b = two.statics.state();
  const auto d1 = [](const State& state, int segment) { return rotate(state.q[segment], Vec3{1, 0, 0}); };
  const int half = segments / 2;
  const Quat at_split = conj(a.q[half - 1]) * a.q[half];
  double position = 0, turn = 0;
  for (int k = 0; k <= segments; ++k) {
    const int node = k <= half ? parts.node_of(0, k) : parts.node_of(1, segments - k);
    position = std::max(position, norm(a.x[whole.node_of(0, k)] - b.x[node]) / whole.rods()[0].length);
  }
  for (int s = 0; s < segments; ++s) {
    const int segment = parts.rods()[s < half ? 0 : 1].first_segment + (s < half ? s : segments - 1 - s);
    turn = std::max(turn, norm(d1(a, s) - d1(b, segment)));
  }
  return {position, turn, 2 * std::hypot(at_split.x, at_split.y), std::move(two.statics)};
}

constexpr double small_load = 0.04, large_load = 5;  // EI1/L^2
const std::vector<int> split_meshes{20, 40, 80};

void measure_split(study::Result& result, const study::Context& context) {
  context.progress("chain split by a junction");
  const Difference small = difference_by_split(small_load, split_meshes.front());
  result.measure("split_difference", small.position);
  result.measure("split_turn_difference", small.turn);
  result.measure("split_bend", small.bend);
  std::vector<double> resolutions, differences;
  for (const int segments : split_meshes) {
    const Difference large = difference_by_split(large_load, segments);
    result.measure(fmt::format("split_difference_large_n{}", segments), large.position);
    if (segments == split_meshes.front()) result.measure("split_bend_large", large.bend);
    resolutions.push_back(segments);
    differences.push_back(large.position);
    if (segments == split_meshes.front())
      draw(result, "Cantilever of two rods under the large load, 20 segments", large.split.model(), large.split.state());
  }
  result.measure("order_split_large", study::convergence_order(resolutions, differences));
  result.plots.push_back(error_plot("A junction in the middle of a chain, large load", "distance from the whole chain / length",
                                    {over_meshes("largest of any node", split_meshes, differences)}, 3));
}

// ---- stiffness of junctions --------------------------------------------------------------------------------------------
struct Case {
  const char* name;   // of the scene and in the keys
  Vec3 pair[2];       // N: forces of a moment of 1 N m
  Vec3 axis;          // that it turns about
  const char* label;  // added to the name
  double compliance;  // rad per M L/EI, beam theory
  bool bends;         // some of the arms: twist alone is exact on any mesh
};

constexpr double GJ = 2.0 / 3;  // EI, of the scenes
const Case cases[] = {
    {"tee", {{-1, 0, 0}, {}}, {0, 0, 1}, "", 1 / 8.0, true},
    {"tee", {{0, 0, 1}, {}}, {1, 0, 0}, "_out", 1 / (2 * GJ), false},
    {"crossing", {{1, 0, 0}, {-1, 0, 0}}, {0, 0, 1}, "", 1 / 8.0, true},
    {"crossing", {{0, 0, -1}, {0, 0, 1}}, {1, 0, 0}, "_out", 1 / (2 * GJ), false},
    {"star3", {{0, -1, 0}, {0, 1, 0}}, {0, 0, 1}, "", 1 / 12.0, true},
    {"star3", {{0, 0, 1}, {0, 0, -1}}, {0, 1, 0}, "_out", 1 / (1.5 * (4 + GJ)), true},
    {"star5", {{0, -1, 0}, {0, 1, 0}}, {0, 0, 1}, "", 1 / 20.0, true},
    {"star5", {{0, 0, 1}, {0, 0, -1}}, {0, 1, 0}, "_out", 1 / (2.5 * (4 + GJ)), true},
};
constexpr double moment = 5e-4;  // N m: turns of less than a milliradian; the arms must not get longer by turning

std::string key_of(const Case& net) { return std::string(net.name) + net.label; }

// The rods whose far ends are clamped get `segments` for each arm.
std::vector<std::string> arms_of(const std::string& name, int segments) {
  if (name == "crossing") return {fmt::format("rods.bar.segments={}", 2 * segments)};
  std::vector<std::string> arms{"left", "right"};
  if (name == "star3") arms = {"arm1", "arm2", "arm3"};
  if (name == "star5") arms = {"arm1", "arm2", "arm3", "arm4", "arm5"};
  for (std::string& arm : arms) arm = fmt::format("rods.{}.segments={}", arm, segments);
  return arms;
}

int free_frame(const Model& model) {
  const auto& kind = model.frames().kind;
  return static_cast<int>(std::find(kind.begin(), kind.end(), Frames::Kind::free) - kind.begin());
}

// Turn of the junction over M L/EI.
double compliance(const Case& net, int segments) {
  std::vector<std::string> overrides = arms_of(net.name, segments);
  overrides.push_back(force_is(0, moment * net.pair[0]));
  if (norm(net.pair[1]) > 0) overrides.push_back(force_is(1, moment * net.pair[1]));
  const Equilibrated loaded = equilibrate(fmt::format("{}{}.yaml", folder, net.name), overrides, to_rounding());
  const Model& model = loaded.statics.model();
  const int junction = free_frame(model);
  const Quat turn = loaded.statics.state().q[model.segment_count() + junction] * conj(model.frames().q_initial[junction]);
  return dot(log_rotation(turn), net.axis) / moment;
}

void measure_stiffness(study::Result& result, const study::Context& context) {
  const std::vector<int> meshes{5, 10, 20};
  std::vector<study::Series> errors;
  for (const Case& net : cases) {
    context.progress("stiffness of " + key_of(net));
    if (!net.bends) {
      result.measure("turn_" + key_of(net), compliance(net, meshes.back()));
      continue;
    }
    const Refinement refinement{"turn_" + key_of(net), "order_" + key_of(net), net.compliance, meshes};
    const auto compliant = [&](int segments) { return compliance(net, segments); };
    errors.push_back(over_meshes(key_of(net), meshes, measure_refined(result, refinement, compliant)));
  }
  result.plots.push_back(
      error_plot("Turn of a junction by a moment", "relative error, beam theory", std::move(errors), 2, "segments an arm"));
}

// ---- balance -----------------------------------------------------------------------------------------------------------
// Radius/length 0.01 and a lever pushed askew with 4 EI/L^2: bent far, and soft enough along the arms for forces to have digits.
void measure_balance(study::Result& result, const study::Context& context) {
  context.progress("balance of forces and moments");
  constexpr double force = 4, length = 1;
  const Vec3 push{0, 0.6 * force, 0.8 * force};
  const Equilibrated net = equilibrate(folder + "star5.yaml",
                                       {"sections.round.stiffness.EA=4.0e4", "sections.round.stiffness.GA=13333.333333333334",
                                        force_is(0, -push), force_is(1, push)},
                                       to_rounding());
  draw(result, "Star of five arms and a lever, which a pair of forces pushes askew", net.statics.model(), net.statics.state());
  const Unbalanced parts = unbalanced_parts(net.statics.model(), net.statics.state());
  const Unbalanced whole = unbalanced_whole(net.statics.model(), net.statics.state(), net.statics.reactions());
  result.measure("balance_force", parts.force / force);
  result.measure("balance_moment", parts.moment / (force * length));
  result.measure("balance_force_whole", whole.force / force);
  result.measure("balance_moment_whole", whole.moment / (force * length));
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("split_difference", Expectation::at_most(1e-9, "two half joints are one joint, but for the cube of its bend"));
  result.expect("split_turn_difference", Expectation::at_most(1e-9, "likewise"));
  result.expect("order_split_large", Expectation::within(3, 0.2, "a^3/8 with the bend a ~ 1/N of a joint"));
  for (const Case& net : cases) {
    result.expect("turn_" + key_of(net), Expectation::within_relative(net.compliance, 1e-2, "4 EI/L and GJ/L an arm"));
    if (net.bends)
      result.expect("order_" + key_of(net),
                    Expectation::at_least(1.8, "elements and frames of second order, docs/theory/rod.md"));
  }
  for (const char* key : {"balance_force", "balance_moment", "balance_force_whole", "balance_moment_whole"})
    result.expect(key, Expectation::at_most(1e-8, "statics"));
  result.notes = {
      "split: largest distance of nodes over the length, largest angle of sections, and bend of the joint at the split; 20 "
      "segments; large: the same rods under 125 times the load",
      "turn: of the junction over ML/EI, 20 segments an arm, by a moment in the plane of the arms and (out) about an axis in it, "
      "by which the arms of the T and of the crossing only twist, exactly on any mesh",
      "balance: largest force over the load, moment over load times L, at any node, segment or frame, and of loads and reactions "
      "as a whole; star of five arms bent far"};
  measure_split(result, context);
  measure_stiffness(result, context);
  measure_balance(result, context);
}

}  // namespace

study::Experiment experiment() {
  return {"junctions", "Chains, a T, a crossing and stars of rods joined by junctions",
          "beam theory: Timoshenko, Strength of Materials; docs/theory/rod.md, \"Frames\"", false, perform};
}

}  // namespace writhe::experiments::junctions
