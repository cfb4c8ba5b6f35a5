#include "loads/followers.h"

#include <algorithm>
#include <variant>

#include "loads/acting.h"
#include "model/at_place.h"

namespace writhe::loads {

FollowerTerm::FollowerTerm(const Model& model) {
  for (const ResolvedLoad& load : model.loads()) {
    if (!is_directional_at_place(model, load)) continue;
    const ResolvedPlace& at = load.at;
    Own own{&load, model.rods()[at.rod].length, 0, {}, {}, {}};
    const bool is_force = std::holds_alternative<ForceLoad>(load.load.kind);
    const auto add = [&](const Dof& dof, double share, bool acts) {
      if (share == 0) return;
      own.dofs.push_back(dof);
      own.weights.push_back(acts ? share : 0);
    };
    if (is_force) add(Dof::node(at.node0), 1 - at.node_weight1, true);
    if (is_force) add(Dof::node(at.node1), at.node_weight1, true);
    add(Dof::orientation(at.segment0), 1 - at.segment_weight1, !is_force);
    add(Dof::orientation(at.segment1), at.segment_weight1, !is_force);
    if (!is_force) own.q_start.resize(own.dofs.size());
    m_loads.push_back(std::move(own));
  }
}

bool FollowerTerm::is_needed(const Model& model) {
  return std::any_of(model.loads().begin(), model.loads().end(),
                     [&](const ResolvedLoad& load) { return is_directional_at_place(model, load); });
}

void FollowerTerm::begin(const State& start, std::span<const double> /*remembered*/, const ImplicitSolve& solve) {
  const double whole = solve.integrator == Integrator::midpoint ? 2 * solve.dt : solve.dt;
  m_euler = solve.integrator == Integrator::euler;
  for (Own& own : m_loads) {
    own.factor = own.load->load.ramp.mean(start.time, start.time + whole);
    for (std::size_t i = 0; i < own.q_start.size(); ++i) own.q_start[i] = start.q[own.dofs[i].index];
  }
}

std::span<const Dof> FollowerTerm::dofs(int element) const { return m_loads[element].dofs; }

Term::Value FollowerTerm::value(int element, const State& at) const {
  const Own& own = m_loads[element];
  Value value;
  if (const auto* force = std::get_if<ForceLoad>(&own.load->load.kind)) {
    const Vec3 acting = own.factor * force_at(at, own.load->at, *force);
    value.force = norm(acting);
    for (std::size_t i = 0; i < own.dofs.size(); ++i) value.gradient[i] = -own.weights[i] * acting;
  } else {
    const MomentLoad& moment = std::get<MomentLoad>(own.load->load.kind);
    value.force = norm(own.factor * moment.moment) / own.length;
    for (std::size_t i = 0; i < own.dofs.size(); ++i)
      value.gradient[i] = (-own.weights[i] * own.factor * turn(own, i, at).w) * body_moment(at, own.dofs[i].index, moment);
  }
  return value;
}

void FollowerTerm::hessian(int /*element*/, const State& /*at*/, Curvature /*curvature*/, std::span<Mat3> pairs) const {
  std::fill(pairs.begin(), pairs.end(), Mat3{});
}

void FollowerTerm::circulation(int element, const State& at, std::span<Mat3> blocks) const {
  const Own& own = m_loads[element];
  const auto place = [&](const Dof& dof) { return std::find(own.dofs.begin(), own.dofs.end(), dof) - own.dofs.begin(); };
  std::fill(blocks.begin(), blocks.end(), Mat3{});
  TangentBlock memory[most_place_blocks];
  for (const TangentBlock& block : place_stiffness(*own.load, at, own.factor, memory))
    blocks[place(block.row) * own.dofs.size() + place(block.column)] = block.value;
  const auto* moment = std::get_if<MomentLoad>(&own.load->load.kind);
  if (!moment || !m_euler) return;
  for (std::size_t i = 0; i < own.dofs.size(); ++i) {
    const Quat r = turn(own, i, at);  // its cosine changes by -imag(r).delta/2
    const Vec3 m = (0.5 * own.weights[i] * own.factor) * body_moment(at, own.dofs[i].index, *moment), v = imag(r);
    Mat3& own_block = blocks[i * own.dofs.size() + i];
    own_block = {r.w * own_block.r0 + m.x * v, r.w * own_block.r1 + m.y * v, r.w * own_block.r2 + m.z * v};
  }
}

}  // namespace writhe::loads
