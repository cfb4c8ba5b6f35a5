// What a way runs into, and how it is kept apart there: for a direction of Newton's method that knows of barriers before they
// press. docs/theory/contact.md, "Foreseen".
#pragma once

#include <vector>

#include <Eigen/Core>

#include "assembly/coupling.h"

namespace writhe::assembly {

class Foresight {
 public:
  // Looks along a way from one state to another. True when the pattern of the matrix is another.
  bool look(Assembly& assembly, Coupling& coupling, const State& from, const State& to);
  bool empty() const { return m_gaps.empty(); }

  // Takes what barriers add to a gradient, where the way begins, off it.
  void take_off(Eigen::VectorXd& gradient) const;
  // The pressures that a direction from there leads to; its gaps change in a straight way. Returns which part of them is new.
  double press(const Eigen::VectorXd& direction);
  // What barriers add about the gaps that belong to those pressures: forces, where the way begins, and their stiffness.
  void add_force(Eigen::VectorXd& force) const;
  void add_hessian(linalg::BlockMatrix& matrix) const;

 private:
  struct Point {
    double pressure = 0;   // N/m: foreseen; 0: it does not press
    double stiffness = 0;  // N/m^2, there
    double gap = 0;        // m, there
  };
  static Point point_of(const elastic::BarrierMaterial& material, double pressure);
  static double next_pressure(const Point& point, const elastic::BarrierMaterial& material, double gap, double least);
  double gap_after(const Term::Gap& gap, std::span<const int> own, const Eigen::VectorXd& direction) const;
  std::span<const int> blocks_of(std::size_t k) const { return m_coupling->blocks(m_of[k].element); }
  std::size_t end_of(std::size_t k) const { return k + 1 < m_of.size() ? m_of[k + 1].first : m_gaps.size(); }
  // work(i, blocks) of every point.
  template <class Work>
  void each(const Work& work) const;

  const Coupling* m_coupling = nullptr;
  std::vector<Coupling::GapsOf> m_of;
  std::vector<Term::Gap> m_gaps;
  std::vector<Point> m_points;
  std::vector<double> m_after;  // m: gaps of one element at the end of a direction
};

}  // namespace writhe::assembly
