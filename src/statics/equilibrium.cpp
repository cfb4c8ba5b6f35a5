#include "statics/equilibrium.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>

#include "assembly/crush.h"
#include "loads/load_stiffness.h"
#include "math/rotation.h"
#include "statics/directions.h"

namespace writhe::statics {

using assembly::add_block;
using assembly::block;
using Eigen::VectorXd;

namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

Entries entries_of(const assembly::Assembly& assembly, const std::vector<TangentBlock>& blocks) {
  Entries out;
  for (const TangentBlock& block : blocks) {
    const int row = 3 * assembly.block_of(block.row), column = 3 * assembly.block_of(block.column);
    const Vec3 rows[3] = {block.value.r0, block.value.r1, block.value.r2};
    for (int i = 0; i < 3; ++i) {
      out.emplace_back(row + i, column, rows[i].x);
      out.emplace_back(row + i, column + 1, rows[i].y);
      out.emplace_back(row + i, column + 2, rows[i].z);
    }
  }
  return out;
}

// Whether an element pulls or resists at a state.
bool acts(const Term& term, int element, const State& at) {
  if (term.value(element, at).force > 0) return true;
  std::array<Mat3, Term::most_pairs> pairs{};
  const std::size_t dofs = term.dofs(element).size(), count = dofs * (dofs + 1) / 2;
  term.hessian(element, at, Curvature::exact, std::span(pairs).first(count));
  return std::any_of(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const Mat3& m) { return dot(m.r0, m.r0) + dot(m.r1, m.r1) + dot(m.r2, m.r2) > 0; });
}

// Straight, and by even turns to the order that a small one needs.
State part_of_way(const State& from, const State& to, double part) {
  State out = from;
  for (std::size_t i = 0; i < out.x.size(); ++i) out.x[i] += part * (to.x[i] - from.x[i]);
  for (std::size_t s = 0; s < out.q.size(); ++s) out.q[s] = from.q[s] * fraction_of(conj(from.q[s]) * to.q[s], part);
  return out;
}

// Whether there is something to see at a state that is allowed.
bool visit_at(const Term& term, int element, std::span<const int> blocks, const State& at,
              const Equilibrium::TermVisitor& visit) {
  const Term::Value value = term.value(element, at);
  if (value.force == 0) return false;
  visit.acting(blocks, at, value);
  return true;
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

}  // namespace

Equilibrium::Equilibrium(const Model& model, double tolerance, std::shared_ptr<Terms> terms)
    : m_model(model),
      m_drive(model),
      m_assembly(model),
      m_scales(model, m_assembly),
      m_terms(std::move(terms)),
      m_islands(model, m_terms),
      m_coupling(m_terms),
      m_parts(model, m_assembly),
      m_limits(model, m_assembly, m_parts, tolerance),
      m_material(m_assembly.material()),
      m_matrix(m_assembly.matrix()),
      m_factor(m_matrix),
      m_free(m_assembly.free()),
      m_mass(lumped_mass(model, m_assembly)) {
  begin_terms(model.initial_state());
}

// What the terms are at a state, at its time. Where they couple other things than before, parts and pattern are others.
void Equilibrium::begin_terms(const State& state) {
  if (m_terms->empty() || (m_begun && m_begun->time == state.time && m_begun->x == state.x)) return;
  m_begun = Begun{state.time, state.x};
  m_islands.find(state, {state.time, std::numeric_limits<double>::infinity()});
  m_elements.clear();
  for (const Islands::Island& island : m_islands.all())
    m_elements.insert(m_elements.end(), island.elements.begin(), island.elements.end());
  const bool changed = m_coupling.set(m_assembly, m_elements);
  m_coupled.assign(static_cast<std::size_t>(m_assembly.size() / 3), {});
  m_coupling.add_stiffness(m_coupled);
  if (!changed) return;
  m_factored.forget();
  m_matrix = m_assembly.matrix();
  m_factor.renew(m_matrix);
  m_parts = Parts(m_model, m_assembly, m_islands.all());
}

double Equilibrium::softness() const {
  double stiffest = 0;
  for (int part = 0; part < m_parts.count(); ++part) stiffest = std::max(stiffest, m_parts.scale(part).softness());
  return stiffest;
}

bool Equilibrium::has_potential(const Where& where) const {
  const auto turns = [&](const ResolvedLoad& resolved) {
    return loads::is_directional(m_model, resolved) && where.load * resolved.load.ramp.at(where.time) != 0;
  };
  return std::none_of(m_model.loads().begin(), m_model.loads().end(), turns);
}

double Equilibrium::size_of(const VectorXd& step) const {
  double size = 0;
  for (const auto& node : m_assembly.nodes()) size = std::max(size, norm(block(step, node.block)) / m_scales.length);
  for (const auto& turn : m_assembly.orientations()) size = std::max(size, norm(block(step, turn.block)));
  return size;
}

// Turns and displacements that lead from one state to the other.
VectorXd Equilibrium::way(const State& from, const State& to) const {
  VectorXd out = VectorXd::Zero(m_assembly.size());
  for (const auto& node : m_assembly.nodes()) add_block(out, node.block, to.x[node.index] - from.x[node.index]);
  for (const auto& turn : m_assembly.orientations())
    add_block(out, turn.block, log_rotation(conj(from.q[turn.index]) * to.q[turn.index]));
  return out;
}

double Equilibrium::distance(const State& a, const State& b) const { return size_of(way(a, b)); }

std::string Equilibrium::crushed(const State& state) {
  begin_terms(state);
  return assembly::crushed(m_model, m_coupling, state);
}

// ---- residual ------------------------------------------------------------------------------------------------------
bool Equilibrium::place(State& state, const Where& where) {
  const std::optional<State> before = m_terms->empty() ? std::nullopt : std::optional(state);
  const Loading& at = loading(state, where);
  const Nodes& nodes = m_model.nodes();
  for (int i = 0; i < m_model.node_count(); ++i) {
    if (nodes.fixed[i] & fixed_x) state.x[i].x = at.x_support[i].x;
    if (nodes.fixed[i] & fixed_y) state.x[i].y = at.x_support[i].y;
    if (nodes.fixed[i] & fixed_z) state.x[i].z = at.x_support[i].z;
  }
  for (int f = 0; f < m_model.frame_count(); ++f)
    if (m_model.frames().is_prescribed(f)) state.q[m_model.segment_count() + f] = at.q_support[f];
  state.closing = at.closing;
  state.time = where.time;
  return !before || safe_part(*before, state) == 1;
}

// Terms look at all that is passed on the way, and not only at what is near its beginning. What they are there is of no use for
// anything else.
double Equilibrium::safe_part(const State& from, const State& to) {
  m_terms->begin(from, {to.time, std::numeric_limits<double>::infinity(), Integrator::euler, to.x});
  m_begun.reset();
  double part = 1;
  for (std::size_t t = 0; t < m_terms->size(); ++t) {
    const Term& term = (*m_terms)[t];
    for (int e = 0; e < term.element_count() && part > 0; ++e) part = std::min(part, term.safe_part(e, from, to));
  }
  return part;
}

double Equilibrium::move(const State& from, const VectorXd& step, double scale, State& to) {
  m_assembly.move(from, step, scale, to);
  if (m_terms->empty()) return 1;
  constexpr double margin = 0.9;  // where it ends nothing is about to be passed
  const double safe = safe_part(from, to), part = safe < 1 ? margin * safe : 1;
  if (part < 1) m_assembly.move(from, step, part * scale, to);
  return part;
}

VectorXd Equilibrium::loads(const State& state, const Where& where) {
  const Loading& at = loading(state, where);
  VectorXd out = VectorXd::Zero(m_assembly.size());
  for (const auto& node : m_assembly.nodes())
    add_block(out, node.block, where.load * (at.force[node.index] + at.drag_force[node.index]));
  for (const auto& turn : m_assembly.orientations()) add_block(out, turn.block, where.load * at.moment[turn.index]);
  return out;
}

VectorXd Equilibrium::elastic(const State& state) {
  begin_terms(state);
  VectorXd out = VectorXd::Zero(m_assembly.size());
  assembly::Sums sums = m_assembly.add_gradient(state, m_material, out);
  m_coupling.add_gradient(state, out, sums);
  return out;
}

void Equilibrium::visit_terms(const State& state, std::span<const State> nearby, std::span<const State> opposite,
                              const TermVisitor& visit) {
  begin_terms(state);
  std::vector<int> blocks;
  std::vector<Unseen> unseen;
  for (const TermElement& element : m_elements) {
    const Term& term = m_terms->of(element);
    const int e = element.element;
    blocks.clear();
    for (const Dof& dof : term.dofs(e)) blocks.push_back(m_assembly.block_of(dof));
    if (!acts(term, e, state)) {
      visit.idle(blocks);
      continue;
    }
    for (std::size_t k = 0; k < nearby.size(); ++k) {
      Unseen one{&term, e, k, {term.safe_part(e, state, nearby[k]), 1}, {}};
      if (one.part[0] == 1 && visit_at(term, e, blocks, nearby[k], visit)) continue;
      one.part[1] = term.safe_part(e, state, opposite[k]);
      if (one.part[1] == 1 && visit_at(term, e, blocks, opposite[k], visit)) continue;
      one.blocks = blocks;
      unseen.push_back(std::move(one));
    }
  }
  visit_nearer(state, nearby, opposite, unseen, visit);
}

// Contact acts over a hundredth of a radius: where rods were shaken to, it is passed or gone. So what was not seen there is
// looked at on the way, half as far as all that was not seen may go. Of two opposite ways one closes a gap, and does not pass it.
void Equilibrium::visit_nearer(const State& state, std::span<const State> nearby, std::span<const State> opposite,
                               std::span<const Unseen> unseen, const TermVisitor& visit) {
  for (std::size_t k = 0; k < nearby.size(); ++k) {
    std::array<double, 2> part{1, 1};
    bool any = false;
    for (const Unseen& one : unseen) {
      if (one.nearby != k) continue;
      any = true;
      for (int side = 0; side < 2; ++side) part[side] = std::min(part[side], one.part[side]);
    }
    if (!any) continue;
    const std::array<State, 2> nearer{part_of_way(state, nearby[k], 0.5 * part[0]),
                                      part_of_way(state, opposite[k], 0.5 * part[1])};
    for (const Unseen& one : unseen)
      if (one.nearby == k)
        for (const State& at : nearer)
          if (visit_at(*one.term, one.element, one.blocks, at, visit)) break;
  }
}

Residual Equilibrium::residual(const State& state, const Where& where) {
  const VectorXd applied = loads(state, where);
  std::vector<double> sizes(static_cast<std::size_t>(m_assembly.size() / 3));
  Residual out;
  out.vector = -applied;
  begin_terms(state);
  out.sums = m_assembly.add_gradient(state, m_material, out.vector, {.sizes = &sizes});
  m_coupling.add_gradient(state, out.vector, out.sums, {.sizes = &sizes});
  out.potential = out.sums.energy;
  for (const auto& node : m_assembly.nodes()) out.potential -= dot(block(applied, node.block), state.x[node.index]);
  out.worst = m_limits.judge(state, {out.vector, applied, sizes, m_coupled.empty() ? nullptr : &m_coupled}, m_free);
  return out;
}

// ---- tangent -------------------------------------------------------------------------------------------------------
void Equilibrium::assemble_elastic(const State& state, double geometric, const assembly::ElementMaterial& material) {
  m_factored.forget();
  begin_terms(state);
  m_matrix.set_zero();
  m_assembly.add_hessian(state, material, geometric, m_matrix);
  m_coupling.add_hessian(state, geometric == 1 ? Curvature::exact : Curvature::convex, m_matrix);
  m_turning.reset();
  m_damping.resize(0, 0);
  orient_neutral(state);
}

void Equilibrium::assemble(const State& state, const Where& where) {
  assemble_elastic(state);
  if (has_potential(where)) return;
  std::vector<TangentBlock> blocks;
  loads::add_load_stiffness(m_model, state, where.load, where.time, blocks);
  const Entries entries = entries_of(m_assembly, blocks);
  if (std::all_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.value() == 0; })) return;
  m_turning.emplace(m_assembly.size(), m_assembly.size());
  m_turning->setFromTriplets(entries.begin(), entries.end());
  blocks.clear();
  loads::add_flow_resistance(m_model, state, where.load, where.time, blocks);
  const Entries resisting = entries_of(m_assembly, blocks);
  m_damping.resize(m_assembly.size(), m_assembly.size());
  m_damping.setFromTriplets(resisting.begin(), resisting.end());
}

// A point of a path is looked at from several sides, all of which want its tangent.
bool Equilibrium::factorise(const State& state, const Where& where) {
  if (m_factored.is(state, where, m_free)) {
    orient_neutral(state);
    return true;
  }
  assemble(state, where);
  if (!factorise_shifted(0)) return false;
  m_factored.set(state, where, m_free);
  return true;
}

void Equilibrium::Factored::set(const State& state, const Where& where, const VectorXd& free) {
  m_there = true;
  m_x = state.x;
  m_q = state.q;
  m_closing = state.closing;
  m_where = where;
  m_free = free;
}

bool Equilibrium::Factored::is(const State& state, const Where& where, const VectorXd& free) const {
  const auto same = [](const auto& a, const auto& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
  };
  return m_there && where.load == m_where.load && where.time == m_where.time && same(state.x, m_x) && same(state.q, m_q) &&
         same(state.closing, m_closing) && free == m_free;
}

// Shifted, neutral motions need not be held: no force acts along them, and the shift makes them regular.
bool Equilibrium::factorise_shifted(double eigenvalue) {
  m_factored.forget();
  m_solved = eigenvalue == 0 ? m_free : m_assembly.free();
  if (!m_turning) return m_factor.factorise(m_matrix, m_solved, -eigenvalue, m_mass);
  Eigen::SparseMatrix<double> full = m_matrix.lower().selfadjointView<Eigen::Lower>();
  full += *m_turning;
  for (int column = 0; column < full.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator it(full, column); it; ++it) {
      const bool diagonal = it.row() == it.col();
      if (diagonal) it.valueRef() -= eigenvalue * m_mass[column];
      it.valueRef() = it.value() * m_solved[it.row()] * m_solved[column] + (diagonal ? 1 - m_solved[column] : 0);
    }
  return m_unsymmetric.factorise(full);
}

// Per unknown, N/m and so on: what rounding errors make of a stiffness, as a part of the diagonal. An entry of the tangent is a
// sum of a few products, each rounded by half of epsilon, and elimination rounds as often: 4 epsilon of the diagonal. (Errors of
// unlike sign mostly cancel along a mode: that of a ring which slides along itself came out at up to 0.3 epsilon of it, with 40
// to 120 segments, at the origin and 100 m from it.) Positions are known to so many digits, and lengths of links, which are
// tensions across them, to as many less as a segment is shorter than its distance from the origin: so where there are terms that
// counts too.
VectorXd Equilibrium::rounding(const State& state) const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  VectorXd out = VectorXd::Zero(m_assembly.size());
  const auto add = [&](int at, const Vec3& x, double length) {
    const double far = std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) / length;
    const double part = epsilon * (m_coupling.empty() ? 4 : 16 + 2 * far);
    for (int i = 3 * at; i < 3 * at + 3; ++i) out[i] = part * std::abs(m_matrix.lower().coeff(i, i));
  };
  const Segments& segments = m_model.segments();
  for (const auto& node : m_assembly.nodes()) add(node.block, state.x[node.index], m_model.nodes().length[node.index]);
  for (const auto& turn : m_assembly.orientations()) {
    const int frame = turn.index - m_model.segment_count();
    if (frame < 0)
      add(turn.block, state.x[segments.node0[turn.index]], segments.length[turn.index]);
    else
      add(turn.block, state.x[m_model.frames().node[frame]], m_model.nodes().length[m_model.frames().node[frame]]);
  }
  return out;
}

// By the signs of tangent +- margin: what is negative with that much more stiffness of every unknown is negative, and what is
// positive with that much less is positive. The margin goes by the diagonal, as errors do. One in the mass would hide the lowest
// eigenvalues of thin rods behind the shear of their segments, which hardly moves any mass. Without terms what costs nothing has
// been taken out, but for what the mesh alone resists: there only what came out negative is doubted.
std::optional<Equilibrium::Signs> Equilibrium::signs(const State& state) const {
  const bool apart = m_coupling.empty();
  if (m_turning || (apart && negative() <= 0)) return negative() < 0 ? std::nullopt : std::optional(Signs{negative(), 0});
  const VectorXd margin = rounding(state);
  linalg::SignedFactor shifted = m_factor;  // for its pattern
  if (!shifted.factorise(m_matrix, m_free, 1, margin)) return std::nullopt;
  const int surely = shifted.negative();
  if (apart) return Signs{surely, std::max(negative() - surely, 0)};
  if (!shifted.factorise(m_matrix, m_free, -1, margin)) return std::nullopt;
  return Signs{surely, shifted.negative() - surely};
}

VectorXd Equilibrium::solve(const VectorXd& right) const {
  if (!m_turning) return without_neutral(m_factor.solve(right));
  return without_neutral(m_unsymmetric.solve(right.cwiseProduct(m_solved)).cwiseProduct(m_solved));
}

// In one pass over the matrix, so that many small parts cost no more than a large one.
std::vector<Pencil> Equilibrium::pencils(const State& state) const {
  std::vector<Pencil> out(static_cast<std::size_t>(m_parts.count()));
  std::vector<int> place(static_cast<std::size_t>(m_assembly.size()), -1);  // among the unknowns of the part
  for (int i = 0; i < m_assembly.size(); ++i) {
    if (m_assembly.free()[i] == 0) continue;
    Pencil& own = out[m_parts.of_block(i / 3)];
    place[i] = static_cast<int>(own.unknowns.size());
    own.unknowns.push_back(i);
  }
  const VectorXd uncertain = rounding(state);
  std::vector<Entries> entries(out.size()), resisting(out.size());
  const auto add_to = [&](std::vector<Entries>& of, int row, int column, double value) {
    if (place[row] >= 0 && place[column] >= 0) of[m_parts.of_block(row / 3)].emplace_back(place[row], place[column], value);
  };
  const auto add = [&](int row, int column, double value) { add_to(entries, row, column, value); };
  const linalg::BlockMatrix::Sparse& lower = m_matrix.lower();
  for (int column = 0; column < lower.outerSize(); ++column)
    for (linalg::BlockMatrix::Sparse::InnerIterator it(lower, column); it; ++it) {
      const auto row = static_cast<int>(it.row());
      if (row < column) continue;
      add(row, column, it.value());
      if (row > column) add(column, row, it.value());
    }
  if (m_turning)
    for (int column = 0; column < m_turning->outerSize(); ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator it(*m_turning, column); it; ++it) {
        add(static_cast<int>(it.row()), column, it.value());
        if (it.value() != 0) out[m_parts.of_block(column / 3)].symmetric = false;
      }
  for (int column = 0; column < m_damping.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator it(m_damping, column); it; ++it)
      add_to(resisting, static_cast<int>(it.row()), column, it.value());
  std::vector<std::vector<const Eigen::SparseVector<double>*>> neutral(out.size());
  for (const auto& direction : m_neutral)
    neutral[m_parts.of_block(static_cast<int>(direction.innerIndexPtr()[0]) / 3)].push_back(&direction);
  for (std::size_t p = 0; p < out.size(); ++p) {
    Pencil& own = out[p];
    const auto size = static_cast<Eigen::Index>(own.unknowns.size());
    own.tangent.resize(size, size);
    own.tangent.setFromTriplets(entries[p].begin(), entries[p].end());
    if (!own.symmetric && !resisting[p].empty()) {
      own.damping.resize(size, size);
      own.damping.setFromTriplets(resisting[p].begin(), resisting[p].end());
    }
    own.mass.resize(size);
    own.rounding.resize(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      own.mass[i] = m_mass[own.unknowns[i]];
      own.rounding[i] = uncertain[own.unknowns[i]];
    }
    own.softness = m_parts.scale(static_cast<int>(p)).softness();
    own.neutral = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(neutral[p].size()));
    for (std::size_t k = 0; k < neutral[p].size(); ++k)
      for (Eigen::SparseVector<double>::InnerIterator it(*neutral[p][k]); it; ++it)
        if (const int i = place[it.index()]; i >= 0)
          own.neutral(i, static_cast<Eigen::Index>(k)) = std::sqrt(own.mass[i]) * it.value();
  }
  return out;
}

// ---- neutral motions -----------------------------------------------------------------------------------------------
void Equilibrium::hold_neutral(const std::vector<int>& pins, NeutralDirections directions) {
  m_free = m_assembly.free();
  for (const int pin : pins) m_free[pin] = 0;
  m_directions = std::move(directions);
  m_neutral.clear();
}

void Equilibrium::orient_neutral(const State& state) {
  m_neutral.clear();
  if (m_directions) m_neutral = orthonormal_directions(m_directions(state), m_mass);
}

// What moves least among the steps that differ by neutral motions: the unknowns that are held would else drag all others along.
// What supports hold stays: motions found at the point before turn about where a support was then, and it may have moved.
VectorXd Equilibrium::without_neutral(VectorXd step) const {
  for (const auto& direction : m_neutral) {
    double along = 0;
    for (Eigen::SparseVector<double>::InnerIterator it(direction); it; ++it)
      along += it.value() * m_mass[it.index()] * step[it.index()];
    for (Eigen::SparseVector<double>::InnerIterator it(direction); it; ++it)
      step[it.index()] -= along * it.value() * m_assembly.free()[it.index()];
  }
  return step;
}

}  // namespace writhe::statics
