// Where a place of a rod is in a state, and how it lies there.
#pragma once

#include "elastic/link.h"
#include "math/rotation.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe {

inline Vec3 lerp(const Vec3& a, const Vec3& b, double t) { return (1 - t) * a + t * b; }

// From a to b, not too far apart and of one sign; unit.
inline Quat between(const Quat& a, const Quat& b, double t) {
  return normalized(Quat{(1 - t) * a.w + t * b.w, (1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y, (1 - t) * a.z + t * b.z});
}

// Whether a place is this node, and not only near it.
inline bool is_at(const ResolvedPlace& place, int node) {
  return (place.node_weight1 == 0 && place.node0 == node) || (place.node_weight1 == 1 && place.node1 == node);
}

// Whether a clamp holds what acts there: of a load.
inline bool is_clamped(const Model& model, const ResolvedPlace& place) { return place.segment0 >= model.segment_count(); }

// m, space
inline Vec3 position_at(const State& state, const ResolvedPlace& place) {
  return lerp(state.x[place.node0], state.x[place.node1], place.node_weight1);
}
// m/s, space
inline Vec3 velocity_at(const State& state, const ResolvedPlace& place) {
  return lerp(state.v[place.node0], state.v[place.node1], place.node_weight1);
}
// The material frame, between the two nearest segments; unit, body to space.
inline Quat frame_at(const State& state, const ResolvedPlace& place) {
  if (place.segment_weight1 == 0) return state.q[place.segment0] * place.turn;
  const Quat a = state.q[place.segment0];
  return between(a, same_side(state.q[place.segment1], a), place.segment_weight1);
}

// m, space
inline Vec3 position_of(const State& state, const LinkEnd& end) { return end.place ? position_at(state, *end.place) : end.point; }
// m/s, space
inline Vec3 velocity_of(const State& state, const LinkEnd& end) { return end.place ? velocity_at(state, *end.place) : Vec3{}; }
// At a time, without damping.
inline elastic::LinkMaterial link_material(const ResolvedLink& link, double time) {
  return {link.link.stiffness, link.link.ramp.at(time) * link.rest_length, link.link.kind == Link::Kind::tether};
}

}  // namespace writhe
