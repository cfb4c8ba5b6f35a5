#include "statics/neutral.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <unordered_map>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "math/rotation.h"
#include "model/strain.h"

namespace writhe::statics {

using assembly::block;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Columns of a matrix of candidates: the spin first, so that a reduced basis names it and rotations before translations.
enum Column : int { spin = 0, rotation = 1, translation = 4, columns = 7 };

constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr double negligible = 1e-9;  // work over the largest it could be

struct Entry {
  int index;  // node or orientation
  int block;  // -1: prescribed
};

// Where a rod meets a frame.
struct Arm {
  int frame;
  Vec3 d3;  // of the rod, as the frame sees it
};
using ArmsByRod = std::vector<std::vector<Arm>>;

// Once for all parts, so that each looks at no more than its own.
ArmsByRod find_arms(const Model& model) {
  ArmsByRod out(model.rods().size());
  const Joints& joints = model.joints();
  for (int j = 0; j < model.joint_count(); ++j) {
    const bool at_b = joints.b[j] >= model.segment_count();
    if (!at_b && joints.a[j] < model.segment_count()) continue;
    const int frame = (at_b ? joints.b[j] : joints.a[j]) - model.segment_count();
    const int segment = at_b ? joints.a[j] : joints.b[j];
    out[model.segments().rod[segment]].push_back({frame, rotate(at_b ? joints.turn_b[j] : joints.turn_a[j], Vec3{0, 0, 1})});
  }
  return out;
}

// Ascending, each once.
void sort_and_unite(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// A connected part and its candidates. Rows are unknowns, then what is prescribed; displacements in m, turns in rad times the
// part's length, so that rows and columns are of one size.
class PartCandidates {
 public:
  PartCandidates(const Model& model, const assembly::Assembly& assembly, const Component& component, const ArmsByRod& arms);

  // Coefficients of the combinations that supports allow.
  MatrixXd allowed(const State& state, const VectorXd& free) const;
  // What forces (per unknown) do on each candidate, and the sum of the sizes.
  void work(const State& state, const VectorXd& forces, VectorXd& work, VectorXd& sizes) const;
  Eigen::SparseVector<double> direction(const State& state, const VectorXd& coefficients, int size) const;
  std::string name(const VectorXd& coefficients) const;
  int rod() const { return m_rod; }
  double length() const { return m_length; }
  // m: what a unit of an unknown of this block counts as.
  double size_of(int block) const;

 private:
  void find_spins(const Model& model, const Component& component, const ArmsByRod& arms);
  Vec3 node_row(const State& state, int node, int column) const;
  Vec3 turn_row(const State& state, std::size_t k, int column) const;

  struct Unknown {
    int block;
    bool is_node;
    std::size_t entry;  // of m_nodes or m_turns
  };
  std::vector<Entry> m_nodes, m_turns;
  std::vector<Unknown> m_order;  // what is not prescribed, by block
  std::vector<Vec3> m_spin;      // per turn: axis of the spin, body
  double m_length = 0;
  int m_rod;
  std::string m_name;
};

PartCandidates::PartCandidates(const Model& model, const assembly::Assembly& assembly, const Component& component,
                               const ArmsByRod& arms)
    : m_rod(component.rods.front()), m_name(model.rods()[component.rods.front()].name) {
  if (component.rods.size() > 1) m_name = fmt::format("the net of '{}'", m_name);
  std::vector<int> nodes, frames;
  for (const int rod : component.rods) {
    const RodRange& range = model.rods()[rod];
    m_length = std::max(m_length, range.length);
    for (int k = 0; k <= range.segment_count; ++k) nodes.push_back(model.node_of(rod, k));
    for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s)
      m_turns.push_back({s, assembly.block_of_orientation(s)});
    for (const Arm& arm : arms[rod]) frames.push_back(arm.frame);
  }
  sort_and_unite(nodes);
  for (const int node : nodes) m_nodes.push_back({node, assembly.block_of_node(node)});
  sort_and_unite(frames);
  for (const int frame : frames) {
    const int orientation = model.segment_count() + frame;
    m_turns.push_back({orientation, assembly.block_of_orientation(orientation)});
  }
  for (std::size_t k = 0; k < m_nodes.size(); ++k) m_order.push_back({m_nodes[k].block, true, k});
  for (std::size_t k = 0; k < m_turns.size(); ++k)
    if (m_turns[k].block >= 0) m_order.push_back({m_turns[k].block, false, k});
  std::sort(m_order.begin(), m_order.end(), [](const Unknown& a, const Unknown& b) { return a.block < b.block; });
  find_spins(model, component, arms);
}

// Segments spin about d3; a frame with the rod that runs through it, which may lead on to rods that run the other way.
void PartCandidates::find_spins(const Model& model, const Component& component, const ArmsByRod& arms) {
  std::unordered_map<int, double> sign{{component.rods.front(), 1.0}};  // per rod, once it is known
  std::unordered_map<int, Vec3> axis;                                   // per frame, likewise
  for (bool changed = true; changed;) {
    changed = false;
    for (const int rod : component.rods) {
      for (const Arm& arm : arms[rod]) {
        const auto own = sign.find(rod);
        const auto met = axis.find(arm.frame);
        if ((own == sign.end()) == (met == axis.end())) continue;
        if (met == axis.end())
          axis.emplace(arm.frame, own->second * arm.d3);
        else
          sign.emplace(rod, dot(met->second, arm.d3) < 0 ? -1 : 1);
        changed = true;
      }
    }
  }
  for (const Entry& turn : m_turns) {
    const int frame = turn.index - model.segment_count();
    m_spin.push_back(frame < 0 ? sign.at(model.segments().rod[turn.index]) * Vec3{0, 0, 1} : axis.at(frame));
  }
}

double PartCandidates::size_of(int block) const {
  const auto at = std::lower_bound(m_order.begin(), m_order.end(), block, [](const Unknown& a, int b) { return a.block < b; });
  return at->is_node ? 1 : m_length;
}

Vec3 PartCandidates::node_row(const State& state, int node, int column) const {
  if (column == spin) return {};
  if (column >= translation) return axes[column - translation];
  return (1 / m_length) * cross(axes[column - rotation], state.x[node]);
}

Vec3 PartCandidates::turn_row(const State& state, std::size_t k, int column) const {
  if (column == spin) return m_spin[k];
  if (column >= translation) return {};
  return rotate_back(state.q[m_turns[k].index], axes[column - rotation]);
}

MatrixXd PartCandidates::allowed(const State& state, const VectorXd& free) const {
  std::vector<double> rows;
  const auto add_row = [&](const auto& value) {
    for (int c = 0; c < columns; ++c) rows.push_back(value(c));
  };
  for (const Entry& node : m_nodes) {
    const Vec3 f = block(free, node.block);
    const double held[3] = {1 - f.x, 1 - f.y, 1 - f.z};
    for (int k = 0; k < 3; ++k)
      if (held[k] > 0) add_row([&](int c) { return dot(axes[k], node_row(state, node.index, c)); });
  }
  for (std::size_t t = 0; t < m_turns.size(); ++t)
    if (m_turns[t].block < 0)
      for (const Vec3& axis : axes) add_row([&](int c) { return dot(axis, turn_row(state, t, c)); });
  if (rows.empty()) return MatrixXd::Identity(columns, columns);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const MatrixXd held = Eigen::Map<const RowMajor>(rows.data(), static_cast<Eigen::Index>(rows.size()) / columns, columns);
  Eigen::FullPivLU<MatrixXd> lu(held.transpose() * held);  // of one size, so that squares lose nothing that matters here
  lu.setThreshold(1e-12);
  return lu.dimensionOfKernel() > 0 ? MatrixXd(lu.kernel()) : MatrixXd(columns, 0);
}

// The sum over all nodes and orientations is that of the force and of the moment about the origin.
void PartCandidates::work(const State& state, const VectorXd& forces, VectorXd& work, VectorXd& sizes) const {
  work = sizes = VectorXd::Zero(columns);
  Vec3 force{}, moment{}, all_force{}, all_moment{};  // the latter two: sums of sizes
  const auto size = [](const Vec3& v) { return Vec3{std::abs(v.x), std::abs(v.y), std::abs(v.z)}; };
  const auto turn = [&](const Vec3& m) {
    moment += m;
    all_moment += size(m);
  };
  for (const Entry& node : m_nodes) {
    const Vec3 f = block(forces, node.block);
    force += f;
    all_force += size(f);
    turn(cross(state.x[node.index], f));
  }
  for (std::size_t k = 0; k < m_turns.size(); ++k) {
    if (m_turns[k].block < 0) continue;
    const Vec3 m = block(forces, m_turns[k].block);
    turn(rotate(state.q[m_turns[k].index], m));
    const double own = dot(m_spin[k], m);
    work[spin] += own / m_length;
    sizes[spin] += std::abs(own) / m_length;
  }
  for (int k = 0; k < 3; ++k) {
    work[rotation + k] = dot(axes[k], moment) / m_length;
    sizes[rotation + k] = dot(axes[k], all_moment) / m_length;
    work[translation + k] = dot(axes[k], force);
    sizes[translation + k] = dot(axes[k], all_force);
  }
}

Eigen::SparseVector<double> PartCandidates::direction(const State& state, const VectorXd& c, int size) const {
  const Vec3 turn = (1 / m_length) * Vec3{c[rotation], c[rotation + 1], c[rotation + 2]};
  const Vec3 move{c[translation], c[translation + 1], c[translation + 2]};
  Eigen::SparseVector<double> out(size);
  out.reserve(3 * static_cast<Eigen::Index>(m_order.size()));
  for (const Unknown& unknown : m_order) {
    const int index = (unknown.is_node ? m_nodes : m_turns)[unknown.entry].index;
    const Vec3 v = unknown.is_node ? cross(turn, state.x[index]) + move
                                   : rotate_back(state.q[index], turn) + (c[spin] / m_length) * m_spin[unknown.entry];
    out.insertBack(3 * unknown.block) = v.x;
    out.insertBack(3 * unknown.block + 1) = v.y;
    out.insertBack(3 * unknown.block + 2) = v.z;
  }
  return out;
}

std::string PartCandidates::name(const VectorXd& c) const {
  const auto text = [](const Vec3& v) {
    const Vec3 u = normalized(v);
    const auto tidy = [](double a) { return std::abs(a) < 1e-6 ? 0.0 : a; };
    return fmt::format("({:.3g}, {:.3g}, {:.3g})", tidy(u.x), tidy(u.y), tidy(u.z));
  };
  const Vec3 turn{c[rotation], c[rotation + 1], c[rotation + 2]}, move{c[translation], c[translation + 1], c[translation + 2]};
  if (std::abs(c[spin]) > 1e-6 && norm(turn) < 1e-6) return m_name + " spins about its own axis";
  if (norm(turn) > 1e-6) return m_name + " turns about the direction " + text(turn);
  return m_name + " moves along " + text(move);
}

// Reduced row echelon form of the rows: every motion then has a first candidate of its own.
void reduce(MatrixXd& rows) {
  Eigen::Index row = 0;
  for (int c = 0; c < rows.cols() && row < rows.rows(); ++c) {
    Eigen::Index best = 0;
    const double pivot = rows.col(c).tail(rows.rows() - row).cwiseAbs().maxCoeff(&best);
    if (pivot < 1e-6) continue;
    rows.row(row).swap(rows.row(row + best));
    rows.row(row) /= rows(row, c);
    for (Eigen::Index r = 0; r < rows.rows(); ++r)
      if (r != row) rows.row(r) -= rows(r, c) * rows.row(row);
    ++row;
  }
}

// Independent motions of a part, and unknowns that together take them out: pivots of a QR decomposition. Combinations may not
// move anything: a straight rod that is turned about its axis and spun back.
void pin_down(std::vector<NeutralMotion>& motions, const State& state, const PartCandidates& part, const VectorXd& free) {
  std::vector<int> at;
  const Eigen::SparseVector<double> first = motions.front().direction(state);
  for (Eigen::SparseVector<double>::InnerIterator it(first); it; ++it)
    if (free[it.index()] > 0) at.push_back(static_cast<int>(it.index()));

  std::vector<NeutralMotion> kept;
  MatrixXd basis(static_cast<Eigen::Index>(at.size()), 0);         // of those kept, orthonormal
  const double whole = std::sqrt(static_cast<double>(at.size()));  // candidates are of size 1 an unknown
  for (NeutralMotion& motion : motions) {
    VectorXd row(static_cast<Eigen::Index>(at.size()));
    const Eigen::SparseVector<double> direction = motion.direction(state);
    for (std::size_t k = 0; k < at.size(); ++k) row[k] = direction.coeff(at[k]) * part.size_of(at[k] / 3);
    for (int twice = 0; twice < 2; ++twice) row -= basis * (basis.transpose() * row);
    if (row.norm() < 1e-6 * whole) continue;
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.col(basis.cols() - 1) = row.normalized();
    kept.push_back(std::move(motion));
  }
  if (!kept.empty()) {
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(basis.transpose());
    for (std::size_t m = 0; m < kept.size(); ++m) kept[m].pin = at[qr.colsPermutation().indices()[m]];
  }
  motions = std::move(kept);
}

// States near the given one: what is true of all of them is no accident of a shape.
std::vector<State> nearby(const Model& model, const Equilibrium& equilibrium, const State& state) {
  std::vector<State> out{state};
  std::mt19937 random(1);  // the same in every run
  const auto number = [&random] { return 2 * (static_cast<double>(random()) / 4294967295.0) - 1; };
  const assembly::Assembly& assembly = equilibrium.assembly();
  for (int trial = 0; trial < 9; ++trial) {
    VectorXd step = VectorXd::Zero(assembly.size());
    for (const auto& node : assembly.nodes()) {
      const double l = 0.02 * model.nodes().length[node.index];
      assembly::add_block(step, node.block, {l * number(), l * number(), l * number()});
    }
    for (const auto& turn : assembly.orientations())
      assembly::add_block(step, turn.block, {0.05 * number(), 0.05 * number(), 0.05 * number()});
    step = step.cwiseProduct(assembly.free());
    assembly.move(state, step, 1, out.emplace_back(state));
  }
  return out;
}

// Forces on the part at the states nearby.
struct Trials {
  std::vector<State> states;
  std::vector<VectorXd> loads, elastic;
};

// Of the combinations of candidates (columns), those on which forces do no work at any of the states: what is left after the
// others are taken out. Work counts against the largest
// sum of the sizes of its terms.
MatrixXd without_work(const PartCandidates& part, const Trials& trials, const std::vector<VectorXd>& forces,
                      const MatrixXd& combinations) {
  if (combinations.cols() == 0) return combinations;
  MatrixXd work(static_cast<Eigen::Index>(trials.states.size()), combinations.cols());
  double size = 0;
  for (std::size_t t = 0; t < trials.states.size(); ++t) {
    VectorXd own, sizes;
    part.work(trials.states[t], forces[t], own, sizes);
    work.row(t) = combinations.transpose() * own;
    size = std::max(size, sizes.maxCoeff());
  }
  if (size > 0) work /= size;
  const Eigen::JacobiSVD<MatrixXd> svd(work, Eigen::ComputeFullV);
  Eigen::Index rank = 0;
  while (rank < svd.singularValues().size() && svd.singularValues()[rank] > negligible) ++rank;
  return combinations * svd.matrixV().rightCols(combinations.cols() - rank);
}

void add_neutral(const std::shared_ptr<const PartCandidates>& part, const Equilibrium& equilibrium, const Trials& trials,
                 const MatrixXd& free, Freedom& out) {
  MatrixXd rows = without_work(*part, trials, trials.loads, free).transpose();
  const Eigen::Index count = rows.rows();
  if (count == 0) return;
  reduce(rows);
  std::vector<NeutralMotion> motions;
  for (Eigen::Index m = 0; m < count; ++m) {
    const VectorXd coefficients = rows.row(m);
    const int size = equilibrium.assembly().size();
    motions.push_back({[part, coefficients, size](const State& s) { return part->direction(s, coefficients, size); },
                       part->name(coefficients), -1});
  }
  pin_down(motions, trials.states.front(), *part, equilibrium.assembly().free());
  for (NeutralMotion& motion : motions) out.neutral.push_back(std::move(motion));
}

// A push that is the same wherever the part goes: along a translation, or a spin, that neither supports nor elasticity resist.
void add_driven(const PartCandidates& part, const Trials& trials, const MatrixXd& free, Freedom& out) {
  VectorXd work, sizes;
  part.work(trials.states.front(), trials.loads.front(), work, sizes);
  const double total = sizes.maxCoeff();  // N
  for (const bool of_spin : {true, false}) {
    MatrixXd others = free;  // must vanish in a pure spin, or a pure translation
    if (of_spin)
      others.row(spin).setZero();
    else
      others.bottomRows(columns - translation).setZero();
    Eigen::FullPivLU<MatrixXd> lu(others.transpose() * others);
    lu.setThreshold(1e-10);
    if (lu.dimensionOfKernel() == 0 && others.norm() > 0) continue;
    const MatrixXd pure = others.norm() > 0 ? MatrixXd(free * lu.kernel()) : free;
    VectorXd along = pure * (pure.transpose() * pure).ldlt().solve(pure.transpose() * work);
    if (along.norm() == 0) continue;
    along.normalize();
    const double force = along.dot(work);
    if (std::abs(force) <= 1e-9 * total) continue;
    out.driven.push_back({part.rod(), part.name(along), of_spin ? force * part.length() : force, of_spin});
  }
}

}  // namespace

std::vector<int> Freedom::pins() const {
  std::vector<int> out;
  for (const NeutralMotion& motion : neutral) out.push_back(motion.pin);
  return out;
}

std::vector<Eigen::SparseVector<double>> Freedom::directions(const State& state) const {
  std::vector<Eigen::SparseVector<double>> out;
  for (const NeutralMotion& motion : neutral) out.push_back(motion.direction(state));
  return out;
}

Freedom find_freedom(const Model& model, Equilibrium& equilibrium, const State& state, const Where& where) {
  Freedom out;
  Trials trials;
  const ArmsByRod arms = find_arms(model);
  for (const Component& component : model.components()) {
    const auto part = std::make_shared<const PartCandidates>(model, equilibrium.assembly(), component, arms);
    const MatrixXd allowed = part->allowed(state, equilibrium.assembly().free());
    if (allowed.cols() == 0) continue;
    if (trials.states.empty()) {
      trials.states = nearby(model, equilibrium, state);
      for (const State& s : trials.states) {
        trials.loads.push_back(equilibrium.loads(s, where));
        trials.elastic.push_back(equilibrium.elastic(s));
      }
    }
    const MatrixXd free = without_work(*part, trials, trials.elastic, allowed);
    if (free.cols() == 0) continue;
    add_neutral(part, equilibrium, trials, free, out);
    add_driven(*part, trials, free, out);
  }
  return out;
}

}  // namespace writhe::statics
