#include "terms/link_term.h"

#include <algorithm>
#include <cmath>

#include "model/at_place.h"

namespace writhe {

namespace {

Mat3 scaled(const Sym3& s, double f) {
  return {{f * s.xx, f * s.xy, f * s.xz}, {f * s.xy, f * s.yy, f * s.yz}, {f * s.xz, f * s.yz, f * s.zz}};
}

// Without a direction where both ends are in one place.
Vec3 direction(const Vec3& way, double length) { return length > 0 ? way / length : Vec3{}; }

}  // namespace

LinkTerm::LinkTerm(const Model& model) : m_model(&model) {
  for (const ResolvedLink& resolved : model.links()) {
    Link link;
    link.first = static_cast<int>(m_dofs.size());
    const auto add = [&](int node, double weight) {
      if (weight == 0) return;
      for (std::size_t i = link.first; i < m_dofs.size(); ++i) {
        if (m_dofs[i].index != node) continue;
        m_weights[i] += weight;  // both ends next to the same node
        return;
      }
      m_dofs.push_back(Dof::node(node));
      m_weights.push_back(weight);
    };
    const auto add_end = [&](const LinkEnd& end, double sign) {
      if (!end.place) {
        link.fixed += sign * end.point;
        return;
      }
      add(end.place->node0, sign * (1 - end.place->node_weight1));
      add(end.place->node1, sign * end.place->node_weight1);
    };
    add_end(resolved.from, -1);
    add_end(resolved.to, 1);
    link.count = static_cast<int>(m_dofs.size()) - link.first;
    link.anchor = std::max({std::abs(link.fixed.x), std::abs(link.fixed.y), std::abs(link.fixed.z)});
    m_links.push_back(link);
  }
}

void LinkTerm::begin(const State& start, std::span<const double> /*remembered*/, const ImplicitSolve& solve) {
  m_middle = solve.integrator == Integrator::midpoint;
  for (std::size_t i = 0; i < m_links.size(); ++i) {
    const ResolvedLink& resolved = m_model->links()[i];
    Link& link = m_links[i];
    link.own = link_material(resolved, solve.time);
    link.slowing = resolved.link.damping / solve.dt;
    link.start = norm(way(link, start));
    link.now = elastic::damped(link.own, link.slowing, link.start);
    link.turned = link.excess = 0;
  }
}

std::span<const Dof> LinkTerm::dofs(int element) const {
  return std::span(m_dofs).subspan(m_links[element].first, m_links[element].count);
}

Vec3 LinkTerm::way(const Link& link, const State& at) const {
  Vec3 sum = link.fixed;
  for (int i = link.first; i < link.first + link.count; ++i) sum += m_weights[i] * at.x[m_dofs[i].index];
  return sum;
}

Term::Value LinkTerm::value(int element, const State& state) const {
  const Link& link = m_links[element];
  const Vec3 d = way(link, state);
  const double length = norm(d);
  const elastic::LinkValue own = at(link, length);
  const double tension = own.tension + link.excess;
  const Vec3 pull = tension * direction(d, length);
  Value out;
  out.energy = own.energy + link.excess * length;
  out.force = std::abs(tension);
  for (int i = 0; i < link.count; ++i) out.gradient[i] = m_weights[link.first + i] * pull;
  return out;
}

void LinkTerm::hessian(int element, const State& state, Curvature curvature, std::span<Mat3> pairs) const {
  const Link& link = m_links[element];
  const Vec3 d = way(link, state);
  const double length = norm(d);
  const elastic::LinkValue own = at(link, length);
  double rise = own.rise, across = length > 0 ? (own.tension + link.excess) / length : own.rise;
  if (link.now.rest_length == 0 && link.excess == 0) across = own.rise;  // exactly
  if (curvature != Curvature::exact) across = std::max(across, 0.0);
  // The tension over the length is nowhere more than the stiffness, so that this bounds it wherever the ends go.
  if (curvature == Curvature::above) rise = across = link.now.stiffness;
  const Sym3 by_way = elastic::link_hessian(direction(d, length), rise, across);
  for (int i = 0, k = 0; i < link.count; ++i)
    for (int j = 0; j <= i; ++j, ++k) pairs[k] = scaled(by_way, m_weights[link.first + i] * m_weights[link.first + j]);
}

// The work of a force along the way m through the middle is T n . (d_end - d_start) with n = m/|m|, and as m = (d_start +
// d_end)/2 that is T (L_end^2 - L_start^2)/(2 |m|). So that it is the mean tension over the length gained, T is that times
// 2 |m|/(L_start + L_end). A tether must be known to be taut where it ends, not where it would if it did not turn: of a stiff one
// all the tension would else be left to repetition. A spring is as stiff everywhere.
double LinkTerm::take_mean(int element, const State& /*start*/, const State& middle, const State& end) {
  Link& link = m_links[element];
  const double last = norm(way(link, end)), between = norm(way(link, middle)), sum = link.start + last;
  const double mean = elastic::mean_tension(link.start, last, link.own, link.slowing);
  const double before = at(link, between).tension + link.excess;
  if (link.own.pulls_only && link.own.rest_length > 0) link.turned = 0.5 * sum - between;
  link.excess = sum > 0 ? mean * 2 * between / sum - at(link, between).tension : 0;
  return std::abs(at(link, between).tension + link.excess - before);
}

}  // namespace writhe
