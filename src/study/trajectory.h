// Where the same material points are at the same times, whatever mesh, step and method they were computed with.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "study/resolution.h"
#include "writhe/scene.h"
#include "writhe/vec.h"

namespace writhe::study {

// What is looked at: the nodes of the coarsest mesh that is compared, at these times.
struct Sampling {
  std::vector<double> times;  // s, increasing; empty: at rest, once
  int coarsest = 0;           // Resolution::mesh of that mesh
};
// About `wanted` times up to the scene's end, each of them the end of a step of the scene and of every finer or coarser one
// down to `coarsest_time`.
std::vector<double> sample_times(const Scene& scene, int coarsest_time, int wanted);

struct Trajectory {
  std::vector<std::vector<Vec3>> shapes;  // m, [time][point], rod by rod; fewer times where it failed
  std::string cause;                      // why it failed or stopped; empty: it did not
  bool interrupted = false;
  double seconds = 0;  // of computing, the shortest of a few repetitions where it is short
  long steps = 0, unconverged = 0;
  bool complete() const { return cause.empty(); }
};

struct FollowOptions {
  int threads = 0;                            // 0: all cores
  bool timed = true;                          // worth repeating to know how long it takes
  std::function<bool()> go_on;                // false: stop
  std::function<void(double part)> progress;  // 0 to 1; not called on the way to rest
};
// `scene` at its own resolution. Throws Error when the method does not support it.
Trajectory follow(const Scene& scene, Resolution resolution, const Sampling& sampling, const FollowOptions& options);

// m, rest length of the rod of each point.
std::vector<double> lengths_of_points(const Scene& scene, int coarsest);

// How far two are apart, over the length of each point's rod.
struct Distance {
  double largest = 0;    // over all points and times
  double largest_m = 0;  // the same not divided, m
  double end = 0;        // over all points at the last time
  double rms = 0;        // over all points and times
};
// Both are complete and sampled alike.
Distance distance(const Trajectory& a, const Trajectory& b, const std::vector<double>& lengths);

}  // namespace writhe::study
