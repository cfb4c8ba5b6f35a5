// Equilibrium without time stepping, the path to it, and whether it is stable. docs/theory/statics.md.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "writhe/model.h"
#include "writhe/simulation.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe {

// A small free vibration about an equilibrium; in the mass of the model, so that eigenvalues are squares of angular frequencies.
struct Mode {
  double eigenvalue = 0;   // 1/s^2; below zero the motion grows as exp(sqrt(-eigenvalue) t)
  double frequency = 0;    // Hz; 0 where the eigenvalue is not positive
  std::vector<Vec3> x;     // per node: space. Scaled so that x^T M x + turn^T J turn = 1 kg m^2
  std::vector<Vec3> turn;  // per orientation: body components
};

enum class Balance {
  stable,
  neutral,   // stable but for motions that cost no energy and on which the loads do no work
  unstable,  // some motion lowers the energy
};

struct Stability {
  Balance balance = Balance::stable;
  int negative = 0;                  // number of negative eigenvalues of the Hessian
  std::vector<std::string> neutral;  // one line a neutral motion
};

// A force and a moment that a support exerts on the rod it holds; space components, the moment about the node.
struct Reaction {
  int support = 0;  // of Model::supports
  Vec3 force{};     // N; zero along axes that are not held
  Vec3 moment{};    // N m; zero for pins
};

// One equilibrium on the path. First the loads are put on (`load` from 0 to 1, at time 0), then supports, closing angles and
// ramps are followed in time (`load` stays 1).
struct StaticPoint {
  double load = 0;
  double time = 0;            // s
  int iterations = 0;         // Newton's, from the point before
  double residual = 0;        // N, largest remaining force on a node (moments over the segment's length)
  double residual_limit = 0;  // N
  int negative = 0;           // eigenvalues of the Hessian below zero
};

// Where the path turns stable into unstable or back.
struct Crossing {
  double load = 0, time = 0;
  int before = 0, after = 0;  // negative eigenvalues
};

struct StaticOptions {
  std::optional<double> until;                    // s; default: when the last ramp or motion has ended
  bool arclength = false;                         // go on beyond limit points, with the load falling where it must
  bool perturb = false;                           // leave an unstable equilibrium along its lowest mode
  double tolerance = 1e-9;                        // residual over (load + largest internal force)
  int max_iterations = 1000;                      // of one minimisation
  int max_points = 5000;                          // of the path
  double first_step = 0.1;                        // of the time, as a part of the whole
  double longest_step = 0.1;                      // likewise
  double shortest_step = 1e-6;                    // likewise, also of the load: below this the path ends
  double crossing_width = 1e-6;                   // likewise: how closely crossings are located
  std::function<bool(const StaticPoint&)> go_on;  // after each point; false stops
};

enum class StaticStatus {
  converged,
  interrupted,    // go_on said so
  mechanism,      // the loads drive a motion that nothing resists
  limit_point,    // the load cannot grow further on this path
  not_converged,  // the shortest step failed
  not_finite,
};

struct StaticReport {
  StaticStatus status = StaticStatus::converged;
  double load = 0, time = 0;  // of the last equilibrium, which is the state
  int points = 0, iterations = 0;
  double residual = 0, residual_limit = 0;  // N
  std::vector<Crossing> crossings;
  int perturbed = 0;  // how often an unstable equilibrium was left
  // On failure: where, why and what to try.
  int rod = -1, node = -1;
  std::string cause;
  bool converged() const { return status == StaticStatus::converged; }
};

// The static counterpart of Simulation, by the same energies as `newton`.
class Statics {
 public:
  explicit Statics(Model model);
  ~Statics();
  Statics(Statics&&) noexcept;

  const Model& model() const;
  // The last equilibrium; the initial state before the first.
  const State& state() const;
  Energies energies() const;
  double load() const;  // factor on the loads of the present state

  // They are given every point of the path in time: the loads put on as the beginning, then one a point.
  void add_sink(Sink& sink);  // not owned

  StaticReport solve(const StaticOptions& options = {});

  // Of the last equilibrium.
  Stability stability() const;
  // The lowest ones, neutral motions left out; fewer where there are fewer.
  std::vector<Mode> modes(int count) const;
  std::vector<Reaction> reactions() const;

 private:
  class Work;
  std::unique_ptr<Work> m_work;
};

}  // namespace writhe
