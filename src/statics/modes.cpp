#include "statics/modes.h"

#include <algorithm>
#include <cmath>

#include <Spectra/SymEigsShiftSolver.h>

#include "math/rotation.h"

namespace writhe::statics {

using Eigen::VectorXd;

namespace {

// y -> M^1/2 (H - shift M)^-1 M^1/2 y on the complement of the neutral motions. Symmetric though M may have zeros (free frames
// have no inertia): what has no mass follows what has.
class Inverse {
 public:
  using Scalar = double;

  Inverse(const Equilibrium& equilibrium, const VectorXd& root_mass, std::vector<VectorXd> neutral)
      : m_equilibrium(equilibrium), m_root_mass(root_mass), m_neutral(std::move(neutral)) {}

  Eigen::Index rows() const { return m_root_mass.size(); }
  Eigen::Index cols() const { return m_root_mass.size(); }
  void set_shift(double) {}  // factored beforehand
  void perform_op(const double* in, double* out) const {
    VectorXd y = Eigen::Map<const VectorXd>(in, rows());
    project(y);
    y = full(y).cwiseProduct(m_root_mass);
    project(y);
    Eigen::Map<VectorXd>(out, rows()) = y;
  }
  // All unknowns that go with y, those without mass too.
  VectorXd full(const VectorXd& y) const { return m_equilibrium.solve_symmetric(y.cwiseProduct(m_root_mass)); }

 private:
  void project(VectorXd& y) const {
    for (const VectorXd& z : m_neutral) y -= z.dot(y) * z;
  }

  const Equilibrium& m_equilibrium;
  const VectorXd& m_root_mass;
  std::vector<VectorXd> m_neutral;
};

// The neutral motions in M^1/2 x, orthonormal.
std::vector<VectorXd> orthonormal(const std::vector<Eigen::SparseVector<double>>& neutral, const VectorXd& root_mass) {
  std::vector<VectorXd> out;
  for (const Eigen::SparseVector<double>& direction : neutral) {
    VectorXd z = VectorXd(direction).cwiseProduct(root_mass);
    for (int twice = 0; twice < 2; ++twice)
      for (const VectorXd& other : out) z -= other.dot(z) * other;
    if (z.norm() > 0) out.push_back(z.normalized());
  }
  return out;
}

Mode mode_of(const assembly::Assembly& assembly, const State& state, double eigenvalue, VectorXd x, const VectorXd& mass) {
  x /= std::sqrt(x.cwiseProduct(mass).dot(x));
  Eigen::Index largest = 0;
  x.cwiseProduct(mass.cwiseSqrt()).cwiseAbs().maxCoeff(&largest);
  if (x[largest] < 0) x = -x;  // one of the two signs, always the same
  Mode mode;
  mode.eigenvalue = eigenvalue;
  mode.frequency = eigenvalue > 0 ? std::sqrt(eigenvalue) / (2 * pi) : 0;
  mode.x.assign(state.x.size(), Vec3{});
  mode.turn.assign(state.q.size(), Vec3{});
  for (const auto& node : assembly.nodes()) mode.x[node.index] = assembly::block(x, node.block);
  for (const auto& turn : assembly.orientations()) mode.turn[turn.index] = assembly::block(x, turn.block);
  return mode;
}

}  // namespace

std::vector<Mode> lowest_modes(Equilibrium& equilibrium, const State& state, const Where& where, const Freedom& freedom,
                               int count) {
  equilibrium.hold_neutral({}, {});
  equilibrium.factorise(state, where);
  // Left of all eigenvalues, so that those nearest are the lowest.
  double shift = -equilibrium.softness();
  for (int attempt = 0; attempt < 60; ++attempt, shift *= 8)
    if (equilibrium.factorise_shifted(shift) && equilibrium.negative() == 0) break;

  const VectorXd root_mass = equilibrium.mass().cwiseProduct(equilibrium.assembly().free()).cwiseSqrt();
  const std::vector<VectorXd> zero = orthonormal(freedom.directions(state), root_mass);
  const auto massive = static_cast<int>((root_mass.array() > 0).count()) - static_cast<int>(zero.size());
  const int wanted = std::min(count, massive - 1);
  std::vector<Mode> out;
  if (wanted > 0) {
    Inverse inverse(equilibrium, root_mass, zero);
    const int basis = std::min(massive, std::max(2 * wanted + 1, 20));
    Spectra::SymEigsShiftSolver<Inverse> solver(inverse, wanted, basis, shift);
    solver.init();
    solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-10, Spectra::SortRule::SmallestAlge);
    const VectorXd values = solver.eigenvalues();
    const Eigen::MatrixXd vectors = solver.eigenvectors();
    for (Eigen::Index k = 0; k < values.size(); ++k)
      out.push_back(mode_of(equilibrium.assembly(), state, values[k], inverse.full(vectors.col(k)), equilibrium.mass()));
    std::sort(out.begin(), out.end(), [](const Mode& a, const Mode& b) { return a.eigenvalue < b.eigenvalue; });
  }
  equilibrium.hold_neutral(freedom.pins(), [freedom](const State& s) { return freedom.directions(s); });
  return out;
}

}  // namespace writhe::statics
