#include "output/svg_labels.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "math/rotation.h"
#include "output/svg_text.h"

namespace writhe::output {

namespace {

constexpr double size = 11.5;  // px

std::vector<int> end_nodes(const Model& model) {
  std::vector<int> out;
  for (const RodRange& rod : model.rods()) {
    if (rod.closed) continue;
    out.push_back(model.segments().node0[rod.first_segment]);
    out.push_back(model.segments().node1[rod.first_segment + rod.segment_count - 1]);
  }
  if (!out.empty()) return out;
  for (int i = 0; i < model.node_count(); ++i) out.push_back(i);
  return out;
}

// Points no label may cover, each with its rod's thickness around it.
struct Covered {
  Point at;
  double radius;  // px
};

std::vector<Covered> covered(const Model& model, std::span<const State> states, const Camera& camera) {
  std::vector<Covered> out;
  const Segments& segments = model.segments();
  for (const State& state : states) {
    for (int s = 0; s < model.segment_count(); ++s) {
      const Point a = camera.at(state.x[segments.node0[s]]), b = camera.at(state.x[segments.node1[s]]);
      const int steps = std::clamp(static_cast<int>(norm(b - a) / 6), 1, 100);
      for (int k = 0; k < steps; ++k)
        out.push_back({a + (double(k) / steps) * (b - a), camera.scale * segments.half_extent[s].z});
    }
  }
  return out;
}

bool covers(const Rect& label, const Covered& o) {
  return o.at.x > label.x0 - o.radius && o.at.x < label.x1 + o.radius && o.at.y > label.y0 - o.radius &&
         o.at.y < label.y1 + o.radius;
}

// The box of a label of this width that touches `at` on the side `direction` points away from.
Rect box(Point at, Point direction, double width) {
  const Point centre = at + Point{0.5 * width * direction.x, 0.5 * size * direction.y};
  return {centre.x - width / 2, centre.y - size / 2, centre.x + width / 2, centre.y + size / 2};
}

// Away from the node's neighbour: where the rod does not go on.
Point outward_direction(const Model& model, const State& state, const Camera& camera, int node) {
  const Segments& segments = model.segments();
  for (int s = 0; s < model.segment_count(); ++s) {
    if (segments.node0[s] != node && segments.node1[s] != node) continue;
    const int other = segments.node0[s] == node ? segments.node1[s] : segments.node0[s];
    const Point d = camera.at(state.x[node]) - camera.at(state.x[other]);
    if (norm(d) > 1e-9) return (1 / norm(d)) * d;
  }
  return {1, 0};
}

}  // namespace

std::string time_text(double seconds) { return "t = " + short_number(seconds, std::abs(seconds) < 100 ? 3 : 6) + " s"; }

int labelled_node(const Model& model, std::span<const State> states, const Camera& camera) {
  int best = 0;
  double farthest = -1;
  for (const int node : end_nodes(model)) {
    double way = 0;
    for (std::size_t k = 1; k < states.size(); ++k) way += norm(camera.at(states[k].x[node]) - camera.at(states[k - 1].x[node]));
    if (way > farthest + 1e-9) {
      farthest = way;
      best = node;
    }
  }
  return best;
}

std::string draw_time_labels(const Model& model, std::span<const State> states, const Camera& camera, const Rect& canvas) {
  const int node = labelled_node(model, states, camera);
  const std::vector<Covered> rods = covered(model, states, camera);
  std::vector<Rect> taken;
  std::string out;
  const auto free = [&](const Rect& r) {
    return r.x0 > canvas.x0 && r.x1 < canvas.x1 && r.y0 > canvas.y0 && r.y1 < canvas.y1 &&
           std::none_of(taken.begin(), taken.end(), [&](const Rect& t) { return t.overlaps(r); }) &&
           std::none_of(rods.begin(), rods.end(), [&](const Covered& o) { return covers(r, o); });
  };
  const auto place = [&](const State& state, double width) -> std::optional<Rect> {
    const Point tip = camera.at(state.x[node]), first = outward_direction(model, state, camera, node);
    for (const double distance : {8.0, 16.0, 26.0}) {
      for (const double turn : {0.0, 0.5, -0.5, 1.0, -1.0, 1.6, -1.6, 2.3, -2.3, pi}) {
        const Point d{std::cos(turn) * first.x - std::sin(turn) * first.y, std::sin(turn) * first.x + std::cos(turn) * first.y};
        const Rect candidate = box(tip + distance * d, d, width);
        if (free(candidate)) return candidate;
      }
    }
    return std::nullopt;
  };
  for (std::size_t k = states.size(); k-- > 0;) {
    const std::string text = time_text(states[k].time);
    const std::optional<Rect> where = place(states[k], text_width(text, size));
    if (!where) continue;
    taken.push_back(*where);
    out += text_at({(where->x0 + where->x1) / 2, where->y1 - 2}, text, size, Anchor::middle);
  }
  return out;
}

}  // namespace writhe::output
