// A net of rods: the incremental potential on any graph, factored sparsely. Slower for a segment than a chain, for any shape.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "solvers/circulation.h"
#include "solvers/net_potential.h"
#include "solvers/newton/minimiser.h"
#include "solvers/newton/tangent.h"

namespace writhe::newton {

class Net final : public Minimiser {
 public:
  // See NetPotential.
  Net(const Model& model, RodsAndJoints own, std::shared_ptr<NetStates> states, std::shared_ptr<Terms> terms);

  void couple(std::span<const TermElement> elements) override;
  void store(Configuration& next) const override { m_potential.store(next); }

 private:
  void load_step(const State& state, const Loading& loading, double dt) override;
  void load_flight(const State& state, double dt) override;
  double evaluate_energy() override { return evaluate().energy; }
  void place(const Configuration& there) override { m_potential.place(there); }
  ChainSums evaluate() override;
  bool solve(double geometric, double inertia, double& slope) override;
  void set_base() override;
  void move(double size) override;
  double longest_step() override;
  void foresee(double& size, double& slope) override;
  bool may_go_beyond() const override { return m_potential.coupling().empty(); }
  bool is_guarded() const override { return m_potential.coupling().is_guarded(); }
  bool has_led() const override { return m_potential.has_led(); }
  bool lead() override { return m_potential.lead(); }
  void report_blocked(StepReport& report) const override { m_potential.report_blocked(report); }
  bool only_rounding(const ChainSums&) const override { return m_value.only_rounding; }
  bool was_short() const override;
  double work_along(double size) const override { return m_potential.has_potential() ? 0 : size * m_work; }
  bool leads_nearer(double size) override;
  std::string remedy() const override { return m_potential.remedy_of_stiff_links(); }
  std::string crushed() const override { return m_potential.crushed(); }
  std::string refused(bool led) const override { return m_potential.refused(led); }
  void turn_direction();
  bool find_foreseen();
  void blame(StepReport& report) const override { m_potential.blame(std::max(m_value.residual.block, 0), report); }

  NetPotential m_potential;
  NetPotential::Value m_value;  // at the trial point
  Tangent m_tangent;
  Eigen::VectorXd m_gradient, m_direction;
  assembly::Foresight m_foresight;
  Eigen::VectorXd m_plain, m_right, m_sum;       // a direction without foresight; right-hand sides
  double m_geometric = 1, m_inertia_factor = 1;  // of the matrix of the direction: see solve
  int m_pause = 0;                               // directions that are not foreseen
  double m_moved = 0;                            // part of the direction that was gone last

  // With loads that have no potential.
  Circulation m_circulation;
  Eigen::VectorXd m_forces, m_solved;
  double m_work = 0;  // J: of those loads along all of the direction, as they are where it starts
  double m_left = 0;  // J: gradient H^-1 gradient where it starts
};

}  // namespace writhe::newton
