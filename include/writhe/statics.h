// Equilibrium without time stepping, the path to it, and whether it is stable. docs/theory/statics.md.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "writhe/model.h"
#include "writhe/reaction.h"
#include "writhe/simulation.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe {

// A small free motion about an equilibrium, which goes as exp(growth t) times a vibration of the frequency; in the mass of the
// model. Loads that turn with the rod may let a vibration grow (flutter): such a motion takes two modes of one eigenvalue, whose
// shapes are a quarter of the period apart.
struct Mode {
  // 1/s^2: real part; without such loads: square of the angular frequency, or less the square of growth. Of one that decays:
  // square of the size of its rate.
  double eigenvalue = 0;
  double frequency = 0;    // Hz; 0 where nothing vibrates
  double growth = 0;       // 1/s; 0: it neither grows nor decays; below 0 wind or drag let it decay (Scene::damping is left out)
  std::vector<Vec3> x;     // per node: space. Scaled so that x^T M x + turn^T J turn = 1 kg m^2
  std::vector<Vec3> turn;  // per orientation: body components
};

enum class Balance {
  stable,
  neutral,       // stable but for motions that cost no energy and on which the loads do no work
  unstable,      // some motion grows
  undetermined,  // the eigenvalues were not found
};

struct Stability {
  Balance balance = Balance::stable;
  int negative = 0;                  // number of negative eigenvalues of the Hessian; see StaticPoint
  int examined = 0;                  // eigenvalues looked at of each part on which loads turn with the rod; 0: all of them
  std::vector<std::string> neutral;  // one line a neutral motion
};

// One equilibrium on the path. First the loads are put on (`load` from 0 to 1, at time 0), then supports, closing angles and
// ramps are followed in time (`load` stays 1).
struct StaticPoint {
  double load = 0;
  double time = 0;            // s
  int iterations = 0;         // Newton's, from the point before
  double residual = 0;        // N, largest remaining force on a node (moments over the segment's length)
  double residual_limit = 0;  // N
  // Eigenvalues of the Hessian below zero. With loads that turn with the rod, which have no Hessian: eigenvalues of the tangent,
  // of the lowest ones, whose motions grow.
  int negative = 0;
};

// Where the path turns stable into unstable or back.
struct Crossing {
  double load = 0, time = 0;
  double width = 0;           // of load or time, whichever moves: how closely it is known
  int before = 0, after = 0;  // negative eigenvalues
};

// Newton's method on its way to a point.
struct StaticIteration {
  double load = 0, time = 0;                // of the point that is sought
  int iterations = 0;                       // up to here
  double residual = 0, residual_limit = 0;  // N
};

struct StaticOptions {
  std::optional<double> until;                    // s; default: when the last ramp or motion has ended
  bool near_state = false;                        // begins at the equilibrium near Statics::state(), with the loads of its time
  bool arclength = false;                         // go on beyond limit points, with the load falling where it must
  bool perturb = false;                           // leave an unstable equilibrium along its lowest mode
  double tolerance = 1e-9;                        // residual over (load + largest internal force) of each connected part
  int max_iterations = 1000;                      // of one minimisation
  int max_points = 5000;                          // between two keys of ramps and motions
  double first_step = 0.1;                        // of the time, as a part of the whole
  double longest_step = 0.1;                      // likewise
  double shortest_step = 1e-6;                    // of the load, or of the time between two keys: below this the path ends
  double crossing_width = 1e-6;                   // how closely crossings are located, as a part of where they are
  std::function<bool(const StaticPoint&)> go_on;  // after each point; false stops
  std::function<bool(const StaticIteration&)> iterating;  // before each iteration; false stops
};

enum class StaticStatus {
  converged,
  interrupted,    // go_on or iterating said so
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
  int jumps = 0;      // how often the path had no equilibrium near and one was found down the potential
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

  // Takes the state of a checkpoint.writhe; StaticOptions::near_state begins there. Throws Error when the bytes are damaged or
  // belong to another scene. `name`: of the file, for the message.
  void restore(const std::string& bytes, const std::string& name);

  // They are given every point of the path in time: the loads put on as the beginning, then one a point.
  void add_sink(Sink& sink);  // not owned

  StaticReport solve(const StaticOptions& options = {});

  // Of the last equilibrium.
  Stability stability() const;
  // The lowest ones, neutral motions left out; fewer where there are fewer. Throws Error when they are not found, or `go_on`,
  // which is asked many times, says no.
  std::vector<Mode> modes(int count, const std::function<bool()>& go_on = {}) const;
  std::vector<Reaction> reactions() const;

 private:
  class Work;
  std::unique_ptr<Work> m_work;
};

}  // namespace writhe
