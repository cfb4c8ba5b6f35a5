#include "static_study.h"

#include <cmath>

#include <fmt/format.h>

#include "embedded_scene.h"
#include "study/convergence.h"

namespace writhe::experiments {

Equilibrated equilibrate(const std::string& scene_file, const std::vector<std::string>& overrides, const StaticOptions& options,
                         Sink* path) {
  Statics statics(Model(embedded_scene(scene_file, overrides)));
  if (path) statics.add_sink(*path);
  StaticReport report = statics.solve(options);
  if (!report.converged()) throw stopped_at(report.time, report.cause);
  return {std::move(statics), std::move(report)};
}

double instability_time(const StaticReport& report) {
  for (const Crossing& crossing : report.crossings)
    if (crossing.before == 0 && crossing.after > 0) return crossing.time;
  throw stopped_at(report.time, "the path has no place where it becomes unstable");
}

std::vector<double> measure_refined(study::Result& result, const Refinement& refinement,
                                    const std::function<double(int segments)>& measure) {
  std::vector<double> resolutions, errors;
  for (const int count : refinement.segments) {
    const double value = measure(count);
    const bool finest = count == refinement.segments.back();
    result.measure(finest ? refinement.key : fmt::format("{}_n{}", refinement.key, count), value);
    resolutions.push_back(count);
    errors.push_back(std::abs(value - refinement.exact));
  }
  result.measure(refinement.order_key, study::convergence_order(resolutions, errors));
  for (double& error : errors) error /= std::abs(refinement.exact);
  return errors;
}

}  // namespace writhe::experiments
