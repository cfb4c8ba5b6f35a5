#include "statics/modes.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <tuple>

#include <Eigen/Eigenvalues>
#include <Spectra/GenEigsRealShiftSolver.h>
#include <Spectra/SymEigsShiftSolver.h>

#include "math/rotation.h"

namespace writhe::statics {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

// Eigenvalues of a tangent that is not symmetric are real if this much of them is.
constexpr double imaginary_noise = 1e-6;
constexpr int small = 100;        // so few unknowns are treated as a full matrix
constexpr int most_dense = 3000;  // so many can be, where all modes are asked for

// y -> M^1/2 (K - shift M)^-1 M^1/2 y on the complement of the neutral motions. M may have zeros (free frames have no inertia):
// what has no mass follows what has.
class Inverse {
 public:
  using Scalar = double;

  explicit Inverse(const Equilibrium& equilibrium)
      : m_equilibrium(equilibrium), m_root_mass(equilibrium.mass().cwiseProduct(equilibrium.assembly().free()).cwiseSqrt()) {
    for (const Eigen::SparseVector<double>& direction : equilibrium.neutral()) {
      Eigen::SparseVector<double> z = direction;
      for (Eigen::SparseVector<double>::InnerIterator it(z); it; ++it) it.valueRef() *= m_root_mass[it.index()];
      m_neutral.push_back(std::move(z));
    }
  }

  Eigen::Index rows() const { return m_root_mass.size(); }
  Eigen::Index cols() const { return m_root_mass.size(); }
  void set_shift(double) {}  // factored beforehand
  void perform_op(const double* in, double* out) const {
    Eigen::Map<VectorXd>(out, rows()) = apply(Eigen::Map<const VectorXd>(in, rows()));
  }
  VectorXd apply(VectorXd y) const {
    project(y);
    y = full(y).cwiseProduct(m_root_mass);
    project(y);
    return y;
  }
  // All unknowns that go with y, those without mass too.
  VectorXd full(const VectorXd& y) const { return m_equilibrium.solve_as_factored(y.cwiseProduct(m_root_mass)); }
  std::vector<int> massive() const {
    std::vector<int> out;
    for (int i = 0; i < static_cast<int>(rows()); ++i)
      if (m_root_mass[i] > 0) out.push_back(i);
    return out;
  }

 private:
  void project(VectorXd& y) const {
    for (const Eigen::SparseVector<double>& z : m_neutral) {
      const double along = z.dot(y);
      for (Eigen::SparseVector<double>::InnerIterator it(z); it; ++it) y[it.index()] -= along * it.value();
    }
  }

  const Equilibrium& m_equilibrium;
  VectorXd m_root_mass;
  std::vector<Eigen::SparseVector<double>> m_neutral;
};

struct Pairs {
  VectorXcd values;  // 1/s^2
  MatrixXcd vectors;
};

// The eigenvalues nearest the shift, of the full matrix.
Pairs by_full_matrix(const Inverse& inverse, int wanted, double shift, bool symmetric) {
  const std::vector<int> massive = inverse.massive();
  const auto n = static_cast<Eigen::Index>(massive.size());
  MatrixXd matrix(n, n);
  for (Eigen::Index column = 0; column < n; ++column) {
    const VectorXd image = inverse.apply(VectorXd::Unit(inverse.rows(), massive[column]));
    for (Eigen::Index row = 0; row < n; ++row) matrix(row, column) = image[massive[row]];
  }
  VectorXcd values;
  MatrixXcd vectors;
  if (symmetric) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(matrix);
    values = solver.eigenvalues().cast<std::complex<double>>();
    vectors = solver.eigenvectors().cast<std::complex<double>>();
  } else {
    const Eigen::EigenSolver<MatrixXd> solver(matrix);
    values = solver.eigenvalues();
    vectors = solver.eigenvectors();
  }
  std::vector<Eigen::Index> order(massive.size());
  for (Eigen::Index k = 0; k < n; ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return std::abs(values[a]) > std::abs(values[b]); });
  Pairs out{VectorXcd(wanted), MatrixXcd::Zero(inverse.rows(), wanted)};
  for (int k = 0; k < wanted; ++k) {
    out.values[k] = shift + 1.0 / values[order[k]];
    for (Eigen::Index row = 0; row < n; ++row) out.vectors(massive[row], k) = vectors(row, order[k]);
  }
  return out;
}

template <class Solver>
std::optional<Pairs> by_iteration(Solver&& solver) {
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-10);
  if (solver.info() != Spectra::CompInfo::Successful) return std::nullopt;
  return Pairs{solver.eigenvalues().template cast<std::complex<double>>(),
               solver.eigenvectors().template cast<std::complex<double>>()};
}

std::optional<Pairs> find_pairs(Inverse& inverse, int available, int wanted, double shift, bool symmetric) {
  const bool full = available <= small || (wanted > available - 2 && available <= most_dense);
  if (full) return by_full_matrix(inverse, wanted, shift, symmetric);
  const int count = std::min(wanted, available - 2);
  const int basis = std::min(available, std::max(2 * count + 2, 24));
  if (symmetric) return by_iteration(Spectra::SymEigsShiftSolver<Inverse>(inverse, count, basis, shift));
  return by_iteration(Spectra::GenEigsRealShiftSolver<Inverse>(inverse, count, basis, shift));
}

// Of one size in the mass, and of the two signs always the same.
VectorXd tidy(VectorXd x, const VectorXd& mass) {
  const double size = std::sqrt(x.cwiseProduct(mass).dot(x));
  if (size > 0) x /= size;
  Eigen::Index largest = 0;
  x.cwiseProduct(mass.cwiseSqrt()).cwiseAbs().maxCoeff(&largest);
  return x[largest] < 0 ? -x : x;
}

// exp(s t) with s^2 = -eigenvalue. Of a pair of conjugates the first has the real part of their shape, the second the other.
Mode mode_of(const Equilibrium& equilibrium, const State& state, const Inverse& inverse, std::complex<double> eigenvalue,
             VectorXcd y) {
  if (std::abs(eigenvalue.imag()) <= imaginary_noise * std::abs(eigenvalue)) eigenvalue.imag(0);
  Eigen::Index largest = 0;
  y.cwiseAbs().maxCoeff(&largest);
  y *= std::conj(y[largest]) / std::abs(y[largest]);  // the phase in which the largest is real
  const VectorXd part = eigenvalue.imag() < 0 ? VectorXd(y.imag()) : VectorXd(y.real());
  const VectorXd x = tidy(inverse.full(part), equilibrium.mass());
  const std::complex<double> rate = std::sqrt(-eigenvalue);
  Mode mode;
  mode.eigenvalue = eigenvalue.real();
  mode.frequency = std::abs(rate.imag()) / (2 * pi);
  mode.growth = rate.real();
  mode.x.assign(state.x.size(), Vec3{});
  mode.turn.assign(state.q.size(), Vec3{});
  const assembly::Assembly& assembly = equilibrium.assembly();
  for (const auto& node : assembly.nodes()) mode.x[node.index] = assembly::block(x, node.block);
  for (const auto& turn : assembly.orientations()) mode.turn[turn.index] = assembly::block(x, turn.block);
  return mode;
}

// Left of the eigenvalues, so that those nearest are the lowest: of all of them where signs can tell.
std::optional<double> factorise_left_of_all(Equilibrium& equilibrium) {
  double shift = -equilibrium.softness();
  for (int attempt = 0; attempt < 60; ++attempt, shift *= 8)
    if (equilibrium.factorise_shifted(shift) && (!equilibrium.symmetric() || equilibrium.negative() == 0)) return shift;
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<Mode>> lowest_modes(Equilibrium& equilibrium, const State& state, const Where& where,
                                              const Freedom& freedom, int count) {
  const auto directions = [freedom](const State& s) { return freedom.directions(s); };
  equilibrium.hold_neutral({}, directions);
  equilibrium.factorise(state, where);  // may be singular: it is assembled
  const std::optional<double> shift = factorise_left_of_all(equilibrium);
  std::optional<std::vector<Mode>> out;
  if (shift) {
    Inverse inverse(equilibrium);
    const int available = static_cast<int>(inverse.massive().size() - equilibrium.neutral().size());
    const int wanted = std::min(count, available);
    const std::optional<Pairs> pairs =
        wanted > 0 ? find_pairs(inverse, available, wanted, *shift, equilibrium.symmetric()) : Pairs{};
    if (pairs) out.emplace();
    for (Eigen::Index k = 0; pairs && k < pairs->values.size(); ++k)
      out->push_back(mode_of(equilibrium, state, inverse, pairs->values[k], pairs->vectors.col(k)));
  }
  if (out) std::stable_sort(out->begin(), out->end(), [](const Mode& a, const Mode& b) { return a.eigenvalue < b.eigenvalue; });
  equilibrium.hold_neutral(freedom.pins(), directions);
  return out;
}

int count_growing(const std::vector<Mode>& modes) {
  return static_cast<int>(std::count_if(modes.begin(), modes.end(), [](const Mode& mode) { return mode.growth > 0; }));
}

}  // namespace writhe::statics
