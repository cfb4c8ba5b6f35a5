#include "measure/measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/names.h"
#include "contact/contacts.h"
#include "elastic/joint.h"
#include "elastic/segment.h"
#include "math/rotation.h"
#include "model/at_place.h"
#include "model/strain.h"
#include "writhe/error.h"

namespace writhe::measure {

namespace {

constexpr Vec3 zero{0, 0, 0};
constexpr std::array<std::string_view, 5> field_names{"none", "tension", "curvature", "twist", "speed"};
constexpr std::array<std::string_view, 5> field_units{"", "N", "1/m", "rad/m", "m/s"};

Vec3 edge_over_length(const Model& model, const State& state, int s) {
  const Segments& segments = model.segments();
  return (state.x[segments.node1[s]] - state.x[segments.node0[s]]) / segments.length[s];
}

double mean_over_joints(const std::vector<double>& value, int j0, int j1) {
  if (j0 < 0 && j1 < 0) return 0;
  if (j0 < 0) return value[j1];
  if (j1 < 0) return value[j0];
  return 0.5 * (value[j0] + value[j1]);
}

// Of a corner by the axes of the leg before it.
std::vector<double> joint_values(const Model& model, const State& state, Field field) {
  std::vector<double> out(model.joint_count());
  for (int j = 0; j < model.joint_count(); ++j) {
    const Vec3 own = joint_strain(model, state, j);
    const Vec3 kappa = model.is_corner(j) ? rotate(model.joints().turn_a[j], own) : own;
    out[j] = field == Field::twist ? kappa.z : std::hypot(kappa.x, kappa.y);
  }
  return out;
}

}  // namespace

Vec3 segment_strain(const Model& model, const State& state, int segment) { return strain::of_segment(model, state, segment); }

Vec3 segment_force(const Model& model, const State& state, int segment) {
  return scale(model.segments().stiffness[segment], segment_strain(model, state, segment));
}

Quat joint_rotation(const Model& model, const State& state, int joint) { return strain::rotation_of_joint(model, state, joint); }

Vec3 joint_strain(const Model& model, const State& state, int joint) { return strain::of_joint(model, state, joint); }

Vec3 joint_moment(const Model& model, const State& state, int joint) {
  const Joints& joints = model.joints();
  return scale(joints.stiffness[joint], joint_strain(model, state, joint) - joints.strain_rest[joint]);
}

Energies energies(const Model& model, const State& state) {
  Energies e;
  const Scene& scene = model.scene();
  const Vec3 gravity = scene.gravity_ramp.at(state.time) * scene.gravity;
  for (int i = 0; i < model.node_count(); ++i) {
    e.kinetic += 0.5 * model.nodes().mass[i] * dot(state.v[i], state.v[i]);
    e.gravity -= model.nodes().mass[i] * dot(gravity, state.x[i]);
  }
  const Segments& segments = model.segments();
  for (int s = 0; s < model.segment_count(); ++s) {
    e.kinetic += 0.5 * dot(scale(segments.inertia[s], state.w[s]), state.w[s]);
    e.stretch_shear +=
        elastic::segment_value(edge_over_length(model, state, s), state.q[s], segments.length[s], segments.stiffness[s], zero)
            .energy;
  }
  const Joints& joints = model.joints();
  for (int j = 0; j < model.joint_count(); ++j) {
    e.bend_twist +=
        elastic::joint_value(state.q[joints.a[j]] * joints.turn_a[j], state.q[joints.b[j]] * strain::turn_b(model, state, j),
                             joints.length[j], joints.stiffness[j], joints.strain_rest[j])
            .energy;
  }
  for (const ResolvedLink& link : model.links()) e.links += link_state(link, state).energy;
  if (contact::Contacts::any(model)) {
    contact::Contacts contacts(model);
    contacts.read(state);
    e.contact = contacts.energy();
  }
  return e;
}

LinkState link_state(const ResolvedLink& link, const State& state) {
  const Vec3 way = position_of(state, link.to) - position_of(state, link.from);
  const elastic::LinkMaterial material = link_material(link, state.time);
  LinkState out;
  out.length = norm(way);
  const Vec3 velocity = velocity_of(state, link.to) - velocity_of(state, link.from);
  const double rate = out.length > 0 ? dot(velocity, way) / out.length : 0;
  out.tension = elastic::damped_tension(out.length, rate, material, link.link.damping);
  out.energy = elastic::link_value(out.length, material).energy;
  return out;
}

bool is_slack(const ResolvedLink& link, const State& state) {
  return link.link.kind == Link::Kind::tether && link_state(link, state).tension == 0;
}

Momentum momentum(const Model& model, const State& state) {
  Momentum sum;
  for (int i = 0; i < model.node_count(); ++i) {
    const Vec3 own = model.nodes().mass[i] * state.v[i];
    sum.linear += own;
    sum.angular += cross(state.x[i], own);
  }
  for (int s = 0; s < model.segment_count(); ++s)
    sum.angular += rotate(state.q[s], scale(model.segments().inertia[s], state.w[s]));
  return sum;
}

SegmentJoints segment_joints(const Model& model) {
  const int n = model.segment_count();
  SegmentJoints out{std::vector<int>(n, -1), std::vector<int>(n, -1)};
  for (int j = 0; j < model.joint_count(); ++j) {
    const int a = model.joints().a[j], b = model.joints().b[j];
    if (a < n) out.end[a] = j;
    if (b < n) out.start[b] = j;
  }
  return out;
}

Quat end_frame(const Model& model, const State& state, const SegmentJoints& joints, int segment, End end) {
  return end_frame(model, state, segment, end, (end == End::end ? joints.end : joints.start)[segment]);
}

Quat end_frame(const Model& model, const State& state, int segment, End end, int j) {
  const bool at_end = end == End::end;
  if (j < 0) return state.q[segment];
  const int other = at_end ? model.joints().b[j] : model.joints().a[j];
  const Quat turn = at_end ? model.joints().turn_a[j] : strain::turn_b(model, state, j);
  const Quat rotation = joint_rotation(model, state, j);
  const double share = other >= model.segment_count() ? 1.0 : 0.5;
  return state.q[segment] * turn * fraction_of(at_end ? rotation : conj(rotation), share) * conj(turn);
}

Field parse_field(std::string_view name, const std::string& name_of_key) {
  const auto found = std::find(field_names.begin(), field_names.end(), name);
  if (found == field_names.end()) {
    throw Error(name_of_key, std::string(name),
                "no such field; " + hint(name, std::vector<std::string>(field_names.begin(), field_names.end()), "fields"));
  }
  return static_cast<Field>(found - field_names.begin());
}

std::string_view field_name(Field field) { return field_names[static_cast<std::size_t>(field)]; }
std::string_view field_unit(Field field) { return field_units[static_cast<std::size_t>(field)]; }

std::vector<double> segment_field(const Model& model, const State& state, const SegmentJoints& joints, Field field) {
  std::vector<double> out(model.segment_count(), 0.0);
  if (field == Field::none) return out;
  const bool over_joints = field == Field::curvature || field == Field::twist;
  const std::vector<double> at_joints = over_joints ? joint_values(model, state, field) : std::vector<double>{};
  const Segments& segments = model.segments();
  for (int s = 0; s < model.segment_count(); ++s) {
    if (over_joints) {
      out[s] = mean_over_joints(at_joints, joints.start[s], joints.end[s]);
    } else if (field == Field::tension) {
      out[s] = segment_force(model, state, s).z;
    } else {
      out[s] = 0.5 * norm(state.v[segments.node0[s]] + state.v[segments.node1[s]]);
    }
  }
  return out;
}

double max_speed(const State& state, const Threads& threads) {
  return std::sqrt(threads.largest(static_cast<int>(state.v.size()), [&](int begin, int end) {
    double squared = 0;
    for (int i = begin; i < end; ++i) squared = std::max(squared, dot(state.v[i], state.v[i]));
    return squared;
  }));
}

namespace {

// By the bits of the exponents, all set in what is not finite: a loop without branches, of which the compiler takes several
// rounds at once.
template <class T>
bool all_finite(const std::vector<T>& values, const Threads& threads) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0);
  return threads.largest(static_cast<int>(values.size()), [&](int begin, int end) {
    constexpr std::uint64_t exponent = 0x7ff0000000000000;
    const char* bytes = reinterpret_cast<const char*>(values.data());
    std::uint64_t found = 0;
    for (std::size_t k = begin * sizeof(T); k < end * sizeof(T); k += sizeof(double)) {
      std::uint64_t bits;
      std::memcpy(&bits, bytes + k, sizeof bits);
      found |= (bits & exponent) == exponent ? 1 : 0;
    }
    return static_cast<double>(found);
  }) == 0;
}

}  // namespace

std::optional<Spoilt> first_not_finite(const Model& model, const State& state, const Threads& threads) {
  bool fine = std::isfinite(state.time);
  State::visit_arrays([&](const auto& values) { fine = fine && all_finite(values, threads); }, state);
  for (const std::vector<double>& values : state.memory) fine = fine && all_finite(values, threads);
  if (fine) return std::nullopt;
  for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod) {
    for (int k = 0; k <= model.rods()[rod].segment_count; ++k) {
      const int node = model.node_of(rod, k), segment = model.rods()[rod].first_segment + k;
      if (!finite(state.x[node]) || !finite(state.v[node])) return Spoilt{rod, k};
      if (k == model.rods()[rod].segment_count) continue;
      if (!finite(state.q[segment]) || !finite(state.w[segment])) return Spoilt{rod, k};
    }
  }
  return Spoilt{-1, -1};  // a frame, a closing angle, what terms remember
}

// ---- at a place ----------------------------------------------------------------------------------------------------
Gauge::Gauge(const Model& model, const ResolvedPlace& place) : m_place(place) {
  const RodRange& rod = model.rods()[place.rod];
  const std::vector<double>& length = model.segments().length;
  const int last = rod.first_segment + rod.segment_count - 1;
  int segment = rod.first_segment;
  double start = 0;
  while (segment < last && start + length[segment] <= place.arclength) start += length[segment++];

  m_segment = segment;
  const SegmentJoints joints = segment_joints(model);
  if (const int from = joints.end[place.segment0], to = joints.start[place.segment1]; place.segment0 != place.segment1) {
    const bool halves =
        from != to && rotate(conj(model.joints().turn_b[from]) * model.joints().turn_a[to], Vec3{0, 0, 1}).z < 1 - 1e-9;
    if (halves || model.is_corner(from)) m_corner_from = from, m_corner_to = to;
  }
  m_before = joints.start[segment];
  m_after = joints.end[segment];
  m_along = m_weight_after = std::clamp((place.arclength - start) / length[segment], 0.0, 1.0);
  m_first = !rod.closed && segment == rod.first_segment;
  m_last = !rod.closed && segment == last;
  if (m_before < 0) m_weight_after = 1;
  if (m_after < 0) m_weight_after = 0;
}

Vec3 Gauge::position(const State& state) const { return position_at(state, m_place); }

Vec3 Gauge::velocity(const State& state) const { return velocity_at(state, m_place); }

Quat Gauge::frame(const Model& model, const State& state) const {
  const bool first_half = m_along < 0.5;
  const Quat end = first_half ? end_frame(model, state, m_segment, End::start, m_before)
                              : end_frame(model, state, m_segment, End::end, m_after);
  return between(state.q[m_segment], same_side(end, state.q[m_segment]), std::abs(2 * m_along - 1));
}

Vec3 Gauge::force(const Model& model, const State& state, const RodEnds* ends) const {
  const Vec3 nearest = nearest_force(model, state);
  if (!ends) return nearest;
  if (m_first && m_along < 0.5) return lerp(ends->of[m_place.rod][0].force, nearest, 2 * m_along);
  if (m_last && m_along > 0.5) return lerp(nearest, ends->of[m_place.rod][1].force, 2 * m_along - 1);
  return nearest;
}

// In the axes of the segment around the place. Across a corner those of the other leg are turned to them.
Vec3 Gauge::nearest_force(const Model& model, const State& state) const {
  Vec3 before = segment_force(model, state, m_place.segment0), after = segment_force(model, state, m_place.segment1);
  if (m_corner_from >= 0) {
    const Quat b = strain::turn_b(model, state, m_corner_from), a = model.joints().turn_a[m_corner_to];
    const Quat across = m_corner_from == m_corner_to ? a * conj(b) : conj(b) * a;  // from the leg after to the one before
    if (m_segment == m_place.segment0)
      after = rotate(across, after);
    else
      before = rotate_back(across, before);
  }
  return lerp(before, after, m_place.segment_weight1);
}

Gauge::Sides Gauge::beside(const Model& model, const State& state, Vec3 (*value)(const Model&, const State&, int)) const {
  Sides out;
  if (m_before >= 0) out.before = rotate(strain::turn_b(model, state, m_before), value(model, state, m_before));
  if (m_after >= 0) out.after = rotate(model.joints().turn_a[m_after], value(model, state, m_after));
  return out;
}

Vec3 Gauge::moment(const Model& model, const State& state, const RodEnds* ends) const {
  Sides sides = beside(model, state, joint_moment);
  if (!ends) return lerp(sides.before, sides.after, m_weight_after);
  if (m_first) sides.before = ends->of[m_place.rod][0].moment;
  if (m_last) sides.after = ends->of[m_place.rod][1].moment;
  return lerp(sides.before, sides.after, m_along);
}

Vec3 Gauge::strain(const Model& model, const State& state) const {
  const Sides sides = beside(model, state, joint_strain);
  return lerp(sides.before, sides.after, m_weight_after);
}

}  // namespace writhe::measure
