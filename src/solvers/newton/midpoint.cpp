#include "solvers/newton/midpoint.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/copy.h"
#include "elastic/midpoint.h"
#include "model/extent.h"
#include "model/springs.h"
#include "model/strain.h"

namespace writhe::newton {

namespace {

// Free coordinates of `free`, prescribed ones of `held`.
Vec3 with_held(const Vec3& free, const Vec3& held, unsigned fixed) {
  return {fixed & fixed_x ? held.x : free.x, fixed & fixed_y ? held.y : free.y, fixed & fixed_z ? held.z : free.z};
}

// The first node of what an element acts on, in the model; -1 where it acts on none.
int node_of(std::span<const Dof> dofs) {
  const auto node = std::find_if(dofs.begin(), dofs.end(), [](const Dof& dof) { return dof.kind == Dof::Kind::node; });
  return node == dofs.end() ? -1 : node->index;
}

// The node of a joint: where its two segments meet, or where its frame is.
int node_of_joint(const Model& model, int joint) {
  const int a = model.joints().a[joint], b = model.joints().b[joint], segments = model.segment_count();
  if (b < segments) return model.segments().node0[b];
  return a < segments ? model.segments().node1[a] : model.frames().node[a - segments];
}

}  // namespace

Midpoint::Midpoint(const Model& model, const Threads& threads)
    : m_model(&model), m_threads(threads), m_elements(model.components().size()), m_free_frames(model) {
  std::vector<int> component_of_rod(model.rods().size());
  for (std::size_t c = 0; c < m_elements.size(); ++c) {
    m_elements[c].rods = model.components()[c].rods;
    for (const int rod : m_elements[c].rods) component_of_rod[rod] = static_cast<int>(c);
  }
  const Joints& joints = model.joints();
  const int segments = model.segment_count();
  for (int j = 0; j < model.joint_count(); ++j) {
    const int segment = joints.a[j] < segments ? joints.a[j] : joints.b[j];
    Elements& own = m_elements[component_of_rod[model.segments().rod[segment]]];
    own.joints.push_back(j);
    for (const int orientation : {joints.a[j], joints.b[j]})
      if (orientation >= segments) own.frames.push_back(orientation - segments);
  }
  for (Elements& own : m_elements) {
    std::sort(own.frames.begin(), own.frames.end());
    own.frames.erase(std::unique(own.frames.begin(), own.frames.end()), own.frames.end());
  }
}

template <class Work>
void Midpoint::for_each(Components own, std::vector<int> Elements::*kind, const Work& work) const {
  for (const int component : own)
    for (const int i : m_elements[component].*kind) work(i);
}

template <class Work>
void Midpoint::for_each_segment(Components own, const Work& work) const {
  for_each(own, &Elements::rods, [&](int rod) {
    const RodRange& range = m_model->rods()[rod];
    for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s) work(s);
  });
}

template <class Work>
void Midpoint::for_each_node(Components own, const Work& work) const {
  for_each(own, &Elements::rods, [&](int rod) {
    const RodRange& range = m_model->rods()[rod];
    for (int i = range.first_node; i < range.first_node + range.node_count; ++i) work(i);
  });
}

void Midpoint::begin(const State& state, const Loading& loading, double dt) {
  m_start = &state;
  m_given = &loading;
  m_half = dt / 2;
  take(loading);
  for (std::vector<Vec3>* x : {&m_found.x, &m_middle.x, &m_end.x}) copy(state.x, *x, m_threads);
  for (std::vector<Quat>* q : {&m_found.q, &m_middle.q, &m_end.q}) copy(state.q, *q, m_threads);
  m_middle.closing = loading.closing;
  m_end.closing = state.closing;
  m_start_segment.resize(static_cast<std::size_t>(m_model->segment_count()));
  m_start_joint.resize(static_cast<std::size_t>(m_model->joint_count()));
}

// All fields by name: one more would not compile. Strains are there, if zero.
void Midpoint::take(const Loading& loading) {
  const auto& [time, has_drag, has_moments, force, moment, drag, drag_force, x_support, q_support, closing, segment, joint] =
      loading;
  m_loading.time = time;
  m_loading.has_drag = has_drag;
  m_loading.has_moments = has_moments;
  copy(force, m_loading.force, m_threads);
  copy(moment, m_loading.moment, m_threads);
  copy(drag, m_loading.drag, m_threads);
  copy(drag_force, m_loading.drag_force, m_threads);
  copy(x_support, m_loading.x_support, m_threads);
  copy(q_support, m_loading.q_support, m_threads);
  copy(closing, m_loading.closing, m_threads);
  const auto take_strains = [this](const std::vector<Vec3>& from, int count, std::vector<Vec3>& to) {
    to.resize(static_cast<std::size_t>(count));
    m_threads.for_each_chunk(count, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) to[i] = from.empty() ? Vec3{} : from[i];
    });
  };
  take_strains(segment, m_model->segment_count(), m_loading.segment_strain);
  take_strains(joint, m_model->joint_count(), m_loading.joint_strain);
}

void Midpoint::begin(Components own) {
  for_each_segment(own, [this](int s) { m_start_segment[s] = strain::of_segment(*m_model, *m_start, s); });
  for_each(own, &Elements::joints, [this](int j) { m_start_joint[j] = strain::of_joint(*m_model, *m_start, j); });
  for_each(own, &Elements::rods, [this](int rod) { m_end.closing[rod] = 2 * m_middle.closing[rod] - m_start->closing[rod]; });
  for_each(own, &Elements::frames, [this](int frame) {
    const int orientation = m_model->segment_count() + frame;
    if (m_model->frames().is_prescribed(frame)) m_middle.q[orientation] = m_given->q_support[frame];
  });
}

// The middle as the rates of the start would have it.
void Midpoint::predict(Components own) {
  for_each_node(own, [this](int i) {
    m_middle.x[i] = with_held(m_start->x[i] + m_half * m_start->v[i], m_given->x_support[i], m_model->nodes().fixed[i]);
  });
  for_each_segment(own, [this](int s) { m_middle.q[s] = m_start->q[s] * exp_rotation(m_half * m_start->w[s]); });
}

void Midpoint::mirror(Components own) {
  for_each_node(own, [this](int i) { m_end.x[i] = elastic::mirrored(m_start->x[i], m_middle.x[i]); });
  for_each_segment(own, [this](int s) { m_end.q[s] = elastic::mirrored(m_start->q[s], m_middle.q[s]); });
  for_each(own, &Elements::frames, [this](int frame) {
    const int orientation = m_model->segment_count() + frame;
    m_end.q[orientation] = elastic::mirrored(m_start->q[orientation], m_middle.q[orientation]);
  });
}

// Takes what is to be added from the middle as it is known.
Midpoint::Change Midpoint::correct(const Piece& piece, Terms& terms) {
  const Components own = piece.components;
  mirror(own);
  Change change;
  const auto put = [&change](Vec3& place, const Vec3& value, const Vec3& force_by_value, int node) {
    change.see(norm(scale(force_by_value, value - place)), node);
    place = value;
  };
  const Damping& damping = m_model->scene().damping;
  const double stiffer = elastic::DampedStiffness(damping.internal, m_half).factor;
  const Segments& segments = m_model->segments();
  constexpr double nearly_half_a_turn = 0.05;  // cosine of half of it
  for_each_segment(own, [&](int s) {
    if (change.too_far < 0 && !((conj(m_start->q[s]) * m_middle.q[s]).w > nearly_half_a_turn)) change.too_far = segments.node0[s];
    const Vec3 offset = elastic::mean_strain_offset(m_start_segment[s], strain::of_segment(*m_model, m_middle, s),
                                                    strain::of_segment(*m_model, m_end, s));
    put(m_loading.segment_strain[s], offset, stiffer * segments.stiffness[s], segments.node0[s]);
    const Vec3 moment = elastic::midpoint_moment(segments.inertia[s], m_start->q[s], m_start->w[s], m_middle.q[s],
                                                 m_given->moment[s], damping.mass, m_half);
    put(m_loading.moment[s], moment, (1 / segments.length[s]) * Vec3{1, 1, 1}, segments.node0[s]);
  });
  const Joints& joints = m_model->joints();
  for_each(own, &Elements::joints, [&](int j) {
    const Vec3 offset = elastic::mean_strain_offset(m_start_joint[j], strain::of_joint(*m_model, m_middle, j),
                                                    strain::of_joint(*m_model, m_end, j));
    put(m_loading.joint_strain[j], offset, (stiffer / joints.length[j]) * joints.stiffness[j], node_of_joint(*m_model, j));
  });
  for (const TermElement& element : piece.elements)
    change.see(terms.of(element).take_mean(element.element, *m_start, m_middle, m_end),
               node_of(terms.of(element).dofs(element.element)));
  return change;
}

// N: changes below this are rounding errors of positions and orientations.
double Midpoint::rounding(const Piece& piece, const Terms& terms) const {
  const Components own = piece.components;
  double size = 0, stiffest = 0;  // m, N/m
  double joint = 0;               // N
  for_each_node(own, [&](int i) {
    const Vec3& x = m_start->x[i];
    size = std::max({size, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  });
  for_each_segment(own, [&](int s) { stiffest = std::max(stiffest, segment_spring(*m_model, s)); });
  for_each(own, &Elements::joints, [&](int j) { joint = std::max(joint, joint_spring(*m_model, j)); });
  double coupled = 0;  // N
  for (const TermElement& element : piece.elements) {
    const Term& term = terms.of(element);
    coupled = std::max(coupled, term.stiffness(element.element) * std::max(size, term.coordinate(element.element)));
  }
  const double stiffer = elastic::DampedStiffness(m_model->scene().damping.internal, m_half).factor;
  return 16 * std::numeric_limits<double>::epsilon() * (stiffer * (size * stiffest + joint) + coupled);
}

// The end mirrors the middle, and may lie beyond what the middle has not passed. Null where it does not.
const TermElement* Midpoint::first_passed(const Piece& piece, const Terms& terms) const {
  const auto passed = std::find_if(piece.elements.begin(), piece.elements.end(), [&](const TermElement& element) {
    return !terms.of(element).ends_safely(element.element, *m_start, m_end);
  });
  return passed == piece.elements.end() ? nullptr : &*passed;
}

// node: of the model.
void Midpoint::fail(int node, const std::string& what, StepReport& report) const {
  report.status = StepStatus::not_converged;
  const AlongRod at = along_rod(*m_model, node);
  report.rod = at.rod;
  report.node = at.number;
  report.cause = what + "; take a smaller time.dt, or solver.integrator: euler";
  report.shorter_helps = true;
}

StepReport Midpoint::find_middle(const Piece& piece, Terms& terms) {
  const Components own = piece.components;
  Part& part = *piece.part;
  constexpr const char* turns_too_far = "the rod turns too far in this step for the midpoint rule";
  begin(own);
  predict(own);
  if (const Change first = correct(piece, terms); first.too_far >= 0) {
    StepReport report;
    fail(first.too_far, turns_too_far, report);
    return report;
  }
  const double noise = rounding(piece, terms);
  double before = std::numeric_limits<double>::infinity();
  int iterations = 0;
  for (;;) {
    if (iterations > 0) part.begin_near(m_found);  // else it would go all the way again for a change that is ever smaller
    StepReport report = part.minimise(*m_start, m_loading, m_half);
    iterations += std::max(report.iterations, 1);
    report.iterations = iterations;
    if (!report.accepted()) {
      report.shorter_helps = report.status == StepStatus::not_converged;  // what it was given comes of turns that are too far
      return report;
    }
    part.store(m_found);
    for_each_node(own, [this](int i) { m_middle.x[i] = m_found.x[i]; });
    for_each_segment(own, [this](int s) { m_middle.q[s] = m_found.q[s]; });
    for_each(own, &Elements::frames, [this](int frame) {
      const int orientation = m_model->segment_count() + frame;
      if (m_model->frames().is_free(frame)) m_middle.q[orientation] = m_found.q[orientation];
    });
    const Change change = correct(piece, terms);
    if (change.too_far >= 0) {
      fail(change.too_far, turns_too_far, report);
      return report;
    }
    const bool stalled = change.by > 0.5 * before && change.by <= noise;
    if (change.by <= report.residual_limit || stalled) {
      if (const TermElement* passed = first_passed(piece, terms))
        fail(node_of(terms.of(*passed).dofs(passed->element)), "the rod would pass what is in its way", report);
      return report;
    }
    before = change.by;
    if (iterations < m_model->scene().solver.newton.max_iterations) continue;
    report.residual = change.by;
    fail(change.node, turns_too_far, report);
    return report;
  }
}

void Midpoint::finish(State& state) const {
  m_threads.for_each_chunk(m_model->node_count(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      state.v[i] = elastic::mirrored(state.v[i], (1 / m_half) * (m_middle.x[i] - state.x[i]));
      state.x[i] = m_end.x[i];
    }
  });
  m_threads.for_each_chunk(m_model->segment_count(), [&](int begin, int end) {
    for (int s = begin; s < end; ++s) {
      state.w[s] = elastic::mirrored(state.w[s], elastic::mean_rate(state.q[s], m_middle.q[s], m_half));
      state.q[s] = m_end.q[s];
    }
  });
  m_free_frames.balance(*m_model, m_middle, state, 2 * m_half);
}

}  // namespace writhe::newton
