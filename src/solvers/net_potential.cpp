#include "solvers/net_potential.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "assembly/crush.h"
#include "elastic/increment.h"
#include "elastic/inertia.h"
#include "math/rotation.h"
#include "model/strain.h"

namespace writhe {

using assembly::add_block;
using assembly::block;

NetPotential::NetPotential(const Model& model, RodsAndJoints own, std::shared_ptr<NetStates> states, std::shared_ptr<Terms> terms)
    : m_model(&model),
      m_assembly(model, own.rods, std::move(own.joints)),
      m_coupling(std::move(terms)),
      m_scales(model, m_assembly),
      m_levers(assembly::levers(model, m_assembly)),
      m_blocks(assembly::block_scales(model, m_assembly)),
      m_elastic(m_assembly.material()),
      m_damped(m_elastic),
      m_states(std::move(states)),
      m_coupled(m_blocks.size()) {
  for (const auto& node : m_assembly.nodes()) m_nodes.push_back({{}, {}, {}, node.index, node.block});
  for (const int s : m_assembly.segments()) m_spins.push_back({{}, {}, {}, s, m_assembly.block_of_orientation(s)});
}

void NetPotential::load(const State& state, const Loading& loading, double dt) {
  m_inv_h = 1 / dt;
  m_load = 0;
  m_size = assembly::largest_coordinate(state, m_assembly);
  load_nodes(state, loading, dt);
  load_spins(state, loading, dt);
  load_material(StepMaterial(*m_model, state, loading, dt));
  double heaviest = 0;
  for (const NodeTerm& node : m_nodes) heaviest = std::max({heaviest, node.matrix.xx, node.matrix.yy, node.matrix.zz});
  m_damped_factor = elastic::DampedStiffness(m_model->scene().damping.internal, dt).factor;
  m_reach = m_size;
  if (!m_coupling.empty()) {
    m_reach = std::max(m_reach, m_coupling.largest_coordinate());
    std::fill(m_coupled.begin(), m_coupled.end(), assembly::TermStiffness{});
    m_coupling.add_stiffness(m_coupled);
    double stiffest = 0;
    for (const assembly::TermStiffness& coupled : m_coupled) stiffest = std::max(stiffest, coupled.at(m_size));
    heaviest += stiffest;
  }
  m_rounding = m_scales.rounding(m_size, m_damped_factor, heaviest);
  m_from = &state;
  m_to = &loading;
  m_stride = m_possible = 0;
  m_led_before = -1;
  start_led(dt);
  if (has_potential()) return;
  m_forces.setZero(m_assembly.size());
  m_load += m_coupling.add_forces(m_states->trial, m_forces);
}

void NetPotential::find_forces(Eigen::VectorXd& forces) const {
  forces.setZero(m_assembly.size());
  m_coupling.add_forces(m_states->trial, forces);
}

namespace {
// Of a way that is cut short: so that where it ends nothing is about to be passed; and a part too small to count.
constexpr double part_gone = 0.9, hardly = 1e-9;
// Each time that something is led it takes most of the gap before it, and of a barrier that is closed so far one step of Newton's
// method opens half as much again. Led on at once, the gap would close for good: it waits, as long as the gap opens by more than
// the latter, until the former part of the longest such way is free again.
constexpr double recovered = 0.5, opens = 1.2;
// Than the last time, at most, when what is free is moved as it has followed: then the gap hardly closes.
constexpr double farther = 4;
}  // namespace

// What is prescribed goes to its place at once where nothing is in its way. Where something is, all that is free may have flown
// on with it; and else it is led there in the course of the solve (`lead`), and pushes what it meets.
void NetPotential::start_led(double dt) {
  place_start(1, 0);
  m_coupling.lead(0, 1);
  const assembly::Coupling::SafePart stays = m_coupling.safe_part(*m_from, m_states->trial);
  m_led = 1;
  m_blocked = -1;
  if (stays.part == 1) return m_coupling.lead(1, 1);
  place_start(1, dt);
  const assembly::Coupling::SafePart flies = m_coupling.safe_part(*m_from, m_states->trial);
  m_blocked = std::max(stays.block, 0);
  if (flies.part == 1)
    m_led = 1;
  else
    m_led = part_gone * std::max(stays.part, flies.part);
  place_start(m_led, flies.part > stays.part ? m_led * dt : 0);
  m_coupling.lead(m_led, m_led);
}

// Which part more of its way it may be led at once, towards that part of it; what is free goes on as it has followed so far, so
// many times as far.
double NetPotential::part_to_lead(double end, double follow) {
  place_led(end, follow);
  m_coupling.lead(m_led, end);
  const assembly::Coupling::SafePart safe = m_coupling.safe_part(m_states->base, m_states->trial);
  if (safe.block >= 0) m_blocked = safe.block;
  return (end - m_led) * (safe.part == 1 ? 1 : part_gone * safe.part);
}

void NetPotential::place_led(double part, double follow) {
  const State &now = m_states->base, &before = m_states->led;
  for (const auto& node : m_assembly.nodes())
    m_states->trial.x[node.index] = now.x[node.index] + follow * (now.x[node.index] - before.x[node.index]);
  for (const auto& turn : m_assembly.orientations()) {
    const Quat &q = now.q[turn.index], &from = before.q[turn.index];
    m_states->trial.q[turn.index] = follow > 0 ? q * fraction_of(conj(from) * q, follow) : q;
  }
  place_prescribed(part);
}

// Its own, and nothing else: other nets use the same states at the same time.
void NetPotential::keep(const State& state, State& in) const {
  for (const auto& node : m_assembly.nodes()) in.x[node.index] = state.x[node.index];
  for (const auto& turn : m_assembly.orientations()) in.q[turn.index] = state.q[turn.index];
}

bool NetPotential::lead() {
  keep(m_states->trial, m_states->base);
  const double gone = m_led_before < 0 ? 0 : m_led - m_led_before;
  double end = 1, follow = 0, possible = part_to_lead(1, 0);
  const double last = std::exchange(m_possible, possible);
  if (gone > 0 && possible < 1 - m_led) {
    const double there = std::min(1.0, m_led + farther * gone), times = (there - m_led) / gone;
    const double together = part_to_lead(there, times);
    if (together > possible) {
      possible = together;
      end = there;
      follow = times;
    }
  }
  const bool closes = possible < 1 - m_led && possible < recovered * m_stride;
  if (closes && m_possible > opens * last) {
    place_led(m_led, 0);
    m_coupling.lead(m_led, m_led);
    return true;
  }
  m_stride = std::max(m_stride, possible);
  m_possible = 0;  // after it has been led on there is nothing to compare with
  const double whole = end - m_led;
  const bool arrives = possible == whole, counts = (arrives && end == 1) || possible > hardly;
  const double to = !counts ? m_led : arrives ? end : m_led + possible;
  place_led(to, counts ? follow * (possible / whole) : 0);
  if (counts) {
    keep(m_states->base, m_states->led);
    m_led_before = m_led;
    m_led = to;
  }
  m_coupling.lead(m_led, m_led);
  return counts;
}

std::string NetPotential::crushed() const {
  const std::string what = assembly::crushed(*m_model, m_coupling, m_states->trial);
  return what.empty() ? what : what + ", and no step can satisfy that; move one of them elsewhere";
}

// A soft rod that is pressed without end is drawn out at the place, until the points at which contact is looked for lie so far
// apart that it slips between them. Points an eighth of a radius apart at rest keep rods apart to 0.2 % of their distance where
// they are drawn out twice, to 3 % eight times, and not at all from 32 times on.
std::string NetPotential::refused(bool led) const {
  constexpr double far = 2, too_far = 8;
  const assembly::Drawn drawn = assembly::drawn_out(*m_model, m_coupling, m_states->trial, far);
  if (led && drawn.more >= far)
    if (std::string what = crushed(); !what.empty()) return what;
  if (drawn.times < too_far) return {};
  return fmt::format(
      "a rod is drawn to {:.1f} times its length where it is pressed, and is about to slip between its points of contact; make "
      "it "
      "stiffer, or press it less",
      drawn.times);
}

void NetPotential::report_blocked(StepReport& report) const {
  report.status = StepStatus::not_converged;
  const std::string what = assembly::what_presses(*m_model, m_coupling, m_states->trial);
  report.cause = crushed();
  if (report.cause.empty())
    report.cause = fmt::format(
        "a support or an obstacle that moves comes {:.3g} of its way in this step and is then blocked{}; take a smaller time.dt, "
        "or move it elsewhere",
        m_led, what.empty() ? "" : " (" + what + ")");
  report.shorter_helps = true;
  blame(m_blocked, report);
}

// flown: s, for which nodes that are free have gone on as they moved.
void NetPotential::place_start(double part, double flown) {
  for (const auto& turn : m_assembly.orientations()) m_states->trial.q[turn.index] = m_from->q[turn.index];
  for (const auto& node : m_assembly.nodes()) {
    m_states->trial.x[node.index] = m_from->x[node.index];
    if (flown > 0) m_states->trial.x[node.index] += flown * m_from->v[node.index];
  }
  place_prescribed(part);
}

void NetPotential::place_prescribed(double part) {
  const bool arrives = part == 1;
  for (const auto& node : m_assembly.nodes()) {
    const Vec3 free = block(m_assembly.free(), node.block), &from = m_from->x[node.index], &to = m_to->x_support[node.index];
    const Vec3 held = arrives ? to : from + part * (to - from);
    Vec3& x = m_states->trial.x[node.index];
    x = scale(free, x) + scale(Vec3{1, 1, 1} - free, held);
  }
  for (const int j : m_assembly.joints()) {
    for (const int side : {m_model->joints().a[j], m_model->joints().b[j]}) {
      const int frame = side - m_model->segment_count();
      if (frame < 0 || !m_model->frames().is_prescribed(frame)) continue;
      const Quat &from = m_from->q[side], &to = m_to->q_support[frame];
      m_states->trial.q[side] = m_states->base.q[side] = arrives ? to : from * fraction_of(conj(from) * to, part);
    }
    if (const int ring = m_model->joints().closes[j]; ring >= 0) {
      const double from = m_from->closing[ring], to = m_to->closing[ring];
      m_states->trial.closing[ring] = arrives ? to : from + part * (to - from);
    }
  }
}

void NetPotential::load_nodes(const State& state, const Loading& loading, double dt) {
  for (NodeTerm& node : m_nodes) {
    const int k = node.index;
    const auto quadratic = elastic::node_quadratic(m_model->nodes().mass[k], state.v[k], loading.force[k], loading.drag[k],
                                                   loading.drag_force[k], m_model->scene().damping.mass, dt);
    node.matrix = quadratic.matrix;
    node.force = quadratic.force;
    node.x_prev = state.x[k];
    m_load += norm(loading.force[k]);
  }
}

void NetPotential::load_spins(const State& state, const Loading& loading, double dt) {
  for (SpinTerm& spin : m_spins) {
    const int s = spin.index;
    const auto quadratic =
        elastic::spin_quadratic(m_model->segments().inertia[s], state.w[s], loading.moment[s], m_model->scene().damping.mass, dt);
    spin.inertia = quadratic.inertia;
    spin.momentum = quadratic.momentum;
    spin.q_prev = state.q[s];
    m_load += norm(loading.moment[s]) / length();
  }
}

void NetPotential::load_material(const StepMaterial& material) {
  if (material.plain() && m_plain) return;
  m_plain = material.plain();
  for (std::size_t i = 0; i < m_assembly.segments().size(); ++i) {
    m_damped.stretch[i] = material.factor() * m_elastic.stretch[i];
    m_damped.stretch_rest[i] = material.segment_rest(m_assembly.segments()[i]);
  }
  for (std::size_t i = 0; i < m_assembly.joints().size(); ++i) {
    m_damped.bend[i] = material.factor() * m_elastic.bend[i];
    m_damped.bend_rest[i] = material.joint_rest(m_assembly.joints()[i]);
  }
}

NetPotential::Value NetPotential::evaluate(Eigen::VectorXd& gradient) const {
  gradient.setZero();
  Value value;
  value.sums = m_assembly.add_gradient(m_states->trial, m_damped, gradient);
  for (const NodeTerm& node : m_nodes) {
    const Vec3 y = m_states->trial.x[node.index] - node.x_prev;
    const Vec3 Dy = node.matrix * y;
    add_block(gradient, node.block, Dy - node.force);
    value.sums.energy += dot(y, 0.5 * Dy - node.force);
  }
  for (const SpinTerm& term : m_spins) {
    const auto spin = elastic::spin_value(term.q_prev, m_states->trial.q[term.index], m_inv_h, term.inertia, term.momentum);
    add_block(gradient, term.block, spin.moment);
    value.sums.energy += spin.energy;
  }
  m_coupling.add_gradient(m_states->trial, gradient, value.sums);
  gradient = gradient.cwiseProduct(m_assembly.free());
  value.residual = assembly::largest_force(gradient, m_assembly.free(), m_levers);
  value.only_rounding = value.residual.force <= m_rounding && finds_only_rounding(gradient);
  return value;
}

// N: what rounding errors make of the force on a block with this inertia (N/m), or of its moment over the lever.
double NetPotential::rounding_of(int block, double heaviest) const {
  const assembly::BlockScale& own = m_blocks[block];
  return assembly::rounding_error(own.stretch, own.bend, m_size, m_damped_factor, heaviest + m_coupled[block].at(m_size));
}

double NetPotential::rounding_of(int block) const { return rounding_of(block, 0); }

// Block by block, as Scales::rounding does for the stiffest of them. Orientations are known to a few parts in 1e16 of 1.
bool NetPotential::finds_only_rounding(const Eigen::VectorXd& gradient) const {
  const auto is = [&](int at, double heaviest, double spins) {  // N/m, N m
    const double lever = m_blocks[at].lever, spun = std::numeric_limits<double>::epsilon() * spins / lever;
    return norm(block(gradient, at)) / lever <= 8 * (rounding_of(at, heaviest) + spun);
  };
  for (const NodeTerm& node : m_nodes)
    if (!is(node.block, std::max({node.matrix.xx, node.matrix.yy, node.matrix.zz}), 0)) return false;
  for (const SpinTerm& spin : m_spins) {
    const Vec3 own = (m_inv_h * m_inv_h) * spin.inertia;
    if (!is(spin.block, 0, std::max({own.x, own.y, own.z}))) return false;
  }
  return std::all_of(m_assembly.orientations().begin() + static_cast<std::ptrdiff_t>(m_spins.size()),
                     m_assembly.orientations().end(), [&](const auto& frame) { return is(frame.block, 0, 0); });
}

namespace {
Curvature curvature_of(double geometric) { return geometric == 1 ? Curvature::exact : Curvature::convex; }
}  // namespace

void NetPotential::add_hessian(double geometric, linalg::BlockMatrix& matrix) const {
  m_assembly.add_hessian(m_states->trial, m_damped, geometric, matrix);
  m_coupling.add_hessian(m_states->trial, curvature_of(geometric), matrix);
}

bool NetPotential::find_hessian(double geometric) {
  return m_coupling.find_hessians(m_assembly, m_states->trial, curvature_of(geometric));
}

void NetPotential::add_found_hessian(double geometric, linalg::BlockMatrix& matrix, Which which) const {
  m_assembly.add_hessian(m_states->trial, m_damped, geometric, matrix);
  m_coupling.add_found(matrix, which);
}

bool NetPotential::foresee(assembly::Foresight& foresight) {
  return foresight.look(m_assembly, m_coupling, m_states->base, m_states->trial);
}

Sym3 NetPotential::spin_hessian(const SpinTerm& spin, double geometric) const {
  const Quat& q = m_states->trial.q[spin.index];
  const Vec3 excess = scale(spin.inertia, elastic::angular_rate(spin.q_prev, q, m_inv_h)) - spin.momentum;
  return elastic::spin_hessian(spin.q_prev, q, m_inv_h, spin.inertia, geometric * excess);
}

void NetPotential::add_inertia(double geometric, linalg::BlockMatrix& matrix) const {
  for (const NodeTerm& node : m_nodes) matrix.add(matrix.slot(node.block, node.block), node.matrix);
  for (const SpinTerm& spin : m_spins) matrix.add(matrix.slot(spin.block, spin.block), spin_hessian(spin, geometric));
}

// A stiff link whose direction turns is a curved valley, as deep as it is stiff: the search follows it in short steps, and more
// of them the stiffer it is (1e4 times a segment of the rods and 10 ms: 100 do; 1e7 times: not). A shorter step is not always
// enough.
std::string NetPotential::remedy_of_stiff_links() const {
  constexpr double far_stiffer = 1e4, as_good = 1e3;  // than the stiffest segment
  const auto is_own = [this](const LinkEnd& end) {
    return end.place && std::any_of(m_assembly.nodes().begin(), m_assembly.nodes().end(),
                                    [&](const auto& node) { return node.index == end.place->node0; });
  };
  const ResolvedLink* stiffest = nullptr;
  for (const ResolvedLink& link : m_model->links())
    if ((is_own(link.from) || is_own(link.to)) && (!stiffest || link.link.stiffness > stiffest->link.stiffness)) stiffest = &link;
  if (!stiffest || !(stiffest->link.stiffness > far_stiffer * m_scales.stretch)) return {};
  return fmt::format(
      "; links[{}] is {:.0e} times as stiff as a segment of what it holds: a stiffness of {:.0e} N/m holds as well",
      stiffest - m_model->links().data(), stiffest->link.stiffness / m_scales.stretch, as_good * m_scales.stretch);
}

void NetPotential::place(const Configuration& there) {
  for (const auto& at : m_assembly.nodes()) m_states->trial.x[at.index] = there.x[at.index];
  for (const auto& at : m_assembly.orientations()) m_states->trial.q[at.index] = there.q[at.index];
}

void NetPotential::store(Configuration& next) const {
  for (const auto& at : m_assembly.nodes()) next.x[at.index] = m_states->trial.x[at.index];
  for (const auto& at : m_assembly.orientations()) next.q[at.index] = m_states->trial.q[at.index];
}

void NetPotential::blame(int at, StepReport& report) const {
  const assembly::Culprit place = assembly::culprit(*m_model, m_assembly, at);
  report.rod = place.rod;
  report.node = place.node;
}

}  // namespace writhe
