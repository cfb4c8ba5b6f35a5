#include "illustrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "math/rotation.h"
#include "output/svg_picture.h"

namespace writhe::experiments {

void Snapshots::take(const State& state) {
  constexpr double rounding = 1e-9;  // s
  const auto reached = [&](double time) { return state.time >= time - rounding; };
  if (m_states.size() == m_times.size() || !reached(m_times[m_states.size()])) return;
  m_states.push_back(state);
}

namespace {
study::Drawing drawing(const std::string& title, const Model& model, std::span<const State> states, output::Strip strip) {
  output::PictureOptions options = output::picture_options(model.scene());
  options.width = 560;    // px, about what the report gives it: labels stay readable
  options.title.clear();  // the report prints its own
  options.pieces = 700;
  options.strip = strip;
  return {title, output::draw_svg(model, states, options)};
}
}  // namespace

void draw(study::Result& result, const std::string& title, const Model& model, std::span<const State> states) {
  result.drawings.push_back(drawing(title, model, states, output::Strip::automatic));
}

void draw(study::Result& result, const std::string& title, const Model& model, const State& state) {
  draw(result, title, model, std::span(&state, 1));
}

void draw_side_by_side(study::Result& result, const std::string& title, const Model& model, std::span<const State> states) {
  result.drawings.push_back(drawing(title, model, states, output::Strip::panels));
}

State displaced(State state, const Mode& mode, double most) {
  double largest = 0;
  for (const Vec3& x : mode.x) largest = std::max(largest, norm(x));
  const double scale = most / largest;
  for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i] += scale * mode.x[i];
  for (std::size_t s = 0; s < state.q.size(); ++s) state.q[s] = normalized(state.q[s] * exp_rotation(scale * mode.turn[s]));
  return state;
}

study::Series line(std::string name, Points points) { return {std::move(name), std::move(points), true, false, false}; }
study::Series marked_line(std::string name, Points points) { return {std::move(name), std::move(points), true, true, false}; }
study::Series marks(std::string name, Points points) { return {std::move(name), std::move(points), false, true, false}; }
study::Series dashed(std::string name, Points points) { return {std::move(name), std::move(points), true, false, true}; }

Points thinned(const Points& points, std::size_t most) {
  if (points.size() <= most) return points;
  Points out;
  for (std::size_t k = 0; k < most; ++k) out.push_back(points[k * (points.size() - 1) / (most - 1)]);
  return out;
}

Points over_time(std::span<const double> times, std::span<const double> values, double least) {
  Points out;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (values[k] >= least) out.emplace_back(times[k], values[k]);
  return thinned(out);
}

Points shape_xz(std::span<const Vec3> x, double unit) {
  Points out;
  out.reserve(x.size());
  for (const Vec3& node : x) out.emplace_back(node.x / unit, node.z / unit);
  return out;
}

study::Plot empty_plot(const std::string& title, study::Axis x, study::Axis y) {
  return {.title = title, .x = std::move(x), .y = std::move(y), .series = {}};
}

study::Plot shape_plot(const std::string& title, const std::string& x, const std::string& y) {
  study::Plot out = empty_plot(title, {x}, {y});
  out.equal = true;
  return out;
}

study::Plot error_plot(const std::string& title, const std::string& error, std::vector<study::Series> series, int order,
                       const std::string& resolution) {
  double coarse = std::numeric_limits<double>::infinity(), fine = 0, level = 0;
  for (const study::Series& one : series) {
    for (const auto& [n, value] : one.points) {
      if (n < coarse) level = value;
      coarse = std::min(coarse, n);
      fine = std::max(fine, n);
    }
  }
  if (fine > coarse) {
    const double fall = std::pow(coarse / fine, order);
    series.push_back(dashed(fmt::format("slope -{}", order), {{coarse, level}, {fine, level * fall}}));
  }
  return {.title = title, .x = {resolution, true}, .y = {error, true}, .series = std::move(series)};
}

study::Series over_meshes(std::string name, std::span<const int> segments, std::span<const double> errors) {
  Points points;
  for (std::size_t i = 0; i < segments.size(); ++i) points.emplace_back(segments[i], errors[i]);
  return marked_line(std::move(name), std::move(points));
}

}  // namespace writhe::experiments
