#include "model/catenary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "math/rotation.h"

namespace writhe {

namespace {

// A chain of n links, lengths counted in links, forces in weights of a link. Link i has the angle gain * atan2(v, pull) above the
// level, v = middle + i - (n - 1)/2 being the vertical force in its middle. With the gain 1 that is its equilibrium: `pull` is
// the level force, `middle` the vertical one in the middle of the chain.
struct Chain {
  int links;
  double pull, middle, gain;

  double angle(int i) const { return gain * std::atan2(middle + i - 0.5 * (links - 1), pull); }
};

// How far the end lies across and above the start, and the change of the latter with `middle`.
struct Reach {
  double across = 0, above = 0, slope = 0;
};

Reach reach(const Chain& chain) {
  Reach out;
  for (int i = 0; i < chain.links; ++i) {
    const double v = chain.middle + i - 0.5 * (chain.links - 1);
    const double force2 = chain.pull * chain.pull + v * v;
    double cosine = chain.pull / std::sqrt(force2), sine = v / std::sqrt(force2);
    if (chain.gain != 1) {
      const double angle = chain.angle(i);
      cosine = std::cos(angle), sine = std::sin(angle);
    }
    out.across += cosine;
    out.above += sine;
    out.slope += cosine * chain.gain * chain.pull / force2;
  }
  return out;
}

// Sets `middle` so that the end lies `above` the start (not negative), and returns how far across it lies then; nothing where the
// chain does not reach so high. How high it reaches grows with `middle` from 0, and with gains above 1 falls again. Newton's
// method from where the chain was, inside a shrinking bracket.
std::optional<double> lift(Chain& chain, double above) {
  if (above == 0) chain.middle = 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double most = 1e20 * chain.links;  // steeper and tauter than any chain that is not taken for a line
  double low = 0, high = infinity;
  for (;;) {
    const Reach r = reach(chain);
    const double miss = r.above - above;
    if (above == 0 || std::abs(miss) <= 1e-15 * chain.links) return r.across;
    (miss < 0 && r.slope > 0 ? low : high) = chain.middle;
    double next = chain.middle - miss / r.slope;
    if (!(next > low && next < high)) next = high == infinity ? 2 * low + 1 : low + (high - low) / 2;
    if (next == low || next == high || next > most)
      return std::abs(miss) < 1e-12 * chain.links ? std::optional(r.across) : std::nullopt;
    chain.middle = next;
  }
}

// The zero of f between two values of which exactly one gives a positive f (Ridders 1979).
template <class F>
double zero_between(const F& f, double a, double b) {
  double fa = f(a), fb = f(b);
  for (int i = 0; i < 200 && fa != 0 && fb != 0; ++i) {
    const double m = a + (b - a) / 2, fm = f(m);
    if (m == a || m == b || fm == 0) return m;
    const double x = m + (m - a) * std::copysign(1.0, fa - fb) * fm / std::sqrt(fm * fm - fa * fb), fx = f(x);
    if (fx == 0) return x;
    const double before = std::abs(b - a);
    if ((fm > 0) != (fx > 0)) {
      a = m, fa = fm, b = x, fb = fx;
    } else if ((fa > 0) != (fx > 0)) {
      b = x, fb = fx;
    } else {
      a = x, fa = fx;
    }
    if (std::abs(b - a) == before) break;
  }
  return fa == 0 || (fb != 0 && std::abs(fa) < std::abs(fb)) ? a : b;
}

std::vector<double> angles_of(const Chain& chain) {
  std::vector<double> out(chain.links);
  for (int i = 0; i < chain.links; ++i) out[i] = chain.angle(i);
  return out;
}

// Whether a chain of these angles ends where it has to.
bool meets(const Chain& chain, double across, double above) {
  const Reach r = reach(chain);
  return std::abs(r.across - across) + std::abs(r.above - above) < 1e-12 * chain.links;
}

constexpr double bottom_pull = 0.5;  // at which two links that meet in the lowest point turn by a quarter turn

bool folds(const Chain& chain) {
  constexpr double most = pi / 2 * (1 + 1e-6);
  for (int i = 1; i < chain.links; ++i)
    if (chain.angle(i) - chain.angle(i - 1) > most) return true;
  return false;
}

// In equilibrium: how far across it reaches grows with the pull. Nothing where even without pull the chain reaches too far, or
// nearly so: a link that is hardly pulled at the end of a steep chain has no direction in double precision.
std::optional<Chain> equilibrium(int links, double across, double above) {
  Chain chain{links, 1, 1, 1};
  const auto excess = [&](double log_pull) {
    chain.pull = std::exp(log_pull);
    return lift(chain, above).value_or(0) - across;
  };
  constexpr double least = -7, most = 100;  // log of the pull
  double low = std::log(bottom_pull), high = low;
  while (excess(high) < 0 && high < most) high += 2;
  while (low > least && excess(low) > 0) low -= 2;
  if (excess(low) > 0 || excess(high) < 0) return std::nullopt;
  excess(zero_between(excess, low, high));
  if (folds(chain) || !meets(chain, across, above)) return std::nullopt;
  return chain;
}

// With a round bottom: the angles of the pull at the bottom, made larger so that the legs come as near to each other as they have
// to. Nothing where the chain is steep and has next to no slack, and so no legs.
std::optional<Chain> rounded(int links, double across, double above) {
  Chain chain{links, bottom_pull, 1, 1};
  const auto excess = [&](double gain) {
    chain.gain = gain;
    return lift(chain, above).value_or(-links) - across;
  };
  if (excess(1) < 0) return std::nullopt;
  excess(zero_between(excess, 1, 2.1));  // between: the legs level again, pointing back
  if (!meets(chain, across, above)) return std::nullopt;
  return chain;
}

// An arc: the same turn t at every node. Its ends are sin(n t/2) / sin(t/2) links apart.
std::vector<double> bow(int links, double across, double above) {
  const double distance = std::hypot(across, above);
  const auto excess = [&](double turn) {
    return (turn == 0 ? links : std::sin(links * turn / 2) / std::sin(turn / 2)) - distance;
  };
  const double turn = zero_between(excess, 0, 2 * pi / links);
  std::vector<double> out(links);
  for (int i = 0; i < links; ++i) out[i] = std::atan2(above, across) + turn * (i - 0.5 * (links - 1));
  return out;
}

// Of the links above the level, rad.
std::vector<double> hanging(int links, double across, double above) {
  std::optional<Chain> chain = across > 0 ? equilibrium(links, across, std::abs(above)) : std::nullopt;
  if (!chain) chain = rounded(links, across, std::abs(above));
  if (!chain) return bow(links, across, above);
  if (above < 0) chain->middle = -chain->middle;
  return angles_of(*chain);
}

}  // namespace

std::vector<Vec3> hang(const CatenaryShape& shape, int segments) {
  const Vec3 span = shape.to - shape.from, up = normalized(shape.up);
  const double distance = norm(span), link = shape.length / segments;
  std::vector<Vec3> points(segments + 1);
  points.front() = shape.from;
  if (segments == 1 || shape.length <= distance * (1 + taut_catenary)) {
    for (int i = 1; i < segments; ++i) points[i] = shape.from + (static_cast<double>(i) / segments) * span;
  } else {
    const double above = dot(span, up) / link;
    const Vec3 level = span - dot(span, up) * up;
    const bool aside = norm(level) > 1e-12 * shape.length;
    const Vec3 side = aside ? normalized(level) : cross(up, any_orthogonal(up));
    const double across = aside ? norm(level) / link : 0;
    const std::vector<double> angles = hanging(segments, across, above);
    for (int i = 0; i + 1 < segments; ++i)
      points[i + 1] = points[i] + link * std::cos(angles[i]) * side + link * std::sin(angles[i]) * up;
  }
  points.back() = shape.to;
  return points;
}

}  // namespace writhe
