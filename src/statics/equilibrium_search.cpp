// Newton's method, two ways: on the equations, and down the potential.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/rotation.h"
#include "model/strain.h"
#include "statics/equilibrium.h"

namespace writhe::statics {

using assembly::block;
using Eigen::VectorXd;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// rad, or part of the length: farther than this one linear step is not believed.
constexpr double longest_step = 0.5;
// rad, or part of the shortest rod: once a step of Newton's method is this short, the next would be far shorter. Small forces
// alone do not tell: those of a thread on a loaded bar are small wherever the thread is.
constexpr double accurate = 1e-6;

}  // namespace

bool Equilibrium::goes_on(const Where& where, const Solved& so_far) {
  ++m_iterations;
  return !m_watch ||
         m_watch({where.load, where.time, so_far.iterations, so_far.residual.worst.force, so_far.residual.worst.limit});
}

bool Equilibrium::is_accurate(const VectorXd& step) const { return m_limits.size_of(step) <= accurate; }

// ---- on the equations ----------------------------------------------------------------------------------------------
// Steps are not shortened but for being long: a rod that is bent by a linear step is stretched, which is stiff, so that neither
// potential nor residual fall at once; the next step, with a new tangent, takes the stretch out. What does not get smaller over
// two steps does not converge, and the path is to be followed in shorter ones.
Solved Equilibrium::correct(State& state, const Where& where, int max_iterations) {
  Solved out;
  if (!place(state, where)) {  // and where it now is nothing may be evaluated
    out.outcome = Outcome::blocked;
    return out;
  }
  out.residual = residual(state, where);
  double before = infinity;                  // force over its limit, an iteration before
  double lengths[2] = {infinity, infinity};  // of the last two steps
  bool is_short = false;                     // the last step
  const auto stop = [&](Outcome outcome) {
    out.outcome = outcome;
    return out;
  };
  for (;; ++out.iterations) {
    if (!out.residual.finite()) return stop(Outcome::not_finite);
    const assembly::Sums& sums = out.residual.sums;
    if (sums.joint_cosine < assembly::joint_cosine_limit) return stop(Outcome::coarse);
    const Judgement& worst = out.residual.worst;
    if (worst.force == 0 || (out.iterations > 0 && worst.rounding)) return stop(Outcome::converged);
    const bool stalled = worst.beyond() > 0.5 * before && out.residual.nearly_met();
    if (is_short && (out.residual.met() || stalled)) return stop(Outcome::converged);
    before = worst.beyond();
    if (out.iterations == max_iterations)
      return stop(assembly::coarse_joint(sums.joint_cosine, sums.joint_fold) ? Outcome::coarse : Outcome::too_many);
    if (!goes_on(where, out)) return stop(Outcome::stopped);
    if (!factorise(state, where)) return stop(Outcome::stalled);
    const VectorXd step = -solve(out.residual.vector);
    const double length = size_of(step);
    if (!std::isfinite(length)) return stop(Outcome::not_finite);
    if (length > 2 * std::max(lengths[0], lengths[1])) return stop(Outcome::stalled);
    lengths[0] = std::exchange(lengths[1], length);
    const State base = state;
    is_short = move(base, step, std::min(1.0, longest_step / length), state) == 1 && is_accurate(step);
    out.residual = residual(state, where);
  }
}

// ---- downhill ------------------------------------------------------------------------------------------------------
// Factors Hessian + shift * mass with a shift, at least the given one, that makes it positive definite.
bool Equilibrium::make_definite(const State& state, double& shift) {
  assemble_elastic(state);
  for (int attempt = 0; attempt < 60; ++attempt) {
    if (factorise_shifted(-shift) && negative() == 0) return true;
    shift = std::max(4 * shift, 1e-4 * softness());
  }
  return false;
}

// N, body: of the segments, in the order of the assembly.
std::vector<Vec3> Equilibrium::stresses(const State& state) const {
  std::vector<Vec3> out;
  for (std::size_t k = 0; k < m_assembly.segments().size(); ++k)
    out.push_back(scale(m_material.stretch[k], strain::of_segment(m_model, state, m_assembly.segments()[k])));
  return out;
}

// What a part of a step from a state adds to them to first order.
void Equilibrium::add_stresses(const State& state, const VectorXd& step, double part, std::vector<Vec3>& stresses) const {
  const Segments& segments = m_model.segments();
  for (std::size_t k = 0; k < stresses.size(); ++k) {
    const int s = m_assembly.segments()[k];
    const auto moved = [&](int node) { return block(step, m_assembly.block_of_node(node)); };
    const Mat3 to_body = transpose(matrix(state.q[s]));
    const double per_length = 1 / segments.length[s];
    const Vec3 d = per_length * (to_body * (state.x[segments.node1[s]] - state.x[segments.node0[s]]));
    const Vec3 change = per_length * (to_body * (moved(segments.node1[s]) - moved(segments.node0[s]))) +
                        cross(d, block(step, m_assembly.block_of_orientation(s)));
    stresses[k] += part * scale(m_material.stretch[k], change);
  }
}

// The same with just this shift, within a step, and with stresses that are not those of the state: a linear step that turns a rod
// stretches it, by what means nothing, and a rod under that tension hardly turns any further. What the linear step itself
// foresees is nearer to where Newton's method is going (Magisano, Leonetti, Garcea 2017: "mixed integration points"). Where that
// is not definite, without the geometric part of the Hessian.
bool Equilibrium::factorise_near(const State& state, double shift, const std::vector<Vec3>& stresses) {
  assembly::ElementMaterial material = m_material;
  for (std::size_t k = 0; k < stresses.size(); ++k) {
    const Vec3 strain = strain::of_segment(m_model, state, m_assembly.segments()[k]), &C = material.stretch[k];
    material.stretch_rest[k] = strain - Vec3{stresses[k].x / C.x, stresses[k].y / C.y, stresses[k].z / C.z};
  }
  assemble_elastic(state, 1, material);
  if (factorise_shifted(-shift) && negative() == 0) return true;
  assemble_elastic(state, 0);
  return factorise_shifted(-shift) && negative() == 0;
}

// One step downhill: the minimum of potential + shift/2 |u - base|^2 in the mass, which is a step of implicit Euler from rest,
// found to a tenth by Newton's method. False, with the state as it was, when that does not lower the potential.
bool Equilibrium::descend(State& state, const Where& where, Solved& so_far, double shift) {
  const State base = state;
  Residual& at = so_far.residual;
  const Residual start = at;
  const double noise =
      100 * std::numeric_limits<double>::epsilon() * (std::abs(start.potential) + start.sums.internal * m_scales.length);
  double before = infinity;
  std::vector<Vec3> foreseen = stresses(state);
  for (int k = 0; k < 8; ++k) {
    if (!goes_on(where, so_far)) {
      so_far.outcome = Outcome::stopped;
      break;
    }
    if (k > 0 && !factorise_near(state, shift, foreseen)) break;
    const VectorXd moved = way(base, state);
    const VectorXd step = -solve(at.vector + shift * m_mass.cwiseProduct(moved));
    const double length = size_of(step);
    if (!std::isfinite(length) || length > 2 * before) break;
    before = length;
    const State from = state;
    const double moved_by = move(from, step, std::min(1.0, longest_step / length), state);
    add_stresses(from, step, std::min(1.0, longest_step / length), foreseen);
    at = residual(state, where);
    ++so_far.iterations;
    if (!at.finite() || at.sums.joint_cosine < assembly::joint_cosine_limit) break;
    const VectorXd gone = way(base, state);
    const double cost = 0.5 * shift * gone.cwiseProduct(m_mass).dot(gone);
    const bool falls = at.potential + cost <= start.potential + noise;
    // what terms have cut short has led down, if not to the end: the next step begins there
    if (falls && (moved_by < 1 || length <= 0.1 * size_of(gone) || at.met())) return true;
  }
  state = base;
  at = start;
  return false;
}

// Whether a step of Newton's method, shift or not, definite or not, leads nowhere any more: it is then taken, if it helps.
bool Equilibrium::finish(State& state, const Where& where, Residual& at) {
  assemble_elastic(state);
  if (!factorise_shifted(0)) return false;
  const VectorXd step = -solve(at.vector);
  if (!is_accurate(step)) return false;
  const State base = state;
  if (move(base, step, 1, state) < 1) {
    state = base;
    return false;
  }
  Residual after = residual(state, where);
  if (after.worst.beyond() <= at.worst.beyond())
    at = std::move(after);
  else
    state = base;
  return true;
}

// Down the potential in steps that are as long as its convexity allows. A line search would do worse: a rod that is bent along a
// straight line in the space of its unknowns stretches, stretching is stiff, and steps would be cut to a hundredth.
Solved Equilibrium::minimise(State& state, const Where& where, int max_iterations) {
  Solved out;
  if (!place(state, where)) {  // and where it now is nothing may be evaluated
    out.outcome = Outcome::blocked;
    return out;
  }
  out.residual = residual(state, where);
  const double soft = softness();
  double before = infinity;            // force over its limit, an iteration before
  double shift = 0;                    // 1/s^2
  double restart = 1e-2 * soft;        // the shift after a step without one has failed: the last that led down
  double failed_unshifted = infinity;  // force over its limit where such a step failed last: not tried again until far below
  const auto stop = [&](Outcome outcome) {
    const assembly::Sums& sums = out.residual.sums;
    const bool failed = outcome == Outcome::stalled || outcome == Outcome::too_many;
    out.outcome = failed && assembly::coarse_joint(sums.joint_cosine, sums.joint_fold) ? Outcome::coarse : outcome;
    return out;
  };
  for (;;) {
    if (!out.residual.finite()) return stop(Outcome::not_finite);
    const Judgement worst = out.residual.worst;
    if (worst.force == 0 || (out.iterations > 0 && shift == 0 && worst.rounding)) return stop(Outcome::converged);
    const bool stalled = worst.beyond() > 0.5 * before && out.residual.nearly_met();
    if ((out.residual.met() || stalled) && finish(state, where, out.residual)) return stop(Outcome::converged);
    before = worst.beyond();
    if (out.iterations >= max_iterations) return stop(Outcome::too_many);
    if (out.outcome == Outcome::stopped) return out;
    if (!make_definite(state, shift)) return stop(Outcome::stalled);
    if (descend(state, where, out, shift)) {
      if (shift > 0) restart = shift;
      shift /= 4;
      const bool far_below = out.residual.worst.beyond() < 0.1 * failed_unshifted;
      if ((shift < 1e-3 * soft && far_below) || shift < 1e-12 * soft) shift = 0;
    } else {
      if (shift == 0) failed_unshifted = worst.beyond();
      shift = shift == 0 ? restart : 8 * shift;
      if (!(shift < 1e30 * soft)) return stop(Outcome::stalled);
      ++out.iterations;
    }
  }
}

}  // namespace writhe::statics
