#include "contact/contact_term.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace writhe::contact {

ContactTerm::ContactTerm(const Model& model, const Threads& threads)
    : m_model(&model),
      m_threads(threads),
      m_rules(model),
      m_reach(model, m_rules),
      m_impact(model),
      m_boxes(static_cast<std::size_t>(m_rules.spans().count())) {
  for (const Obstacle& obstacle : model.scene().obstacles) {
    m_shapes.emplace_back(obstacle);
    Way way;
    way.centre = centre_of(obstacle);
    way.moves = obstacle.motion.has_value();
    m_ways.push_back(way);
  }
  m_moving.resize(m_ways.size());
  m_roots = Roots(model, m_rules.spans(), m_shapes);
  find_thinning(model.initial_state());
}

bool ContactTerm::is_needed(const Model& model) { return !model.scene().obstacles.empty() || model.scene().contact.rods_touch(); }

Pose ContactTerm::Way::at(double part) const {
  if (!moves) return {};
  Pose pose;
  pose.turn = turn_from * fraction_of(conj(turn_from) * turn_to, part);
  pose.shift = centre_from + part * (centre_to - centre_from) - rotate(pose.turn, centre);
  return pose;
}

int ContactTerm::place_among_terms(const Model& model) { return model.links().empty() ? 0 : 1; }

void ContactTerm::begin(const State& start, std::span<const double> /*remembered*/, const ImplicitSolve& solve) {
  find(start, solve);
  for (std::size_t i = 0; i < m_ways.size(); ++i) m_moving[i] = {m_ways[i].at(0), m_ways[i].at(1)};
  m_impact.see(m_rules.spans(), start, m_middle ? 2 * solve.dt : solve.dt, m_moving);
  stiffen();
}

void ContactTerm::look_at(const State& end) {
  find(end, {end.time, std::numeric_limits<double>::infinity()});
  const std::size_t place = static_cast<std::size_t>(place_among_terms(*m_model));
  m_impact.read(place < end.memory.size() ? std::span<const double>(end.memory[place]) : std::span<const double>());
  stiffen();
}

// Finds what may touch.
void ContactTerm::find(const State& start, const ImplicitSolve& solve) {
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
  m_led.assign(static_cast<std::size_t>(element_count()), {});
  if (m_middle) m_added.resize(m_led.size());
  m_is_added.assign(m_middle ? m_led.size() : 0, 0);
  thin(start.time, end);
}

// Barriers hold what has to be stopped in this step.
void ContactTerm::stiffen() {
  for (Pair& pair : m_pairs) {
    const double press = m_impact.press(pair.a->rod, pair.b->rod, pair.material.activation);
    pair.material = m_rules.material(*pair.a, *pair.b, press);
  }
  for (Wall& wall : m_walls) {
    const double press = m_impact.press_at(wall.span->rod, wall.obstacle, wall.material.activation);
    wall.material = m_rules.material(*wall.span, press);
  }
}

void ContactTerm::find_thinning(const State& start) {
  find(start, {start.time, std::numeric_limits<double>::infinity()});
  for (int element = 0; element < element_count(); ++element) {
    const Between own = between(element);
    const double radius = own.b ? std::min(own.a->smallest_radius, own.b->smallest_radius) : own.a->smallest_radius;
    visit(element, start, [&](const elastic::BarrierMaterial& material, const Touching& touch) {
      m_thinning.see(thinned_between(element), touch.gap, material.activation, radius);
    });
  }
}

void ContactTerm::thin(double from, double to) {
  m_thinned.clear();
  if (!(from < m_thinning.last())) return;
  for (int element = 0; element < element_count(); ++element) {
    const Thinning::Between own = thinned_between(element);
    m_thinned.push_back({m_thinning.of(own, from), m_thinning.of(own, to)});
  }
}

Thinning::Between ContactTerm::thinned_between(int element) const {
  const Between own = between(element);
  return {own.a->rod, own.b ? own.b->rod : -1, own.obstacle};
}

Thinned ContactTerm::thinned(int element) const {
  if (m_thinned.empty()) return {};
  return {m_thinned[element].at(m_led[element].from), m_thinned[element].at(m_led[element].to)};
}

void ContactTerm::find_pairs() {
  m_threads.for_each_chunk(m_rules.spans().count(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) m_boxes[i] = m_reach.box_of(m_rules.spans()[i]);
  });
  if (m_rules.rods_touch()) m_pair_search.find(m_rules, m_reach, m_threads, m_pairs);
}

void ContactTerm::find_walls() {
  m_passing.clear();
  for (std::size_t o = 0; o < m_shapes.size(); ++o)
    m_passing.push_back({&m_shapes[o], m_ways[o].at(0), m_ways[o].at(1), m_ways[o].moves});
  m_wall_search.find(m_rules, m_boxes, m_passing, m_threads, m_walls, m_features);
  for (Wall& wall : m_walls) wall.roots = m_roots.of(wall.span->rod, wall.obstacle);
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

bool ContactTerm::may_act(int element, const State& at) const {
  const Pair* pair = pair_at(element);
  return !pair || is_added(element) || may_touch(*pair, ends(at), pair->material.activation);
}

Term::Value ContactTerm::value(int element, const State& at) const {
  Value out;
  const int count = static_cast<int>(dofs(element).size());
  visit(element, at, [&](const elastic::BarrierMaterial& material, const Touching& touch) {
    add_value(touch, material, share(), count, out);
  });
  if (!is_added(element)) return out;
  const std::span<const Dof> own = dofs(element);
  for (int i = 0; i < count; ++i) {
    out.energy += dot(m_added[element][i], at.x[own[i].index] - m_start[own[i].index]);
    out.gradient[i] += m_added[element][i];
  }
  return out;
}

void ContactTerm::hessian(int element, const State& at, Curvature curvature, std::span<Mat3> pairs) const {
  const int count = static_cast<int>(dofs(element).size());
  TouchingHessian sum;
  visit(element, at, [&](const elastic::BarrierMaterial& material, const Touching& touch) {
    sum.add(touch, material, share(), curvature, count);
  });
  if (sum.is_zero())
    std::fill_n(pairs.begin(), count * (count + 1) / 2, Mat3{});
  else
    sum.write(count, pairs);
}

double ContactTerm::safe_part(int element, const State& from, const State& to) const {
  if (const Pair* pair = pair_at(element)) return contact::safe_part(*pair, ends(from), ends(to), thinned(element));
  const Wall& wall = m_walls[wall_index(element)];
  const Way& way = m_ways[wall.obstacle];
  return contact::safe_part(wall, features_of(wall), {&m_shapes[wall.obstacle], way.at(m_led[element].from)},
                            way.at(m_led[element].to), ends(from), ends(to), thinned(element));
}

void ContactTerm::find_gaps(int element, const State& from, const State& to, std::vector<Gap>& gaps) const {
  const Positions before = ends(from), after = ends(to);
  double closer = 0;  // m; round rods are straight no farther than their radius
  if (const Pair* pair = pair_at(element)) {
    closer = std::min(largest_approach(*pair, before, after), pair->a->largest_radius + pair->b->largest_radius);
  } else {
    for (const int node : m_walls[wall_index(element)].span->node) closer = std::max(closer, norm(after[node] - before[node]));
  }
  visit(element, from, closer, [&](const elastic::BarrierMaterial& material, const Touching& touch) {
    Gap gap{touch.gap, share().of_energy * touch.weight, material, touch.normal, {}};
    for (int i = 0; i < Gap::most_dofs; ++i) gap.coefficient[i] = share().faster * touch.coefficient[i];
    gaps.push_back(gap);
  });
}

bool ContactTerm::is_passed(int element, const std::vector<Vec3>& start, const std::vector<Vec3>& end) const {
  if (const Pair* pair = pair_at(element)) return contact::is_passed(*pair, {&start}, {&end});
  const Wall& wall = m_walls[wall_index(element)];
  const Way& way = m_ways[wall.obstacle];
  return contact::is_passed(wall, features_of(wall), {&m_shapes[wall.obstacle], way.at(0)}, way.at(1), {&start}, {&end},
                            thinned(element));
}

Term::Meeting ContactTerm::meeting(int element, const State& at) const {
  const Between own = between(element);
  Meeting out{own.a->rod, own.b ? own.b->rod : -1, own.obstacle, own.a->node_count(), 1};
  visit(element, at, [&](const elastic::BarrierMaterial& material, const Touching& touch) {
    out.left = std::min(out.left, touch.gap / material.activation);
  });
  return out;
}

double ContactTerm::drawn(int element, const State& at) const {
  const Between own = between(element);
  const auto of = [&](const Span& span) {
    const Points hull = hull_of(span, points_of(span, ends(at)));
    return (norm(hull.b - hull.a) + norm(hull.c - hull.b)) / span.length();
  };
  return own.b ? std::max(of(*own.a), of(*own.b)) : of(*own.a);
}

// The force at the end of the step acts along the normal there. Where what touches went round something on its way, that normal
// has a part along the way, and does more work than the barrier loses. Along the mean of the normals it would do less: so it is
// turned there as far as it takes to do no more.
double ContactTerm::take_mean(int element, const State& /*start*/, const State& middle, const State& /*end*/) {
  if (!is_added(element) && !may_act(element, middle)) return 0;
  const int count = static_cast<int>(dofs(element).size());
  Added turned{};                               // N: what turning it all the way adds
  double work = 0, work_turned = 0, loses = 0;  // J
  visit(element, middle, [&](const elastic::BarrierMaterial& material, const Touching& touch) {
    if (!(touch.gap > 0)) return;
    const double thinned_by = thinned(element).to;
    const Passage came = passage_of(element, touch, middle);
    const Vec3 mean = mean_normal(came, touch.normal, touch.gap - thinned_by);
    const elastic::BarrierValue barrier = elastic::barrier(touch.gap, material.activation, material.stiffness);
    const double push = touch.weight * barrier.pressure, before = came.gap + thinned_by;
    work += push * dot(touch.normal, came.moved);
    work_turned += push * dot(mean, came.moved);
    loses -= touch.weight * barrier.energy;
    if (before > 0 && before < material.activation)
      loses += touch.weight * elastic::barrier(before, material.activation, material.stiffness).energy;
    for (int i = 0; i < count; ++i) turned[i] -= (push * touch.coefficient[i]) * (mean - touch.normal);
  });
  const double part = work > loses && work > work_turned ? std::min((work - loses) / (work - work_turned), 1.0) : 0;
  double change = 0;  // N
  for (int i = 0; i < count; ++i) {
    const Vec3 added = part * turned[i];
    change = std::max(change, norm(is_added(element) ? added - m_added[element][i] : added));
    m_added[element][i] = added;
  }
  m_is_added[element] = part > 0 ? 1 : 0;
  return change;
}

Passage ContactTerm::passage_of(int element, const Touching& touch, const State& middle) const {
  if (const Pair* pair = pair_at(element)) return passage(*pair, touch, m_start, ends(middle));
  const Wall& wall = m_walls[wall_index(element)];
  const Way& way = m_ways[wall.obstacle];
  return passage(wall, touch, {&m_shapes[wall.obstacle], way.at(0)}, way.at(1), m_start, ends(middle));
}

void ContactTerm::lead(int element, double from, double to) { m_led[element] = {from, to}; }

}  // namespace writhe::contact
