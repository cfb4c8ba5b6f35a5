// What one point of contact adds to an element: a gap that depends on a few nodes, and the barrier on it.
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "elastic/barrier.h"
#include "terms/term.h"

namespace writhe::contact {

// A gap and how it changes with the nodes of an element, each of which moves what is nearest by its coefficient.
//   d gap/dx_i = c_i n
//   d2 gap/dx_i dx_j = c_i c_j curvature - v_i v_j^T/bend,  v_i = c_i along + s_i n
// where the last part is what sliding along the other tube gives; none where it does not slide (bend = 0).
struct Touching {
  static constexpr int most = 6;
  double gap = 0, weight = 0;  // m; m: length that it stands for
  Vec3 normal{};
  Sym3 curvature{};  // 1/m
  std::array<double, most> coefficient{}, slope{};
  Vec3 along{};     // see v
  double bend = 0;  // m

  // For those who read it: the point on the axis whose ball touches, m; its radius, m; where on which span, and on the other.
  Vec3 centre{};
  double radius = 0, u = 0, other_u = 0;
  bool of_first = true;
  int feature = 0;  // of an obstacle
};

inline Sym3 outer(const Vec3& a) { return {a.x * a.x, a.x * a.y, a.x * a.z, a.y * a.y, a.y * a.z, a.z * a.z}; }

// Adds up an element over its points of contact. share: of the barrier that counts, and how much faster the ends of the step move
// than what is solved for (midpoint rule: half, and twice).
struct Share {
  double of_energy = 1, faster = 1;
};

void add_value(const Touching& touch, const elastic::BarrierMaterial& material, const Share& share, int count,
               Term::Value& value);

// The Hessian of an element over its points, all unknowns of all nodes, in rows that fill vector registers.
class TouchingHessian {
 public:
  // count: of the nodes.
  void add(const Touching& touch, const elastic::BarrierMaterial& material, const Share& share, Curvature curvature, int count);
  bool is_zero() const { return m_is_zero; }
  void write(int count, std::span<Mat3> pairs) const;

 private:
  static constexpr int width = 20;  // 3 Touching::most, and two that stay 0
  using Row = std::array<double, width>;
  std::array<Row, 3 * Touching::most> m_rows;
  bool m_is_zero = true;
};

}  // namespace writhe::contact
