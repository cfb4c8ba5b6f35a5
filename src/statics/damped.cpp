#include "statics/damped.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <random>
#include <vector>

#include <Spectra/GenEigsRealShiftSolver.h>

#include "linalg/dense.h"
#include "linalg/general_factor.h"

namespace writhe::statics {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

constexpr int small = 200;  // rates: so few are found from a full matrix

// With y = M^1/2 x and w = s y / shift: (y, w) -> shift (A - shift)^-1 (y, w) for the matrix A of first order whose eigenvalues
// are the rates, on the complement of the neutral motions. Its own are shift/(s - shift), without units. Unknowns without mass
// follow.
class CompanionInverse {
 public:
  using Scalar = double;

  CompanionInverse(const Pencil& pencil, double shift, const Tick& tick)
      : m_pencil(pencil), m_shift(shift), m_root_mass(pencil.mass.cwiseSqrt()), m_tick(tick) {
    m_inverse_root = m_root_mass.unaryExpr([](double root) { return root > 0 ? 1 / root : 0; });
    Eigen::SparseMatrix<double> shifted = pencil.tangent + shift * pencil.damping;
    for (Index i = 0; i < shifted.rows(); ++i) shifted.coeffRef(i, i) += shift * shift * pencil.mass[i];
    m_good = m_factor.factorise(shifted);
  }

  bool good() const { return m_good; }
  Index rows() const { return 2 * m_root_mass.size(); }
  Index cols() const { return rows(); }
  void set_shift(double) {}  // factored beforehand
  void perform_op(const double* in, double* out) const {
    Eigen::Map<VectorXd>(out, rows()) = apply(Eigen::Map<const VectorXd>(in, rows()));
  }
  VectorXd apply(const VectorXd& z) const {
    if (m_tick) m_tick();
    const Index n = m_root_mass.size();
    const VectorXd y = massive(z.head(n)), next = massive(m_root_mass.cwiseProduct(full(z)));
    VectorXd out(2 * n);
    out << next, y + next;
    return out;
  }
  // x that goes with the first half of apply(z).
  VectorXd full(const VectorXd& z) const {
    const Index n = m_root_mass.size();
    const VectorXd y = massive(z.head(n)), w = massive(z.tail(n));
    const VectorXd right = m_shift * m_root_mass.cwiseProduct(y + w) + m_pencil.damping * m_inverse_root.cwiseProduct(y);
    return -m_shift * m_factor.solve(right);
  }

 private:
  // Without neutral motions, and without what has no mass.
  VectorXd massive(VectorXd y) const {
    y -= m_pencil.neutral * (m_pencil.neutral.transpose() * y);
    return (m_root_mass.array() > 0).select(y, 0);
  }

  const Pencil& m_pencil;
  double m_shift;
  VectorXd m_root_mass, m_inverse_root;
  linalg::GeneralFactor m_factor;
  bool m_good = false;
  const Tick& m_tick;
};

struct Found {
  VectorXcd values;  // of rate over shift
  Eigen::MatrixXcd vectors;
};

Found by_full_matrix(const CompanionInverse& inverse, Index wanted) {
  MatrixXd matrix(inverse.rows(), inverse.rows());
  for (Index column = 0; column < inverse.rows(); ++column)
    matrix.col(column) = inverse.apply(VectorXd::Unit(inverse.rows(), column));
  const linalg::GeneralEigen all = linalg::general_eigen(matrix);
  std::vector<Index> order(static_cast<std::size_t>(all.values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(all.values[a]) > std::abs(all.values[b]); });
  Found out{VectorXcd(wanted), Eigen::MatrixXcd(inverse.rows(), wanted)};
  for (Index k = 0; k < wanted; ++k) {
    out.values[k] = 1.0 / all.values[order[k]] + 1.0;
    out.vectors.col(k) = all.vectors.col(order[k]);
  }
  return out;
}

std::optional<Found> by_iteration(CompanionInverse& inverse, Index available, Index wanted) {
  std::mt19937 random(1);  // the same in every run
  const VectorXd start =
      VectorXd::NullaryExpr(inverse.rows(), [&random] { return static_cast<double>(random()) / 4294967295.0 - 0.5; });
  for (Index basis = std::max<Index>(2 * wanted + 2, 24); basis < 8 * std::max<Index>(wanted, 24); basis *= 2) {
    Spectra::GenEigsRealShiftSolver<CompanionInverse> solver(inverse, wanted, std::min(available, basis), 1);
    solver.init(start.data());
    if (solver.compute(Spectra::SortRule::LargestMagn, 300, 1e-10) > 0) return Found{solver.eigenvalues(), solver.eigenvectors()};
  }
  return std::nullopt;
}

}  // namespace

std::optional<DampedPairs> damped_pairs(const Pencil& pencil, int count, double shift, const Tick& tick) {
  const Index available = 2 * ((pencil.mass.array() > 0).count() - pencil.neutral.cols());
  if (available <= 0) return DampedPairs{};
  CompanionInverse inverse(pencil, shift, tick);
  if (!inverse.good()) return std::nullopt;
  const bool full = available <= small;
  const Index wanted = std::min<Index>(2 * count, full ? available : available - 2);
  const std::optional<Found> found = full ? by_full_matrix(inverse, wanted) : by_iteration(inverse, available, wanted);
  if (!found) return std::nullopt;
  DampedPairs out{shift * found->values, Eigen::MatrixXcd(pencil.mass.size(), found->values.size())};
  for (Index k = 0; k < found->values.size(); ++k) {
    const VectorXcd z = found->vectors.col(k);
    out.vectors.col(k).real() = inverse.full(z.real());
    out.vectors.col(k).imag() = inverse.full(z.imag());
    out.vectors.col(k) *= found->values[k] - 1.0;  // the inverse has multiplied them by 1/(value - 1)
  }
  return out;
}

}  // namespace writhe::statics
