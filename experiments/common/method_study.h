// What the experiments on methods share: a scene of theirs run by one method or another, and how far apart the runs are.
#pragma once

#include <string>
#include <vector>

#include "writhe/simulation.h"

namespace writhe::experiments {

// A method with its settings: the name stands in the keys of what it gives.
struct Method {
  std::string name;
  std::vector<std::string> settings;  // as for --set
};
// `tolerance`: residual force, see SolverSettings.
Method newton_method(double tolerance);
Method pd_method(double tolerance, int iterations);
// The form in which the paper states it: its weights, orientations solved one by one, no acceleration.
Method literal_pd_method(double tolerance, int iterations);

// `overrides` as for --set.
Simulation start(const std::string& scene_file, const Method& method, std::vector<std::string> overrides = {});

// Where some nodes of the scene's first rod are after every step, m.
struct Path {
  double length = 0;  // m: of the rod
  std::vector<double> times;
  std::vector<std::vector<Vec3>> shapes;  // [step][node]
  int unfinished = 0;                     // steps that had used up their iterations before they converged
};
// `nodes` counted along the rod; empty: all. Throws Error where a step fails.
Path follow(Simulation simulation, double until, const std::vector<int>& nodes = {});
// Largest over the nodes at every step, over the length of the rod; and over all steps too. Throw Error when the paths have other
// steps or nodes.
std::vector<double> distances(const Path& path, const Path& reference);
double largest_distance(const Path& path, const Path& reference);

// At the end of what drives it, and of what moves after that: all nodes. With steps as they are in the scene: a method with a
// fixed budget a step is to come to rest with that budget. Throws Error when it does not.
Simulation come_to_rest(Simulation simulation);
std::vector<Vec3> settled_shape(Simulation simulation);
double largest_distance(const std::vector<Vec3>& shape, const std::vector<Vec3>& reference);  // m

}  // namespace writhe::experiments
