// The reference that methods are compared with: `newton`, refined in time and space until what it still errs by is known to be
// small against what it is to show.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "study/trajectory.h"

namespace writhe::study {

// How far the refinement has come, and by how much its last halvings have moved the rods (largest distance over rod length).
struct ReferenceLevel {
  Resolution resolution;
  double seconds = 0;
  std::optional<double> change_time, change_mesh;
};

struct Reference {
  Resolution resolution;
  Integrator integrator = Integrator::midpoint;
  Trajectory path;
  // What it errs by itself, over rod length: the changes that all further halvings would add up to, from how they have fallen so
  // far; absent when they do not fall.
  std::optional<double> error_time, error_mesh;
  double wanted = 0;        // its error should be below this
  bool sufficient = false;  // and it is
  std::string note;         // why not; empty when it is
  double seconds = 0;       // of computing, all levels
  int runs = 0;
  std::vector<ReferenceLevel> levels;

  std::optional<double> error() const;
};

struct ReferenceOptions {
  Resolution start{1, 1};
  double budget = 60;  // s of computing: no level is begun that would exceed it
  int threads = 0;
  std::function<bool()> go_on;                                          // false: stop, and take what there is
  std::function<void(const std::string& level, double part)> progress;  // part: of the present run, 0 to 1
};

// `wanted` is asked with every level: what the error should be below, given this path. At rest only the mesh is refined. Throws
// Error when not even the first level can be computed.
Reference refine_reference(const Scene& scene, const Sampling& sampling, const std::function<double(const Trajectory&)>& wanted,
                           const ReferenceOptions& options);

// What all further halvings add, when the last one changed `change` and the one before it `before` (absent: not known, then it is
// taken to fall by half each time). Second order at best is assumed: no more than a quarter. Absent when it does not fall.
std::optional<double> remaining_change(double change, std::optional<double> before);

}  // namespace writhe::study
