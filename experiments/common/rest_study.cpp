#include "rest_study.h"

#include "embedded_scene.h"

namespace writhe::experiments {

Simulation settled(const std::string& scene_file, const std::vector<std::string>& overrides, const SettleOptions& options) {
  Simulation simulation(Model(embedded_scene(scene_file, overrides)));
  const StepReport report = simulation.settle(options);
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  return simulation;
}

}  // namespace writhe::experiments
