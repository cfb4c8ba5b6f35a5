#include "solvers/part_set.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "elastic/inertia.h"

namespace writhe {

namespace {

// The worst of two: a failure before success, then the larger residual against its limit.
StepReport merged(const StepReport& a, const StepReport& b) {
  const auto severity = [](const StepReport& r) { return r.residual > 0 ? r.residual / r.residual_limit : 0.0; };
  const bool take_b = a.accepted() ? !b.accepted() || severity(b) > severity(a) : false;
  StepReport out = take_b ? b : a;
  out.iterations = std::max(a.iterations, b.iterations);
  out.converged = a.converged && b.converged;
  return out;
}

}  // namespace

PartSet::PartSet(const Model& model, std::shared_ptr<Terms> terms, const Threads& threads, MakeIsland make_island)
    : m_make_island(std::move(make_island)),
      m_islands(model, std::move(terms)),
      m_segments(model.segment_count()),
      m_threads(threads) {
  m_next.x.resize(static_cast<std::size_t>(model.node_count()));
  m_next.q.resize(static_cast<std::size_t>(model.orientation_count()));
}

void PartSet::add(std::unique_ptr<Part> part, std::vector<int> components) {
  m_own.push_back({std::move(part), std::move(components), false});
  m_pieces.clear();
}

void PartSet::listen(const Stop& stop) {
  m_stop = &stop;
  for (const std::vector<Own>* parts : {&m_own, &m_island_parts})
    for (const Own& own : *parts) own.part->listen(m_stop);
}

void PartSet::begin(const State& state, const Loading& loading, double dt, Integrator integrator) {
  if (!m_islands.terms().empty()) {
    m_islands.find(state, {loading.time, dt, integrator, m_tried});
    find_pieces();
  } else if (m_pieces.empty()) {
    for (const Own& own : m_own) m_pieces.push_back({own.part.get(), own.components, {}});
  }
}

void PartSet::find_pieces() {
  m_pieces.clear();
  for (const Own& own : m_own) {
    const auto coupled = [&](int component) { return m_islands.is_coupled(component); };
    if (std::all_of(own.components.begin(), own.components.end(), coupled)) continue;
    own.part->leave_out(m_islands.rods_coupled());
    m_pieces.push_back({own.part.get(), own.components, {}});
  }
  renew_island_parts();
  for (std::size_t i = 0; i < m_island_parts.size(); ++i) {
    const Islands::Island& island = m_islands.all()[i];
    m_island_parts[i].part->couple(island.elements);
    m_pieces.push_back({m_island_parts[i].part.get(), island.components, island.elements});
  }
}

bool PartSet::is_light(const Islands::Island& island) const {
  return island.components.size() == 1 &&
         std::all_of(island.elements.begin(), island.elements.end(), [&](const TermElement& element) {
           const Term& term = m_islands.terms().of(element);
           return !term.has_hessian() && !term.has_potential();
         });
}

// Parts of the step before are kept where they are of the same components and kind: all that they carry from step to step they
// can make anew, so that a resumed run, which has none, goes the same way.
void PartSet::renew_island_parts() {
  const std::span<const Islands::Island> islands = m_islands.all();
  const auto same = [this](const Own& own, const Islands::Island& island) {
    return own.components == island.components && own.light == is_light(island);
  };
  if (std::equal(m_island_parts.begin(), m_island_parts.end(), islands.begin(), islands.end(), same)) return;
  std::vector<Own> before = std::exchange(m_island_parts, {});
  auto next = before.begin();  // both are in the order of their first components
  for (const Islands::Island& island : islands) {
    while (next != before.end() && next->components.front() < island.components.front()) ++next;
    if (next != before.end() && same(*next, island)) {
      m_island_parts.push_back(std::move(*next++));
      continue;
    }
    m_island_parts.push_back({m_make_island(island.components, is_light(island)), island.components, is_light(island)});
    m_island_parts.back().part->listen(m_stop);
  }
}

StepReport PartSet::report() const {
  StepReport all = m_reports[0];
  for (std::size_t i = 1; i < m_reports.size(); ++i) all = merged(all, m_reports[i]);
  return all;
}

StepReport PartSet::went_too_far(StepReport report) {
  report.status = StepStatus::not_converged;
  report.cause = "in this step everything goes farther each time it is looked at; take a smaller time.dt";
  report.shorter_helps = true;
  return report;
}

StepReport PartSet::look_for_passed(const std::vector<Vec3>& start, const std::vector<Vec3>& end, StepReport report) const {
  for (std::size_t t = 0; t < m_islands.terms().size(); ++t) {
    const Term& term = m_islands.terms()[t];
    if (!term.guards()) continue;
    std::atomic<bool> passed = false;
    m_threads.for_each_chunk(term.element_count(), [&](int from, int to) {
      for (int i = from; i < to && !passed; ++i)
        if (term.is_passed(i, start, end)) passed = true;
    });
    if (!passed) continue;
    report.status = StepStatus::not_converged;
    report.cause =
        "rods go so far in this step that they would pass through each other on the straight way; take a smaller time.dt";
    report.shorter_helps = true;
  }
  return report;
}

StepReport PartSet::step_euler(State& state, const Loading& loading, double dt, StageWatch& watch) {
  const auto solve = [&](const std::vector<Vec3>*& end) {
    watch.lap(&StageTimes::coupling);
    StepReport all = for_each([&](const Piece& piece) { return piece.part->minimise(state, loading, dt); });
    if (all.accepted()) {
      const auto orientations = static_cast<std::ptrdiff_t>(m_next.q.size());
      std::copy(state.q.begin() + m_segments, state.q.begin() + orientations,
                m_next.q.begin() + m_segments);  // prescribed frames
      m_threads.for_each(static_cast<int>(m_pieces.size()), [&](int i) { m_pieces[i].part->store(m_next); });
      end = &m_next.x;
    }
    watch.lap(&StageTimes::solve);
    return all;
  };
  StepReport all = step(state, loading, dt, Integrator::euler, solve);
  if (!all.accepted()) return all;
  take_next(state, 1 / dt);
  end(state);
  return all;
}

void PartSet::take_next(State& state, double inv_h) const {
  m_threads.for_each_chunk(static_cast<int>(m_next.x.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      state.v[i] = inv_h * (m_next.x[i] - state.x[i]);
      state.x[i] = m_next.x[i];
    }
  });
  m_threads.for_each_chunk(static_cast<int>(m_next.q.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      state.w[i] = elastic::angular_rate(state.q[i], m_next.q[i], inv_h);
      state.q[i] = m_next.q[i];
    }
  });
}

std::vector<std::vector<int>> joints_by_rod(const Model& model) {
  std::vector<std::vector<int>> out(model.rods().size());
  const Joints& joints = model.joints();
  for (int j = 0; j < model.joint_count(); ++j) {
    const int segment = joints.a[j] < model.segment_count() ? joints.a[j] : joints.b[j];
    out[model.segments().rod[segment]].push_back(j);
  }
  return out;
}

RodsAndJoints rods_and_joints(const Model& model, std::span<const int> components, const std::vector<std::vector<int>>& by_rod) {
  RodsAndJoints out;
  for (const int component : components) {
    const std::vector<int>& rods = model.components()[component].rods;
    out.rods.insert(out.rods.end(), rods.begin(), rods.end());
    for (const int rod : rods) out.joints.insert(out.joints.end(), by_rod[rod].begin(), by_rod[rod].end());
  }
  return out;
}

}  // namespace writhe
