// CPU times of the steps of several scenes, which take turns, so that what else the machine does falls on all of them alike.
#pragma once

#include <string>
#include <vector>

#include "writhe/scene.h"

namespace writhe::bench {

struct Timing {
  int steps = 0;            // of a run, of the scene's dt each
  int runs = 3;             // the same to the last bit: what takes longer in one of them is not the step's own
  int steps_a_reading = 1;  // more where a step is short for the clock, which takes most of a microsecond to read
  bool only_full = false;   // leaves out readings in which a step ended before it had used up Scene::solver.pd.iterations
};

// Microseconds a step of each scene, on one thread: of each reading the smallest of the runs, then the median. Throws where a
// step fails, or where too few are full; `name` is of the benchmark, for the message.
std::vector<double> time_steps(const std::string& name, const std::vector<Scene>& scenes, const Timing& timing);

}  // namespace writhe::bench
