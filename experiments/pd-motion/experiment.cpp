// A rod that falls from horizontal, clamped at one end, and one that hangs between two pins as one of them is carried in, on five
// meshes: with five iterations a step `pd` stays with the trajectory that implicit Euler has on the same mesh when every step is
// solved to the end. The form in which the paper states the method is run beside it, with as many iterations.
#include <algorithm>

#include <fmt/format.h>

#include "../common/method_study.h"
#include "study/registry.h"

namespace writhe::experiments {

namespace {

using study::Expectation;

constexpr int meshes[] = {10, 20, 50, 100, 200};
constexpr double until = 1;  // s
constexpr int iterations = 5;
constexpr double never_met = 1e-12;  // so that every step takes all its iterations

struct Motion {
  const char* label;
  std::string scene_file;
  bool tip;                                                                  // is watched, or else the middle
  int watched(int segments) const { return tip ? segments : segments / 2; }  // node
};
const Motion motions[] = {{"fall", "experiments/pd-motion/fall.yaml", true},
                          {"carried", "experiments/pd-motion/carried.yaml", false}};

// Of the watched node from where `newton` has it, over the length of the rod, for each of the methods.
std::vector<double> deviations(const Motion& motion, int segments, const std::vector<Method>& methods) {
  const auto path = [&](const Method& method) {
    return follow(start(motion.scene_file, method, {fmt::format("rods.rod.segments={}", segments)}), until,
                  {motion.watched(segments)});
  };
  const Path reference = path(newton_method(1e-10));
  std::vector<double> out;
  out.reserve(methods.size());
  for (const Method& method : methods) out.push_back(largest_distance(path(method), reference));
  return out;
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
  for (const int segments : meshes) {
    std::vector<double> larger(methods.size(), 0.0);
    for (const Motion& motion : motions) {
      context.progress(fmt::format("{}, {} segments", motion.label, segments));
      const std::vector<double> found = deviations(motion, segments, methods);
      for (std::size_t m = 0; m < methods.size(); ++m) {
        const char* form = m == 0 ? "" : "literal_";
        result.measure(fmt::format("dev_{}{}_n{}", form, motion.label, segments), found[m]);
        larger[m] = std::max(larger[m], found[m]);
      }
    }
    result.measure(fmt::format("dev_n{}", segments), larger[0]);
    result.measure(fmt::format("dev_literal_n{}", segments), larger[1]);
  }
}

}  // namespace

study::Experiment pd_motion() {
  return {"pd-motion", "Falling and carried rods on five meshes, five iterations a step",
          "Soler, Martin and Sorkine-Hornung, Cosserat Rods with Projective Dynamics, Figs. 7 and 8", false, perform};
}

}  // namespace writhe::experiments
