// How stiffly a rod bends with the weights that the paper prints, taken literally, and with those that follow from the energy.
//
// With w_SE = EA l on both rows of the stretch-shear projection and w_BT = 4 GJ/l on that of bend and twist (PD Eqs. 15-23) rest
// means dM = l Q/2 between neighbouring segments, where statics asks for dM = l Q (M: moment, Q: shear force). The moment of a
// curvature is GJ times it, so the rod bends as one of the stiffness 2 GJ = 2 EI/(1 + nu), and shears with GA = EA.
//
// The stiffness is read off the tip of a heavy cantilever: it is the factor on EI with which the continuous rod has its tip
// there.
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/rest_study.h"
#include "study/registry.h"

namespace writhe::experiments::pd_published {

namespace {

using study::Expectation;

const std::string folder = "experiments/pd-published/";
constexpr std::array meshes{50, 100};

struct Form {
  const char* key;
  const char* weights;
  double poisson;
  const char* reference;  // list of reference.json: GA = EA, or EA/3
};
constexpr Form forms[] = {
    {"published_nu0", "published", 0, "equal"},
    {"published_nu05", "published", 0.5, "equal"},
    {"consistent", "consistent", 0.5, "nu05"},
};

struct Tip {
  double x, z;  // over the length
};

Simulation rod_at_rest(const Form& form, int segments) {
  return settled(folder + "scene.yaml",
                 {fmt::format("rods.rod.segments={}", segments), fmt::format("materials.rubber.poisson={}", form.poisson),
                  fmt::format("solver.pd.weights={}", form.weights)});
}

Tip tip_of(const Simulation& rod) {
  const Vec3 tip = (rod.state().x.back() - rod.state().x.front()) / rod.model().rods()[0].length;
  return {tip.x, tip.z};
}

// The place of the tip nearest to the line of tips over stiffness, and how far it is off that line.
struct Stiffness {
  double factor = 0;  // of EI
  double misfit = INFINITY;
};

Stiffness stiffness_of(const Tip& tip, const nlohmann::json& tips) {
  Stiffness best;
  for (std::size_t i = 0; i + 1 < tips.size(); ++i) {
    const auto at = [&](std::size_t k, const char* key) { return tips[k].at(key).get<double>(); };
    const double dx = at(i + 1, "tip_x") - at(i, "tip_x"), dz = at(i + 1, "tip_z") - at(i, "tip_z");
    const double px = tip.x - at(i, "tip_x"), pz = tip.z - at(i, "tip_z");
    const double t = (px * dx + pz * dz) / (dx * dx + dz * dz), inside = std::min(1.0, std::max(0.0, t));
    const double misfit = std::hypot(px - inside * dx, pz - inside * dz);
    if (misfit < best.misfit) best = {at(i, "factor") + inside * (at(i + 1, "factor") - at(i, "factor")), misfit};
  }
  return best;
}

// The rods of 50 segments, in the order of `forms`; `stiffnesses`: found for them.
void illustrate(study::Result& result, const std::vector<Simulation>& rods, const std::vector<Stiffness>& stiffnesses,
                const nlohmann::json& reference) {
  study::Plot shapes = shape_plot("At rest, 50 segments", "x / length", "z / length");
  study::Plot tips = shape_plot("Tips", "x / length", "z / length");
  for (const char* shear : {"equal", "nu05"}) {
    Points continuous;
    for (const auto& tip : reference.at(shear))
      continuous.emplace_back(tip.at("tip_x").get<double>(), tip.at("tip_z").get<double>());
    const char* name = shear == std::string("equal") ? "GA = EA" : "GA = EA/3";
    tips.series.push_back(line(fmt::format("continuous rods of ever more stiffness, {}", name), std::move(continuous)));
  }
  for (std::size_t i = 0; i < rods.size(); ++i) {
    const std::string name = fmt::format("{}, nu {}: {:.3f} EI", forms[i].weights, forms[i].poisson, stiffnesses[i].factor);
    const Points shape = shape_xz(rods[i].state().x, rods[i].model().rods()[0].length);
    shapes.series.push_back(line(name, shape));
    tips.series.push_back(marks(name, {shape.back()}));
  }
  result.plots = {std::move(shapes), std::move(tips)};
  draw(result, "With the weights of the energy, at rest", rods.back().model(), rods.back().state());
}

void perform(study::Result& result, const study::Context& context) {
  const std::string why = "2 EI/(1 + nu): rest of the published projections, as derived above";
  result.expect("stiffness_published_nu0", Expectation::within_relative(2, 0.03, why));
  result.expect("stiffness_published_nu05", Expectation::within_relative(4.0 / 3, 0.03, why));
  result.expect("stiffness_consistent", Expectation::within_relative(1, 0.01, "EI: weights derived from the energy"));
  for (const Form& form : forms)
    result.expect(fmt::format("misfit_{}", form.key), Expectation::at_most(1e-3, "the tip is that of a rod of some stiffness"));
  result.notes = {
      "stiffness: factor on EI with which the continuous rod has the same tip, at 50 segments (n100: 100), from tips 0.05 apart, "
      "linear between; published: GA = EA. misfit: distance of the tip from the nearest such tip, over the length",
      "the clamp is a frame at the end node; with the first segment fixed instead, as in the paper, the rod is shorter by l/2"};
  const auto reference = embedded_reference(folder + "reference.json");
  std::vector<Simulation> rods;
  std::vector<Stiffness> stiffnesses;
  for (const Form& form : forms) {
    for (const int segments : meshes) {
      context.progress(fmt::format("{}, {} segments", form.key, segments));
      const std::string suffix = segments == meshes.front() ? "" : fmt::format("_n{}", segments);
      Simulation rod = rod_at_rest(form, segments);
      const Tip tip = tip_of(rod);
      const Stiffness stiffness = stiffness_of(tip, reference.at(form.reference));
      result.measure(fmt::format("stiffness_{}{}", form.key, suffix), stiffness.factor);
      result.measure(fmt::format("misfit_{}{}", form.key, suffix), stiffness.misfit);
      result.measure(fmt::format("tip_x_{}{}", form.key, suffix), tip.x);
      if (segments != meshes.front()) continue;
      rods.push_back(std::move(rod));
      stiffnesses.push_back(stiffness);
    }
  }
  illustrate(result, rods, stiffnesses, reference);
}

}  // namespace

study::Experiment experiment() {
  return {"pd-published", "Bending stiffness with the weights of Projective Dynamics as published, and as derived",
          "Soler, Martin and Sorkine-Hornung, Cosserat Rods with Projective Dynamics, Eqs. 15-23; heavy cantilever as a boundary "
          "value problem",
          false, perform};
}

}  // namespace writhe::experiments::pd_published
