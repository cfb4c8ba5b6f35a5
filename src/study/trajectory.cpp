#include "study/trajectory.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "writhe/simulation.h"

namespace writhe::study {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double short_run = 0.3;  // s: below this a run is repeated, since other work on the machine may have disturbed it
constexpr int most_repetitions = 3;

std::vector<Vec3> points_of(const Model& model, const State& state, int stride) {
  std::vector<Vec3> out;
  for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod) {
    const RodRange& range = model.rods()[static_cast<std::size_t>(rod)];
    const int last = range.closed ? range.segment_count - 1 : range.segment_count;  // a ring repeats its first node
    for (int k = 0; k <= last; k += stride) out.push_back(state.x[static_cast<std::size_t>(model.node_of(rod, k))]);
  }
  return out;
}

// One run; only steps are timed.
class Following {
 public:
  Following(const Scene& scene, int stride, const Sampling& sampling, const FollowOptions& options)
      : m_simulation(Model(scene), {options.threads}), m_stride(stride), m_sampling(sampling), m_options(options) {}

  Trajectory run() && {
    if (m_sampling.times.empty()) {
      sample([this] { return m_simulation.settle({}, counting()); });
    } else {
      for (const double time : m_sampling.times)
        if (!sample([this, time] { return m_simulation.run(time, counting()); })) break;
    }
    return std::move(m_path);
  }

 private:
  std::function<bool(const StepReport&)> counting() {
    return [this](const StepReport& report) {
      ++m_path.steps;
      if (!report.converged) ++m_path.unconverged;
      if (m_options.progress && !m_sampling.times.empty()) m_options.progress(report.time / m_sampling.times.back());
      m_path.interrupted = m_options.go_on && !m_options.go_on();
      return !m_path.interrupted;
    };
  }

  template <class Go>
  bool sample(const Go& go) {
    const auto start = Clock::now();
    const StepReport report = go();
    m_path.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    if (m_path.interrupted)
      m_path.cause = "interrupted";
    else if (!report.accepted())
      m_path.cause = fmt::format("t = {:.4g} s: {}", report.time, report.cause);
    else
      m_path.shapes.push_back(points_of(m_simulation.model(), m_simulation.state(), m_stride));
    return m_path.complete();
  }

  Simulation m_simulation;
  int m_stride;
  const Sampling& m_sampling;
  const FollowOptions& m_options;
  Trajectory m_path;
};

}  // namespace

std::vector<double> sample_times(const Scene& scene, int coarsest_time, int wanted) {
  const double longest = std::ldexp(scene.dt, -coarsest_time);  // s: the longest step
  const double whole = std::floor(scene.until / longest * (1 + 1e-9));
  const double stride = std::max(1.0, std::floor(whole / wanted));
  std::vector<double> times;
  for (double k = stride; k * longest < scene.until * (1 - 1e-9); k += stride) times.push_back(k * longest);
  times.push_back(scene.until);
  return times;
}

Trajectory follow(const Scene& scene, Resolution resolution, const Sampling& sampling, const FollowOptions& options) {
  const Scene refined = at_resolution(scene, resolution);
  const int stride = 1 << (resolution.mesh - sampling.coarsest);
  Trajectory best = Following(refined, stride, sampling, options).run();
  for (int i = 1; i < most_repetitions && options.timed && best.complete() && best.seconds < short_run; ++i) {
    const Trajectory again = Following(refined, stride, sampling, options).run();
    if (again.complete()) best.seconds = std::min(best.seconds, again.seconds);
  }
  return best;
}

std::vector<double> lengths_of_points(const Scene& scene, int coarsest) {
  const Model model(at_resolution(scene, {coarsest, 0}));
  std::vector<double> out;
  for (const RodRange& rod : model.rods()) {
    const int points = rod.closed ? rod.segment_count : rod.segment_count + 1;
    out.insert(out.end(), static_cast<std::size_t>(points), rod.length);
  }
  return out;
}

Distance distance(const Trajectory& a, const Trajectory& b, const std::vector<double>& lengths) {
  if (a.shapes.size() != b.shapes.size() || a.shapes.empty()) throw std::invalid_argument("distance: sampled differently");
  Distance out;
  double sum = 0;
  for (std::size_t k = 0; k < a.shapes.size(); ++k) {
    if (a.shapes[k].size() != lengths.size() || b.shapes[k].size() != lengths.size())
      throw std::invalid_argument("distance: other points");
    out.end = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const double apart = norm(a.shapes[k][i] - b.shapes[k][i]);
      out.largest_m = std::max(out.largest_m, apart);
      out.largest = std::max(out.largest, apart / lengths[i]);
      out.end = std::max(out.end, apart / lengths[i]);
      sum += (apart / lengths[i]) * (apart / lengths[i]);
    }
  }
  out.rms = std::sqrt(sum / static_cast<double>(a.shapes.size() * lengths.size()));
  return out;
}

}  // namespace writhe::study
