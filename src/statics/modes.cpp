#include "statics/modes.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "math/rotation.h"

namespace writhe::statics {

using Complex = std::complex<double>;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

// With loads that turn with the rod the signs of a factorisation say nothing; so many of the lowest eigenvalues are looked at.
constexpr int most_examined = 12;
// Eigenvalues of a tangent that is not symmetric are real if no more of them than this is imaginary, and zero if no larger than
// this part of what they are without loads. (Where two meet and flutter begins, the imaginary part grows as the root of the
// load: this much of it is a hundred-millionth of the load.)
constexpr double imaginary_noise = 1e-4;
constexpr double zero_noise = 1e-8;

Complex tidied(Complex eigenvalue, const Pencil& pencil) {
  if (pencil.symmetric) return eigenvalue.real();
  if (std::abs(eigenvalue) <= zero_noise * pencil.softness) return 0;
  return std::abs(eigenvalue.imag()) <= imaginary_noise * std::abs(eigenvalue) ? eigenvalue.real() : eigenvalue;
}

// 1/s^2: what rounding errors of a symmetric tangent make of the eigenvalue of this shape. One that is not more negative than
// this may be zero or positive.
double uncertainty(const Pencil& pencil, const VectorXcd& shape) {
  const VectorXd size = shape.cwiseAbs2();
  const double mass = size.dot(pencil.mass);
  return mass > 0 ? size.dot(pencil.rounding) / mass : 0;
}

// s of exp(s t): s^2 = -eigenvalue.
Complex rate(Complex eigenvalue) { return std::sqrt(-eigenvalue); }

// Of one size in the mass, and of the two signs always the same.
VectorXd scaled(VectorXd x, const VectorXd& mass) {
  const double size = std::sqrt(x.cwiseProduct(mass).dot(x));
  if (size > 0) x /= size;
  Eigen::Index largest = 0;
  x.cwiseProduct(mass.cwiseSqrt()).cwiseAbs().maxCoeff(&largest);
  return x[largest] < 0 ? -x : x;
}

// Of a pair of conjugates the first has the real part of their shape, the second the other.
Mode mode_of(const assembly::Assembly& assembly, const State& state, const Pencil& pencil, Complex eigenvalue, VectorXcd shape) {
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  shape *= std::conj(shape[largest]) / std::abs(shape[largest]);  // the phase in which the largest is real
  const VectorXd part = scaled(eigenvalue.imag() < 0 ? VectorXd(shape.imag()) : VectorXd(shape.real()), pencil.mass);
  VectorXd x = VectorXd::Zero(assembly.size());
  for (std::size_t i = 0; i < pencil.unknowns.size(); ++i) x[pencil.unknowns[i]] = part[static_cast<Eigen::Index>(i)];
  Mode mode;
  mode.eigenvalue = eigenvalue.real();
  mode.frequency = std::abs(rate(eigenvalue).imag()) / (2 * pi);
  mode.growth = rate(eigenvalue).real();
  mode.x.assign(state.x.size(), Vec3{});
  mode.turn.assign(state.q.size(), Vec3{});
  for (const auto& node : assembly.nodes()) mode.x[node.index] = assembly::block(x, node.block);
  for (const auto& turn : assembly.orientations()) mode.turn[turn.index] = assembly::block(x, turn.block);
  return mode;
}

}  // namespace

std::optional<std::vector<Mode>> lowest_modes(const Equilibrium& equilibrium, const State& state, int count, const Tick& tick) {
  struct One {
    Complex eigenvalue;
    std::size_t pencil;
    VectorXcd shape;
  };
  const std::vector<Pencil> pencils = equilibrium.pencils(state);
  std::vector<One> all;
  for (std::size_t p = 0; p < pencils.size(); ++p) {
    const std::optional<EigenPairs> pairs = lowest_pairs(pencils[p], count, tick);
    if (!pairs) return std::nullopt;
    for (Eigen::Index k = 0; k < pairs->values.size(); ++k) {
      const Complex value = tidied(pairs->values[k], pencils[p]);
      const bool grows = !pencils[p].symmetric || value.real() < -uncertainty(pencils[p], pairs->vectors.col(k));
      all.push_back({value.real() < 0 && !grows ? 0 : value, p, pairs->vectors.col(k)});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const One& a, const One& b) { return a.eigenvalue.real() < b.eigenvalue.real(); });
    all.resize(std::min(all.size(), static_cast<std::size_t>(count)));
  }
  std::vector<Mode> out;
  out.reserve(all.size());
  for (const One& one : all)
    out.push_back(mode_of(equilibrium.assembly(), state, pencils[one.pencil], one.eigenvalue, one.shape));
  return out;
}

std::optional<Growing> count_growing(const Equilibrium& equilibrium, const State& state) {
  Growing out;
  for (const Pencil& pencil : equilibrium.pencils(state)) {
    if (pencil.symmetric) {
      const std::optional<int> negative = count_negative(pencil);
      if (!negative) return std::nullopt;
      out.count += *negative;
      continue;
    }
    const std::optional<EigenPairs> pairs = lowest_pairs(pencil, most_examined);
    if (!pairs) return std::nullopt;
    for (const Complex& eigenvalue : pairs->values) out.count += rate(tidied(eigenvalue, pencil)).real() > 0 ? 1 : 0;
    const auto looked_at = static_cast<int>(pairs->values.size());
    out.examined = out.examined == 0 ? looked_at : std::min(out.examined, looked_at);
  }
  return out;
}

}  // namespace writhe::statics
