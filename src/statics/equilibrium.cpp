#include "statics/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "math/rotation.h"
#include "simulation/measure.h"

namespace writhe::statics {

using assembly::add_block;
using assembly::block;
using Eigen::VectorXd;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// rad, or part of the length: farther than this one linear step is not believed.
constexpr double longest_step = 0.5;

bool is_directional(const Load& load) {
  if (const auto* force = std::get_if<ForceLoad>(&load.kind)) return force->follower;
  return !std::holds_alternative<LineLoad>(load.kind);
}

// kg and kg m^2 per unknown.
VectorXd lumped_mass(const Model& model, const assembly::Assembly& assembly) {
  VectorXd mass = VectorXd::Zero(assembly.size());
  for (const auto& node : assembly.nodes()) {
    const double m = model.nodes().mass[node.index];
    add_block(mass, node.block, {m, m, m});
  }
  for (const auto& turn : assembly.orientations())
    if (turn.index < model.segment_count()) add_block(mass, turn.block, model.segments().inertia[turn.index]);
  return mass;
}

Mat3 cross_matrix(const Vec3& v) { return {{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}; }

void add_entries(std::vector<Eigen::Triplet<double>>& entries, int row, int column, const Mat3& m) {
  const Vec3 rows[3] = {m.r0, m.r1, m.r2};
  for (int i = 0; i < 3; ++i) {
    entries.emplace_back(3 * row + i, 3 * column, rows[i].x);
    entries.emplace_back(3 * row + i, 3 * column + 1, rows[i].y);
    entries.emplace_back(3 * row + i, 3 * column + 2, rows[i].z);
  }
}

}  // namespace

Equilibrium::Equilibrium(const Model& model, double tolerance)
    : m_model(model),
      m_tolerance(tolerance),
      m_drive(model),
      m_assembly(model),
      m_scales(model, m_assembly),
      m_levers(assembly::levers(model, m_assembly)),
      m_material(m_assembly.material()),
      m_matrix(m_assembly.matrix()),
      m_factor(m_matrix),
      m_free(m_assembly.free()),
      m_mass(lumped_mass(model, m_assembly)) {
  for (const ResolvedLoad& resolved : model.loads()) {
    m_directional = m_directional || is_directional(resolved.load);
    m_windy =
        m_windy || std::holds_alternative<WindLoad>(resolved.load.kind) || std::holds_alternative<DragLoad>(resolved.load.kind);
  }
}

double Equilibrium::softness() const { return m_scales.flexural / (m_scales.mass * std::pow(m_scales.length, 3)); }

double Equilibrium::size_of(const VectorXd& step) const {
  double size = 0;
  for (const auto& node : m_assembly.nodes()) size = std::max(size, norm(block(step, node.block)) / m_scales.length);
  for (const auto& turn : m_assembly.orientations()) size = std::max(size, norm(block(step, turn.block)));
  return size;
}

double Equilibrium::distance(const State& a, const State& b) const { return size_of(way(a, b)); }

// ---- residual ------------------------------------------------------------------------------------------------------
void Equilibrium::place(State& state, const Where& where) {
  const Loading& at = loading(state, where);
  const Nodes& nodes = m_model.nodes();
  for (int i = 0; i < m_model.node_count(); ++i) {
    if (nodes.fixed[i] & fixed_x) state.x[i].x = at.x_support[i].x;
    if (nodes.fixed[i] & fixed_y) state.x[i].y = at.x_support[i].y;
    if (nodes.fixed[i] & fixed_z) state.x[i].z = at.x_support[i].z;
  }
  for (int f = 0; f < m_model.frame_count(); ++f)
    if (m_model.frames().prescribed[f]) state.q[m_model.segment_count() + f] = at.q_support[f];
  state.closing = at.closing;
  state.time = where.time;
}

VectorXd Equilibrium::loads(const State& state, const Where& where) {
  const Loading& at = loading(state, where);
  VectorXd out = VectorXd::Zero(m_assembly.size());
  for (const auto& node : m_assembly.nodes())
    add_block(out, node.block, where.load * (at.force[node.index] + at.drag_force[node.index]));
  for (const auto& turn : m_assembly.orientations()) add_block(out, turn.block, where.load * at.moment[turn.index]);
  return out;
}

VectorXd Equilibrium::elastic(const State& state) const {
  VectorXd out = VectorXd::Zero(m_assembly.size());
  m_assembly.add_gradient(state, m_material, out);
  return out;
}

std::vector<Vec3> Equilibrium::frame_moments(const State& state) const {
  VectorXd gradient = VectorXd::Zero(m_assembly.size());
  std::vector<Vec3> out(static_cast<std::size_t>(m_model.frame_count()), Vec3{});
  m_assembly.add_gradient(state, m_material, gradient, &out);
  return out;
}

Residual Equilibrium::residual(const State& state, const Where& where) {
  const VectorXd applied = loads(state, where);
  Residual out;
  out.vector = -applied;
  out.sums = m_assembly.add_gradient(state, m_material, out.vector);
  out.potential = out.sums.energy;
  double load = 0;  // N
  for (const auto& node : m_assembly.nodes()) {
    const Vec3 force = block(applied, node.block);
    out.potential -= dot(force, state.x[node.index]);
    load += norm(force);
  }
  for (const auto& turn : m_assembly.orientations()) load += norm(block(applied, turn.block)) / m_scales.length;
  const assembly::Residual worst = assembly::largest_force(out.vector, m_free, m_levers);
  out.force = worst.force;
  out.block = worst.block;
  const double rounding = m_scales.rounding(assembly::largest_coordinate(state, m_assembly));
  out.limit = std::max(m_tolerance * (load + std::max(out.sums.internal, out.sums.moment / m_scales.length)), rounding / 8);
  return out;
}

// ---- tangent -------------------------------------------------------------------------------------------------------
// What moments and follower forces add to the tangent: derivatives of -force. The body components of a moment M in space change
// by m x delta; and the derivative of a body gradient g along a turn is the Hessian plus [g]x/2, which matters only where loads
// balance g (elsewhere it vanishes with the residual).
void Equilibrium::add_load_stiffness(const State& state, const Where& where, std::vector<Eigen::Triplet<double>>& entries) {
  std::vector<int> turned_back;  // orientations with a moment
  for (const ResolvedLoad& resolved : m_model.loads()) {
    const ResolvedPlace& at = resolved.at;
    const double factor = where.load * resolved.load.ramp.at(where.time);
    const std::pair<int, double> shares[] = {{at.segment0, 1 - at.segment_weight1}, {at.segment1, at.segment_weight1}};
    if (const auto* load = std::get_if<MomentLoad>(&resolved.load.kind)) {
      for (const auto& [segment, weight] : shares) {
        if (weight == 0) continue;
        const int b = m_assembly.block_of_orientation(segment);
        if (!load->follower)
          add_entries(entries, b, b, cross_matrix((-weight * factor) * rotate_back(state.q[segment], load->moment)));
        turned_back.push_back(b);
      }
    } else if (const auto* follower = std::get_if<ForceLoad>(&resolved.load.kind); follower && follower->follower) {
      const Mat3 R = matrix(measure::frame_at(state, at));
      const Mat3 turned = R * cross_matrix(factor * follower->force);
      const std::pair<int, double> ends[] = {{at.node0, 1 - at.node_weight1}, {at.node1, at.node_weight1}};
      for (const auto& [node, node_weight] : ends) {
        for (const auto& [segment, weight] : shares) {
          const double w = node_weight * weight;
          add_entries(entries, m_assembly.block_of_node(node), m_assembly.block_of_orientation(segment),
                      {w * turned.r0, w * turned.r1, w * turned.r2});
        }
      }
    }
  }
  std::sort(turned_back.begin(), turned_back.end());
  turned_back.erase(std::unique(turned_back.begin(), turned_back.end()), turned_back.end());
  if (turned_back.empty()) return;
  const VectorXd gradient = elastic(state);
  for (const int b : turned_back) add_entries(entries, b, b, cross_matrix(0.5 * block(gradient, b)));
}

// Wind and drag depend on the orientation of each segment, by differences. Every second segment of a rod is turned at once: a
// node then feels one of them; where more meet, at a junction, they share, which costs accuracy of the tangent only.
void Equilibrium::add_wind_stiffness(const State& state, const Where& where, std::vector<Eigen::Triplet<double>>& entries) {
  constexpr double turn = 1e-6;  // rad
  constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Segments& segments = m_model.segments();
  const VectorXd before = loads(state, where);
  for (const int colour : {0, 1}) {
    std::vector<std::vector<int>> around(static_cast<std::size_t>(m_model.node_count()));  // segments of the colour
    for (int s = 0; s < m_model.segment_count(); ++s) {
      if ((s - m_model.rods()[segments.rod[s]].first_segment) % 2 != colour) continue;
      around[segments.node0[s]].push_back(s);
      around[segments.node1[s]].push_back(s);
    }
    for (int k = 0; k < 3; ++k) {
      State turned = state;
      for (int s = 0; s < m_model.segment_count(); ++s)
        if ((s - m_model.rods()[segments.rod[s]].first_segment) % 2 == colour)
          turned.q[s] = assembly::turned(state.q[s], turn * axes[k]);
      const VectorXd change = (loads(turned, where) - before) / turn;
      for (const auto& node : m_assembly.nodes()) {
        const std::vector<int>& own = around[node.index];
        const Vec3 share = block(change, node.block) / -static_cast<double>(std::max<std::size_t>(own.size(), 1));
        for (const int s : own) {
          const int column = 3 * m_assembly.block_of_orientation(s) + k;
          entries.emplace_back(3 * node.block, column, share.x);
          entries.emplace_back(3 * node.block + 1, column, share.y);
          entries.emplace_back(3 * node.block + 2, column, share.z);
        }
      }
    }
  }
}

bool Equilibrium::assemble_symmetric(const State& state) {
  m_matrix.set_zero();
  m_assembly.add_hessian(state, m_material, 1, m_matrix);
  return m_factor.factorise(m_matrix, m_free);
}

void Equilibrium::hold_neutral(const std::vector<int>& pins, NeutralDirections directions) {
  m_free = m_assembly.free();
  for (const int pin : pins) m_free[pin] = 0;
  m_directions = std::move(directions);
  m_neutral.clear();
}

// The neutral directions at a state, orthonormal in the mass.
void Equilibrium::orient_neutral(const State& state) {
  m_neutral.clear();
  if (!m_directions) return;
  const auto product = [this](const Eigen::SparseVector<double>& a, const Eigen::SparseVector<double>& b) {
    double sum = 0;
    const auto last = [](const Eigen::SparseVector<double>& v) { return v.innerIndexPtr()[v.nonZeros() - 1]; };
    const bool apart = a.nonZeros() == 0 || b.nonZeros() == 0 || last(a) < *b.innerIndexPtr() || last(b) < *a.innerIndexPtr();
    if (apart) return sum;  // of different parts
    Eigen::SparseVector<double>::InnerIterator i(a), j(b);
    while (i && j) {
      if (i.index() == j.index()) sum += i.value() * m_mass[i.index()] * j.value();
      const auto at = std::min(i.index(), j.index());
      if (i.index() == at) ++i;
      if (j && j.index() == at) ++j;
    }
    return sum;
  };
  for (Eigen::SparseVector<double>& direction : m_directions(state)) {
    for (int twice = 0; twice < 2; ++twice)
      for (const auto& other : m_neutral)
        if (const double along = product(other, direction); along != 0) direction -= along * other;
    const double size = std::sqrt(product(direction, direction));
    if (size > 0) m_neutral.push_back(direction / size);
  }
}

// What moves least among the steps that differ by neutral motions: the unknowns that are held would else drag all others along.
VectorXd Equilibrium::without_neutral(VectorXd step) const {
  for (const auto& direction : m_neutral) {
    double along = 0;
    for (Eigen::SparseVector<double>::InnerIterator it(direction); it; ++it)
      along += it.value() * m_mass[it.index()] * step[it.index()];
    for (Eigen::SparseVector<double>::InnerIterator it(direction); it; ++it) step[it.index()] -= along * it.value();
  }
  return step;
}

bool Equilibrium::factorise(const State& state, const Where& where) {
  const bool regular = assemble_symmetric(state);
  orient_neutral(state);
  m_unsymmetric.reset();
  if (!m_directional || where.load == 0) return regular;

  std::vector<Eigen::Triplet<double>> entries;
  add_load_stiffness(state, where, entries);
  if (m_windy) add_wind_stiffness(state, where, entries);
  Eigen::SparseMatrix<double> full = m_matrix.lower().selfadjointView<Eigen::Lower>();
  Eigen::SparseMatrix<double> extra(m_assembly.size(), m_assembly.size());
  extra.setFromTriplets(entries.begin(), entries.end());
  full += extra;
  for (int column = 0; column < full.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator it(full, column); it; ++it)
      it.valueRef() = it.row() == it.col() ? it.value() * m_free[column] + (1 - m_free[column])
                                           : it.value() * m_free[it.row()] * m_free[column];
  m_unsymmetric = std::make_unique<Eigen::SparseLU<Eigen::SparseMatrix<double>>>();
  m_unsymmetric->compute(full);
  return m_unsymmetric->info() == Eigen::Success;
}

VectorXd Equilibrium::solve(const VectorXd& right) const {
  if (!m_unsymmetric) return without_neutral(m_factor.solve(right));
  return without_neutral(m_unsymmetric->solve(right.cwiseProduct(m_free)).cwiseProduct(m_free));
}

bool Equilibrium::factorise_shifted(double eigenvalue) { return m_factor.factorise(m_matrix, m_free, -eigenvalue, m_mass); }

// ---- Newton's method -----------------------------------------------------------------------------------------------
// Steps are not shortened but for being long: a rod that is bent by a linear step is stretched, which is stiff, so that neither
// potential nor residual fall at once; the next step, with a new tangent, takes the stretch out. What does not get smaller over
// two steps does not converge, and the path is to be followed in shorter ones.
Solved Equilibrium::correct(State& state, const Where& where, int max_iterations) {
  Solved out;
  place(state, where);
  out.residual = residual(state, where);
  double before = std::numeric_limits<double>::infinity();  // N: of the iteration before
  double lengths[2] = {before, before};                     // of the last two steps
  const auto stop = [&](Outcome outcome) {
    out.outcome = outcome;
    return out;
  };
  for (;; ++out.iterations) {
    if (!out.residual.finite()) return stop(Outcome::not_finite);
    const assembly::Sums& sums = out.residual.sums;
    if (sums.joint_cosine < assembly::joint_cosine_limit) return stop(Outcome::coarse);
    const double force = out.residual.force;
    if (force <= out.residual.limit && (out.iterations > 0 || force == 0)) return stop(Outcome::converged);
    if (force > 0.5 * before && force <= 8 * out.residual.limit) return stop(Outcome::converged);
    before = force;
    if (out.iterations == max_iterations)
      return stop(assembly::coarse_joint(sums.joint_cosine, sums.joint_fold) ? Outcome::coarse : Outcome::too_many);
    if (!factorise(state, where)) return stop(Outcome::stalled);
    const VectorXd step = -solve(out.residual.vector);
    const double length = size_of(step);
    if (!std::isfinite(length)) return stop(Outcome::not_finite);
    if (length > 2 * std::max(lengths[0], lengths[1])) return stop(Outcome::stalled);
    lengths[0] = std::exchange(lengths[1], length);
    const State base = state;
    m_assembly.move(base, step, std::min(1.0, longest_step / length), state);
    out.residual = residual(state, where);
  }
}

// ---- minimisation --------------------------------------------------------------------------------------------------
// Turns and displacements that lead from one state to the other.
VectorXd Equilibrium::way(const State& from, const State& to) const {
  VectorXd out = VectorXd::Zero(m_assembly.size());
  for (const auto& node : m_assembly.nodes()) add_block(out, node.block, to.x[node.index] - from.x[node.index]);
  for (const auto& turn : m_assembly.orientations())
    add_block(out, turn.block, log_rotation(conj(from.q[turn.index]) * to.q[turn.index]));
  return out;
}

// Factors Hessian + shift * mass with a shift, at least the given one, that makes it positive definite.
bool Equilibrium::make_definite(const State& state, double& shift) {
  m_matrix.set_zero();
  m_assembly.add_hessian(state, m_material, 1, m_matrix);
  orient_neutral(state);
  for (int attempt = 0; attempt < 60; ++attempt) {
    if (m_factor.factorise(m_matrix, m_free, shift, m_mass) && m_factor.negative() == 0) return true;
    shift = std::max(4 * shift, 1e-4 * softness());
  }
  return false;
}

// One step downhill: the minimum of potential + shift/2 |u - base|^2 in the mass, which is a step of implicit Euler from rest,
// found to a tenth by Newton's method. False, with the state as it was, when that does not lower the potential.
bool Equilibrium::descend(State& state, const Where& where, Residual& at, double shift, int& iterations) {
  const State base = state;
  const Residual start = at;
  const double noise = 100 * epsilon * (std::abs(start.potential) + start.sums.internal * m_scales.length);
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 8; ++k) {
    double same = shift;
    if (k > 0 && (!make_definite(state, same) || same != shift)) break;
    const VectorXd moved = way(base, state);
    const VectorXd step = -without_neutral(m_factor.solve(at.vector + shift * m_mass.cwiseProduct(moved)));
    const double length = size_of(step);
    if (!std::isfinite(length) || length > 2 * before) break;
    before = length;
    const State from = state;
    m_assembly.move(from, step, std::min(1.0, longest_step / length), state);
    at = residual(state, where);
    ++iterations;
    if (!at.finite() || at.sums.joint_cosine < assembly::joint_cosine_limit) break;
    const VectorXd gone = way(base, state);
    const double cost = 0.5 * shift * gone.cwiseProduct(m_mass).dot(gone);
    const bool falls = at.potential + cost <= start.potential + noise;
    if (falls && (length <= 0.1 * size_of(gone) || at.force <= at.limit)) return true;
  }
  state = base;
  at = start;
  return false;
}

// Down the potential in steps that are as long as its convexity allows. A line search would do worse: a rod that is bent along a
// straight line in the space of its unknowns stretches, stretching is stiff, and steps would be cut to a hundredth.
Solved Equilibrium::minimise(State& state, const Where& where, int max_iterations) {
  Solved out;
  place(state, where);
  m_unsymmetric.reset();
  out.residual = residual(state, where);
  double before = std::numeric_limits<double>::infinity();
  double shift = 0;  // 1/s^2
  const auto stop = [&](Outcome outcome) {
    const assembly::Sums& sums = out.residual.sums;
    const bool coarse = assembly::coarse_joint(sums.joint_cosine, sums.joint_fold) != nullptr;
    out.outcome = coarse && outcome != Outcome::converged && outcome != Outcome::not_finite ? Outcome::coarse : outcome;
    return out;
  };
  for (;;) {
    if (!out.residual.finite()) return stop(Outcome::not_finite);
    const double force = out.residual.force;
    if (force <= out.residual.limit) return stop(Outcome::converged);
    if (force > 0.5 * before && force <= 8 * out.residual.limit) return stop(Outcome::converged);
    before = force;
    if (out.iterations >= max_iterations) return stop(Outcome::too_many);
    if (!make_definite(state, shift)) return stop(Outcome::stalled);
    if (descend(state, where, out.residual, shift, out.iterations)) {
      shift = shift < 1e-3 * softness() ? 0 : shift / 4;
    } else {
      if (force <= 8 * out.residual.limit) return stop(Outcome::converged);
      before = std::numeric_limits<double>::infinity();
      shift = std::max(8 * shift, 1e-2 * softness());
      if (!(shift < 1e30 * softness())) return stop(Outcome::stalled);
      ++out.iterations;
    }
  }
}

}  // namespace writhe::statics
