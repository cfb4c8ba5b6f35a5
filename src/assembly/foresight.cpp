#include "assembly/foresight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/touching.h"

namespace writhe::assembly {

namespace {
constexpr double half_closed = 0.5;  // of the activation

elastic::BarrierValue barrier_at(const elastic::BarrierMaterial& material, double gap) {
  return elastic::barrier(gap, material.activation, material.stiffness);
}
double pressure_at(const elastic::BarrierMaterial& material, double gap) {
  return gap < material.activation ? barrier_at(material, gap).pressure : 0;
}
}  // namespace

bool Foresight::look(Assembly& assembly, Coupling& coupling, const State& from, const State& to) {
  m_coupling = &coupling;
  coupling.find_gaps(from, to, m_of, m_gaps);
  m_points.clear();
  for (const Term::Gap& gap : m_gaps) m_points.push_back(point_of(gap.material, pressure_at(gap.material, gap.gap)));
  return coupling.include(assembly, m_of);
}

Foresight::Point Foresight::point_of(const elastic::BarrierMaterial& material, double pressure) {
  if (!(pressure > 0)) return {};
  const double gap = elastic::barrier_gap(pressure, material);
  return {pressure, barrier_at(material, gap).stiffness, gap};
}

template <class Work>
void Foresight::each(const Work& work) const {
  for (std::size_t k = 0; k < m_of.size(); ++k) {
    const std::span<const int> own = blocks_of(k);
    for (std::size_t i = m_of[k].first; i < end_of(k); ++i) work(i, own);
  }
}

void Foresight::take_off(Eigen::VectorXd& gradient) const {
  each([&](std::size_t i, std::span<const int> own) {
    const Term::Gap& gap = m_gaps[i];
    const double push = gap.weight * pressure_at(gap.material, gap.gap);
    if (push == 0) return;
    for (std::size_t j = 0; j < own.size(); ++j)
      if (own[j] >= 0) add_block(gradient, own[j], (push * gap.coefficient[j]) * gap.normal);
  });
}

double Foresight::gap_after(const Term::Gap& gap, std::span<const int> own, const Eigen::VectorXd& direction) const {
  Vec3 moved{};
  for (std::size_t j = 0; j < own.size(); ++j)
    if (own[j] >= 0) moved += gap.coefficient[j] * block(direction, own[j]);
  return gap.gap + dot(gap.normal, moved);
}

// Newton's method in the pressure, with which the gap hardly changes where the barrier is closed; where that leads below zero and
// the barrier is open by more than half, in the gap. Where much would be passed the points that come first begin with what closes
// it by half; if all did, those beside them would be pulled.
double Foresight::next_pressure(const Point& point, const elastic::BarrierMaterial& material, double gap, double least) {
  const double half = half_closed * material.activation;
  const double next = point.pressure > 0 ? point.pressure + point.stiffness * (point.gap - gap) : 0;
  if (gap >= half) return next > 0 ? next : pressure_at(material, gap);
  const double first = gap <= least + half ? pressure_at(material, half) : 0;
  return std::max(next, first);
}

double Foresight::press(const Eigen::VectorXd& direction) {
  double sum = 0, changed = 0;  // N
  for (std::size_t k = 0; k < m_of.size(); ++k) {
    const std::span<const int> own = blocks_of(k);
    double least = std::numeric_limits<double>::infinity();
    m_after.clear();
    for (std::size_t i = m_of[k].first; i < end_of(k); ++i) {
      m_after.push_back(gap_after(m_gaps[i], own, direction));
      least = std::min(least, m_after.back());
    }
    for (std::size_t i = m_of[k].first; i < end_of(k); ++i) {
      const Term::Gap& gap = m_gaps[i];
      const double before = m_points[i].pressure,
                   next = next_pressure(m_points[i], gap.material, m_after[i - m_of[k].first], least);
      sum += std::abs(gap.weight) * std::max(before, next);
      changed += std::abs(gap.weight) * std::abs(next - before);
      m_points[i] = point_of(gap.material, next);
    }
  }
  return sum > 0 ? changed / sum : 0;
}

void Foresight::add_force(Eigen::VectorXd& force) const {
  each([&](std::size_t i, std::span<const int> own) {
    const Point& point = m_points[i];
    if (point.pressure == 0) return;
    const Term::Gap& gap = m_gaps[i];
    const double push = gap.weight * (point.pressure + point.stiffness * (point.gap - gap.gap));
    for (std::size_t j = 0; j < own.size(); ++j)
      if (own[j] >= 0) add_block(force, own[j], (push * gap.coefficient[j]) * gap.normal);
  });
}

void Foresight::add_hessian(linalg::BlockMatrix& matrix) const {
  constexpr int most = Term::Gap::most_dofs;
  for (std::size_t k = 0; k < m_of.size(); ++k) {
    const std::span<const int> own = blocks_of(k);
    std::array<Sym3, most*(most + 1) / 2> sum{};  // of all points: blocks of pairs (a, b), b <= a, row by row
    bool presses = false;
    for (std::size_t i = m_of[k].first; i < end_of(k); ++i) {
      if (m_points[i].pressure == 0) continue;
      presses = true;
      const Term::Gap& gap = m_gaps[i];
      const double stiffness = gap.weight * m_points[i].stiffness;
      const Sym3 nn = contact::outer(gap.normal);
      for (std::size_t a = 0, p = 0; a < own.size(); ++a)
        for (std::size_t b = 0; b <= a; ++b, ++p) {
          const double by = stiffness * gap.coefficient[a] * gap.coefficient[b];
          sum[p] = sum[p] + Sym3{by * nn.xx, by * nn.xy, by * nn.xz, by * nn.yy, by * nn.yz, by * nn.zz};
        }
    }
    if (!presses) continue;
    for (std::size_t a = 0, p = 0; a < own.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b, ++p)
        if (own[a] >= 0 && own[b] >= 0) matrix.add(matrix.slot(own[a], own[b]), sum[p]);
  }
}

}  // namespace writhe::assembly
