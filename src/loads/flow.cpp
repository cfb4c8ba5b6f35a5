#include "loads/flow.h"

#include <cmath>
#include <variant>

namespace writhe::loads {

namespace {

// The diagonal of A, and how its share across the rod changes with r.
struct Resistance {
  double across = 0, along = 0;  // N s/m
  Vec3 across_by_r{};            // N s^2/m^2
};

Mat3 outer(const Vec3& a, const Vec3& b) { return {a.x * b, a.y * b, a.z * b}; }
Mat3 operator+(const Mat3& a, const Mat3& b) { return {a.r0 + b.r0, a.r1 + b.r1, a.r2 + b.r2}; }
Mat3 rows_scaled(const Vec3& s, const Mat3& m) { return {s.x * m.r0, s.y * m.r1, s.z * m.r2}; }

// medium: m/s. r: body components, m/s.
FlowForce force_of(const InFlow& at, const Vec3& medium, const Resistance& a, const Vec3& r) {
  const Mat3 R = matrix(at.q), back = transpose(R);
  const Vec3 A{a.across, a.across, a.along};
  FlowForce out;
  for (int i = 0; i < 2; ++i) {
    const Vec3 y = rotate_back(at.q, medium - at.v[i]), across{y.x, y.y, 0}, G = scale(A, y);
    out.force[i] = rotate(at.q, G);
    // dG = A dy + across (across_by_r . dr), with dy = y x delta and dr = r x delta; R G changes by R (delta x G + dG)
    out.by_turn[i] = R * (cross_matrix(-G) + rows_scaled(A, cross_matrix(y)) + outer(across, cross(a.across_by_r, r)));
    for (int j = 0; j < 2; ++j) {
      const Mat3 by_speed = outer(across, -0.5 * a.across_by_r);  // r changes by half of either node's velocity
      out.by_velocity[i][j] = R * (i == j ? by_speed + Mat3{{-A.x, 0, 0}, {0, -A.y, 0}, {0, 0, -A.z}} : by_speed) * back;
    }
  }
  return out;
}

FlowForce force_of(const Model& model, int segment, const InFlow& at, const DragLoad& load, double factor) {
  const double half = factor * model.segments().length[segment] / 2;
  return force_of(at, load.velocity, {half * load.normal, half * load.tangential, {}}, {});
}

FlowForce force_of(const Model& model, int segment, const InFlow& at, const WindLoad& load, double factor) {
  const Vec3& h = model.segments().half_extent[segment];
  const Vec3 wind = factor * load.velocity, r = rotate_back(at.q, wind - 0.5 * (at.v[0] + at.v[1]));
  const double k = load.density * load.coefficient * model.segments().length[segment] / 4;  // kg/m
  const double g = 2 * std::hypot(h.x * r.y, h.y * r.x);                                    // m^2/s
  if (g == 0) return {};
  return force_of(at, wind, {k * g, 0, (4 * k / g) * Vec3{h.y * h.y * r.x, h.x * h.x * r.y, 0}}, r);
}

}  // namespace

FlowForce flow_force(const Model& model, int segment, const InFlow& at, const Load& load, double factor) {
  if (const auto* wind = std::get_if<WindLoad>(&load.kind)) return force_of(model, segment, at, *wind, factor);
  return force_of(model, segment, at, std::get<DragLoad>(load.kind), factor);
}

}  // namespace writhe::loads
