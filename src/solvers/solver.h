// What every method is to the simulation.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/loading.h"
#include "writhe/model.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe {

class Solver {
 public:
  virtual ~Solver() = default;
  // One step of dt. On failure the state is left as it was and the report says why.
  virtual StepReport step(State& state, const Loading& loading, double dt) = 0;
};

// One row of the table of methods (`writhe solvers`, README).
struct SolverInfo {
  std::string name;
  std::string title;
  std::string source;      // paper
  std::string integrator;  // and its order in time
  bool chains = false, rings = false, nets = false;
  std::string notes;
};

const std::vector<SolverInfo>& solver_table();
// Throws Error when the method does not exist or does not support the model.
std::unique_ptr<Solver> make_solver(const Model& model, int threads);

}  // namespace writhe
