#include "solvers/pd/bundle.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "assembly/scales.h"
#include "elastic/increment.h"
#include "elastic/segment.h"
#include "model/springs.h"
#include "model/strain.h"
#include "solvers/pd/metric.h"

namespace writhe::pd {

namespace {
constexpr Quat identity{1, 0, 0, 0};

bool to_frame(const Model& model, int joint) {
  return std::max(model.joints().a[joint], model.joints().b[joint]) >= model.segment_count();
}
bool frame_first(const Model& model, int joint) { return model.joints().a[joint] >= model.segment_count(); }
int segment_at_frame(const Model& model, int joint) { return std::min(model.joints().a[joint], model.joints().b[joint]); }
}  // namespace

void Bundle::Free::operator()(double* p) const { std::free(p); }  // NOLINT: pairs with aligned_alloc

Bundle::Layout Bundle::layout(const Model& model, int rod, const std::vector<int>& joints) {
  const RodRange& range = model.rods()[rod];
  Layout out{range.segment_count, {}};
  for (const int j : joints) {
    if (!to_frame(model, j)) continue;
    const int segment = segment_at_frame(model, j) - range.first_segment + 1;
    out.anchors.push_back(frame_first(model, j) ? segment : -segment);
  }
  return out;
}

Bundle::Bundle(const Model& model, std::vector<int> rods, std::vector<std::vector<int>> joints)
    : Iteration(model),
      m_published(model.scene().solver.pd.weights == Weights::published),
      m_coupling(model.scene().solver.pd.coupling),
      m_kernel(bundle_kernel()) {
  for (std::size_t c = 0; c < rods.size(); ++c) {
    const RodRange& range = model.rods()[rods[c]];
    add_chain(rods[c], range.length, MetricChoice(model, joints[c], slow_chain));
    m_members.push_back({rods[c], range.first_node, range.first_segment, std::move(joints[c]), {}});
  }
  for (const int j : m_members[0].joints) {
    m_anchor_of_joint.push_back(to_frame(model, j) ? static_cast<int>(m_anchors.size()) : -1);
    if (to_frame(model, j))
      m_anchors.push_back({.segment = segment_at_frame(model, j) - m_members[0].segment0, .frame_first = frame_first(model, j)});
  }
  allocate();
  load_material();
}

void Bundle::allocate() {
  BundleArrays& a = m_arrays;
  a.segments = model().rods()[m_members[0].rod].segment_count;
  a.lanes = m_kernel.lanes;
  a.several = m_chains > 1;
  a.tiles = a.several ? a.segments + 1 : (a.segments + a.lanes) / a.lanes;
  a.full_tiles = a.several ? a.segments : std::max(0, a.segments - (a.lanes - 1) * a.tiles);
  a.published = m_published;
  // Any step may be one that wants the refreshed metric.
  const bool constant_only = MetricChoice::constant_only(model().scene().solver.pd);
  const long row_numbers = static_cast<long>(a.tiles + 1) * bundle_rows * a.lanes;
  const long column_numbers = linalg::anderson_columns * a.column_length();
  const long block_numbers = constant_only ? 0 : static_cast<long>(a.tiles + 1) * block_rows * a.lanes;
  const long factor_numbers = constant_only ? 0 : (a.segments + 1L) * factor_rows * (a.several ? a.lanes : 1);
  const long seam_numbers = a.several ? 0 : 24L * a.lanes * a.lanes;
  const long anchor_numbers = static_cast<long>(anchor_rows) * a.lanes;
  const long aside_numbers = a.several ? static_cast<long>(a.tiles) * point_rows * a.lanes : 0;
  const long numbers = row_numbers + column_numbers + block_numbers + factor_numbers + seam_numbers +
                       anchor_numbers * static_cast<long>(m_anchors.size()) + aside_numbers;
  // Long rods in large pages, where the system has them: a pass goes through all of them.
  constexpr std::size_t line = 64, page = std::size_t{1} << 21;
  const std::size_t used = static_cast<std::size_t>(numbers) * sizeof(double), unit = used < 4 * page ? line : page;
  const std::size_t bytes = (used + unit - 1) / unit * unit;
  m_memory.reset(static_cast<double*>(std::aligned_alloc(unit, bytes)));
  if (!m_memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (unit == page) madvise(m_memory.get(), bytes, MADV_HUGEPAGE);  // a wish: no harm if it is not granted
#endif
  std::memset(m_memory.get(), 0, bytes);
  double* free_memory = m_memory.get();
  const auto take = [&](long count) { return std::exchange(free_memory, free_memory + count); };
  a.rows = take(row_numbers);
  a.columns = take(column_numbers);
  a.blocks = take(block_numbers);
  a.factor = take(factor_numbers);
  a.seams = take(seam_numbers);
  for (BundleAnchor& anchor : m_anchors) {
    anchor.tile = a.tile(anchor.segment);
    anchor.lane = a.lane(anchor.segment, 0);
    anchor.rows = take(anchor_numbers);
  }
  m_aside = take(aside_numbers);
  a.anchors = m_anchors.data();
  a.anchor_count = static_cast<int>(m_anchors.size());
  for (int i = 0; i <= a.segments; ++i) m_places.push_back(static_cast<long>(a.tile(i)) * bundle_rows * a.lanes + a.lane(i, 0));
  m_drag_levels.assign(3 * static_cast<std::size_t>(a.segments + 1) * m_chains, 0);
  m_stretch_levels.assign(static_cast<std::size_t>(a.segments) * m_chains, 0);
}

double& Bundle::cell(int row, int i, int chain) const {
  return m_arrays.rows[m_places[i] + static_cast<long>(row) * m_arrays.lanes + (m_arrays.several ? chain : 0)];
}
Vec3 Bundle::vec(int row, int i, int chain) const {
  const double* p = &cell(row, i, chain);
  return {p[0], p[m_arrays.lanes], p[2 * m_arrays.lanes]};
}
Quat Bundle::quat(int row, int i, int chain) const {
  const double* p = &cell(row, i, chain);
  return {p[0], p[m_arrays.lanes], p[2 * m_arrays.lanes], p[3 * m_arrays.lanes]};
}
void Bundle::put(int row, int i, int chain, const Vec3& v) const {
  double* p = &cell(row, i, chain);
  p[0] = v.x;
  p[m_arrays.lanes] = v.y;
  p[2 * m_arrays.lanes] = v.z;
}
void Bundle::put(int row, int i, int chain, const Quat& q) const {
  cell(row, i, chain) = q.w;
  put(row + 1, i, chain, imag(q));
}

// ---- material ------------------------------------------------------------------------------------------------------
// The paper has one stiffness for stretch and shear, and one for bend and twist (PD Eqs. 15, 22).
Vec3 Bundle::stretch_stiffness(int segment) const {
  const Vec3& C = model().segments().stiffness[segment];
  return m_published ? Vec3{C.z, C.z, C.z} : C;
}
Vec3 Bundle::bend_stiffness(int joint) const {
  const Vec3& K = model().joints().stiffness[joint];
  return m_published ? Vec3{K.z, K.z, K.z} : K;
}

// What stays the same over all steps. Indices past the end get unit lengths and no stiffness, so that they add nothing.
void Bundle::load_material() {
  const BundleArrays& a = m_arrays;
  for (int tile = 0; tile <= a.tiles; ++tile)
    for (const int row : {0 + row_length, 0 + row_inverse_length, a.point + point_q, a.best + point_q, 0 + row_q_prev})
      std::fill_n(a.rows + (static_cast<long>(tile) * bundle_rows + row) * a.lanes, a.lanes, 1.0);
  for (int c = 0; c < linalg::anderson_columns; ++c)
    for (int tile = 0; tile < a.tiles; ++tile)
      std::fill_n(a.columns + c * a.column_length() + (static_cast<long>(tile) * column_rows + column_point + point_q) * a.lanes,
                  a.lanes, 1.0);
  for (int lane = 0; lane < m_chains; ++lane) {
    Chain& chain = m_members[lane];
    for (int i = 0; i < a.segments; ++i) {
      const int s = chain.segment0 + i;
      const double length = model().segments().length[s];
      cell(row_length, i, lane) = length;
      cell(row_inverse_length, i, lane) = 1 / length;
      const Vec3 C = stretch_stiffness(s);
      put(row_stretch, i, lane, (1 / length) * C);
      put(row_stretch_rest, i, lane, elastic::segment_rest(length, Vec3{}));
      put(row_inertia, i, lane, model().segments().inertia[s]);
      chain.stiffest_segment = std::max(chain.stiffest_segment, segment_spring(C, length));
    }
    for (std::size_t k = 0; k < chain.joints.size(); ++k) {
      const int j = chain.joints[k];
      const Vec3 K = bend_stiffness(j);
      chain.stiffest_joint = std::max(chain.stiffest_joint, joint_spring(K, model().joints().length[j]));
      put_joint(lane, static_cast<int>(k), K, model().joints().strain_rest[j]);
    }
    for (int i = 0; i + 1 < a.segments; ++i) m_arrays.whole = m_arrays.whole && cell(row_joint, i, lane) > 0;
    for (int i = 0; i <= a.segments; ++i) {
      const int fixed = model().nodes().fixed[chain.node0 + i];
      put(row_free, i, lane, Vec3{fixed & fixed_x ? 0.0 : 1.0, fixed & fixed_y ? 0.0 : 1.0, fixed & fixed_z ? 0.0 : 1.0});
      if (fixed) chain.fixed.push_back(i);
      if (fixed) m_prescribed.push_back(a.tile(i));
      cell(row_mass, i, lane) = model().nodes().mass[chain.node0 + i];
    }
  }
  std::sort(m_prescribed.begin(), m_prescribed.end());
  m_prescribed.erase(std::unique(m_prescribed.begin(), m_prescribed.end()), m_prescribed.end());
  m_arrays.prescribed = m_prescribed.data();
  m_arrays.prescribed_count = static_cast<int>(m_prescribed.size());
}

// place: in Chain::joints.
void Bundle::put_joint(int chain, int place, const Vec3& stiffness, const Vec3& rest) {
  const int j = m_members[chain].joints[place];
  const double length = model().joints().length[j];
  const Vec3 bend = (1 / length) * stiffness;
  // The paper's measure is another one, also of the shape without stress.
  const Vec3 angle = m_published ? 2.0 * imag(strain::joint_rotation(length * rest)) : length * rest;
  if (const int index = m_anchor_of_joint[place]; index >= 0) {
    const auto put_lanes = [&](int row, double value) {
      double* lanes = m_anchors[index].rows + static_cast<long>(row) * m_arrays.lanes;
      if (m_arrays.several)
        lanes[chain] = value;
      else
        std::fill_n(lanes, m_arrays.lanes, value);
    };
    put_lanes(anchor_bend, bend.x), put_lanes(anchor_bend + 1, bend.y), put_lanes(anchor_bend + 2, bend.z);
    put_lanes(anchor_bend_rest, angle.x), put_lanes(anchor_bend_rest + 1, angle.y), put_lanes(anchor_bend_rest + 2, angle.z);
    return;
  }
  const int i = model().joints().a[j] - m_members[chain].segment0;
  cell(row_joint, i, chain) = 1;
  put(row_bend, i, chain, bend);
  put(row_bend_rest, i, chain, angle);
}

void Bundle::load_step_material(const StepMaterial& material) {
  if (material.plain() && m_plain) return;
  m_plain = material.plain();
  for (int lane = 0; lane < m_chains; ++lane) {
    const Chain& chain = m_members[lane];
    for (int i = 0; i < m_arrays.segments; ++i) {
      const int s = chain.segment0 + i;
      const double length = model().segments().length[s];
      put(row_stretch, i, lane, material.factor() / length * stretch_stiffness(s));
      put(row_stretch_rest, i, lane, elastic::segment_rest(length, material.segment_rest(s)));
    }
    for (std::size_t k = 0; k < chain.joints.size(); ++k)
      put_joint(lane, static_cast<int>(k), material.factor() * bend_stiffness(chain.joints[k]),
                material.joint_rest(chain.joints[k]));
  }
}

// ---- a step --------------------------------------------------------------------------------------------------------
void Bundle::load_step(const State& state, const Loading& loading, double dt, bool refreshed) {
  m_arrays.inv_h = 1 / dt;
  m_arrays.refreshed = refreshed;
  m_stale = m_stale || dt != m_metric_dt;
  m_metric_dt = dt;
  load_step_material(StepMaterial(model(), state, loading, dt));
  clear_past_ends();
  gather(state, loading);
  BundleStart start;
  m_kernel.predict(m_arrays, model().scene().damping.mass, loading.has_moments, start);
  m_arrays.bare = !loading.has_drag;
  bool stretched = false;
  for (int chain = 0; chain < m_chains; ++chain) {
    m_members[chain].drags = false;
    if (loading.has_drag) start.heaviest[chain] = std::max(start.heaviest[chain], add_drag(chain, loading));
    m_members[chain].flies = refreshed && running(chain) && m_members[chain].fixed.empty() && !m_members[chain].drags;
    if (m_members[chain].flies) fly_under_loads(chain, m_arrays.point);
    place_prescribed(chain, loading);
    load_frames(chain, loading);
    const bool own = metric_level(start.stretch2[chain]) > 0;
    if (own || m_stretched) set_stretch_levels(chain);
    stretched = stretched || own;
  }
  m_stretched = stretched;
  set_sizes(start, dt);
  if (renew_metric(nullptr)) return;
  if (m_stale) factorise();
  m_stale = false;
}

bool Bundle::renew_metric(const double* chains) {
  if (m_arrays.refreshed) m_kernel.refresh(m_arrays, chains);
  return m_arrays.refreshed;
}

void Bundle::set_level(int& level, int now) {
  m_stale = m_stale || level != now;
  level = now;
}

// Where nothing is gathered, past the ends, a step that failed may have left what is not finite.
void Bundle::clear_past_ends() {
  const BundleArrays& a = m_arrays;
  const int indices = a.several ? a.tiles : a.tiles * a.lanes;
  for (int i = a.segments; i < indices; ++i) {
    double* numbers = a.rows + static_cast<long>(a.tile(i)) * bundle_rows * a.lanes + a.lane(i, 0);
    for (int r = i > a.segments ? int{row_gradient_x} : int{row_gradient_q}; r < row_gradient_q + 3; ++r)
      std::fill_n(numbers + static_cast<long>(r) * a.lanes, a.several ? a.lanes : 1, 0.0);
  }
}

// A rod that nothing holds has the right linear momentum where its loads take it as a whole, and keeps it whatever the iterations
// do; with the refreshed metric no move of the nodes comes after them to put it right, but for rounding. Not node by node: loads
// that balance each other would tear it apart in a long step.
void Bundle::fly_under_loads(int chain, int point) {
  Vec3 force{};
  double matrix = 0;
  for (int i = 0; i <= m_arrays.segments; ++i) {
    const double own = cell(row_node_matrix, i, chain);
    force = force + vec(row_node_force, i, chain) - own * (vec(point + point_x, i, chain) - vec(row_x_prev, i, chain));
    matrix += own;
  }
  for (int i = 0; i <= m_arrays.segments; ++i)
    put(point + point_x, i, chain, vec(point + point_x, i, chain) + (1 / matrix) * force);
}

void Bundle::balance_best() {
  for (int chain = 0; chain < m_chains; ++chain)
    if (m_members[chain].flies) fly_under_loads(chain, m_arrays.best);
}

// The state and the loads of the step, to where BundleKernel::predict looks for them.
void Bundle::gather(const State& state, const Loading& loading) {
  const BundleArrays& a = m_arrays;
  BundleSource source{&state.x[0].x,
                      &state.v[0].x,
                      &loading.force[0].x,
                      &state.q[0].w,
                      &state.w[0].x,
                      loading.has_moments ? &loading.moment[0].x : nullptr,
                      {},
                      {}};
  for (int lane = 0; lane < a.lanes; ++lane) {
    source.node[lane] = a.several ? m_members[lane].node0 : m_members[0].node0 + lane * a.tiles;
    source.segment[lane] = a.several ? m_members[lane].segment0 : m_members[0].segment0 + lane * a.tiles;
  }
  m_kernel.gather(a, source);
  for (int lane = 0; lane < a.lanes; ++lane) {
    const int first = a.several ? 0 : lane * a.tiles;
    for (int i = first + a.full_tiles; i < first + a.tiles && i <= a.segments; ++i)
      gather(a.several ? lane : 0, i, state, loading);
  }
}

void Bundle::gather(int chain, int i, const State& state, const Loading& loading) {
  const int k = m_members[chain].node0 + i, s = m_members[chain].segment0 + i;
  put(row_x_prev, i, chain, state.x[k]);
  put(row_gradient_x, i, chain, state.v[k]);
  put(row_node_force, i, chain, loading.force[k]);
  if (i == m_arrays.segments) return;
  put(row_q_prev, i, chain, state.q[s]);
  put(row_gradient_q, i, chain, state.w[s]);
  if (loading.has_moments) put(row_spin_moment, i, chain, loading.moment[s]);
}

// Completes the quadratics of the nodes; returns the largest number on their diagonals.
double Bundle::add_drag(int chain, const Loading& loading) {
  const int node0 = m_members[chain].node0;
  double heaviest = 0;
  for (int i = 0; i <= m_arrays.segments; ++i) {
    const double bare = cell(row_node_matrix, i, chain);
    const Sym3& drag = loading.drag[node0 + i];
    m_members[chain].drags = m_members[chain].drags || is_any(drag);
    const double d = m_arrays.inv_h;
    const Sym3 D{bare + d * drag.xx, d * drag.xy, d * drag.xz, bare + d * drag.yy, d * drag.yz, bare + d * drag.zz};
    const double entries[6] = {D.xx, D.xy, D.xz, D.yy, D.yz, D.zz};
    for (int r = 0; r < 6; ++r) cell(row_node_matrix + r, i, chain) = entries[r];
    put(row_node_force, i, chain, vec(row_node_force, i, chain) + loading.drag_force[node0 + i]);
    int* levels = &m_drag_levels[3 * (static_cast<std::size_t>(chain) * (m_arrays.segments + 1) + i)];
    const Vec3 most = row_sums(D);
    set_level(levels[0], metric_level(most.x / bare));
    set_level(levels[1], metric_level(most.y / bare));
    set_level(levels[2], metric_level(most.z / bare));
    heaviest = std::max({heaviest, D.xx, D.yy, D.zz});
  }
  return heaviest;
}

void Bundle::place_prescribed(int chain, const Loading& loading) {
  for (const int i : m_members[chain].fixed) {
    const Vec3 free = vec(row_free, i, chain), flown = vec(m_arrays.point + point_x, i, chain);
    const Vec3 to = loading.x_support[m_members[chain].node0 + i];
    put(m_arrays.point + point_x, i, chain, scale(free, flown) + scale(Vec3{1, 1, 1} - free, to));
  }
}

void Bundle::set_stretch_levels(int chain) {
  for (int i = 0; i < m_arrays.segments; ++i) {
    const Vec3 d = (1 / cell(row_length, i, chain)) * (vec(row_x_prev, i + 1, chain) - vec(row_x_prev, i, chain));
    set_level(m_stretch_levels[static_cast<std::size_t>(chain) * m_arrays.segments + i], metric_level(dot(d, d)));
  }
}

void Bundle::set_sizes(const BundleStart& start, double dt) {
  const double damped = elastic::DampedStiffness(model().scene().damping.internal, dt).factor;
  for (int chain = 0; chain < m_chains; ++chain) {
    const Chain& own = m_members[chain];
    m_size[chain] = start.size[chain];
    m_load[chain] = start.load[chain] + start.moment[chain] / m_length[chain];
    m_rounding[chain] =
        8 * assembly::rounding_error(own.stiffest_segment, own.stiffest_joint, m_size[chain], damped, start.heaviest[chain]);
  }
}

// Clamps, as their joints see them.
void Bundle::load_frames(int chain, const Loading& loading) {
  const Joints& joints = model().joints();
  for (std::size_t k = 0; k < m_anchor_of_joint.size(); ++k) {
    const int index = m_anchor_of_joint[k];
    if (index < 0) continue;
    const int j = m_members[chain].joints[k];
    const bool first = m_anchors[index].frame_first;
    const Quat turn = first ? joints.turn_a[j] : strain::turn_b(model(), loading.closing, j);
    const Quat q = loading.q_support[(first ? joints.a[j] : joints.b[j]) - model().segment_count()] * turn;
    const double parts[4] = {q.w, q.x, q.y, q.z};
    for (int r = 0; r < 4; ++r) {
      double* lanes = m_anchors[index].rows + static_cast<long>(anchor_frame + r) * m_arrays.lanes;
      if (m_arrays.several)
        lanes[chain] = parts[r];
      else
        std::fill_n(lanes, m_arrays.lanes, parts[r]);
    }
  }
}

// ---- chains that the arrays go on without ----------------------------------------------------------------------------
Bundle::Place Bundle::place_in_column(int column, int chain) const {
  return {m_arrays.columns + column * m_arrays.column_length() + column_point * m_arrays.lanes + chain, column_rows};
}

void Bundle::copy_place(const Place& to, const Place& from) const {
  const long lanes = m_arrays.lanes;
  for (long t = 0; t < m_arrays.tiles; ++t)
    for (long r = 0; r < point_rows; ++r) to.first[(t * to.stride + r) * lanes] = from.first[(t * from.stride + r) * lanes];
}

// Into the column, too, which takes no part in mixing but must be finite.
void Bundle::put_point_back(int chain, int column) {
  copy_place(place_in_tiles(m_arrays.point, chain), place_aside(chain));
  copy_place(place_in_column(column, chain), place_aside(chain));
}

// ---- metric --------------------------------------------------------------------------------------------------------
void Bundle::factorise() {
  ++m_factorisations;
  m_arrays.node_system_step = 0;
  for (int lane = 0; lane < m_chains; ++lane) {
    factorise_nodes(lane);
    factorise_turns(lane);
  }
}

BundleShape Bundle::inspect() const {
  BundleShape shape;
  m_kernel.inspect(m_arrays, shape);
  return shape;
}

// With what is left at the best point, where the step ended; the gradient in the rows may be that of another, which was refused.
void Bundle::blame(int chain, StepReport& report) const {
  report.rod = m_members[chain].rod;
  if (has_best(chain)) {
    BundleArrays there = m_arrays;
    there.point = there.best;
    there.refreshed = true;  // the nodes stay
    BundleSums sums;
    m_kernel.move_nodes(there, 0, sums);
    m_kernel.find_moments(there, 0, sums);
  }
  double worst = -1;
  for (int i = 0; i <= m_arrays.segments; ++i) {
    const double length = cell(row_length, i, chain);
    const double size = std::max(norm(vec(row_gradient_x, i, chain)), norm(vec(row_gradient_q, i, chain)) / length);
    if (size > worst || !std::isfinite(size)) {
      worst = size;
      report.node = i;
      if (!std::isfinite(size)) return;
    }
  }
}

void Bundle::store(Configuration& next) const {
  for (int lane = 0; lane < m_chains; ++lane) {
    if (!counts(lane)) continue;
    const Chain& chain = m_members[lane];
    for (int i = 0; i <= m_arrays.segments; ++i) next.x[chain.node0 + i] = vec(m_arrays.best + point_x, i, lane);
    for (int i = 0; i < m_arrays.segments; ++i) next.q[chain.segment0 + i] = quat(m_arrays.best + point_q, i, lane);
  }
}

}  // namespace writhe::pd
