// A rod clamped horizontally sags under its own weight: small, large and very large deflection, five meshes each.
// Shows that the clamp and the elements are second order and that the answer does not depend on the mesh.
#include <fmt/format.h>

#include "../common/cantilever_study.h"
#include "../common/illustrate.h"
#include "study/registry.h"

namespace writhe::experiments::cantilever_gravity {

namespace {

using study::Expectation;

const std::string folder = "experiments/cantilever-gravity/";
const std::string boundary_value_problem = "boundary value problem of the planar rod, " + folder + "reference.py";
const std::vector<int> meshes{10, 20, 40, 80, 160};

struct LoadCase {
  std::string label;  // in reference.json and in the keys: g and the load number
  double tolerance;   // of the tip at 80 segments, rod lengths
};

const std::vector<LoadCase>& load_cases() {
  static const std::vector<LoadCase> cases{{"g1", 1e-4}, {"g16", 1e-3}, {"g256", 1e-3}};
  return cases;
}

void expect_tip(study::Result& result, const LoadCase& c, int segments, double tolerance) {
  const TipReference reference = tip_reference(folder + "reference.json", c.label);
  const auto expect = [&](const char* axis, double value) {
    result.expect(fmt::format("tip_{}_{}_n{}", axis, c.label, segments),
                  Expectation::within(value, tolerance, boundary_value_problem));
  };
  expect("x", reference.tip_x);
  expect("z", reference.tip_z);
}

void illustrate(study::Result& result, const std::vector<Cantilever>& rods) {
  plot_cantilevers(result, rods);
  for (const Cantilever& rod : rods)
    draw(result, "At rest, " + rod.name, rod.mesh_study.finest->model(), rod.mesh_study.finest->state());
}

void perform(study::Result& result, const study::Context& context) {
  for (const LoadCase& c : load_cases()) {
    expect_tip(result, c, 80, c.tolerance);
    expect_tip(result, c, 160, c.tolerance / 4);  // as second order has it
    result.expect("order_" + c.label, Expectation::at_least(1.8, "elements and clamp of second order, docs/theory/rod.md"));
  }
  std::vector<Cantilever> rods;
  for (const LoadCase& c : load_cases()) {
    const TipReference reference = tip_reference(folder + "reference.json", c.label);
    rods.push_back({"load number " + c.label.substr(1), reference,
                    refine_cantilever(folder + "scene.yaml", {}, reference, meshes, context)});
    measure_tips(result, rods.back().mesh_study, c.label);
  }
  illustrate(result, rods);
}

}  // namespace

study::Experiment experiment() {
  return {"cantilever-gravity", "Heavy cantilever at load numbers 1, 16 and 256",
          "heavy elastica as a boundary value problem; setting as in Soler, Martin and Sorkine-Hornung, Cosserat Rods with "
          "Projective Dynamics, Fig. 8",
          false, perform};
}

}  // namespace writhe::experiments::cantilever_gravity
