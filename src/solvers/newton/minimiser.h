// Newton's method with a line search on the incremental potential of a step: what all parts share.
#pragma once

#include <limits>
#include <string>

#include "solvers/newton/chain_kernel.h"
#include "solvers/part.h"

namespace writhe::newton {

class Minimiser : public Part {
 public:
  explicit Minimiser(const Model& model) : m_model(&model) {}
  StepReport minimise(const State& state, const Loading& loading, double dt) final;
  void begin_near(const Configuration& near) final { m_near = &near; }

 protected:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  // The coefficients of this step's incremental potential, and the state it starts from with prescribed things in their new
  // places. Sets the sizes below.
  virtual void load_step(const State& state, const Loading& loading, double dt) = 0;
  // Where everything would fly without forces, as the search direction.
  virtual void load_flight(const State& state, double dt) = 0;
  virtual double evaluate_energy() = 0;
  // The trial point is there.
  virtual void place(const Configuration& there) = 0;
  // Energy and gradient at the trial point.
  virtual ChainSums evaluate() = 0;
  // Solves for the direction with the Hessian at the trial point, its geometric part and its inertia by these factors; the slope
  // along it, J. False when it is not positive definite. `inertia`: a power of 4.
  virtual bool solve(double geometric, double inertia, double& slope) = 0;
  // The trial point becomes the point the search starts from.
  virtual void set_base() = 0;
  // Trial point = base + size * direction.
  virtual void move(double size) = 0;
  // The longest part of the direction, from the base, that may be gone.
  virtual double longest_step() { return 1; }
  // A better direction where so little (`size`) of one, with that slope, may be gone, if there is one.
  virtual void foresee(double& /*size*/, double& /*slope*/) {}
  // Whether one may go along a direction beyond its end.
  virtual bool may_go_beyond() const { return true; }
  // J: work of loads without a potential on this part of the direction, as they are where it starts; the energies of `evaluate`
  // do not have it.
  virtual double work_along(double /*size*/) const { return 0; }
  // Whether this part of the direction leads nearer to the end of the step, other than by the energy.
  virtual bool leads_nearer(double /*size*/) { return false; }
  // Whether something limits how far steps may go: then what comes to nothing in a long step may come about in short ones.
  virtual bool is_guarded() const { return false; }
  // Whether what is prescribed is where it is to be at the end; if not, `lead` brings it nearer from the trial point, and is
  // false where something is in its way.
  virtual bool has_led() const { return true; }
  virtual bool lead() { return true; }
  virtual void report_blocked(StepReport& /*report*/) const {}
  // Whether nothing but rounding errors is left of the forces, at the trial point.
  virtual bool only_rounding(const ChainSums& sums) const { return sums.force <= m_rounding; }
  // Whether the last step was so short that another would hardly matter. Where stiffnesses are alike the forces tell as much.
  virtual bool was_short() const { return true; }
  // What else is worth trying where a step does not converge: the end of a sentence, or nothing.
  virtual std::string remedy() const { return {}; }
  // Where what is prescribed leaves a rod no room: the whole cause of a failure.
  virtual std::string crushed() const { return {}; }
  // Why an end of the step without forces is none. led: what is prescribed was not where it is to be when the step began.
  virtual std::string refused(bool /*led*/) const { return {}; }
  // Names the place with the largest remaining force.
  virtual void blame(StepReport& report) const = 0;

  const Model& model() const { return *m_model; }

  double m_load = 0;      // N: sum of the sizes of the applied forces; the weight, if that is all
  double m_size = 0;      // m: largest coordinate
  double m_length = 0;    // m: of the longest rod
  double m_rounding = 0;  // N: forces below this are rounding errors of the positions

 private:
  ChainSums predict(const State& state, double dt);
  bool find_direction();
  bool search(ChainSums& sums, bool creeps);
  void go_beyond(ChainSums& sums, const ChainSums& start);
  double residual_limit(const ChainSums& sums) const;
  bool is_unloaded(const ChainSums& sums) const;

  const Model* m_model;
  const Configuration* m_near = nullptr;  // see begin_near
  double m_slope = 0;                     // J: of the potential along the search direction
  bool m_exact = true;                    // whether the search direction is that of the exact Hessian
  // Of this step: whether inertia may be made to count more, by how much it was last, by how much it has to be next, and by how
  // much it is in the search direction.
  bool m_cautious = false;
  double m_last_inertia = 4, m_least_inertia = 1, m_inertia = 1;
};

}  // namespace writhe::newton
