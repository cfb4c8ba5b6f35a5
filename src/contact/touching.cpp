#include "contact/touching.h"

#include <algorithm>
#include <limits>

namespace writhe::contact {

void add_value(const Touching& touch, const elastic::BarrierMaterial& material, const Share& share, int count,
               Term::Value& value) {
  if (touch.gap >= material.activation) return;
  if (!(touch.gap > 0)) {
    value.energy = std::numeric_limits<double>::infinity();
    return;
  }
  const elastic::BarrierValue barrier = elastic::barrier(touch.gap, material.activation, material.stiffness);
  value.energy += share.of_energy * touch.weight * barrier.energy;
  const double push = share.of_energy * share.faster * touch.weight * barrier.pressure;
  value.force += push;
  for (int i = 0; i < count; ++i) value.gradient[i] -= (push * touch.coefficient[i]) * touch.normal;
}

void TouchingHessian::add(const Touching& touch, const elastic::BarrierMaterial& material, const Share& share,
                          Curvature curvature, int count) {
  if (touch.gap >= material.activation || !(touch.gap > 0)) return;
  const elastic::BarrierValue barrier = elastic::barrier(touch.gap, material.activation, material.stiffness);
  const double scale = share.of_energy * share.faster * share.faster * touch.weight;
  const double stiffness = scale * barrier.stiffness, push = curvature == Curvature::exact ? scale * barrier.pressure : 0;
  const Sym3 nn = outer(touch.normal), &turn = touch.curvature;
  const Sym3 both{stiffness * nn.xx - push * turn.xx, stiffness * nn.xy - push * turn.xy, stiffness * nn.xz - push * turn.xz,
                  stiffness * nn.yy - push * turn.yy, stiffness * nn.yz - push * turn.yz, stiffness * nn.zz - push * turn.zz};
  const double across[3][3] = {{both.xx, both.xy, both.xz}, {both.xy, both.yy, both.yz}, {both.xz, both.yz, both.zz}};
  const double slides = touch.bend > 0 ? push / touch.bend : 0;
  // Rows of `across` with the coefficients of all nodes, and v of all nodes.
  Row rows[3]{}, v{};
  for (int i = 0; i < count; ++i) {
    const Vec3 own = touch.coefficient[i] * touch.along + touch.slope[i] * touch.normal;
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) rows[k][3 * i + j] = touch.coefficient[i] * across[k][j];
    v[3 * i] = own.x;
    v[3 * i + 1] = own.y;
    v[3 * i + 2] = own.z;
  }
  if (m_is_zero) std::fill_n(m_rows.begin(), 3 * count, Row{});
  m_is_zero = false;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      Row& to = m_rows[3 * i + k];
      const Row& row = rows[k];
      const double c = touch.coefficient[i], s = slides * v[3 * i + k];
      for (int j = 0; j < width; ++j) to[j] += c * row[j] + s * v[j];
    }
}

void TouchingHessian::write(int count, std::span<Mat3> pairs) const {
  const auto row = [this](int at, int column) {
    return Vec3{m_rows[at][column], m_rows[at][column + 1], m_rows[at][column + 2]};
  };
  for (int i = 0, k = 0; i < count; ++i)
    for (int j = 0; j <= i; ++j, ++k) pairs[k] = {row(3 * i, 3 * j), row(3 * i + 1, 3 * j), row(3 * i + 2, 3 * j)};
}

}  // namespace writhe::contact
