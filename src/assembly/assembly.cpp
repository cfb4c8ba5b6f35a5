#include "assembly/assembly.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "elastic/joint.h"
#include "elastic/segment.h"
#include "math/rotation.h"
#include "model/strain.h"

namespace writhe::assembly {

namespace {

std::vector<int> all(int count) {
  std::vector<int> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

Vec3 edge_over_length(const Model& model, const State& state, int s) {
  const Segments& segments = model.segments();
  return (state.x[segments.node1[s]] - state.x[segments.node0[s]]) / segments.length[s];
}

// The two sides of a joint as it sees them, and the turns that lead there.
struct Sides {
  Quat turn_a, turn_b, qa, qb;
  Sides(const Model& model, const State& state, int j)
      : turn_a(model.joints().turn_a[j]),
        turn_b(strain::turn_b(model, state, j)),
        qa(state.q[model.joints().a[j]] * turn_a),
        qb(state.q[model.joints().b[j]] * turn_b) {}
};

bool is_identity(const Quat& q) { return q.x == 0 && q.y == 0 && q.z == 0; }

Mat3 full(const Sym3& s) { return {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}; }
Mat3 negative(const Mat3& m) { return {-m.r0, -m.r1, -m.r2}; }
// R m S^T: a block by the sides as they are, from that by the sides as the joint sees them.
Mat3 seen_through(const Quat& left, const Mat3& m, const Quat& right) {
  const Mat3 half = is_identity(right) ? m : m * transpose(matrix(right));
  return is_identity(left) ? half : matrix(left) * half;
}

}  // namespace

Assembly::Assembly(const Model& model) : Assembly(model, all(static_cast<int>(model.rods().size())), all(model.joint_count())) {}

Assembly::Assembly(const Model& model, const std::vector<int>& rods, std::vector<int> joints)
    : m_model(&model), m_joints(std::move(joints)) {
  number(rods);
  find_elements();
  place_elements();
}

int Assembly::find(const std::vector<Unknown>& sorted, int index) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), index, [](const Unknown& u, int i) { return u.index < i; });
  return at != sorted.end() && at->index == index ? at->block : -1;
}

void Assembly::number(const std::vector<int>& rods) {
  const Segments& segments = m_model->segments();
  const Frames& frames = m_model->frames();
  std::unordered_map<int, int> frame_at, seen;  // by node
  for (const int j : m_joints)
    for (const int side : {m_model->joints().a[j], m_model->joints().b[j]})
      if (const int frame = side - m_model->segment_count(); frame >= 0) frame_at[frames.node[frame]] = frame;

  const auto number_node = [&](int node) {
    if (!seen.emplace(node, m_blocks).second) return;
    m_place_start.push_back(m_blocks);
    m_nodes.push_back({node, m_blocks++});
    const auto frame = frame_at.find(node);
    if (frame != frame_at.end() && frames.is_free(frame->second))
      m_orientations.push_back({m_model->segment_count() + frame->second, m_blocks++});
  };
  for (const int rod : rods) {
    const RodRange& range = m_model->rods()[rod];
    m_rod_start.push_back(static_cast<int>(m_place_start.size()));
    for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s) {
      m_segments.push_back(s);
      number_node(segments.node0[s]);
      m_orientations.push_back({s, m_blocks++});
      number_node(segments.node1[s]);
    }
  }
  m_rod_start.push_back(static_cast<int>(m_place_start.size()));
  m_place_start.push_back(m_blocks);
  const auto by_index = [](const Unknown& a, const Unknown& b) { return a.index < b.index; };
  std::sort(m_nodes.begin(), m_nodes.end(), by_index);
  std::sort(m_orientations.begin(), m_orientations.end(), by_index);

  m_free = Eigen::VectorXd::Ones(size());
  for (const Unknown& node : m_nodes)
    for (int k = 0; k < 3; ++k)
      if (m_model->nodes().fixed[node.index] & (1 << k)) m_free[3 * node.block + k] = 0;
}

void Assembly::find_elements() {
  for (const int s : m_segments) {
    const int x0 = block_of_node(m_model->segments().node0[s]), x1 = block_of_node(m_model->segments().node1[s]);
    const int q = block_of_orientation(s);
    m_segment_slots.push_back({x0, x1, q, {}, {}, {}, {}, {}, {}});
    m_couplings.insert(m_couplings.end(), {{x1, x0}, {q, x0}, {q, x1}});
  }
  for (const int j : m_joints) {
    const int a = block_of_orientation(m_model->joints().a[j]), b = block_of_orientation(m_model->joints().b[j]);
    m_joint_slots.push_back({a, b, {}, {}, {}});
    if (a >= 0 && b >= 0) m_couplings.emplace_back(b, a);
  }
  m_own_couplings = m_couplings.size();
  m_is_chains = own_couplings_are_those_of_chains();
}

// All of them join neighbours along one rod.
bool Assembly::own_couplings_are_those_of_chains() const {
  std::vector<int> place_of(static_cast<std::size_t>(m_blocks)), rod_of(m_place_start.size());
  for (std::size_t p = 0; p + 1 < m_place_start.size(); ++p)
    std::fill(place_of.begin() + m_place_start[p], place_of.begin() + m_place_start[p + 1], static_cast<int>(p));
  for (std::size_t r = 0; r + 1 < m_rod_start.size(); ++r)
    std::fill(rod_of.begin() + m_rod_start[r], rod_of.begin() + m_rod_start[r + 1], static_cast<int>(r));
  return std::all_of(m_couplings.begin(), m_couplings.end(), [&](const auto& pair) {
    const int a = place_of[pair.first], b = place_of[pair.second];
    return rod_of[a] == rod_of[b] && std::abs(a - b) <= 1;
  });
}

void Assembly::couple(const std::vector<std::pair<int, int>>& pairs) {
  m_couplings.resize(m_own_couplings);
  m_couplings.insert(m_couplings.end(), pairs.begin(), pairs.end());
  place_elements();
}

void Assembly::place_elements() {
  m_pattern.renew(m_blocks, m_couplings);
  const linalg::BlockMatrix& pattern = m_pattern;
  for (SegmentSlots& s : m_segment_slots) {
    s.x0x0 = pattern.slot(s.x0, s.x0);
    s.x1x1 = pattern.slot(s.x1, s.x1);
    s.x1x0 = pattern.slot(s.x1, s.x0);
    s.qq = pattern.slot(s.q, s.q);
    s.qx0 = pattern.slot(s.q, s.x0);
    s.qx1 = pattern.slot(s.q, s.x1);
  }
  for (JointSlots& s : m_joint_slots) {
    if (s.a >= 0) s.aa = pattern.slot(s.a, s.a);
    if (s.b >= 0) s.bb = pattern.slot(s.b, s.b);
    if (s.a >= 0 && s.b >= 0) s.ba = pattern.slot(s.b, s.a);
  }
}

ElementMaterial Assembly::material() const {
  ElementMaterial out;
  for (const int s : m_segments) out.stretch.push_back(m_model->segments().stiffness[s]);
  out.stretch_rest.assign(m_segments.size(), Vec3{});
  for (const int j : m_joints) {
    out.bend.push_back(m_model->joints().stiffness[j]);
    out.bend_rest.push_back(m_model->joints().strain_rest[j]);
  }
  return out;
}

auto Assembly::segment_value(const State& state, const ElementMaterial& material, std::size_t k) const {
  const int s = m_segments[k];
  return elastic::segment_value(edge_over_length(*m_model, state, s), state.q[s], m_model->segments().length[s],
                                material.stretch[k], material.stretch_rest[k]);
}

// The moments about the sides as they are.
auto Assembly::joint_value(const State& state, const ElementMaterial& material, std::size_t k) const {
  const int j = m_joints[k];
  const Sides sides(*m_model, state, j);
  struct {
    double energy, stress;
    Vec3 moment_a, moment_b;
    Quat relative;
  } out{};
  const auto value =
      elastic::joint_value(sides.qa, sides.qb, m_model->joints().length[j], material.bend[k], material.bend_rest[k]);
  const auto seen_by = [](const Quat& turn, const Vec3& moment) { return is_identity(turn) ? moment : rotate(turn, moment); };
  out.energy = value.energy;
  out.stress = norm(value.stress);
  out.moment_a = seen_by(sides.turn_a, value.moment_a);
  out.moment_b = seen_by(sides.turn_b, value.moment_b);
  out.relative = conj(sides.qa) * sides.qb;
  return out;
}

Sums Assembly::add_gradient(const State& state, const ElementMaterial& material, Eigen::VectorXd& gradient,
                            const GradientDetail& detail) const {
  Sums sums;
  const auto add = [&](int at, const Vec3& force) {
    add_block(gradient, at, force);
    if (detail.sizes) (*detail.sizes)[at] += norm(force);
  };
  for (std::size_t k = 0; k < m_segments.size(); ++k) {
    const auto value = segment_value(state, material, k);
    const SegmentSlots& at = m_segment_slots[k];
    add(at.x0, -value.force);
    add(at.x1, value.force);
    add(at.q, value.moment);
    sums.energy += value.energy;
    sums.internal = std::max(sums.internal, norm(value.force));
  }
  for (std::size_t k = 0; k < m_joints.size(); ++k) {
    const auto value = joint_value(state, material, k);
    const auto give = [&](int at, int orientation, const Vec3& moment) {
      if (at >= 0)
        add(at, moment);
      else if (detail.prescribed)
        (*detail.prescribed)[orientation - m_model->segment_count()] += moment;
    };
    give(m_joint_slots[k].a, m_model->joints().a[m_joints[k]], value.moment_a);
    give(m_joint_slots[k].b, m_model->joints().b[m_joints[k]], value.moment_b);
    const Quat& r = value.relative;
    sums.energy += value.energy;
    sums.moment = std::max(sums.moment, value.stress);
    sums.joint_cosine = std::min(sums.joint_cosine, r.w);
    sums.joint_fold = std::min(sums.joint_fold, r.w * r.w + r.z * r.z);
  }
  return sums;
}

void Assembly::visit_gradients(const State& state, const ElementMaterial& material,
                               const std::function<void(const ElementForces&)>& visit) const {
  for (std::size_t k = 0; k < m_segments.size(); ++k) {
    const auto value = segment_value(state, material, k);
    const SegmentSlots& at = m_segment_slots[k];
    visit({3, {at.x0, at.x1, at.q}, {-value.force, value.force, value.moment}});
  }
  for (std::size_t k = 0; k < m_joints.size(); ++k) {
    const auto value = joint_value(state, material, k);
    ElementForces forces;
    const auto give = [&](int at, const Vec3& moment) {
      if (at < 0) return;
      forces.block[forces.count] = at;
      forces.force[forces.count++] = moment;
    };
    give(m_joint_slots[k].a, value.moment_a);
    give(m_joint_slots[k].b, value.moment_b);
    visit(forces);
  }
}

void Assembly::add_hessian(const State& state, const ElementMaterial& material, double geometric,
                           linalg::BlockMatrix& matrix) const {
  for (std::size_t k = 0; k < m_segments.size(); ++k) {
    const int s = m_segments[k];
    const double length = m_model->segments().length[s];
    const Vec3 d = edge_over_length(*m_model, state, s);
    const Vec3 stress = scale(material.stretch[k], elastic::segment_strain(d, state.q[s]) - material.stretch_rest[k]);
    const auto h = elastic::segment_hessian(d, state.q[s], length, material.stretch[k], geometric * stress);
    const SegmentSlots& at = m_segment_slots[k];
    matrix.add(at.x0x0, h.xx);
    matrix.add(at.x1x1, h.xx);
    matrix.add(at.x1x0, negative(full(h.xx)));
    matrix.add(at.qq, h.uu);
    matrix.add(at.qx0, negative(h.ux));
    matrix.add(at.qx1, h.ux);
  }
  for (std::size_t k = 0; k < m_joints.size(); ++k) {
    const int j = m_joints[k];
    const Sides sides(*m_model, state, j);
    const double length = m_model->joints().length[j];
    const Vec3 strain = elastic::joint_angles(conj(sides.qa) * sides.qb) / length;
    const Vec3 stress = scale(material.bend[k], strain - material.bend_rest[k]);
    const auto h = elastic::joint_hessian(sides.qa, sides.qb, length, material.bend[k], geometric * stress);
    const JointSlots& at = m_joint_slots[k];
    if (at.a >= 0) matrix.add(at.aa, seen_through(sides.turn_a, full(h.aa), sides.turn_a));
    if (at.b >= 0) matrix.add(at.bb, seen_through(sides.turn_b, full(h.bb), sides.turn_b));
    if (at.a >= 0 && at.b >= 0) matrix.add(at.ba, seen_through(sides.turn_b, h.ba, sides.turn_a));
  }
}

void Assembly::move(const State& from, const Eigen::VectorXd& step, double scale, State& to) const {
  for (const Unknown& node : m_nodes) to.x[node.index] = from.x[node.index] + scale * block(step, node.block);
  for (const Unknown& turn : m_orientations) to.q[turn.index] = turned(from.q[turn.index], scale * block(step, turn.block));
}

}  // namespace writhe::assembly
