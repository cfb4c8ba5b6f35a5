#include "contact/contact_term.h"

#include <algorithm>
#include <cmath>

namespace writhe::contact {

ContactTerm::ContactTerm(const Model& model)
    : m_model(&model), m_rules(model), m_reach(model, m_rules), m_boxes(static_cast<std::size_t>(m_rules.spans().count())) {
  for (const Obstacle& obstacle : model.scene().obstacles) {
    m_shapes.emplace_back(obstacle);
    Way way;
    way.centre = centre_of(obstacle);
    way.moves = obstacle.motion.has_value();
    m_ways.push_back(way);
  }
}

bool ContactTerm::is_needed(const Model& model) {
  return !model.scene().obstacles.empty() || model.scene().contact.rods_touch();
}

Pose ContactTerm::Way::at(double part) const {
  if (!moves) return {};
  Pose pose;
  pose.turn = turn_from * fraction_of(conj(turn_from) * turn_to, part);
  pose.shift = centre_from + part * (centre_to - centre_from) - rotate(pose.turn, centre);
  return pose;
}

void ContactTerm::begin(const State& start, std::span<const double> /*remembered*/, const ImplicitSolve& solve) {
  m_middle = solve.integrator == Integrator::midpoint;
  if (m_middle) m_start = start.x;
  const double end = m_middle ? solve.time + solve.dt : solve.time;
  for (std::size_t i = 0; i < m_ways.size(); ++i) {
    if (!m_ways[i].moves) continue;
    const Pose from = pose_of(m_model->scene().obstacles[i], start.time), to = pose_of(m_model->scene().obstacles[i], end);
    m_ways[i].centre_from = from.of_point(m_ways[i].centre);
    m_ways[i].centre_to = to.of_point(m_ways[i].centre);
    m_ways[i].turn_from = from.turn;
    m_ways[i].turn_to = same_side(to.turn, from.turn);
  }
  m_reach.begin(start, solve);
  find_pairs();
  find_walls();
}

void ContactTerm::find_pairs() {
  m_pairs.clear();
  const Spans& spans = m_rules.tubes();
  for (int i = 0; i < spans.count(); ++i) m_boxes[i] = m_reach.box_of(spans[i]);
  if (!m_rules.rods_touch()) return;
  for (int i = 0; i < spans.count(); ++i) {
    for (int j = i; j < spans.count(); ++j) {
      const Span &a = spans[i], &b = spans[j];
      if (!m_rules.rods_touch(a.rod, b.rod)) continue;
      const double within = a.largest_radius + b.largest_radius + m_rules.activation(a, b);
      if (!m_boxes[i].grown(within).meets(m_boxes[j])) continue;
      const Neighbourhood& near = m_rules.neighbourhood(a.rod, b.rod);
      if (may_touch(a, b, near)) m_pairs.push_back(pair_of(a, b, near, m_rules.material(a, b)));
    }
  }
}

// Seen from an obstacle that moves, a span comes from its box at the start to the same at the end.
void ContactTerm::find_walls() {
  m_walls.clear();
  m_led.clear();
  m_features.clear();
  const Spans& spans = m_rules.spans();
  for (int o = 0; o < static_cast<int>(m_shapes.size()); ++o) {
    for (int i = 0; i < spans.count(); ++i) {
      const Box box = m_boxes[i].grown(spans[i].largest_radius + m_rules.activation(spans[i]));
      const Box seen = m_ways[o].moves ? seen_from(m_ways[o].at(0), m_ways[o].at(1), box) : box;
      Wall wall = wall_of(spans[i], o, m_rules.material(spans[i]));
      wall.first = static_cast<int>(m_features.size());
      m_shapes[o].find(seen, m_features);
      wall.feature_count = static_cast<int>(m_features.size()) - wall.first;
      if (wall.feature_count == 0) continue;
      m_walls.push_back(wall);
      m_led.emplace_back();
    }
  }
}

std::span<const Dof> ContactTerm::dofs(int element) const {
  if (const Pair* pair = pair_at(element)) return std::span(pair->dofs).first(pair->count);
  const Wall& wall = m_walls[wall_index(element)];
  return std::span(wall.dofs).first(wall.span->node_count());
}

// What a barrier that is half closed has, along all of a span.
double ContactTerm::stiffness(int element) const {
  if (const Pair* pair = pair_at(element)) return pair->material.stiffness * std::max(pair->a->length(), pair->b->length());
  const Wall& wall = m_walls[wall_index(element)];
  return wall.material.stiffness * wall.span->length();
}

double ContactTerm::coordinate(int element) const {
  if (pair_at(element)) return 0;
  const Vec3 at = m_ways[m_walls[wall_index(element)].obstacle].centre_to;
  return std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)});
}

ContactTerm::Between ContactTerm::between(int element) const {
  if (const Pair* pair = pair_at(element)) return {pair->a, pair->b, -1};
  const Wall& wall = m_walls[wall_index(element)];
  return {wall.span, nullptr, wall.obstacle};
}

Term::Value ContactTerm::value(int element, const State& at) const {
  Value out;
  const int count = static_cast<int>(dofs(element).size());
  visit(element, at, [&](const elastic::BarrierMaterial& material, const Touching& touch) {
    add_value(touch, material, share(), count, out);
  });
  return out;
}

void ContactTerm::hessian(int element, const State& at, Curvature curvature, std::span<Mat3> pairs) const {
  const int count = static_cast<int>(dofs(element).size());
  std::fill_n(pairs.begin(), count * (count + 1) / 2, Mat3{});
  visit(element, at, [&](const elastic::BarrierMaterial& material, const Touching& touch) {
    add_hessian(touch, material, share(), curvature, count, pairs);
  });
}

double ContactTerm::safe_part(int element, const State& from, const State& to) const {
  if (const Pair* pair = pair_at(element)) return contact::safe_part(*pair, ends(from), ends(to));
  const int index = wall_index(element);
  const Wall& wall = m_walls[index];
  const Way& way = m_ways[wall.obstacle];
  return contact::safe_part(wall, features_of(wall), {&m_shapes[wall.obstacle], way.at(m_led[index].from)}, way.at(m_led[index].to),
                            ends(from), ends(to));
}

void ContactTerm::lead(int element, double from, double to) {
  if (!pair_at(element)) m_led[wall_index(element)] = {from, to};
}

}  // namespace writhe::contact
