#include "writhe/model.h"

#include <algorithm>
#include <span>
#include <utility>

#include "model/check.h"
#include "model/locate.h"
#include "model/model_builder.h"

namespace writhe {

namespace {

struct SegmentShare {
  int segment0, segment1;
  double weight1;
};

// Between the midpoints of two segments a moment is shared linearly; at the ends of an open rod the nearest segment takes it all.
SegmentShare share(const Spot& spot, std::span<const double> length, bool closed) {
  const int n = static_cast<int>(length.size());
  const bool first_half = spot.fraction < 0.5;
  int before = first_half ? spot.segment - 1 : spot.segment;
  int after = before + 1;
  if (closed) {
    before = (before + n) % n;
    after = after % n;
  } else if (before < 0 || after >= n) {
    return {spot.segment, spot.segment, 0};
  }
  const double from_midpoint =
      first_half ? length[before] / 2 + spot.fraction * length[after] : (spot.fraction - 0.5) * length[before];
  return {before, after, from_midpoint / ((length[before] + length[after]) / 2)};
}

}  // namespace

bool Model::is_corner(int joint) const {
  const Joints& j = m_joints;
  if (std::max(j.a[joint], j.b[joint]) >= segment_count()) return false;
  constexpr Quat identity{1, 0, 0, 0};
  return !(j.turn_a[joint] == identity) || (j.closes[joint] < 0 && !(j.turn_b[joint] == identity));
}

Model::Model(Scene scene) : m_scene(std::move(scene)) { ModelBuilder(*this).build(); }

int Model::node_of(int rod, int k) const {
  const RodRange& range = m_rods[rod];
  return k < range.segment_count ? m_segments.node0[range.first_segment + k] : m_segments.node1[range.first_segment + k - 1];
}

// Where rods are joined the last one decides, as long as one of them moves at all.
void Model::set_in_motion(State& state) const {
  state.v.assign(state.x.size(), Vec3{0, 0, 0});
  for (int rod = 0; rod < static_cast<int>(m_rods.size()); ++rod) {
    const Vec3& velocity = m_scene.rods[rod].velocity;
    if (velocity == Vec3{}) continue;
    for (int k = 0; k <= m_rods[rod].segment_count; ++k) {
      const int node = node_of(rod, k);
      const unsigned fixed = m_nodes.fixed[node];
      state.v[node] = {fixed & fixed_x ? 0 : velocity.x, fixed & fixed_y ? 0 : velocity.y, fixed & fixed_z ? 0 : velocity.z};
    }
  }
}

State Model::initial_state() const {
  State state;
  state.x = m_nodes.x_initial;
  set_in_motion(state);
  state.q = m_segments.q_initial;
  state.q.insert(state.q.end(), m_frames.q_initial.begin(), m_frames.q_initial.end());
  state.w.assign(state.q.size(), Vec3{0, 0, 0});
  state.closing.assign(m_rods.size(), 0.0);
  return state;
}

ResolvedPlace Model::resolve(const Place& place, const std::string& field) const {
  const auto named = [&](const RodRange& range) { return range.name == place.rod; };
  const auto found = std::find_if(m_rods.begin(), m_rods.end(), named);
  const int rod = found == m_rods.end() ? -1 : static_cast<int>(found - m_rods.begin());
  Problems problems(m_scene);
  check_place(m_scene, rod, place, field, problems);
  problems.throw_if_any();
  return resolve_on(rod, place);
}

ResolvedPlace Model::resolve_on(int rod, const Place& place) const {
  const RodRange& range = m_rods[rod];
  const std::span<const double> length(m_segments.length.data() + range.first_segment, range.segment_count);
  const Spot spot = locate(place, length);
  const SegmentShare moment = share(spot, length, range.closed);
  return {rod,
          spot.arclength,
          node_of(rod, spot.segment),
          node_of(rod, spot.segment + 1),
          spot.fraction,
          range.first_segment + moment.segment0,
          range.first_segment + moment.segment1,
          moment.weight1};
}

}  // namespace writhe
