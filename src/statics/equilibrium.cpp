#include "statics/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "math/rotation.h"
#include "statics/load_stiffness.h"

namespace writhe::statics {

using assembly::add_block;
using assembly::block;
using Eigen::VectorXd;

namespace {

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

Equilibrium::Equilibrium(const Model& model, double tolerance)
    : m_model(model),
      m_drive(model),
      m_assembly(model),
      m_scales(model, m_assembly),
      m_parts(model, m_assembly),
      m_limits(model, m_assembly, m_parts, tolerance),
      m_material(m_assembly.material()),
      m_matrix(m_assembly.matrix()),
      m_factor(m_matrix),
      m_free(m_assembly.free()),
      m_mass(lumped_mass(model, m_assembly)) {
  for (const ResolvedLoad& resolved : model.loads())
    m_windy =
        m_windy || std::holds_alternative<WindLoad>(resolved.load.kind) || std::holds_alternative<DragLoad>(resolved.load.kind);
}

double Equilibrium::softness() const {
  double stiffest = 0;
  for (int part = 0; part < m_parts.count(); ++part) stiffest = std::max(stiffest, m_parts.scale(part).softness());
  return stiffest;
}

bool Equilibrium::has_potential(const Where& where) const {
  const auto turns = [&](const ResolvedLoad& resolved) {
    return is_directional(resolved.load) && where.load * resolved.load.ramp.at(where.time) != 0;
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
  m_assembly.add_gradient(state, m_material, gradient, {.prescribed = &out});
  return out;
}

Residual Equilibrium::residual(const State& state, const Where& where) {
  const VectorXd applied = loads(state, where);
  std::vector<double> sizes(static_cast<std::size_t>(m_assembly.size() / 3));
  Residual out;
  out.vector = -applied;
  out.sums = m_assembly.add_gradient(state, m_material, out.vector, {.sizes = &sizes});
  out.potential = out.sums.energy;
  for (const auto& node : m_assembly.nodes()) out.potential -= dot(block(applied, node.block), state.x[node.index]);
  out.worst = m_limits.judge(state, {out.vector, applied, sizes}, m_free);
  return out;
}

// ---- tangent -------------------------------------------------------------------------------------------------------
void Equilibrium::assemble_elastic(const State& state, double geometric) {
  m_matrix.set_zero();
  m_assembly.add_hessian(state, m_material, geometric, m_matrix);
  m_turning.reset();
  m_unsymmetric.reset();
  orient_neutral(state);
}

void Equilibrium::assemble(const State& state, const Where& where) {
  assemble_elastic(state);
  if (has_potential(where)) return;
  Entries entries;
  add_load_stiffness(m_model, m_assembly, state, where.load, where.time, elastic(state), entries);
  if (m_windy)
    add_wind_stiffness(
        m_model, m_assembly, state, [&](const State& turned) { return loads(turned, where); }, entries);
  if (std::all_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.value() == 0; })) return;
  m_turning.emplace(m_assembly.size(), m_assembly.size());
  m_turning->setFromTriplets(entries.begin(), entries.end());
}

bool Equilibrium::factorise(const State& state, const Where& where) {
  assemble(state, where);
  return factorise_shifted(0);
}

// Shifted, neutral motions need not be held: no force acts along them, and the shift makes them regular.
bool Equilibrium::factorise_shifted(double eigenvalue) {
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
  m_unsymmetric = std::make_unique<Eigen::SparseLU<Eigen::SparseMatrix<double>>>();
  m_unsymmetric->compute(full);
  return m_unsymmetric->info() == Eigen::Success;
}

VectorXd Equilibrium::solve(const VectorXd& right) const {
  if (!m_turning) return without_neutral(m_factor.solve(right));
  return without_neutral(m_unsymmetric->solve(right.cwiseProduct(m_solved)).cwiseProduct(m_solved));
}

// In one pass over the matrix, so that many small parts cost no more than a large one.
std::vector<Pencil> Equilibrium::pencils() const {
  std::vector<Pencil> out(static_cast<std::size_t>(m_parts.count()));
  std::vector<int> place(static_cast<std::size_t>(m_assembly.size()), -1);  // among the unknowns of the part
  for (int i = 0; i < m_assembly.size(); ++i) {
    if (m_assembly.free()[i] == 0) continue;
    Pencil& own = out[m_parts.of_block(i / 3)];
    place[i] = static_cast<int>(own.unknowns.size());
    own.unknowns.push_back(i);
  }
  std::vector<Entries> entries(out.size());
  const auto add = [&](int row, int column, double value) {
    if (place[row] >= 0 && place[column] >= 0) entries[m_parts.of_block(row / 3)].emplace_back(place[row], place[column], value);
  };
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
  std::vector<std::vector<const Eigen::SparseVector<double>*>> neutral(out.size());
  for (const auto& direction : m_neutral)
    neutral[m_parts.of_block(static_cast<int>(direction.innerIndexPtr()[0]) / 3)].push_back(&direction);
  for (std::size_t p = 0; p < out.size(); ++p) {
    Pencil& own = out[p];
    const auto size = static_cast<Eigen::Index>(own.unknowns.size());
    own.tangent.resize(size, size);
    own.tangent.setFromTriplets(entries[p].begin(), entries[p].end());
    own.mass.resize(size);
    for (Eigen::Index i = 0; i < size; ++i) own.mass[i] = m_mass[own.unknowns[i]];
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

}  // namespace writhe::statics
