#include "solvers/pd/net.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "elastic/inertia.h"
#include "math/retraction.h"
#include "math/rotation.h"
#include "model/at_place.h"
#include "model/strain.h"
#include "solvers/pd/metric.h"

namespace writhe::pd {

using assembly::add_block;
using assembly::block;
using linalg::anderson_columns;

namespace {

// Nodes are coupled by segments and terms, orientations by joints and terms, and neither with the other.
linalg::BlockMatrix pattern(const Model& model, const assembly::Assembly& own, const assembly::Coupling& terms,
                            const Eigen::VectorXd& is_node) {
  std::vector<std::pair<int, int>> couplings;
  for (const auto& [a, b] : terms.pairs())
    if (is_node[3 * a] == is_node[3 * b]) couplings.emplace_back(a, b);
  const auto add = [&](int a, int b) {
    if (a >= 0 && b >= 0) couplings.emplace_back(a, b);
  };
  for (const int s : own.segments())
    add(own.block_of_node(model.segments().node0[s]), own.block_of_node(model.segments().node1[s]));
  for (const int j : own.joints())
    add(own.block_of_orientation(model.joints().a[j]), own.block_of_orientation(model.joints().b[j]));
  return {own.size() / 3, couplings};
}

Mat3 scaled_columns(const Mat3& R, const Vec3& s) { return {scale(R.r0, s), scale(R.r1, s), scale(R.r2, s)}; }

// Draws two nodes together, whichever way they lie. k: N/m.
void add_spring(linalg::BlockMatrix& matrix, int a, int b, double k) {
  const Mat3 own = {{k, 0, 0}, {0, k, 0}, {0, 0, k}}, between = {{-k, 0, 0}, {0, -k, 0}, {0, 0, -k}};
  matrix.add(matrix.slot(a, a), own);
  matrix.add(matrix.slot(b, b), own);
  matrix.add(matrix.slot(b, a), between);
}

}  // namespace

Net::Net(const Model& model, RodsAndJoints own, std::shared_ptr<NetStates> states, std::shared_ptr<Terms> terms)
    : Iteration(model),
      m_potential(model, std::move(own), std::move(states), std::move(terms)),
      m_constant(m_potential.assembly().matrix()),
      m_refreshed(m_potential.assembly().matrix()),
      m_is_node(Eigen::VectorXd::Zero(m_potential.assembly().size())),
      m_gradient(m_is_node),
      m_evaluated(m_is_node),
      m_columns(anderson_columns),
      m_drag_levels(3 * m_potential.nodes().size()),
      m_stretch_levels(m_potential.assembly().segments().size()),
      m_tensions(m_stretch_levels.size()) {
  for (const auto& node : m_potential.nodes()) add_block(m_is_node, node.block, {1, 1, 1});
  m_constant.renew(pattern(model, m_potential.assembly(), m_potential.coupling(), m_is_node));
  const int rod = model.segments().rod[m_potential.assembly().segments().front()];
  add_chain(rod, m_potential.length(), MetricChoice(model, m_potential.assembly().joints(), slow_net));
  get(m_best_point);
  for (Column& column : m_columns) column = {m_is_node, m_best_point};
}

void Net::couple(std::span<const TermElement> elements) {
  const bool changed = m_potential.couple(elements);
  if (!changed) return;
  m_constant.renew(pattern(model(), m_potential.assembly(), m_potential.coupling(), m_is_node));
  m_refreshed.renew(m_potential.assembly().matrix());
  m_metric_dt = 0;
}

void Net::get(Point& point) const {
  const assembly::Assembly& own = m_potential.assembly();
  point.x.resize(own.nodes().size());
  point.q.resize(own.orientations().size());
  for (std::size_t i = 0; i < point.x.size(); ++i) point.x[i] = m_potential.trial().x[own.nodes()[i].index];
  for (std::size_t i = 0; i < point.q.size(); ++i) point.q[i] = m_potential.trial().q[own.orientations()[i].index];
}

void Net::put(const Point& point) const {
  const assembly::Assembly& own = m_potential.assembly();
  for (std::size_t i = 0; i < point.x.size(); ++i) m_potential.trial().x[own.nodes()[i].index] = point.x[i];
  for (std::size_t i = 0; i < point.q.size(); ++i) m_potential.trial().q[own.orientations()[i].index] = point.q[i];
}

// Goes less far from a point than to the trial point where terms do not allow all of it. The iterations find the rest of the way,
// or the step ends short of its goal, as one does that has used them up.
void Net::stay_safe(const Point& from) const {
  if (m_potential.coupling().empty()) return;
  const assembly::Assembly& own = m_potential.assembly();
  State &base = m_potential.base(), &trial = m_potential.trial();
  for (std::size_t i = 0; i < from.x.size(); ++i) base.x[own.nodes()[i].index] = from.x[i];
  for (std::size_t i = 0; i < from.q.size(); ++i) base.q[own.orientations()[i].index] = from.q[i];
  const double part = m_potential.part_to_go();
  if (part == 1) return;
  for (const auto& node : own.nodes()) trial.x[node.index] = lerp(base.x[node.index], trial.x[node.index], part);
  for (const auto& turn : own.orientations()) trial.q[turn.index] = between(base.q[turn.index], trial.q[turn.index], part);
}

// ---- a step --------------------------------------------------------------------------------------------------------
void Net::load_step(const State& state, const Loading& loading, double dt, bool refreshed) {
  m_potential.load(state, loading, dt);
  m_load[0] = m_potential.load_size();
  m_size[0] = m_potential.size();
  m_rounding[0] = m_potential.rounding();
  m_done = 0;
  if (!m_potential.has_led()) return;
  if (!m_potential.coupling().empty()) get(m_before);
  fly(state, dt);
  m_is_refreshed = refreshed;
  const auto& nodes = m_potential.nodes();
  m_flies = refreshed && m_potential.assembly().free().minCoeff() == 1 && m_potential.coupling().empty() &&
            std::none_of(nodes.begin(), nodes.end(), [&](const auto& node) { return is_any(loading.drag[node.index]); });
  if (m_flies) fly_under_loads();
  stay_safe(m_before);
  if (m_is_refreshed) {
    find_tensions(state);
    renew_metric(nullptr);
  } else {
    const bool other_levels = update_levels(state), other_terms = update_majorant();
    if (other_levels || other_terms || dt != m_metric_dt) factorise();
  }
  m_metric_dt = dt;
}

void Net::fly(const State& state, double dt) {
  const assembly::Assembly& own = m_potential.assembly();
  State& trial = m_potential.trial();
  for (const auto& node : own.nodes())
    trial.x[node.index] = trial.x[node.index] + dt * scale(block(own.free(), node.block), state.v[node.index]);
  for (const auto& turn : own.orientations()) trial.q[turn.index] = nearly_turned(trial.q[turn.index], dt * state.w[turn.index]);
}

// See Bundle::fly_under_loads.
void Net::fly_under_loads() {
  std::vector<Vec3>& x = m_potential.trial().x;
  Vec3 force{};
  double matrix = 0;
  for (const auto& node : m_potential.nodes()) {
    force = force + node.force - node.matrix.xx * (x[node.index] - node.x_prev);
    matrix += node.matrix.xx;
  }
  for (const auto& node : m_potential.nodes()) x[node.index] = x[node.index] + (1 / matrix) * force;
}

// The refreshed metric has the nodes stay, and one evaluation, that of find_moments, for both.
void Net::move_nodes(int column, BundleSums& /*sums*/) {
  if (m_is_refreshed) return;
  const assembly::Assembly& own = m_potential.assembly();
  m_potential.evaluate(m_gradient);
  m_gradient = m_gradient.cwiseProduct(m_is_node);
  m_constant.factor.solve(m_gradient, m_solved);
  m_columns[column].step = -m_solved;
  if (!m_potential.coupling().empty()) get(m_before);
  for (const auto& at : own.nodes()) {
    Vec3& x = m_potential.trial().x[at.index];
    x = x + block(m_columns[column].step, at.block);
  }
  stay_safe(m_before);
  for (std::size_t i = 0; i < own.nodes().size(); ++i)
    m_columns[column].result.x[i] = m_potential.trial().x[own.nodes()[i].index];
}

void Net::find_moments(int /*column*/, BundleSums& sums) {
  m_value = m_potential.evaluate(m_evaluated);
  if (m_is_refreshed) m_gradient = m_evaluated.cwiseProduct(m_is_node);
  m_evaluated -= m_evaluated.cwiseProduct(m_is_node);
  sums.force[0] = 0;
  for (const auto& node : m_potential.assembly().nodes())
    sums.force[0] = std::max(sums.force[0], norm(block(m_gradient, node.block)));
  m_gradient += m_evaluated;
  m_doing = m_potential.has_potential() ? 0 : work_from_best();
  sums.energy[0] = m_value.sums.energy - m_done - m_doing;
  sums.internal[0] = m_value.sums.internal;
  sums.moment[0] = m_value.sums.moment;
  sums.turning[0] = 0;
  for (const auto& turn : m_potential.assembly().orientations())
    sums.turning[0] = std::max(sums.turning[0], norm(block(m_evaluated, turn.block)) / m_potential.blocks()[turn.block].lever);
}

void Net::keep_point() {
  get(m_best_point);
  m_best_value = m_value;
  if (m_potential.has_potential()) return;
  m_done += m_doing;
  m_doing = 0;
  m_potential.find_forces(m_best_forces);
}

// J: of loads without a potential, as they are at the best point.
double Net::work_from_best() const {
  if (!has_best(0)) return 0;
  const assembly::Assembly& own = m_potential.assembly();
  const State& trial = m_potential.trial();
  double work = 0;
  for (std::size_t i = 0; i < own.nodes().size(); ++i)
    work += dot(block(m_best_forces, own.nodes()[i].block), trial.x[own.nodes()[i].index] - m_best_point.x[i]);
  for (std::size_t i = 0; i < own.orientations().size(); ++i)
    if (const Vec3 moment = block(m_best_forces, own.orientations()[i].block); norm(moment) > 0)
      work += dot(moment, log_rotation(conj(m_best_point.q[i]) * trial.q[own.orientations()[i].index]));
  return work;
}

void Net::turn(int column) {
  const assembly::Assembly& own = m_potential.assembly();
  Column& to = m_columns[column];
  if (m_is_refreshed) {
    m_refreshed.factor.solve(m_gradient, m_solved);
    if (!m_potential.has_potential()) turn_step();
    to.step = -m_history.turn_size[0] * m_solved;
    for (std::size_t i = 0; i < own.nodes().size(); ++i)
      to.result.x[i] = m_best_point.x[i] + block(to.step, own.nodes()[i].block);
  } else {
    m_constant.factor.solve(m_evaluated, m_solved);
    to.step -= m_history.turn_size[0] * m_solved;
  }
  for (std::size_t i = 0; i < own.orientations().size(); ++i)
    to.result.q[i] = turned_not_unit(m_best_point.q[i], block(to.step, own.orientations()[i].block));
}

// The metric with what loads without a potential add to the tangent, so that they do not lag by an iteration: in a long step in
// the wind, which outweighs what holds a line, plain iterations lead away.
void Net::turn_step() {
  m_circulation.reserve(m_potential.assembly().size(), 1);
  m_circulation.clear();
  m_potential.coupling().visit_circulation(
      m_potential.trial(), [&](int row, int column, const Mat3& value) { m_circulation.add(3 * row, 3 * column, value); });
  m_circulation.turn(m_solved, [&](Eigen::VectorXd& v) { m_refreshed.factor.solve(v, v); });
  m_product.setZero(m_solved.size());
  m_circulation.add_product(m_solved, m_product);
  m_gradient -= m_product;  // the metric times the step, with which the mixing measures it
}

void Net::take(int column) {
  m_mixed = m_columns[column].result;
  for (Quat& q : m_mixed.q) q = at_unit_length(q);
  put(m_mixed);
  stay_safe(m_best_point);
}

// See BundleKernel::mix.
void Net::mix(int column) {
  BundleHistory& history = m_history;
  int place[anderson_columns];  // newest first
  for (int j = 0; j < anderson_columns; ++j) place[j] = (column + anderson_columns - j) % anderson_columns;
  for (int j = 0; j < history.filled; ++j)
    history.products[column][place[j]][0] = history.products[place[j]][column][0] = -m_gradient.dot(m_columns[place[j]].step);
  history.valid[column][0] = 1;
  double products[anderson_columns][anderson_columns]{}, valid[anderson_columns]{}, weights[anderson_columns];
  for (int i = 0; i < history.filled; ++i) {
    valid[i] = history.valid[place[i]][0];
    for (int j = 0; j <= i; ++j) products[i][j] = history.products[place[i]][place[j]][0];
  }
  linalg::anderson_weights(products, valid, weights);
  const Point& newest = m_columns[column].result;
  m_mixed = newest;
  history.mixed[0] = 0;
  for (int j = 1; j < history.filled; ++j) {
    const Point& other = m_columns[place[j]].result;
    const double weight = weights[j];
    history.mixed[0] += weight * weight;
    for (std::size_t i = 0; i < newest.x.size(); ++i) m_mixed.x[i] = m_mixed.x[i] + weight * (other.x[i] - newest.x[i]);
    for (std::size_t i = 0; i < newest.q.size(); ++i) {
      const Quat &a = other.q[i], &b = newest.q[i];
      Quat& q = m_mixed.q[i];
      q = {q.w + weight * (a.w - b.w), q.x + weight * (a.x - b.x), q.y + weight * (a.y - b.y), q.z + weight * (a.z - b.z)};
    }
  }
  for (Quat& q : m_mixed.q) q = at_unit_length(q);
  put(m_mixed);
  stay_safe(m_best_point);
}

void Net::fall_back(int column, const double*, const double*) {
  const bool to_result = m_history.mixed[0] > 0 && !m_is_refreshed;
  if (to_result) {
    take(column);
  } else {
    put(m_best_point);
    m_history.turn_size[0] /= 2;
  }
  m_history.mixed[0] = 0;
  for (auto& valid : m_history.valid) valid[0] = 0;
}

BundleShape Net::inspect() const {
  BundleShape shape{};
  shape.joint_cosine[0] = m_value.sums.joint_cosine;
  shape.joint_fold[0] = m_value.sums.joint_fold;
  return shape;
}

// ---- metric --------------------------------------------------------------------------------------------------------
bool Net::update_levels(const State& state) {
  bool changed = false;
  const auto set = [&](int& level, double ratio) {
    const int now = metric_level(ratio);
    changed = changed || now != level;
    level = now;
  };
  const double inv_h = m_potential.inv_h(), damping = model().scene().damping.mass;
  for (std::size_t i = 0; i < m_potential.nodes().size(); ++i) {
    const auto& node = m_potential.nodes()[i];
    const double bare = elastic::bare_node_matrix(model().nodes().mass[node.index], damping, inv_h);
    const Vec3 own = row_sums(node.matrix);
    set(m_drag_levels[3 * i], own.x / bare);
    set(m_drag_levels[3 * i + 1], own.y / bare);
    set(m_drag_levels[3 * i + 2], own.z / bare);
  }
  const Segments& segments = model().segments();
  for (std::size_t i = 0; i < m_stretch_levels.size(); ++i) {
    const int s = m_potential.assembly().segments()[i];
    const Vec3 d = (1 / segments.length[s]) * (state.x[segments.node1[s]] - state.x[segments.node0[s]]);
    set(m_stretch_levels[i], dot(d, d));
  }
  return changed;
}

// The tensions at the start of the step, over length: see find_blocks of a bundle.
void Net::find_tensions(const State& state) {
  for (std::size_t i = 0; i < m_tensions.size(); ++i) {
    const int s = m_potential.assembly().segments()[i];
    const double strain = strain::of_segment(model(), state, s).z - m_potential.material().stretch_rest[i].z;
    m_tensions[i] = std::max(0.0, m_potential.material().stretch[i].z * strain) / model().segments().length[s];
  }
}

// The same as find_blocks of a bundle.
bool Net::renew_metric(const double* /*chains*/) {
  if (!m_is_refreshed) return false;
  const assembly::Assembly& own = m_potential.assembly();
  const State& trial = m_potential.trial();
  linalg::BlockMatrix& matrix = m_refreshed.matrix;
  matrix.set_zero();
  m_potential.add_hessian(0, matrix);
  for (const auto& node : m_potential.nodes()) matrix.add(matrix.slot(node.block, node.block), node.matrix);
  for (const auto& spin : m_potential.spins())
    matrix.add(matrix.slot(spin.block, spin.block),
               elastic::spin_hessian(spin.q_prev, trial.q[spin.index], m_potential.inv_h(), spin.inertia, Vec3{}));
  const Segments& segments = model().segments();
  for (std::size_t i = 0; i < m_tensions.size(); ++i) {
    const int s = own.segments()[i];
    add_spring(matrix, own.block_of_node(segments.node0[s]), own.block_of_node(segments.node1[s]), m_tensions[i]);
  }
  return m_refreshed.factor.factorise(matrix, own.free());
}

// What terms are at most, from where the step starts. Made again only when that changes.
bool Net::update_majorant() {
  m_majorant_now.blocks.clear();
  m_majorant_now.pairs.clear();
  m_potential.coupling().visit_hessians(m_potential.trial(), Curvature::above,
                                        [&](std::span<const int> blocks, std::span<const Mat3> pairs) {
                                          m_majorant_now.blocks.insert(m_majorant_now.blocks.end(), blocks.begin(), blocks.end());
                                          m_majorant_now.pairs.insert(m_majorant_now.pairs.end(), pairs.begin(), pairs.end());
                                        });
  const bool changed = m_majorant != m_majorant_now;
  m_majorant = m_majorant_now;
  return changed;
}

void Net::factorise() {
  m_constant.matrix.set_zero();
  add_nodes();
  add_turns();
  add_terms();
  m_constant.factor.factorise(m_constant.matrix, m_potential.assembly().free());
}

void Net::add_nodes() {
  const assembly::Assembly& own = m_potential.assembly();
  const double inv_h = m_potential.inv_h(), damping = model().scene().damping.mass;
  for (std::size_t i = 0; i < m_potential.nodes().size(); ++i) {
    const auto& node = m_potential.nodes()[i];
    const double bare = elastic::bare_node_matrix(model().nodes().mass[node.index], damping, inv_h);
    const auto level = [&](std::size_t c) { return bare * level_factor(m_drag_levels[3 * i + c]); };
    m_constant.matrix.add(m_constant.matrix.slot(node.block, node.block), Sym3{level(0), 0, 0, level(1), 0, level(2)});
  }
  const Segments& segments = model().segments();
  for (std::size_t i = 0; i < own.segments().size(); ++i) {
    const int s = own.segments()[i];
    const int a = own.block_of_node(segments.node0[s]), b = own.block_of_node(segments.node1[s]);
    const double k = node_stiffness(m_potential.material().stretch[i]) / segments.length[s];
    add_spring(m_constant.matrix, a, b, k);
  }
}

// Between nodes and turns the metric has nothing, so that an element of both counts twice in each: what is positive is no more
// than twice its diagonal blocks.
void Net::add_terms() {
  linalg::BlockMatrix& matrix = m_constant.matrix;
  m_potential.coupling().visit_hessians(
      m_potential.trial(), Curvature::above, [&](std::span<const int> blocks, std::span<const Mat3> pairs) {
        const auto is_node = [&](int block) { return m_is_node[3 * block] == 1; };
        bool node = false, turn = false;
        for (const int block : blocks) (block < 0 ? node : is_node(block) ? node : turn) = true;
        const double factor = node && turn ? 2 : 1;
        for (std::size_t i = 0, p = 0; i < blocks.size(); ++i)
          for (std::size_t j = 0; j <= i; ++j, ++p)
            if (blocks[i] >= 0 && blocks[j] >= 0 && is_node(blocks[i]) == is_node(blocks[j]))
              matrix.add(matrix.slot(blocks[i], blocks[j]), {factor * pairs[p].r0, factor * pairs[p].r1, factor * pairs[p].r2});
      });
}

// A joint ties the turn of its b, as its own frame sees it, to that of its a, seen through the rest rotation between them.
void Net::add_turns() {
  const assembly::Assembly& own = m_potential.assembly();
  for (std::size_t i = 0; i < m_potential.spins().size(); ++i) {
    const auto& spin = m_potential.spins()[i];
    const double inv_h = m_potential.inv_h();
    const Vec3 k = turn_stiffness(inv_h * inv_h * spin.inertia, m_potential.material().stretch[i],
                                  model().segments().length[spin.index], level_factor(m_stretch_levels[i]));
    m_constant.matrix.add(m_constant.matrix.slot(spin.block, spin.block), Sym3{k.x, 0, 0, k.y, 0, k.z});
  }
  const Joints& joints = model().joints();
  for (std::size_t i = 0; i < own.joints().size(); ++i) {
    const int j = own.joints()[i];
    const JointMetric metric =
        joint_metric((1 / joints.length[j]) * m_potential.material().bend[i], model().scene().solver.pd.coupling);
    const Mat3 A = matrix(joints.turn_a[j] * strain::rest_rotation_of_joint(model(), j));
    const Mat3 B = matrix(joints.turn_b[j]);
    const int a = own.block_of_orientation(joints.a[j]), b = own.block_of_orientation(joints.b[j]);
    if (a >= 0) m_constant.matrix.add(m_constant.matrix.slot(a, a), scaled_columns(A, regular * metric.own) * transpose(A));
    if (b >= 0) m_constant.matrix.add(m_constant.matrix.slot(b, b), scaled_columns(B, regular * metric.own) * transpose(B));
    if (a >= 0 && b >= 0)
      m_constant.matrix.add(m_constant.matrix.slot(b, a), scaled_columns(B, -1.0 * metric.between) * transpose(A));
  }
}

}  // namespace writhe::pd
