#include "contact/touching.h"

#include <limits>

namespace writhe::contact {

namespace {

void add(Mat3& to, double f, const Sym3& s) {
  to.r0 += Vec3{f * s.xx, f * s.xy, f * s.xz};
  to.r1 += Vec3{f * s.xy, f * s.yy, f * s.yz};
  to.r2 += Vec3{f * s.xz, f * s.yz, f * s.zz};
}

void add(Mat3& to, double f, const Vec3& a, const Vec3& b) {
  to.r0 += (f * a.x) * b;
  to.r1 += (f * a.y) * b;
  to.r2 += (f * a.z) * b;
}

}  // namespace

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

void add_hessian(const Touching& touch, const elastic::BarrierMaterial& material, const Share& share, Curvature curvature,
                 int count, std::span<Mat3> pairs) {
  if (touch.gap >= material.activation || !(touch.gap > 0)) return;
  const elastic::BarrierValue barrier = elastic::barrier(touch.gap, material.activation, material.stiffness);
  const double scale = share.of_energy * share.faster * share.faster * touch.weight;
  const double stiffness = scale * barrier.stiffness, push = curvature == Curvature::exact ? scale * barrier.pressure : 0;
  const Sym3 nn = outer(touch.normal), &turn = touch.curvature;
  const Sym3 both{stiffness * nn.xx - push * turn.xx, stiffness * nn.xy - push * turn.xy, stiffness * nn.xz - push * turn.xz,
                  stiffness * nn.yy - push * turn.yy, stiffness * nn.yz - push * turn.yz, stiffness * nn.zz - push * turn.zz};
  const double slides = touch.bend > 0 ? push / touch.bend : 0;
  std::array<Vec3, Touching::most> v;
  for (int i = 0; i < count; ++i) v[i] = touch.coefficient[i] * touch.along + touch.slope[i] * touch.normal;
  for (int i = 0, k = 0; i < count; ++i) {
    for (int j = 0; j <= i; ++j, ++k) {
      add(pairs[k], touch.coefficient[i] * touch.coefficient[j], both);
      if (slides > 0) add(pairs[k], slides, v[i], v[j]);
    }
  }
}

}  // namespace writhe::contact
