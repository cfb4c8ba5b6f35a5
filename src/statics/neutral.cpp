#include "statics/neutral.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <span>

#include "linalg/dense.h"
#include "statics/candidate_set.h"
#include "statics/clusters.h"
#include "statics/pins.h"
#include "statics/shaken.h"

namespace writhe::statics {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Work over the most it could be, which rounding errors make of none.
constexpr double negligible_elastic = 1e-10;  // sum over all elements, with weights
constexpr double negligible_load = 1e-12;

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

// Combinations (columns) on which the work in the rows is none, orthonormal.
MatrixXd kernel(const MatrixXd& work, const MatrixXd& combinations, double negligible) {
  const linalg::RightSingular singular = linalg::right_singular(work);
  Eigen::Index rank = 0;
  while (rank < singular.values.size() && singular.values[rank] > negligible) ++rank;
  return linalg::orthonormal(combinations * singular.vectors.rightCols(combinations.cols() - rank));
}

// A component, and the motions that its supports allow.
struct Part {
  std::shared_ptr<const PartCandidates> candidates;
  MatrixXd allowed;  // combinations
  MatrixXd work;     // of elastic forces on them: two rows a trial
};

// By block: to which component it belongs, and which of its unknowns it is.
struct Slot {
  Part* part = nullptr;
  const PartCandidates::Unknown* unknown = nullptr;
};
std::vector<Slot> slots_of(const Equilibrium& equilibrium, std::vector<Part>& parts) {
  std::vector<Slot> slots(static_cast<std::size_t>(equilibrium.assembly().size() / 3));
  for (Part& part : parts)
    for (const PartCandidates::Unknown& unknown : part.candidates->unknowns()) slots[unknown.block] = {&part, &unknown};
  return slots;
}

// Elastic energy is the same after a neutral motion in each element by itself. So the work on each element counts against the
// most it could be there, and a thread on a heavy bar as much as the bar; sums with random weights stand for all elements.
void add_elastic_work(const Equilibrium& equilibrium, const State& state, Eigen::Index trial, const std::vector<Slot>& slots) {
  std::mt19937 random(static_cast<unsigned>(trial + 1));
  const auto weight = [&random] { return 2 * (static_cast<double>(random()) / 4294967295.0) - 1; };
  equilibrium.visit_elastic(state, [&](const assembly::ElementForces& on) {
    Part* part = on.count > 0 ? slots[on.block[0]].part : nullptr;
    if (!part || part->allowed.cols() == 0) return;
    Eigen::Matrix<double, 1, candidates> done;
    const Eigen::Index count = part->allowed.cols();
    double most = 0;
    for (Eigen::Index c = 0; c < count; ++c) {
      double own = 0, size = 0;
      for (int k = 0; k < on.count; ++k) {
        const PartCandidates::Unknown& unknown = *slots[on.block[k]].unknown;
        const Vec3 motion = part->candidates->motion_of(state, unknown, part->allowed.col(c));
        own += dot(on.force[k], motion);
        size += norm(on.force[k]) * part->candidates->size_of(unknown, motion);
      }
      done[c] = own;
      most = std::max(most, size);
    }
    if (most == 0) return;
    for (const Eigen::Index row : {2 * trial, 2 * trial + 1}) part->work.row(row) += (weight() / most) * done.head(count);
  });
}

// What supports allow to a component and its own elements do not resist: as columns of unit size, each with a first candidate of
// its own. So a spin, on which links do no work, stays apart from what they do work on.
MatrixXd free_of_energy(const Part& part) {
  MatrixXd rows = kernel(part.work, part.allowed, negligible_elastic).transpose();
  reduce(rows);
  return rows.rowwise().normalized().transpose();
}

// The work of the elements of terms on the components that each reaches, in a row of its own.
class TermWork {
 public:
  TermWork(const std::vector<Part>& parts, const std::vector<Slot>& slots, const std::vector<PartMotions>& motions)
      : m_parts(parts), m_slots(slots), m_motions(motions) {}

  void add(const State& state, std::span<const int> blocks, const Term::Value& value);
  std::vector<Tie> ties() &&;

 private:
  std::size_t number(const Part* part) const { return static_cast<std::size_t>(part - m_parts.data()); }

  const std::vector<Part>& m_parts;
  const std::vector<Slot>& m_slots;
  const std::vector<PartMotions>& m_motions;
  std::map<std::vector<std::size_t>, std::vector<Eigen::RowVectorXd>> m_rows;  // by components
};

void TermWork::add(const State& state, std::span<const int> blocks, const Term::Value& value) {
  std::vector<std::size_t> reached;
  for (const int b : blocks)
    if (b >= 0 && m_slots[b].part) reached.push_back(number(m_slots[b].part));
  std::sort(reached.begin(), reached.end());
  reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
  std::erase_if(reached, [&](std::size_t p) { return m_motions[p].free.cols() == 0; });
  if (reached.empty()) return;
  Eigen::RowVectorXd done = Eigen::RowVectorXd::Zero(candidates * static_cast<Eigen::Index>(reached.size()));
  double most = 0;
  for (std::size_t r = 0; r < reached.size(); ++r) {
    const Part& part = m_parts[reached[r]];
    VectorXd sizes = VectorXd::Zero(m_motions[reached[r]].free.cols());
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      if (blocks[k] < 0 || m_slots[blocks[k]].part != &part) continue;
      const PartCandidates::Unknown& unknown = *m_slots[blocks[k]].unknown;
      for (int c = 0; c < candidates; ++c)
        done[candidates * static_cast<Eigen::Index>(r) + c] +=
            dot(value.gradient[k], part.candidates->motion_of(state, unknown, VectorXd::Unit(candidates, c)));
      for (Eigen::Index c = 0; c < sizes.size(); ++c)
        sizes[c] +=
            norm(value.gradient[k]) *
            part.candidates->size_of(unknown, part.candidates->motion_of(state, unknown, m_motions[reached[r]].free.col(c)));
    }
    most = std::max(most, sizes.maxCoeff());
  }
  if (most > 0) m_rows[reached].push_back(done / most);
}

std::vector<Tie> TermWork::ties() && {
  std::vector<Tie> out;
  for (auto& [parts, rows] : m_rows) out.push_back({parts, std::move(rows)});
  return out;
}

// States near the one in question, and the loads there.
struct Trials {
  std::vector<State> states;
  std::vector<VectorXd> loads;
};

// Of the combinations, those on which the loads do no work at any of the states. The work on each counts against the most it
// could be.
MatrixXd without_work(const CandidateSet& set, const Trials& trials, const MatrixXd& combinations) {
  MatrixXd work(static_cast<Eigen::Index>(trials.states.size()), combinations.cols());
  VectorXd most = VectorXd::Zero(combinations.cols());
  for (Eigen::Index c = 0; c < combinations.cols(); ++c)
    for (std::size_t t = 0; t < trials.states.size(); ++t) {
      const PartCandidates::Work on = set.work(trials.states[t], trials.loads[t], combinations.col(c));
      work(static_cast<Eigen::Index>(t), c) = on.done;
      most[c] = std::max(most[c], on.most);
    }
  const VectorXd scale = most.unaryExpr([](double size) { return size > 0 ? 1 / size : 1; });
  return kernel(work * scale.asDiagonal(), combinations * scale.asDiagonal(), negligible_load);
}

// Of a cluster, each with a first candidate of its own.
std::vector<Motion> neutral_motions(const CandidateSet& set, const Cluster& cluster, std::size_t number, const Trials& trials) {
  MatrixXd rows = without_work(set, trials, cluster.motions).transpose();
  reduce(rows);
  std::vector<Motion> out;
  for (Eigen::Index m = 0; m < rows.rows(); ++m) {
    Eigen::Index first = 0;
    while (first + 1 < rows.cols() && std::abs(rows(m, first)) < 1e-6) ++first;
    const auto part = static_cast<Eigen::Index>(cluster.parts[static_cast<std::size_t>(first / candidates)]);
    out.push_back({number, rows.row(m), candidates * part + first % candidates, -1});
  }
  return out;
}

// A push that is the same wherever the rods go: along a translation, or a spin, that neither supports nor elasticity resist.
void add_driven(const CandidateSet& set, const Trials& trials, const MatrixXd& free, bool slack, Freedom& out) {
  VectorXd work(set.count());
  double total = 0;  // N
  for (int c = 0; c < set.count(); ++c) {
    const PartCandidates& part = *set.parts()[static_cast<std::size_t>(c / candidates)];
    const PartCandidates::Work on =
        part.work(trials.states.front(), trials.loads.front(), VectorXd::Unit(candidates, c % candidates));
    work[c] = on.done;
    total = std::max(total, on.most);
  }
  for (const bool of_spin : {true, false}) {
    MatrixXd others = free;  // must vanish in a pure spin, or a pure translation
    for (int first = 0; first < set.count(); first += candidates) {
      if (of_spin)
        others.row(first + spin).setZero();
      else
        others.middleRows(first + translation, candidates - translation).setZero();
    }
    const MatrixXd pure = others.norm() > 0 ? MatrixXd(free * linalg::kernel(others.transpose() * others, 1e-10)) : free;
    if (pure.cols() == 0) continue;
    VectorXd along = pure * linalg::solve_semidefinite(pure.transpose() * pure, pure.transpose() * work);
    if (along.norm() == 0) continue;
    along.normalize();
    const double force = along.dot(work);
    if (std::abs(force) <= 1e-9 * total) continue;
    const State& state = trials.states.front();
    out.driven.push_back({set.rod(state, along), set.name(state, along), of_spin ? force * set.length() : force, of_spin, slack});
  }
}

}  // namespace

bool Freedom::may_be_caught() const {
  return std::all_of(driven.begin(), driven.end(), [](const Mechanism& mechanism) { return mechanism.slack; });
}

Freedom Freedom::firm() const {
  Freedom out = *this;
  std::erase_if(out.neutral, [](const NeutralMotion& motion) { return motion.slack; });
  return out;
}

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
  const assembly::Assembly& assembly = equilibrium.assembly();
  const ArmsByRod arms = find_arms(model);
  std::vector<Part> parts;
  for (const Component& component : model.components()) {
    const auto part = std::make_shared<const PartCandidates>(model, assembly, component, arms, state);
    MatrixXd allowed = part->allowed(state, assembly.free());
    allowed.colwise().normalize();
    if (allowed.cols() > 0) parts.push_back({part, std::move(allowed), {}});
  }
  Freedom out;
  if (parts.empty()) return out;
  Shaken near = shaken(model, assembly, state, equilibrium.has_terms());
  Trials trials{std::move(near.states), {}};
  const auto count = static_cast<Eigen::Index>(trials.states.size());
  for (Part& part : parts) part.work = MatrixXd::Zero(2 * count, part.allowed.cols());
  const std::vector<Slot> slots = slots_of(equilibrium, parts);
  for (Eigen::Index t = 0; t < count; ++t) {
    add_elastic_work(equilibrium, trials.states[t], t, slots);
    trials.loads.push_back(equilibrium.loads(trials.states[t], where));
  }
  std::vector<PartMotions> each;
  each.reserve(parts.size());
  for (const Part& part : parts)
    each.push_back({free_of_energy(part), part.candidates->rigid(parts.front().candidates->centre())});
  TermWork terms(parts, slots, each);
  std::vector<bool> slack(parts.size(), false);
  if (equilibrium.has_terms())
    equilibrium.visit_terms(
        state, trials.states, near.opposite,
        {[&](std::span<const int> blocks, const State& at, const Term::Value& value) { terms.add(at, blocks, value); },
         [&](std::span<const int> blocks) {
           for (const int b : blocks)
             if (b >= 0 && slots[b].part) slack[static_cast<std::size_t>(slots[b].part - parts.data())] = true;
         }});

  const std::vector<Cluster> clusters = find_clusters(each, std::move(terms).ties(), negligible_elastic);
  std::vector<std::shared_ptr<const CandidateSet>> sets;
  std::vector<bool> may_tighten;  // per set
  std::vector<Motion> motions;
  Pins pins(state, assembly.free(), parts.size());
  for (const Cluster& cluster : clusters) {
    std::vector<std::shared_ptr<const PartCandidates>> members;
    for (const std::size_t p : cluster.parts) members.push_back(parts[p].candidates);
    sets.push_back(std::make_shared<const CandidateSet>(std::move(members)));
    const CandidateSet& set = *sets.back();
    may_tighten.push_back(std::any_of(cluster.parts.begin(), cluster.parts.end(), [&](std::size_t p) { return slack[p]; }));
    add_driven(set, trials, cluster.motions, may_tighten.back(), out);
    for (Motion& motion : pins.hold(neutral_motions(set, cluster, sets.size() - 1, trials), set, cluster))
      motions.push_back(std::move(motion));
  }
  std::stable_sort(out.driven.begin(), out.driven.end(), [](const Mechanism& a, const Mechanism& b) { return a.rod < b.rod; });
  std::stable_sort(motions.begin(), motions.end(), [](const Motion& a, const Motion& b) { return a.first < b.first; });
  for (Motion& motion : motions) {
    const auto set = sets[motion.cluster];
    const std::string name = set->name(state, motion.coefficients);
    out.neutral.push_back({[set, own = std::move(motion.coefficients), size = assembly.size()](const State& s) {
                             return set->direction(s, own, size);
                           },
                           name, motion.pin, may_tighten[motion.cluster]});
  }
  return out;
}

}  // namespace writhe::statics
