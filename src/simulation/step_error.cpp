#include "simulation/step_error.h"

#include <algorithm>
#include <cmath>

namespace writhe {

namespace {

Vec3 free_part(const Vec3& v, unsigned fixed) {
  return {fixed & fixed_x ? 0 : v.x, fixed & fixed_y ? 0 : v.y, fixed & fixed_z ? 0 : v.z};
}

Vec3 mean_acceleration(const State& before, const State& after, double dt, std::size_t node) {
  return (1 / dt) * (after.v[node] - before.v[node]);
}

}  // namespace

StepError::Estimate StepError::of(const Model& model, const State& before, const State& after, double dt,
                                  Integrator integrator) const {
  double length = 0;
  for (const RodRange& rod : model.rods()) length = std::max(length, rod.length);
  const double between = m_dt > 0 ? (dt + m_dt) / 2 : dt;  // s, from the middle of the step before to that of this one
  Estimate worst;
  for (std::size_t i = 0; i < model.nodes().mass.size(); ++i) {
    Vec3 error = after.x[i] - before.x[i] - (0.5 * dt) * (before.v[i] + after.v[i]);
    if (integrator == Integrator::midpoint) {
      const Vec3 earlier = m_acceleration.empty() ? Vec3{} : m_acceleration[i];
      error = (dt * dt * dt / 12 / between) * (mean_acceleration(before, after, dt, i) - earlier);
    }
    const double size = norm(free_part(error, model.nodes().fixed[i])) / length;
    if (size > worst.error) worst = {size, static_cast<int>(i)};
  }
  return worst;
}

void StepError::remember(const State& before, const State& after, double dt) {
  m_dt = dt;
  m_acceleration.resize(after.x.size());
  for (std::size_t i = 0; i < after.x.size(); ++i) m_acceleration[i] = mean_acceleration(before, after, dt, i);
}

bool StepError::allows_longer(double error, double tolerance, Integrator integrator) {
  constexpr double margin = 0.8;
  const double growth = integrator == Integrator::midpoint ? 8 : 4;  // of the error of one step, when it is doubled
  return growth * error <= margin * tolerance;
}

bool StepError::valid() const {
  return std::isfinite(m_dt) && m_dt >= 0 &&
         std::all_of(m_acceleration.begin(), m_acceleration.end(), [](const Vec3& a) { return finite(a); });
}

}  // namespace writhe
