// A ribbon (section 4:1) clamped horizontally sags under its own weight about its soft and about its stiff axis.
// Shows that EI1 and EI2 act about the axes they belong to, and that a symmetric rod stays in its plane while that is stable.
//
// On edge the plane shape is stable only up to w L^3 = 12.85 sqrt(EI GJ) (w: weight per length, EI of the soft axis): lateral
// buckling of a strip under its own weight, Timoshenko and Gere, Theory of Elastic Stability, ch. 6. For this ribbon that is load
// number 0.85 about the stiff axis. So the ribbon stands free on edge at load number 1/4; at 4 its nodes are guided in the plane,
// as between two plates, which a plane shape does not feel; and left free and tilted a little, it must fall over there.
#include <cmath>

#include <fmt/format.h>

#include "../common/cantilever_study.h"
#include "../common/illustrate.h"
#include "../common/rest_study.h"
#include "study/registry.h"

namespace writhe::experiments::cantilever_ribbon {

namespace {

using study::Expectation;

const std::string folder = "experiments/cantilever-ribbon/";
const std::string boundary_value_problem = "boundary value problem of the planar rod, " + folder + "reference.py";
const std::string on_edge = "rods.rod.d1=[0, 0, 1]";
const std::vector<int> meshes{20, 40, 80};

struct PlaneCase {
  std::string label;  // in reference.json and in the keys
  std::string name;   // in plots
  Overrides overrides;
  double tolerance;  // of the tip at 80 segments, rod lengths
};

// A clamp, and every other node free to move in the plane y = 0 only.
std::string guided_in_plane(int segments) {
  std::string supports = "supports=[{clamp: rod.start}";
  for (int i = 1; i <= segments; ++i) supports += fmt::format(", {{pin: 'rod.node[{}]', axes: y}}", i);
  return supports + "]";
}

const std::vector<PlaneCase>& plane_cases() {
  static const std::vector<PlaneCase> cases{
      {"soft", "flat, load number 4", {}, 1e-3},
      {"edge", "on edge, load number 1/4", [](int) { return std::vector{on_edge}; },
       1e-4},  // sags by a thirtieth of its length only
      {"stiff", "on edge and guided, load number 4",
       [](int segments) {
         return std::vector{on_edge, guided_in_plane(segments)};
       },
       1e-3},
  };
  return cases;
}

void expect_plane_case(study::Result& result, const PlaneCase& c) {
  const TipReference reference = tip_reference(folder + "reference.json", c.label);
  const auto expect = [&](const char* name, Expectation expectation) {
    result.expect(fmt::format("{}_{}_n80", name, c.label), std::move(expectation));
  };
  expect("tip_x", Expectation::within(reference.tip_x, c.tolerance, boundary_value_problem));
  expect("tip_z", Expectation::within(reference.tip_z, c.tolerance, boundary_value_problem));
  expect("error", Expectation::at_most(c.tolerance, boundary_value_problem));
  result.expect("order_" + c.label, Expectation::at_least(1.8, "elements and clamp of second order, docs/theory/rod.md"));
  result.expect("out_of_plane_" + c.label, Expectation::at_most(1e-9, "symmetry about the plane of gravity"));
}

MeshStudy measure_plane_case(study::Result& result, const PlaneCase& c, const TipReference& reference,
                             const study::Context& context) {
  MeshStudy mesh_study = refine_cantilever(folder + "scene.yaml", c.overrides, reference, meshes, context);
  measure_tips(result, mesh_study, c.label);
  result.measure(fmt::format("error_{}_n80", c.label), mesh_study.errors.back());
  result.measure("out_of_plane_" + c.label, mesh_study.largest_out_of_plane());
  return mesh_study;
}

// The ribbon itself on edge at load number 4, with gravity a thousandth of a radian out of its plane.
Simulation left_free(const study::Context& context) {
  context.progress("on edge at load number 4, free to fall over");
  const TipReference reference = tip_reference(folder + "reference.json", "stiff");
  return settled(folder + "scene.yaml",
                 {on_edge, line_of_length(reference.length), "gravity=[0, 9.81e-3, -9.81]", "output.picture.color=twist"});
}

void illustrate(study::Result& result, const std::vector<Cantilever>& rods, const Simulation& free) {
  plot_cantilevers(result, rods);
  const Simulation& flat = *rods.front().mesh_study.finest;
  draw(result, "At rest, " + rods.front().name, flat.model(), flat.state());
  draw(result, "Fallen over: on edge, load number 4, left free", free.model(), free.state());
}

void perform(study::Result& result, const study::Context& context) {
  for (const PlaneCase& c : plane_cases()) expect_plane_case(result, c);
  result.expect("sideways_free_n80", Expectation::at_least(0.1, "far above lateral buckling, Timoshenko and Gere, ch. 6"));
  result.notes = {
      "soft: the ribbon lies flat, load number 4; edge: the same ribbon on edge, load number 1/4 about its stiff axis",
      "stiff: longer and on edge, load number 4 about its stiff axis, guided in its plane; left free it falls over "
      "(sideways_free)"};
  std::vector<Cantilever> rods;
  for (const PlaneCase& c : plane_cases()) {
    const TipReference reference = tip_reference(folder + "reference.json", c.label);
    rods.push_back({c.name, reference, measure_plane_case(result, c, reference, context)});
  }
  const Simulation free = left_free(context);
  result.measure("sideways_free_n80", std::abs(tip_of(free).y));
  illustrate(result, rods, free);
}

}  // namespace

study::Experiment experiment() {
  return {"cantilever-ribbon", "Heavy ribbon at load number 4, bent about its soft and its stiff axis",
          "heavy elastica as a boundary value problem; lateral buckling of strips", false, perform};
}

}  // namespace writhe::experiments::cantilever_ribbon
