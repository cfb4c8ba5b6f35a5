// What one load does in a state: at its place, or on either half of a segment. The one home of these formulas; Drive adds them
// up. `factor` is the load's ramp.
#pragma once

#include <cmath>
#include <variant>

#include "math/rotation.h"
#include "model/at_place.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::loads {

// N, space; without its factor.
inline Vec3 force_at(const State& state, const ResolvedPlace& place, const ForceLoad& load) {
  return load.follower ? rotate(frame_at(state, place), load.force) : load.force;
}

// N m, body components of a segment; without its factor.
inline Vec3 body_moment(const State& state, int segment, const MomentLoad& load) {
  return load.follower ? load.moment : rotate_back(state.q[segment], load.moment);
}

// N, space: on each of the two nodes of a segment.
inline Vec3 half_force(const Model& model, int segment, const LineLoad& load, double factor) {
  return (0.5 * factor * model.segments().length[segment]) * load.force_per_length;
}

// Likewise, of a medium that flows: force - drag * v on a node of velocity v.
struct HalfDrag {
  Sym3 drag{};      // N s/m
  Vec3 velocity{};  // m/s, of the medium
  Vec3 force() const { return drag * velocity; }
};

// A drag per length (N s/m^2), across (I - t t^T) + along t t^T for the unit vector t, over `length` (m).
inline Sym3 drag_across(const Vec3& t, double across, double along, double length) {
  const double d = along - across;
  return {length * (across + d * t.x * t.x), length * (d * t.x * t.y), length * (d * t.x * t.z),
          length * (across + d * t.y * t.y), length * (d * t.y * t.z), length * (across + d * t.z * t.z)};
}

inline HalfDrag half_drag(const Model& model, const State& state, int segment, const DragLoad& load, double factor) {
  const Vec3 t = rotate(state.q[segment], Vec3{0, 0, 1});
  return {drag_across(t, factor * load.normal, factor * load.tangential, model.segments().length[segment] / 2), load.velocity};
}

// Width of a section across the flow e (unit, normal to the rod): exact for circles, ellipses, and rectangles along an axis.
inline double width_across(const Vec3& half_extent, const Quat& q, const Vec3& e) {
  const Vec3 b = rotate_back(q, e);
  const double u = half_extent.x * b.y, v = half_extent.y * b.x;
  return 2 * std::sqrt(u * u + v * v);
}

inline HalfDrag half_drag(const Model& model, const State& state, int segment, const WindLoad& load, double factor) {
  const Segments& segments = model.segments();
  const Vec3 t = rotate(state.q[segment], Vec3{0, 0, 1}), wind = factor * load.velocity;
  const Vec3 relative = wind - 0.5 * (state.v[segments.node0[segment]] + state.v[segments.node1[segment]]);
  const Vec3 normal = relative - dot(relative, t) * t;
  const double speed = norm(normal);
  if (speed == 0) return {};
  const double width = width_across(segments.half_extent[segment], state.q[segment], normal / speed);
  return {drag_across(t, 0.5 * load.density * load.coefficient * width * speed, 0, segments.length[segment] / 2), wind};
}

// Of a load that flows: drag or wind.
inline bool is_flow(const Load& load) {
  return std::holds_alternative<DragLoad>(load.kind) || std::holds_alternative<WindLoad>(load.kind);
}
// Its factor in a step between two times, with which a rod at rest gets the whole impulse: the force of a wind goes by the square
// of its velocity, which its ramp scales, that of all others as the ramp does.
inline double factor_of_step(const Load& load, double from, double to) {
  return std::holds_alternative<WindLoad>(load.kind) ? load.ramp.mean_by_square(from, to) : load.ramp.mean(from, to);
}
inline HalfDrag half_drag(const Model& model, const State& state, int segment, const Load& load, double factor) {
  if (const auto* wind = std::get_if<WindLoad>(&load.kind)) return half_drag(model, state, segment, *wind, factor);
  return half_drag(model, state, segment, std::get<DragLoad>(load.kind), factor);
}

}  // namespace writhe::loads
