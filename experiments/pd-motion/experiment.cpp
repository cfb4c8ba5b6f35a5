// A rod that falls from horizontal, clamped at one end, and one that hangs between two pins as one of them is carried in, on five
// meshes: with five iterations a step `pd` stays with the trajectory that implicit Euler has on the same mesh when every step is
// solved to the end. The form in which the paper states the method is run beside it, with as many iterations.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "../common/illustrate.h"
#include "../common/method_study.h"
#include "study/registry.h"

namespace writhe::experiments::pd_motion {

namespace {

using study::Expectation;

constexpr int meshes[] = {10, 20, 50, 100, 200};
constexpr double until = 1;  // s
constexpr int iterations = 5;
constexpr double never_met = 1e-12;  // so that every step takes all its iterations

struct Motion {
  const char *label, *name;
  std::string scene_file;
  bool tip;                                                                  // is watched, or else the middle
  int watched(int segments) const { return tip ? segments : segments / 2; }  // node
};
const Motion motions[] = {{"fall", "Falling rod", "experiments/pd-motion/fall.yaml", true},
                          {"carried", "Carried rod", "experiments/pd-motion/carried.yaml", false}};

// The watched node on one mesh: as `newton` has it, and each of the methods.
struct Tracks {
  int segments = 0;
  Path newton;
  std::vector<Path> others;
};

Tracks tracks(const Motion& motion, int segments, const std::vector<Method>& methods) {
  const auto path = [&](const Method& method) {
    return follow(start(motion.scene_file, method, {fmt::format("rods.rod.segments={}", segments)}), until,
                  {motion.watched(segments)});
  };
  Tracks out{segments, path(newton_method(1e-10)), {}};
  for (const Method& method : methods) out.others.push_back(path(method));
  return out;
}

// ---- what is shown -------------------------------------------------------------------------------------------------------
study::Plot deviation_plot(const Motion& motion, const std::vector<Tracks>& all) {
  study::Plot plot = empty_plot(fmt::format("{}: deviation from newton", motion.name), {"time, s"},
                                {fmt::format("distance of the {} / length", motion.tip ? "tip" : "middle"), true});
  const auto add = [&](const char* form, const Tracks& on_mesh, std::size_t method) {
    plot.series.push_back(line(fmt::format("{}, {} segments", form, on_mesh.segments),
                               over_time(on_mesh.newton.times, distances(on_mesh.others[method], on_mesh.newton), 1e-12)));
  };
  for (const Tracks& on_mesh : all) add("pd", on_mesh, 0);
  for (const Tracks* on_mesh : {&all.front(), &all.back()}) add("literal", *on_mesh, 1);
  return plot;
}

Points track_of(const Path& path, std::size_t most) {
  Points out;
  for (const std::vector<Vec3>& shape : path.shapes) out.push_back(shape_xz(shape, path.length).front());
  return thinned(out, most);
}

study::Plot track_plot(const std::vector<Tracks>& all) {
  study::Plot plot = shape_plot("Way of the tip of the falling rod", "x / length", "z / length");
  for (const Tracks& on_mesh : all)
    plot.series.push_back(line(fmt::format("pd, {} segments", on_mesh.segments), track_of(on_mesh.others[0], 200)));
  plot.series.push_back(marks(fmt::format("newton, {} segments", all.back().segments), track_of(all.back().newton, 41)));
  return plot;
}

void draw_motion(study::Result& result, const Motion& motion, const Method& method) {
  Simulation rod = start(motion.scene_file, method);
  Snapshots shapes({0, 0.15, 0.3, 0.45, 0.6, 0.8, 1});
  rod.add_sink(shapes);
  const StepReport report = rod.run(until);
  if (report.accepted()) draw(result, fmt::format("{}, by pd, 50 segments", motion.name), rod.model(), shapes.states());
}

void perform(study::Result& result, const study::Context& context) {
  for (const int segments : meshes)
    result.expect(fmt::format("dev_n{}", segments),
                  Expectation::at_most(1e-3, "the converged implicit Euler trajectory, by newton at a tolerance of 1e-10"));
  result.notes = {
      "dev: largest distance of the tip (fall) or the middle (carried) from the trajectory of newton with the same mesh and "
      "step, at "
      "any step of 1 s, over the length; the larger of both, and each; 5 iterations a step of 1 ms; literal: weights published, "
      "coupling separate, acceleration none, reported without a bar"};
  const std::vector<Method> methods{pd_method(never_met, iterations), literal_pd_method(never_met, iterations)};
  std::vector<Tracks> found[std::size(motions)];
  for (const int segments : meshes) {
    std::vector<double> larger(methods.size(), 0.0);
    for (const Motion& motion : motions) {
      context.progress(fmt::format("{}, {} segments", motion.label, segments));
      const Tracks& on_mesh = found[&motion - motions].emplace_back(tracks(motion, segments, methods));
      for (std::size_t m = 0; m < methods.size(); ++m) {
        const char* form = m == 0 ? "" : "literal_";
        const double largest = largest_distance(on_mesh.others[m], on_mesh.newton);
        result.measure(fmt::format("dev_{}{}_n{}", form, motion.label, segments), largest);
        larger[m] = std::max(larger[m], largest);
      }
    }
    result.measure(fmt::format("dev_n{}", segments), larger[0]);
    result.measure(fmt::format("dev_literal_n{}", segments), larger[1]);
  }
  for (std::size_t i = 0; i < std::size(motions); ++i) {
    result.plots.push_back(deviation_plot(motions[i], found[i]));
    draw_motion(result, motions[i], methods[0]);
  }
  result.plots.push_back(track_plot(found[0]));
}

}  // namespace

study::Experiment experiment() {
  return {"pd-motion",
          "Falling and carried rods on five meshes, five iterations a step",
          "Soler, Martin and Sorkine-Hornung, Cosserat Rods with Projective Dynamics, Figs. 7 and 8",
          false,
          perform,
          {"pd:fig7", "pd:fig8"}};
}

}  // namespace writhe::experiments::pd_motion
