#include "loads/wind_term.h"

#include <algorithm>
#include <variant>

#include "loads/load_stiffness.h"

namespace writhe::loads {

namespace {

// Beyond it what lags by a step feeds swinging. Measured on a line of 1 m that hangs in a wind of 3 to 80 m/s: it comes to rest
// in steps with which the wind's acceleration would carry it by less than about its length, and not in longer ones; a tenth of
// that is well inside. Nearer to 0 more rods would leave their kernels for nothing.
constexpr double longest_way = 0.1;  // of a rod's length, in a step

bool flows(const Load& load) { return is_flow(load) && is_directional(load); }

}  // namespace

WindTerm::WindTerm(const Model& model) : m_model(&model), m_loads(model.rods().size()) {
  for (const ResolvedLoad& load : model.loads())
    if (flows(load.load))
      for (const int rod : load.rods) m_loads[rod].push_back(&load);
}

bool WindTerm::is_needed(const Model& model) {
  return std::any_of(model.loads().begin(), model.loads().end(), [](const ResolvedLoad& load) { return flows(load.load); });
}

void WindTerm::begin(const State& start, std::span<const double> /*remembered*/, const ImplicitSolve& solve) {
  m_elements.clear();
  m_inv_h = 1 / solve.dt;
  if (solve.integrator != Integrator::euler) return;  // the midpoint rule takes directions as they will be in its middle
  for (int rod = 0; rod < static_cast<int>(m_loads.size()); ++rod)
    if (!m_loads[rod].empty() && is_carried_far(rod, start, solve.dt)) add_elements(rod, start, solve.dt);
}

// By all that flows past the rod together.
bool WindTerm::is_carried_far(int rod, const State& start, double dt) {
  const Segments& segments = m_model->segments();
  const RodRange& range = m_model->rods()[rod];
  m_pushed.assign(static_cast<std::size_t>(range.segment_count), Vec3{});
  for (const ResolvedLoad* load : m_loads[rod]) {
    const double factor = factor_of_step(load->load, start.time, start.time + dt);
    for (int i = 0; i < range.segment_count; ++i) {
      const int s = range.first_segment + i;
      const HalfDrag half = half_drag(*m_model, start, s, load->load, factor);
      m_pushed[i] += half.force() - 0.5 * (half.drag * (start.v[segments.node0[s]] + start.v[segments.node1[s]]));
    }
  }
  double fastest = 0;  // m/s^2
  for (int i = 0; i < range.segment_count; ++i)
    fastest = std::max(fastest, 2 * norm(m_pushed[i]) / segments.mass[range.first_segment + i]);
  return fastest * dt * dt > longest_way * range.length;
}

void WindTerm::add_elements(int rod, const State& start, double dt) {
  const Segments& segments = m_model->segments();
  const RodRange& range = m_model->rods()[rod];
  for (const ResolvedLoad* load : m_loads[rod]) {
    const double factor = factor_of_step(load->load, start.time, start.time + dt);
    for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s) {
      const int node0 = segments.node0[s], node1 = segments.node1[s];
      m_elements.push_back({s,
                            load,
                            factor,
                            {Dof::node(node0), Dof::node(node1), Dof::orientation(s)},
                            {start.x[node0], start.x[node1]},
                            half_drag(*m_model, start, s, load->load, factor)});
    }
  }
}

FlowForce WindTerm::force(const Element& element, const State& at) const {
  InFlow in{at.q[element.dofs[2].index], {}};
  for (int i = 0; i < 2; ++i) in.v[i] = m_inv_h * (at.x[element.dofs[i].index] - element.x_start[i]);
  return flow_force(*m_model, element.segment, in, element.load->load, element.factor);
}

Term::Value WindTerm::value(int element, const State& at) const {
  const Element& own = m_elements[element];
  const FlowForce flow = force(own, at);
  Value value;
  for (int i = 0; i < 2; ++i) {
    const Vec3 v = m_inv_h * (at.x[own.dofs[i].index] - own.x_start[i]);
    value.gradient[i] = own.known.force() - own.known.drag * v - flow.force[i];
    value.force += norm(value.gradient[i]);
  }
  return value;
}

void WindTerm::hessian(int /*element*/, const State& /*at*/, Curvature /*curvature*/, std::span<Mat3> pairs) const {
  std::fill(pairs.begin(), pairs.end(), Mat3{});
}

void WindTerm::circulation(int element, const State& at, std::span<Mat3> blocks) const {
  const Element& own = m_elements[element];
  const FlowForce flow = force(own, at);
  const Sym3& D = own.known.drag;
  const Mat3 known{{D.xx, D.xy, D.xz}, {D.xy, D.yy, D.yz}, {D.xz, D.yz, D.zz}};
  const auto scaled = [](double s, const Mat3& m) { return Mat3{s * m.r0, s * m.r1, s * m.r2}; };
  std::fill(blocks.begin(), blocks.end(), Mat3{});
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      Mat3 by_velocity = flow.by_velocity[i][j];
      if (i == j) by_velocity = {by_velocity.r0 + known.r0, by_velocity.r1 + known.r1, by_velocity.r2 + known.r2};
      blocks[3 * i + j] = scaled(-m_inv_h, by_velocity);
    }
    blocks[3 * i + 2] = scaled(-1, flow.by_turn[i]);
  }
}

}  // namespace writhe::loads
