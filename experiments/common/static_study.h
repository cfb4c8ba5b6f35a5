// What the static experiments share: a scene of theirs with some values replaced, brought to equilibrium, and the place on its
// path where it becomes unstable.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "study/experiment.h"
#include "writhe/statics.h"

namespace writhe::experiments {

struct Equilibrated {
  Statics statics;
  StaticReport report;
};
// `overrides` are as for --set, `path` is given every point. Throws Error with the cause when no equilibrium is reached.
Equilibrated equilibrate(const std::string& scene_file, const std::vector<std::string>& overrides,
                         const StaticOptions& options = {}, Sink* path = nullptr);

// The time at which a stable path becomes unstable, s. Throws Error when it does not.
double instability_time(const StaticReport& report);

// A number on finer and finer meshes: <key>_n<segments> of each but the finest, whose key is plain, and <order_key>, the order in
// which the distance from the exact value falls. Gives these distances, over the exact value, for a plot.
struct Refinement {
  std::string key, order_key;
  double exact = 0;
  std::vector<int> segments;  // coarse to fine
};
std::vector<double> measure_refined(study::Result& result, const Refinement& refinement,
                                    const std::function<double(int segments)>& measure);

}  // namespace writhe::experiments
