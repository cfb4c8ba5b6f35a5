#include "measure/alexander.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace writhe::measure {

namespace {

// ---- numbers modulo a prime ----------------------------------------------------------------------------------------
using Number = std::uint64_t;
__extension__ using Wide = unsigned __int128;
constexpr Number prime = (Number{1} << 61) - 1;

Number times(Number a, Number b) {
  const Wide wide = static_cast<Wide>(a) * b;
  const Number sum = static_cast<Number>(wide & prime) + static_cast<Number>(wide >> 61);
  return sum >= prime ? sum - prime : sum;
}
Number plus(Number a, Number b) { return a + b >= prime ? a + b - prime : a + b; }
Number minus(Number a, Number b) { return a >= b ? a - b : a + prime - b; }

// By Fermat's little theorem.
Number inverse(Number a) {
  Number out = 1;
  for (Number power = prime - 2; power > 0; power >>= 1, a = times(a, a))
    if (power & 1) out = times(out, a);
  return out;
}

class Square {
 public:
  explicit Square(int n) : m_size(n), m_value(static_cast<std::size_t>(n) * n, 0) {}
  int size() const { return m_size; }
  Number& operator()(int row, int column) { return m_value[static_cast<std::size_t>(row) * m_size + column]; }

 private:
  int m_size;
  std::vector<Number> m_value;
};

// rows from - factor * pivot row, from the pivot on.
void subtract(Square& m, int from, int pivot, Number factor) {
  for (int k = pivot; k < m.size(); ++k) m(from, k) = minus(m(from, k), times(factor, m(pivot, k)));
}

Number determinant_of(Square m) {
  Number out = 1;
  for (int i = 0; i < m.size(); ++i) {
    int row = i;
    while (row < m.size() && m(row, i) == 0) ++row;
    if (row == m.size()) return 0;
    if (row != i) {
      for (int k = i; k < m.size(); ++k) std::swap(m(row, k), m(i, k));
      out = minus(0, out);
    }
    out = times(out, m(i, i));
    const Number inverted = inverse(m(i, i));
    for (int r = i + 1; r < m.size(); ++r)
      if (m(r, i) != 0) subtract(m, r, i, times(m(r, i), inverted));
  }
  return out;
}

// A minor of Fox's matrix of Wirtinger's presentation, one row a crossing and one column an arc: up to its free factor the
// polynomial's value at t.
Number polynomial_at(const Drawing& drawing, Number t) {
  const int n = static_cast<int>(drawing.crossings.size()) - 1;
  if (n < 1) return 1;
  Square m(n);
  const auto add = [&](int row, int arc, Number value) {
    if (arc < n) m(row, arc) = plus(m(row, arc), value);
  };
  for (int i = 0; i < n; ++i) {
    const Drawing::Crossing& crossing = drawing.crossings[i];
    const int from = crossing.right_handed ? crossing.before : crossing.after;
    const int to = crossing.right_handed ? crossing.after : crossing.before;
    add(i, crossing.over, minus(1, t));
    add(i, from, t);
    add(i, to, prime - 1);
  }
  return determinant_of(std::move(m));
}

// ---- what is known -------------------------------------------------------------------------------------------------
using Polynomial = std::vector<int>;

struct Known {
  std::string name;
  Polynomial polynomial;  // its coefficients, from the highest power to the lowest
};

// D. Rolfsen, Knots and Links (1976), appendix C; torus knots by (t^pq - 1)(t - 1) / ((t^p - 1)(t^q - 1)).
const std::vector<Known>& prime_knots() {
  static const std::vector<Known> table{{"unknot", {1}},
                                        {"3_1 trefoil", {1, -1, 1}},
                                        {"4_1 figure-eight", {1, -3, 1}},
                                        {"5_1", {1, -1, 1, -1, 1}},
                                        {"5_2", {2, -3, 2}},
                                        {"6_1", {2, -5, 2}},
                                        {"6_2", {1, -3, 3, -3, 1}},
                                        {"6_3", {1, -3, 5, -3, 1}},
                                        {"7_1", {1, -1, 1, -1, 1, -1, 1}},
                                        {"7_2", {3, -5, 3}},
                                        {"7_3", {2, -3, 3, -3, 2}},
                                        {"7_4", {4, -7, 4}},
                                        {"7_5", {2, -4, 5, -4, 2}},
                                        {"7_6", {1, -5, 7, -5, 1}},
                                        {"7_7", {1, -5, 9, -5, 1}},
                                        {"8_19 torus (3,4)", {1, -1, 0, 1, 0, -1, 1}},
                                        {"9_1", {1, -1, 1, -1, 1, -1, 1, -1, 1}},
                                        {"10_124 torus (3,5)", {1, -1, 0, 1, -1, 1, 0, -1, 1}}};
  return table;
}

Number value_at(const Polynomial& polynomial, Number t) {
  Number out = 0;
  for (const int c : polynomial) out = plus(times(out, t), c < 0 ? prime - static_cast<Number>(-c) : static_cast<Number>(c));
  return out;
}

template <class ValueAt>
AlexanderValues values_of(const ValueAt& value) {
  AlexanderValues out;
  for (std::size_t i = 0; i < AlexanderValues::at.size(); ++i) {
    const Number t = AlexanderValues::at[i];
    out.product[i] = times(value(t), value(inverse(t)));
  }
  const Number at_minus_one = value(prime - 1);
  out.determinant = static_cast<std::int64_t>(std::min(at_minus_one, prime - at_minus_one));
  return out;
}

AlexanderValues values_of(const Polynomial& polynomial) {
  return values_of([&](Number t) { return value_at(polynomial, t); });
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  Polynomial out(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k) out[i + k] += a[i] * b[k];
  return out;
}

std::string number_of(const std::string& name) { return name.substr(0, name.find(' ')); }

struct Entry {
  AlexanderValues values;
  std::string name;
};

// Sums of two knots come after the prime ones of as many crossings: up to 5 crossings each.
std::vector<Entry> entries() {
  std::vector<Entry> out;
  const std::vector<Known>& knots = prime_knots();
  out.reserve(knots.size() + 10);
  for (const Known& knot : knots) out.push_back({values_of(knot.polynomial), knot.name});
  for (std::size_t a = 1; a <= 4; ++a)
    for (std::size_t b = a; b <= 4; ++b)
      out.push_back({values_of(product(knots[a].polynomial, knots[b].polynomial)),
                     number_of(knots[a].name) + "#" + number_of(knots[b].name)});
  return out;
}

// ---- drawing -------------------------------------------------------------------------------------------------------
// Passage of an edge at a crossing.
struct Passage {
  double along;  // edge and fraction of it
  int crossing;
  bool below;
};

struct Seen {
  bool crosses = false, clear = true;
  double s = 0, r = 0;  // fractions of both edges
  bool first_is_over = false, right_handed = true;
};

// Edges p0 p1 and q0 q1 in the axes of the picture, z towards the eye. `size`: of all of it.
Seen seen_crossing(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1, double size) {
  constexpr double close = 1e-11;
  const Vec3 u = p1 - p0, v = q1 - q0, w = q0 - p0;
  const double uv = u.x * v.y - u.y * v.x, wv = w.x * v.y - w.y * v.x, wu = w.x * u.y - w.y * u.x;
  Seen out;
  const double lengths = std::hypot(u.x, u.y) * std::hypot(v.x, v.y);
  if (std::abs(uv) <= 1e-12 * lengths) {  // parallel: they must not lie on each other
    const double uu = u.x * u.x + u.y * u.y, q_start = w.x * u.x + w.y * u.y, q_end = q_start + v.x * u.x + v.y * u.y;
    const bool one_line = !(std::abs(wu) > close * size * std::sqrt(uu));
    out.clear = !one_line || std::max(q_start, q_end) < -close * uu || std::min(q_start, q_end) > (1 + close) * uu;
    return out;
  }
  out.s = wv / uv;
  out.r = wu / uv;
  const auto beyond = [&](double f) { return f < -close || f > 1 + close; };
  const auto inside = [&](double f) { return f > close && f < 1 - close; };
  if (beyond(out.s) || beyond(out.r)) return out;
  const double height = (p0.z + out.s * u.z) - (q0.z + out.r * v.z);
  out.crosses = true;
  out.clear = inside(out.s) && inside(out.r) && std::abs(height) > 1e-13 * size;
  out.first_is_over = height > 0;
  out.right_handed = (uv > 0) == out.first_is_over;
  return out;
}

std::vector<Vec3> turned_to_eye(const std::vector<Vec3>& polygon, const Vec3& direction) {
  const Quat q = shortest_turn(direction, Vec3{0, 0, 1});
  std::vector<Vec3> out;
  out.reserve(polygon.size());
  for (const Vec3& p : polygon) out.push_back(rotate(q, p - polygon[0]));
  return out;
}

Drawing numbered(std::vector<Passage> passages, std::vector<Drawing::Crossing> crossings) {
  std::sort(passages.begin(), passages.end(), [](const Passage& a, const Passage& b) { return a.along < b.along; });
  const int count = static_cast<int>(crossings.size());
  int arc = 0;
  for (const Passage& passage : passages) {
    Drawing::Crossing& crossing = crossings[passage.crossing];
    if (!passage.below) {
      crossing.over = arc;
      continue;
    }
    crossing.before = arc;
    arc = (arc + 1) % count;
    crossing.after = arc;
  }
  return {std::move(crossings)};
}

}  // namespace

std::optional<Drawing> drawing_of(const std::vector<Vec3>& polygon, const Vec3& direction) {
  const std::vector<Vec3> p = turned_to_eye(polygon, direction);
  const int n = static_cast<int>(p.size());
  double size = 0;
  for (const Vec3& point : p) size = std::max(size, norm(point));
  std::vector<Passage> passages;
  std::vector<Drawing::Crossing> crossings;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 2; j < (i == 0 ? n - 1 : n); ++j) {
      const Seen seen = seen_crossing(p[i], p[i + 1], p[j], p[j + 1 == n ? 0 : j + 1], size);
      if (!seen.clear) return std::nullopt;
      if (!seen.crosses) continue;
      const int number = static_cast<int>(crossings.size());
      passages.push_back({i + seen.s, number, !seen.first_is_over});
      passages.push_back({j + seen.r, number, seen.first_is_over});
      crossings.push_back({0, 0, 0, seen.right_handed});
    }
  }
  return numbered(std::move(passages), std::move(crossings));
}

AlexanderValues alexander_values(const Drawing& drawing) {
  return values_of([&](Number t) { return polynomial_at(drawing, t); });
}

std::string knot_name(const AlexanderValues& values) {
  static const std::vector<Entry> known = entries();
  for (const Entry& entry : known)
    if (entry.values == values) return entry.name;
  return {};
}

}  // namespace writhe::measure
