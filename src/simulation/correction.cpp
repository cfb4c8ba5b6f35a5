#include "simulation/correction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "solvers/part_set.h"
#include "solvers/solver.h"

namespace writhe {

using assembly::block;
using Eigen::VectorXd;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double without_end = 1e150;  // s: squared it is still a number

RodsAndJoints all_of(const Model& model) {
  std::vector<int> components(model.components().size());
  std::iota(components.begin(), components.end(), 0);
  return rods_and_joints(model, components, joints_by_rod(model));
}

double largest(const Vec3& x) { return std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}); }

}  // namespace

bool Correction::applies(const Scene& scene) {
  return scene.solver.method != "pd" || scene.solver.pd.weights != Weights::published;
}

Correction::Correction(const Model& model)
    : m_model(model),
      m_terms(step_terms_of(model)),
      m_islands(model, m_terms),
      m_potential(model, all_of(model), std::make_shared<NetStates>(model), m_terms),
      m_matrix(m_potential.assembly().matrix()),
      m_factor(m_matrix),
      m_gradient(m_potential.assembly().size()) {}

void Correction::begin(const State& start, const Loading& loading, double dt) {
  if (!m_terms->empty()) {
    m_islands.find(start, {loading.time, dt, Integrator::euler});
    m_elements.clear();
    for (const Islands::Island& island : m_islands.all())
      m_elements.insert(m_elements.end(), island.elements.begin(), island.elements.end());
    if (m_potential.couple(m_elements)) {
      m_matrix = m_potential.assembly().matrix();
      m_factor.renew(m_matrix);
    }
  }
  m_potential.load(start, loading, dt);
}

void Correction::put_trial(const State& state) {
  m_potential.trial().x = state.x;
  m_potential.trial().q = state.q;
  m_potential.trial().closing = state.closing;
}

// With the stiffness that rounding errors may have taken off it: what costs nothing is then regular, and moves no farther than
// they do (statics/equilibrium.cpp says more on the size).
bool Correction::factorise(double geometric) {
  m_matrix.set_zero();
  m_potential.add_hessian(geometric, m_matrix);
  m_margin = VectorXd::Zero(m_gradient.size());
  const State& at = m_potential.trial();
  const Segments& segments = m_model.segments();
  const auto set = [&](int b, int node) {
    const double part = epsilon * (16 + 2 * largest(at.x[node]) / m_model.nodes().length[node]);
    for (int i = 3 * b; i < 3 * b + 3; ++i) m_margin[i] = part * std::abs(m_matrix.lower().coeff(i, i));
  };
  for (const auto& node : m_potential.assembly().nodes()) set(node.block, node.index);
  for (const auto& turn : m_potential.assembly().orientations()) {
    const int frame = turn.index - m_model.segment_count();
    set(turn.block, frame < 0 ? segments.node0[turn.index] : m_model.frames().node[frame]);
  }
  m_potential.add_inertia(geometric, m_matrix);
  return m_factor.factorise(m_matrix, m_potential.assembly().free(), 1, m_margin);
}

// Where terms have no potential, with their part of the tangent.
bool Correction::solve(const VectorXd& forces, VectorXd& step) {
  step.resize(forces.size());
  m_factor.solve(forces, step);
  bool good = true;
  if (!m_potential.has_potential()) {
    m_circulation.reserve(static_cast<int>(step.size()), 1);
    m_circulation.clear();
    m_potential.coupling().visit_circulation(
        m_potential.trial(), [&](int row, int column, const Mat3& value) { m_circulation.add(3 * row, 3 * column, value); });
    good = m_circulation.turn(step, [&](VectorXd& v) { m_factor.solve(v, v); });
  }
  step = -step;
  return good && step.allFinite();
}

Correction::Size Correction::size_of(const VectorXd& step) const {
  Size out;
  for (const auto& node : m_potential.assembly().nodes()) {
    const double moved = norm(block(step, node.block)), part = moved / m_potential.blocks()[node.block].length;
    out.metres = std::max(out.metres, moved);
    if (part > out.part || out.node < 0) {
      out.part = part;
      out.node = node.index;
    }
  }
  return out;
}

double Correction::longest() const {
  double out = size_of(m_step).part;
  for (const auto& turn : m_potential.assembly().orientations()) out = std::max(out, norm(block(m_step, turn.block)));
  return out;
}

// An equilibrium is the end of a step without end that begins there at rest.
std::optional<Correction::Rest> Correction::of_rest(const State& state, const Loading& loading) {
  State still = state;
  std::fill(still.v.begin(), still.v.end(), Vec3{});
  std::fill(still.w.begin(), still.w.end(), Vec3{});
  begin(still, loading, without_end);
  put_trial(still);
  m_potential.evaluate(m_gradient);
  if (!m_gradient.allFinite() || !factorise(1)) return std::nullopt;
  Rest out;
  const int negative = m_factor.negative();
  VectorXd noise = VectorXd::Zero(m_gradient.size());
  for (int b = 0; b < static_cast<int>(m_potential.blocks().size()); ++b) {
    const double error = m_potential.rounding_of(b) * m_potential.blocks()[b].lever;
    // errors of neighbours have nothing to do with each other: signs as those of a sequence without order
    for (int i = 0; i < 3; ++i) noise[3 * b + i] = ((3 * b + i) * 2654435761U >> 31 ? 1 : -1) * error;
  }
  noise = noise.cwiseProduct(m_potential.assembly().free());
  VectorXd drift;
  if (!solve(noise, drift) || !solve(m_gradient, m_step)) return std::nullopt;
  out.noise = size_of(drift);
  out.left = size_of(m_step);
  out.unstable = m_potential.has_potential() && negative > 0 ? count_growing(std::move(still), loading) : 0;
  return out;
}

// At the equilibrium itself: a little beside it what costs nothing there may look as if it grew.
int Correction::count_growing(State at, const Loading& loading) {
  constexpr int steps = 3;
  VectorXd step = m_step;
  int negative = 0;
  for (int k = 0; k < steps; ++k) {
    const State from = at;
    m_potential.assembly().move(from, step, 1, at);
    begin(at, loading, without_end);
    put_trial(at);
    m_potential.evaluate(m_gradient);
    if (!m_gradient.allFinite() || !factorise(1)) return negative;
    negative = m_factor.negative();
    if (negative == 0 || !solve(m_gradient, step)) return negative;
  }
  return negative;
}

std::optional<Correction::Step> Correction::of_step(const State& before, const Loading& loading, double dt, const State& after,
                                                    double elapsed) {
  begin(before, loading, dt);
  put_trial(after);
  m_potential.evaluate(m_gradient);
  const auto definite = [&] { return factorise(1) && m_factor.negative() == 0; };
  if (!m_gradient.allFinite() || !(definite() || factorise(0)) || !solve(m_gradient, m_step)) return std::nullopt;
  Step out;
  out.here = out.since_then = size_of(m_step).metres;
  // From rest a steady force moves what is free to move by f t^2/2m, and what resists by its compliance. A push at the start goes
  // on to move what it has set in motion: by its part of the time, f t dt/m. Where motions grow, for a quarter of the longest
  // time in which they do not: nearer to that it would be they that are measured.
  constexpr double steps = 64;
  const auto look_back = [&](double time) {
    begin(before, loading, time / std::sqrt(2.0));
    put_trial(after);
    return definite();
  };
  double time = std::max(elapsed, steps * dt);
  bool good = look_back(time);
  if (!good) {
    while (time > dt && !look_back(time)) time /= 2;
    time /= 4;
    good = time > dt && look_back(time);
  }
  if (VectorXd step; good && solve(m_gradient, step))
    out.since_then = std::max(out.here, std::min(1.0, elapsed / time) * size_of(step).metres);
  return out;
}

}  // namespace writhe
