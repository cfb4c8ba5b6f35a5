// A rod straight between two pins, one of which is carried to the other, hangs in a loop: slack or round, by radius and Young's
// modulus. Where it comes to rest must be where `newton` brings it on the same mesh.
//
// With both ends at one point the loop can turn about the vertical without resistance, and the rod about its own axis. The second
// moves no node. The first would: but everything starts in the plane y = 0 and nothing pushes out of it, so the shapes are
// compared as they are, and how far any node left the plane is measured.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../common/hanging_sag.h"
#include "../common/illustrate.h"
#include "../common/method_study.h"
#include "study/registry.h"

namespace writhe::experiments::pd_bending {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/pd-bending/scene.yaml";
constexpr double tolerance = 1e-9;
constexpr int iterations = 10;

struct Loop {
  int radius_mm, young_mpa;
  bool solved;  // the sag of the continuous rod is known

  std::string key() const { return fmt::format("shape_r{}_E{}", radius_mm, young_mpa); }
  Hanging hanging() const { return {radius_mm, young_mpa, 0}; }
};
constexpr Loop loops[] = {{2, 1, true}, {6, 1, true}, {8, 1, false}, {2, 50, false}, {6, 50, false}, {8, 50, true}};

Simulation settled(const Loop& loop, const Method& method) {
  return come_to_rest(start(scene_file, method,
                            {fmt::format("sections.round.circle.radius={}e-3", loop.radius_mm),
                             fmt::format("materials.rubber.young={}e6", loop.young_mpa)}));
}

// The sixth rod is as stiff as the first is slack.
void illustrate(study::Result& result, const std::vector<Simulation>& by_pd, const std::vector<Simulation>& by_newton) {
  study::Plot plot = shape_plot("At rest, both ends at one point", "x, m", "z, m");
  Points newton, middles;
  for (std::size_t i = 0; i < by_pd.size(); ++i) {
    const Loop& loop = loops[i];
    plot.series.push_back(
        line(fmt::format("pd, r {} mm, E {} MPa", loop.radius_mm, loop.young_mpa), shape_xz(by_pd[i].state().x)));
    for (const auto& point : thinned(shape_xz(by_newton[i].state().x), 21)) newton.push_back(point);
    if (loop.solved) middles.emplace_back(by_pd[i].state().x.front().x, reference_sag(loop.hanging()));
  }
  plot.series.push_back(marks("newton", std::move(newton)));
  plot.series.push_back(marks("lowest point, boundary value problem", std::move(middles)));
  result.plots.push_back(std::move(plot));
  for (const Simulation* rod : {&by_pd.front(), &by_pd.back()})
    draw(result, rod == &by_pd.front() ? "Slack: r 2 mm, E 1 MPa, by pd" : "Stiff: r 8 mm, E 50 MPa, by pd", rod->model(),
         rod->state());
}

void perform(study::Result& result, const study::Context& context) {
  for (const Loop& loop : loops) {
    result.expect(loop.key(), Expectation::at_most(1e-3, "newton, settled on the same mesh"));
    if (loop.solved) result.expect(loop.hanging().key(), Expectation::within(reference_sag(loop.hanging()), 1e-3, sag_source()));
  }
  result.expect("out_of_plane", Expectation::at_most(1e-6, "everything starts in the plane, nothing pushes out of it"));
  result.notes = {
      "shape: largest distance of any of 101 nodes from where newton brings it, over the length; sag: height of the middle above "
      "the pins; r: radius in mm, E: MPa; out_of_plane: largest |y| of either method over the length, as the loop can turn about "
      "the vertical through its pins without resistance"};
  std::vector<Simulation> by_pd, by_newton;
  double out_of_plane = 0;
  for (const Loop& loop : loops) {
    context.progress(loop.key());
    by_newton.push_back(settled(loop, newton_method(tolerance)));
    by_pd.push_back(settled(loop, pd_method(tolerance, iterations)));
    const std::vector<Vec3>&reference = by_newton.back().state().x, &shape = by_pd.back().state().x;
    result.measure(loop.key(), largest_distance(shape, reference));  // the length is 1 m
    result.measure(loop.hanging().key(), shape[shape.size() / 2].z - shape.front().z);
    for (const std::vector<Vec3>* found : {&shape, &reference})
      for (const Vec3& x : *found) out_of_plane = std::max(out_of_plane, std::abs(x.y));
  }
  result.measure("out_of_plane", out_of_plane);
  illustrate(result, by_pd, by_newton);
}

}  // namespace

study::Experiment experiment() {
  return {"pd-bending",
          "Rods of six stiffnesses hanging in a loop, both ends at one point",
          "Soler, Martin and Sorkine-Hornung, Cosserat Rods with Projective Dynamics, Fig. 11",
          false,
          perform,
          {"pd:fig11"}};
}

}  // namespace writhe::experiments::pd_bending
