#include "statics/modes.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "math/rotation.h"
#include "statics/damped.h"

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

// s of exp(s t) of a motion that a medium resists: likewise. (An imaginary eigenvalue makes half as much of a real rate.)
Complex tidied_rate(Complex rate, const Pencil& pencil) {
  if (std::norm(rate) <= zero_noise * pencil.softness) return 0;
  return std::abs(rate.real()) <= 0.5 * imaginary_noise * std::abs(rate) ? Complex(0, rate.imag()) : rate;
}

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

bool is_damped(const Pencil& pencil) { return pencil.damping.nonZeros() > 0; }

// The slowest rates of a damped part, from where its eigenvalues without damping are.
std::optional<DampedPairs> slowest(const Pencil& pencil, int count, const Tick& tick = {}) {
  const std::optional<EigenPairs> undamped = lowest_pairs(pencil, count, tick);
  if (!undamped) return std::nullopt;
  if (undamped->values.size() == 0) return DampedPairs{};
  const double lowest = undamped->values[0].real(), nearest = undamped->values.cwiseAbs().minCoeff();
  const double square = std::max(lowest < 0 ? -2 * lowest : nearest, zero_noise * pencil.softness);
  return damped_pairs(pencil, count, std::sqrt(square), tick);
}

// Of one size in the mass, and of the two signs always the same.
VectorXd scaled(VectorXd x, const VectorXd& mass) {
  const double size = std::sqrt(x.cwiseProduct(mass).dot(x));
  if (size > 0) x /= size;
  Eigen::Index largest = 0;
  x.cwiseProduct(mass.cwiseSqrt()).cwiseAbs().maxCoeff(&largest);
  return x[largest] < 0 ? -x : x;
}

struct One {
  double eigenvalue;  // 1/s^2: real part
  Complex rate;       // 1/s
  bool second;        // of a pair of conjugates
  std::size_t pencil;
  VectorXcd shape;
};

// Without damping.
bool add_free(const Pencil& pencil, std::size_t number, int count, const Tick& tick, std::vector<One>& all) {
  const std::optional<EigenPairs> pairs = lowest_pairs(pencil, count, tick);
  if (!pairs) return false;
  for (Eigen::Index k = 0; k < pairs->values.size(); ++k) {
    Complex value = tidied(pairs->values[k], pencil);
    const bool grows = !pencil.symmetric || value.real() < -uncertainty(pencil, pairs->vectors.col(k));
    if (value.real() < 0 && !grows) value = 0;
    all.push_back({value.real(), rate(value), value.imag() < 0, number, pairs->vectors.col(k)});
  }
  return true;
}

// Of a vibration that dies down one of the two conjugates, with the eigenvalue that it would have if nothing resisted it.
bool add_damped(const Pencil& pencil, std::size_t number, int count, const Tick& tick, std::vector<One>& all) {
  const std::optional<DampedPairs> pairs = slowest(pencil, count, tick);
  if (!pairs) return false;
  for (Eigen::Index k = 0; k < pairs->rates.size(); ++k) {
    const Complex s = tidied_rate(pairs->rates[k], pencil);
    const bool grows = s.real() > 0, second = s.imag() < 0;
    if (second && !grows) continue;
    all.push_back({grows ? -(s * s).real() : std::norm(s), s, second, number, pairs->vectors.col(k)});
  }
  return true;
}

// Of a pair of conjugates the first has the real part of their shape, the second the other.
Mode mode_of(const assembly::Assembly& assembly, const State& state, const Pencil& pencil, const One& one) {
  VectorXcd shape = one.shape;
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  shape *= std::conj(shape[largest]) / std::abs(shape[largest]);  // the phase in which the largest is real
  const VectorXd part = scaled(one.second ? VectorXd(shape.imag()) : VectorXd(shape.real()), pencil.mass);
  VectorXd x = VectorXd::Zero(assembly.size());
  for (std::size_t i = 0; i < pencil.unknowns.size(); ++i) x[pencil.unknowns[i]] = part[static_cast<Eigen::Index>(i)];
  Mode mode;
  mode.eigenvalue = one.eigenvalue;
  mode.frequency = std::abs(one.rate.imag()) / (2 * pi);
  mode.growth = one.rate.real();
  mode.x.assign(state.x.size(), Vec3{});
  mode.turn.assign(state.q.size(), Vec3{});
  for (const auto& node : assembly.nodes()) mode.x[node.index] = assembly::block(x, node.block);
  for (const auto& turn : assembly.orientations()) mode.turn[turn.index] = assembly::block(x, turn.block);
  return mode;
}

}  // namespace

std::optional<std::vector<Mode>> lowest_modes(const Equilibrium& equilibrium, const State& state, int count, const Tick& tick) {
  const std::vector<Pencil> pencils = equilibrium.pencils(state);
  std::vector<One> all;
  for (std::size_t p = 0; p < pencils.size(); ++p) {
    if (!(is_damped(pencils[p]) ? add_damped : add_free)(pencils[p], p, count, tick, all)) return std::nullopt;
    std::stable_sort(all.begin(), all.end(), [](const One& a, const One& b) { return a.eigenvalue < b.eigenvalue; });
    all.resize(std::min(all.size(), static_cast<std::size_t>(count)));
  }
  std::vector<Mode> out;
  out.reserve(all.size());
  for (const One& one : all) out.push_back(mode_of(equilibrium.assembly(), state, pencils[one.pencil], one));
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
    std::vector<Complex> rates;
    if (is_damped(pencil)) {
      const std::optional<DampedPairs> pairs = slowest(pencil, most_examined);
      if (!pairs) return std::nullopt;
      for (const Complex& own : pairs->rates) rates.push_back(tidied_rate(own, pencil));
    } else {
      const std::optional<EigenPairs> pairs = lowest_pairs(pencil, most_examined);
      if (!pairs) return std::nullopt;
      for (const Complex& eigenvalue : pairs->values) rates.push_back(rate(tidied(eigenvalue, pencil)));
    }
    out.count += static_cast<int>(std::count_if(rates.begin(), rates.end(), [](const Complex& s) { return s.real() > 0; }));
    const auto looked_at = static_cast<int>(is_damped(pencil) ? rates.size() / 2 : rates.size());
    out.examined = out.examined == 0 ? looked_at : std::min(out.examined, looked_at);
  }
  return out;
}

}  // namespace writhe::statics
