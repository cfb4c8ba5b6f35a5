#include "contact/overlaps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "contact/box_tree.h"
#include "contact/closest.h"
#include "contact/neighbours.h"
#include "contact/roots.h"
#include "contact/rules.h"

namespace writhe::contact {

namespace {

// Rods that all lie in one place have as many pairs of segments as there are squares of segments.
std::size_t most_pairs(const Spans& spans) { return 300000 + 50 * static_cast<std::size_t>(spans.count()); }

// An overlap of a span with another, or with an obstacle.
struct Found {
  int span = 0, with = 0;
  Overlap overlap;
};

// Those of neighbouring spans are one place, told by its deepest.
class Places {
 public:
  explicit Places(const std::vector<Found>& found) : m_found(found), m_leader(found.size()) {
    std::iota(m_leader.begin(), m_leader.end(), 0);
  }
  void join(int a, int b) {
    a = leader(a);
    b = leader(b);
    m_leader[std::max(a, b)] = std::min(a, b);
  }
  std::vector<Overlap> deepest() {
    std::map<int, Overlap> best;
    for (int i = 0; i < static_cast<int>(m_found.size()); ++i) {
      const Overlap& here = m_found[i].overlap;
      const auto [known, is_new] = best.emplace(leader(i), here);
      if (!is_new && here.depth > known->second.depth) known->second = here;
    }
    std::vector<Overlap> out;
    out.reserve(best.size());
    for (const auto& [first, overlap] : best) out.push_back(overlap);
    std::stable_sort(out.begin(), out.end(), [](const Overlap& a, const Overlap& b) { return a.depth > b.depth; });
    return out;
  }

 private:
  int leader(int i) {
    while (m_leader[i] != i) i = m_leader[i] = m_leader[m_leader[i]];
    return i;
  }
  const std::vector<Found>& m_found;
  std::vector<int> m_leader;
};

// Spans that are next to each other on a rod are neighbours, at one obstacle or with the same span of another rod.
std::vector<Overlap> places_of(const std::vector<Found>& found, bool obstacles) {
  std::map<std::pair<int, int>, int> number;
  for (int i = 0; i < static_cast<int>(found.size()); ++i) number[{found[i].span, found[i].with}] = i;
  Places places(found);
  const auto same = [](const Overlap& a, const Overlap& b) {
    return a.rod == b.rod && a.other == b.other && a.obstacle == b.obstacle;
  };
  for (int i = 0; i < static_cast<int>(found.size()); ++i) {
    const auto look = [&](int along, int across) {
      const auto next = number.find({found[i].span + along, found[i].with + across});
      if (next != number.end() && same(found[next->second].overlap, found[i].overlap)) places.join(i, next->second);
    };
    look(1, 0);
    if (!obstacles) look(0, 1);
  }
  return places.deepest();
}

class RodSearch {
 public:
  RodSearch(const Model& model, const State& state, Among among, double share)
      : m_x{&state.x}, m_spans(model, half_thickness(model)), m_neighbours(model, m_spans), m_among(among), m_share(share) {
    if (model.scene().contact.rods_touch()) m_rules.emplace(model);
  }

  Overlaps run() {
    std::vector<Box> boxes;
    boxes.reserve(static_cast<std::size_t>(m_spans.count()));
    for (int i = 0; i < m_spans.count(); ++i)
      boxes.push_back(box_of(m_spans[i], points_of(m_spans[i], m_x)).grown(m_spans[i].largest_radius));
    const BoxTree tree(boxes);
    Overlaps out;
    std::size_t pairs = 0;
    for (int i = 0; i < m_spans.count() && out.all; ++i) {
      tree.for_each_in(boxes[i], [&](int j) {
        if (j < i || !wants(m_spans[i].rod, m_spans[j].rod)) return;
        out.all = out.all && ++pairs <= most_pairs(m_spans);
        if (out.all) look(i, j);
      });
    }
    // The tree visits in no order.
    std::sort(m_found.begin(), m_found.end(),
              [](const Found& a, const Found& b) { return std::pair(a.span, a.with) < std::pair(b.span, b.with); });
    out.places = places_of(m_found, false);
    return out;
  }

 private:
  static std::optional<double> half_thickness(const Model& model) {
    const std::optional<double> whole = model.scene().contact.thickness;
    return whole ? std::optional(*whole / 2) : std::nullopt;
  }
  bool wants(int a, int b) const { return (m_rules && m_rules->rods_touch(a, b)) == (m_among == Among::touching); }

  void look(int i, int j) {
    const Span &a = m_spans[i], &b = m_spans[j];
    const Neighbourhood& near = m_neighbours.of(a.rod, b.rod);
    if (std::min(a.smallest_radius, b.smallest_radius) == 0 || !may_touch(a, b, near)) return;
    const Closest at = closest_of(tube_of(a, m_x), tube_of(b, m_x), near, 0);
    if (!(at.gap < -m_share * at.radius)) return;
    m_found.push_back({i, j, {a.rod, b.rod, -1, at.arc_a, at.arc_b, -at.gap, at.distance, at.radius}});
  }

  Positions m_x;
  Spans m_spans;
  Neighbours m_neighbours;
  std::optional<Rules> m_rules;
  Among m_among;
  double m_share;
  std::vector<Found> m_found;
};

}  // namespace

Overlaps rod_overlaps(const Model& model, const State& state, Among among, double share) {
  const Contact& contact = model.scene().contact;
  if (among == Among::touching && !contact.rods_touch()) return {};
  if (among == Among::ignored && contact.self && contact.between == Contact::Between::all) return {};
  return RodSearch(model, state, among, share).run();
}

Overlaps obstacle_overlaps(const Model& model, const State& state, double share) {
  std::vector<Found> found;
  const Positions x{&state.x};
  const Spans spans(model);
  const std::vector<Obstacle>& obstacles = model.scene().obstacles;
  const std::vector<ObstacleShape> shapes(obstacles.begin(), obstacles.end());
  const Roots roots(model, spans, shapes);
  for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
    const Pose pose = pose_of(obstacles[o], state.time);
    for (int i = 0; i < spans.count(); ++i) {
      const Deepest at = deepest_in(shapes[o], pose, tube_of(spans[i], x), 0);
      if (!(at.gap < -share * at.radius) || any_has(roots.of(spans[i].rod, o), spans[i].arc(at.u))) continue;
      Found one;
      one.span = i;
      one.with = o;
      one.overlap = {spans[i].rod, -1, o, spans[i].arc(at.u), 0, -at.gap, at.distance, at.radius};
      found.push_back(one);
    }
  }
  return {places_of(found, true), true};
}

std::string counted(const Overlaps& found) {
  if (found.places.size() == 1) return "one place";
  return fmt::format("{}{} places", found.all ? "" : "more than ", found.places.size());
}

std::string place_text(const Model& model, int rod, double arc) {
  const RodRange& range = model.rods()[rod];
  const double around = range.closed ? std::fmod(arc + range.length, range.length) : arc;
  return fmt::format("{}@{:.4g}", range.name, std::clamp(around / range.length, 0.0, 1.0));
}

// ---- obstacles -----------------------------------------------------------------------------------------------------

namespace {

// A distance changes by no more than the way between: halves of the span are looked at until they are out of reach.
class ObstacleSearch {
 public:
  ObstacleSearch(const ObstacleShape& shape, const Tube& tube, double most) : m_shape(shape), m_tube(tube) {
    m_best.gap = most;
    const Span& span = *tube.span;
    m_speed = span.kind == Span::Kind::inner ? std::max(norm(tube.x.b - tube.x.a), norm(tube.x.c - tube.x.b))
                                             : 0.5 * norm(tube.x.b - tube.x.a);
  }

  Deepest run() {
    std::vector<Part> parts{{0, 1, distance_at(0), distance_at(1)}};
    // The wide ones first, so that what is left out at the end is narrow.
    for (std::size_t i = 0; i < parts.size() && i < most_parts; ++i) {
      const Part part = parts[i];
      const double way = m_speed * (part.to - part.from);
      if (way <= fineness * m_tube.span->smallest_radius) continue;
      if (0.5 * (part.distance_from + part.distance_to - way) - m_tube.span->largest_radius >= m_best.gap) continue;
      const double middle = 0.5 * (part.from + part.to), distance = distance_at(middle);
      parts.push_back({part.from, middle, part.distance_from, distance});
      parts.push_back({middle, part.to, distance, part.distance_to});
    }
    return m_best;
  }

 private:
  struct Part {
    double from, to, distance_from, distance_to;
  };
  static constexpr double fineness = 0.125;        // of the radius
  static constexpr std::size_t most_parts = 4096;  // of a span

  double distance_at(double u) {
    const double distance = m_shape.distance(m_tube.at(u)), radius = m_tube.radius_at(u);
    if (distance - radius < m_best.gap) m_best = {distance - radius, distance, radius, u};
    return distance;
  }

  const ObstacleShape& m_shape;
  const Tube& m_tube;
  Deepest m_best;
  double m_speed;  // m, at most, by u
};

}  // namespace

Deepest deepest_in(const ObstacleShape& shape, const Pose& pose, const Tube& tube, double most) {
  Tube seen = tube;
  seen.x = {pose.back(tube.x.a), pose.back(tube.x.b), pose.back(tube.x.c)};
  const Box box = box_of(*seen.span, seen.x).grown(seen.span->largest_radius + std::max(most, 0.0));
  Deepest none;
  if (!box.meets(shape.bounds())) return none;
  std::vector<int> features;
  shape.find(box, features);
  if (features.empty() && !(shape.is_mesh() && shape.contains(seen.at(0.5)))) return none;
  const Deepest at = ObstacleSearch(shape, seen, most).run();
  return at.gap < most ? at : none;
}

}  // namespace writhe::contact
