#include "statics/pencil.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <numeric>
#include <random>

#include <Eigen/SparseCholesky>
#include <Spectra/GenEigsRealShiftSolver.h>
#include <Spectra/SymEigsShiftSolver.h>

#include "linalg/dense.h"
#include "linalg/general_factor.h"

namespace writhe::statics {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

namespace {

constexpr int small = 100;        // so few unknowns are treated as a full matrix
constexpr int most_dense = 3000;  // so many can be, where all modes are asked for
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// K - shift M, factored.
class Factor {
 public:
  Factor(const Pencil& pencil, double shift) : m_symmetric(pencil.symmetric) {
    Sparse shifted = pencil.tangent;
    for (Index i = 0; i < shifted.rows(); ++i) shifted.coeffRef(i, i) -= shift * pencil.mass[i];
    if (m_symmetric) {
      m_ldlt.compute(shifted);
      m_good = m_ldlt.info() == Eigen::Success && m_ldlt.vectorD().allFinite();
      if (m_good) m_negative = static_cast<int>((m_ldlt.vectorD().array() < 0).count());
    } else {
      m_good = m_lu.factorise(shifted);
    }
  }
  bool good() const { return m_good; }
  int negative() const { return m_negative; }  // of a symmetric one
  VectorXd solve(const VectorXd& right) const { return m_symmetric ? VectorXd(m_ldlt.solve(right)) : m_lu.solve(right); }

 private:
  bool m_symmetric, m_good = false;
  int m_negative = 0;
  Eigen::SimplicialLDLT<Sparse> m_ldlt;
  linalg::GeneralFactor m_lu;
};

// y -> |shift| M^1/2 (K - shift M)^-1 M^1/2 y on the complement of the neutral motions and of what has been found. Without units:
// Spectra's tolerance would else depend on them.
class Inverse {
 public:
  using Scalar = double;

  Inverse(const Pencil& pencil, const Factor& factor, double shift, const MatrixXd& found, const Tick& tick)
      : m_factor(factor), m_size(std::abs(shift)), m_root_mass(pencil.mass.cwiseSqrt()), m_tick(tick) {
    m_away.resize(pencil.neutral.rows(), pencil.neutral.cols() + found.cols());
    m_away << pencil.neutral, found;
  }

  Index rows() const { return m_root_mass.size(); }
  Index cols() const { return m_root_mass.size(); }
  void set_shift(double) {}  // factored beforehand
  void perform_op(const double* in, double* out) const {
    Eigen::Map<VectorXd>(out, rows()) = apply(Eigen::Map<const VectorXd>(in, rows()));
  }
  VectorXd apply(VectorXd y) const {
    if (m_tick) m_tick();
    y -= m_away * (m_away.transpose() * y);
    y = full(y).cwiseProduct(m_root_mass);
    y -= m_away * (m_away.transpose() * y);
    return y;
  }
  // All unknowns that go with y, those without mass too.
  VectorXd full(const VectorXd& y) const { return m_size * m_factor.solve(y.cwiseProduct(m_root_mass)); }
  const VectorXd& root_mass() const { return m_root_mass; }

 private:
  const Factor& m_factor;
  double m_size;
  VectorXd m_root_mass;
  MatrixXd m_away;
  const Tick& m_tick;
};

// Eigenvalues of an Inverse as 1/(value + 1), so that value is the eigenvalue of the pencil over |shift|.
struct Found {
  VectorXcd values;
  MatrixXcd vectors;
};

linalg::GeneralEigen eigen(const MatrixXd& matrix, bool symmetric) {
  if (!symmetric) return linalg::general_eigen(matrix);
  const linalg::SymmetricEigen own = linalg::symmetric_eigen(matrix);
  return {own.values.cast<Complex>(), own.vectors.cast<Complex>()};
}

Found by_full_matrix(const Inverse& inverse, int wanted, bool symmetric) {
  std::vector<Index> massive;
  for (Index i = 0; i < inverse.rows(); ++i)
    if (inverse.root_mass()[i] > 0) massive.push_back(i);
  const auto n = static_cast<Index>(massive.size());
  MatrixXd matrix(n, n);
  for (Index column = 0; column < n; ++column) {
    const VectorXd image = inverse.apply(VectorXd::Unit(inverse.rows(), massive[column]));
    for (Index row = 0; row < n; ++row) matrix(row, column) = image[massive[row]];
  }
  const linalg::GeneralEigen all = eigen(matrix, symmetric);
  std::vector<Index> order(massive.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(all.values[a]) > std::abs(all.values[b]); });
  Found out{VectorXcd(wanted), MatrixXcd::Zero(inverse.rows(), wanted)};
  for (int k = 0; k < wanted; ++k) {
    out.values[k] = 1.0 / all.values[order[k]] - 1.0;
    for (Index row = 0; row < n; ++row) out.vectors(massive[row], k) = all.vectors(row, order[k]);
  }
  return out;
}

// `start`: of each search another. The same would have nothing along what is missing: of two equal eigenvalues the first search
// finds just that vector which the start has a part of.
template <class Solver>
std::optional<Found> by_iteration(Solver&& solver, const VectorXd& start) {
  solver.init(start.data());
  // those that converged: the second of two equal ones may not
  if (solver.compute(Spectra::SortRule::LargestMagn, 300, 1e-10) == 0) return std::nullopt;
  return Found{solver.eigenvalues().template cast<Complex>(), solver.eigenvectors().template cast<Complex>()};
}

// `available`: how many eigenvalues there are outside of what is projected out.
std::optional<Found> search(Inverse& inverse, int available, int wanted, bool symmetric, unsigned round = 0) {
  const bool full = available <= small || (wanted > available - 2 && available <= most_dense);
  if (full) return by_full_matrix(inverse, wanted, symmetric);
  const int count = std::min(wanted, available - 2);
  std::mt19937 random(round + 1);  // the same in every run
  const VectorXd start =
      VectorXd::NullaryExpr(inverse.rows(), [&random] { return static_cast<double>(random()) / 4294967295.0 - 0.5; });
  std::optional<Found> found;
  for (int basis = std::max(2 * count + 2, 24); !found && basis < 8 * std::max(count, 24); basis *= 2) {
    const int size = std::min(available, basis);
    found = symmetric ? by_iteration(Spectra::SymEigsShiftSolver<Inverse>(inverse, count, size, -1), start)
                      : by_iteration(Spectra::GenEigsRealShiftSolver<Inverse>(inverse, count, size, -1), start);
  }
  return found;
}

// Left of the eigenvalues, so that those nearest are the lowest: of all of them where signs can tell.
std::unique_ptr<Factor> factor_left_of_all(const Pencil& pencil, double& shift) {
  for (int attempt = 0; attempt < 60; ++attempt, shift *= 8) {
    auto factor = std::make_unique<Factor>(pencil, shift);
    if (factor->good() && (!pencil.symmetric || factor->negative() == 0)) return factor;
  }
  return nullptr;
}

void append(Found& to, const Found& more) {
  const Index before = to.values.size(), rows = more.vectors.rows();
  to.values.conservativeResize(before + more.values.size());
  to.values.tail(more.values.size()) = more.values;
  to.vectors.conservativeResize(rows, before + more.values.size());
  to.vectors.rightCols(more.values.size()) = more.vectors;
}

// Ascending by real part, of which the first are kept.
void sort_and_keep(Found& found, int count) {
  std::vector<Index> order(static_cast<std::size_t>(found.values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return found.values[a].real() < found.values[b].real(); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  Found sorted{VectorXcd(order.size()), MatrixXcd(found.vectors.rows(), order.size())};
  for (std::size_t k = 0; k < order.size(); ++k) {
    sorted.values[static_cast<Index>(k)] = found.values[order[k]];
    sorted.vectors.col(static_cast<Index>(k)) = found.vectors.col(order[k]);
  }
  found = std::move(sorted);
}

// 1/s^2: what rounding errors of the stiffest unknown make of an eigenvalue.
double rounding(const Pencil& pencil) {
  double stiffest = 0;
  for (Index i = 0; i < pencil.mass.size(); ++i)
    if (pencil.mass[i] > 0) stiffest = std::max(stiffest, pencil.tangent.coeff(i, i) / pencil.mass[i]);
  return 64 * epsilon * stiffest;
}

// How many eigenvalues of a symmetric pencil lie below one, neutral motions not counted. Nothing when it cannot be told.
std::optional<int> count_below(const Pencil& pencil, double eigenvalue) {
  const Factor factor(pencil, eigenvalue);
  if (!factor.good()) return std::nullopt;
  return factor.negative() - (eigenvalue > 0 ? static_cast<int>(pencil.neutral.cols()) : 0);
}

// A Krylov space from one vector holds one vector of each eigenvalue, and further ones by rounding errors only. The signs of a
// factorisation just below the highest tell whether some are missing; those, and what did not converge, are looked for beside
// those found.
bool complete(const Pencil& pencil, const Factor& factor, double shift, int available, int wanted, const Tick& tick,
              Found& found) {
  constexpr unsigned most_rounds = 100;
  for (unsigned round = 1; round <= most_rounds; ++round) {
    const double highest = found.values[found.values.size() - 1].real();  // over |shift|
    const double below = highest - 1e-6 * std::max(std::abs(highest), 1.0) - rounding(pencil) / std::abs(shift);
    const std::optional<int> there = count_below(pencil, std::abs(shift) * below);
    const auto have = static_cast<int>((found.values.real().array() < below).count());
    const auto all = static_cast<int>(found.values.size());
    const int missing = std::max(there ? *there - have : 0, wanted - all);
    if (missing <= 0) return true;
    Inverse inverse(pencil, factor, shift, found.vectors.real(), tick);
    const std::optional<Found> more = search(inverse, available - all, std::min(missing, available - all), true, round);
    if (!more) return false;
    // a difference that rounding errors make: what is not lower is not missing
    if (all == wanted && more->values.real().minCoeff() >= highest) return true;
    append(found, *more);
    sort_and_keep(found, wanted);
  }
  return false;
}

}  // namespace

std::optional<EigenPairs> lowest_pairs(const Pencil& pencil, int count, const Tick& tick) {
  const auto massive = static_cast<int>((pencil.mass.array() > 0).count());
  const int available = massive - static_cast<int>(pencil.neutral.cols());
  const int wanted = std::min(count, available);
  if (wanted <= 0) return EigenPairs{};
  double shift = -pencil.softness;
  std::unique_ptr<Factor> factor;
  std::optional<Found> found;
  // With a shift much larger than the lowest eigenvalue all inverses are alike; so it is chosen anew from what was found.
  for (int attempt = 0;; ++attempt) {
    factor = factor_left_of_all(pencil, shift);
    if (!factor) return std::nullopt;
    Inverse inverse(pencil, *factor, shift, MatrixXd(pencil.mass.size(), 0), tick);
    found = search(inverse, available, wanted, pencil.symmetric);
    if (!found) return std::nullopt;
    sort_and_keep(*found, wanted);
    const double lowest = std::abs(shift) * found->values[0].real();
    const double nearest = std::abs(shift) * found->values.cwiseAbs().minCoeff();
    const double better = std::max(lowest < 0 ? -2 * lowest : 2 * nearest, 1e-9 * pencil.softness);
    if (attempt == 2 || std::abs(shift) < 100 * better) break;
    shift = -better;
  }
  if (pencil.symmetric && !complete(pencil, *factor, shift, available, wanted, tick, *found)) return std::nullopt;
  const Inverse inverse(pencil, *factor, shift, MatrixXd(pencil.mass.size(), 0), {});
  EigenPairs out{std::abs(shift) * found->values, MatrixXcd(pencil.mass.size(), found->values.size())};
  for (Index k = 0; k < found->values.size(); ++k) {
    const VectorXcd y = found->vectors.col(k);
    out.vectors.col(k).real() = inverse.full(y.real());
    out.vectors.col(k).imag() = inverse.full(y.imag());
    // the inverse has multiplied them by 1/(value + 1)
    out.vectors.col(k) *= found->values[k] + 1.0;
  }
  return out;
}

std::optional<int> count_negative(const Pencil& pencil) {
  if (pencil.neutral.cols() == 0) {
    Pencil firm = pencil;  // what rounding errors may have made negative is not
    for (Index i = 0; i < pencil.rounding.size(); ++i) firm.tangent.coeffRef(i, i) += pencil.rounding[i];
    return count_below(firm, 0);
  }
  return count_below(pencil, -(rounding(pencil) + 1e-9 * pencil.softness));
}

}  // namespace writhe::statics
