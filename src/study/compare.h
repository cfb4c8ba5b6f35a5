// One scene by several methods: what each errs by, and what it costs.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "study/reference.h"
#include "study/trajectory.h"

namespace writhe::study {

// A method with its settings, in the scene that names them.
struct Contender {
  std::string name;                   // as the user wrote it: "pd:iterations=3"
  std::vector<std::string> settings;  // "iterations=3"
  Scene scene;
};

// One run of a contender.
struct ComparedRun {
  Resolution resolution;
  int segments = 0;
  double dt = 0;  // s
  Trajectory path;
  std::optional<Distance> error;  // from the reference; absent when it failed
};

struct Compared {
  Contender contender;
  ComparedRun scene;              // as it is
  std::vector<ComparedRun> time;  // other steps on its mesh, longest first, the scene's own among them
  std::vector<ComparedRun> mesh;  // other meshes with its step, coarsest first, the scene's own among them
  // With which power of the step and of the segment length its runs come closer to each other: no reference is needed for that.
  // Absent when a run failed, at rest, or when the changes are of rounding size.
  std::optional<double> order_time, order_mesh;

  // Of the scene as it is: s of computing a step; simulated seconds a second.
  double seconds_a_step() const { return scene.path.seconds / static_cast<double>(std::max<long>(1, scene.path.steps)); }
  double speed() const { return contender.scene.until / scene.path.seconds; }
};

struct Comparison {
  Sampling sampling;
  std::vector<Compared> methods;
  Reference reference;
  bool interrupted = false;
};

struct CompareOptions {
  bool at_rest = false;  // instead of the motion: where it comes to rest
  int refinements = 2;   // finer steps to look at; meshes one fewer. 0: the scene as it is only
  int samples = 60;      // times to look at, about
  double budget = 60;    // s of computing for the reference
  int threads = 0;
  std::function<bool()> go_on = [] { return true; };
  std::function<void(const std::string& what, double part)> progress = [](const std::string&, double) {};
};

// The contenders share everything but `solver`. Throws Error when a method does not support the scene, when the reference cannot
// be computed, and when it is stopped before there is one.
Comparison compare(const std::vector<Contender>& contenders, const CompareOptions& options);

// The order p that fits to changes over successive halvings, c 2^-p each: of the last two. Absent when a change is not
// positive, and for a p that no method has: they are then too coarse to tell.
std::optional<double> order_of_changes(const std::vector<double>& changes);

}  // namespace writhe::study
