#include "statics/neutral.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include <Eigen/Dense>

#include "statics/part_candidates.h"
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

// Independent motions of a part, and unknowns that together take them out: pivots of a QR decomposition. Combinations may not
// move anything: a straight rod that is turned about its axis and spun back.
void pin_down(std::vector<NeutralMotion>& motions, const State& state, const PartCandidates& part, const VectorXd& free) {
  std::vector<int> at;         // unknowns that are free
  std::vector<double> counts;  // m: what a unit of each counts as
  for (const PartCandidates::Unknown& unknown : part.unknowns())
    for (int i = 3 * unknown.block; i < 3 * unknown.block + 3; ++i) {
      if (free[i] == 0) continue;
      at.push_back(i);
      counts.push_back(unknown.is_node ? 1 : part.length());
    }
  const auto size = static_cast<Eigen::Index>(at.size());
  std::vector<NeutralMotion> kept;
  MatrixXd basis(size, 0);  // of those kept, orthonormal
  for (NeutralMotion& motion : motions) {
    VectorXd row(size);
    const Eigen::SparseVector<double> direction = motion.direction(state);
    Eigen::Index k = 0;
    for (Eigen::SparseVector<double>::InnerIterator it(direction); it; ++it)
      if (free[it.index()] > 0) {
        row[k] = it.value() * counts[k];
        ++k;
      }
    for (int twice = 0; twice < 2; ++twice) row -= basis * (basis.transpose() * row);
    if (row.norm() < 1e-6 * std::sqrt(static_cast<double>(size))) continue;  // candidates are of size 1 an unknown
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

// Combinations (columns) on which the work in the rows is none, orthonormal.
MatrixXd kernel(const MatrixXd& work, const MatrixXd& combinations, double negligible) {
  const Eigen::JacobiSVD<MatrixXd> svd(work, Eigen::ComputeFullV);
  Eigen::Index rank = 0;
  while (rank < svd.singularValues().size() && svd.singularValues()[rank] > negligible) ++rank;
  const MatrixXd kept = combinations * svd.matrixV().rightCols(combinations.cols() - rank);
  return Eigen::HouseholderQR<MatrixXd>(kept).householderQ() * MatrixXd::Identity(kept.rows(), kept.cols());
}

// A part whose supports allow some motions.
struct Part {
  std::shared_ptr<const PartCandidates> candidates;
  MatrixXd allowed;  // combinations
  MatrixXd work;     // of elastic forces on them: two rows a trial
};

// Elastic energy is the same after a neutral motion in each element by itself. So the work on each element counts against the
// most it could be there, and a thread on a heavy bar as much as the bar; sums with random weights stand for all elements.
void add_elastic_work(const Equilibrium& equilibrium, const State& state, Eigen::Index trial, std::vector<Part>& parts) {
  struct Slot {
    Part* part = nullptr;
    const PartCandidates::Unknown* unknown = nullptr;
  };
  std::vector<Slot> slots(static_cast<std::size_t>(equilibrium.assembly().size() / 3));
  for (Part& part : parts)
    for (const PartCandidates::Unknown& unknown : part.candidates->unknowns()) slots[unknown.block] = {&part, &unknown};
  std::mt19937 random(static_cast<unsigned>(trial + 1));
  const auto weight = [&random] { return 2 * (static_cast<double>(random()) / 4294967295.0) - 1; };
  equilibrium.visit_elastic(state, [&](const assembly::ElementForces& on) {
    Part* part = on.count > 0 ? slots[on.block[0]].part : nullptr;
    if (!part) return;
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

// States near the one in question, and the loads there.
struct Trials {
  std::vector<State> states;
  std::vector<VectorXd> loads;
};

// Of the combinations, those on which the loads do no work at any of the states. The work on each counts against the most it
// could be.
MatrixXd without_work(const PartCandidates& part, const Trials& trials, const MatrixXd& combinations) {
  MatrixXd work(static_cast<Eigen::Index>(trials.states.size()), combinations.cols());
  VectorXd most = VectorXd::Zero(combinations.cols());
  for (Eigen::Index c = 0; c < combinations.cols(); ++c)
    for (std::size_t t = 0; t < trials.states.size(); ++t) {
      const PartCandidates::Work on = part.work(trials.states[t], trials.loads[t], combinations.col(c));
      work(static_cast<Eigen::Index>(t), c) = on.done;
      most[c] = std::max(most[c], on.most);
    }
  const VectorXd scale = most.unaryExpr([](double size) { return size > 0 ? 1 / size : 1; });
  return kernel(work * scale.asDiagonal(), combinations * scale.asDiagonal(), negligible_load);
}

void add_neutral(const std::shared_ptr<const PartCandidates>& part, const Equilibrium& equilibrium, const Trials& trials,
                 const MatrixXd& free, Freedom& out) {
  MatrixXd rows = without_work(*part, trials, free).transpose();
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
  VectorXd work(candidates);
  double total = 0;  // N
  for (int c = 0; c < candidates; ++c) {
    const PartCandidates::Work on = part.work(trials.states.front(), trials.loads.front(), VectorXd::Unit(candidates, c));
    work[c] = on.done;
    total = std::max(total, on.most);
  }
  for (const bool of_spin : {true, false}) {
    MatrixXd others = free;  // must vanish in a pure spin, or a pure translation
    if (of_spin)
      others.row(spin).setZero();
    else
      others.bottomRows(candidates - translation).setZero();
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
  Trials trials{shaken(model, assembly, state), {}};
  const auto count = static_cast<Eigen::Index>(trials.states.size());
  for (Part& part : parts) part.work = MatrixXd::Zero(2 * count, part.allowed.cols());
  for (Eigen::Index t = 0; t < count; ++t) {
    add_elastic_work(equilibrium, trials.states[t], t, parts);
    trials.loads.push_back(equilibrium.loads(trials.states[t], where));
  }
  for (const Part& part : parts) {
    const MatrixXd free = kernel(part.work, part.allowed, negligible_elastic);
    if (free.cols() == 0) continue;
    add_neutral(part.candidates, equilibrium, trials, free, out);
    add_driven(*part.candidates, trials, free, out);
  }
  return out;
}

}  // namespace writhe::statics
