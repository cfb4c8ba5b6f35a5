#include "study/reference.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "writhe/error.h"

namespace writhe::study {

namespace {

constexpr double smallest_fall = 1.2;       // of a change from halving to halving; less is no convergence
constexpr double second_order_fall = 4;     // no better is believed: it may be luck
constexpr double strict_tolerance = 1e-10;  // of a step, so that the steps' own errors do not add up to anything
constexpr int most_astray = 2;              // levels in a row that do not come closer to each other
constexpr double rounding = 1e-11;          // over rod length: below this a change is noise

// The scene as the reference computes it. A step that fails is halved rather than given up.
Scene reference_scene(Scene scene, Integrator integrator) {
  SolverSettings settings;
  settings.method = "newton";
  settings.integrator = integrator;
  settings.tolerance = std::min(strict_tolerance, scene.solver.tolerance);
  scene.solver = settings;
  scene.adaptive = true;
  scene.step_tolerance.reset();
  return scene;
}

class Search {
 public:
  Search(const Scene& scene, const Sampling& sampling, const ReferenceOptions& options, Integrator integrator)
      : m_scene(reference_scene(scene, integrator)),
        m_sampling(sampling),
        m_options(options),
        m_lengths(lengths_of_points(scene, sampling.coarsest)) {
    m_found.integrator = integrator;
  }

  Reference run(const std::function<double(const Trajectory&)>& wanted) && {
    Resolution at = m_options.start;
    if (at_rest()) at.time = 0;
    m_found.path = path_at(at);
    m_found.resolution = at;
    if (!m_found.path.complete()) return give_up(m_found.path.cause);
    for (;;) {
      if (!look_at(at)) return give_up("it was stopped");
      m_found.wanted = wanted(m_found.path);
      const std::optional<double> error = m_found.error();
      m_found.sufficient = error && *error <= m_found.wanted;
      if (m_found.sufficient) return std::move(m_found);
      m_astray = error ? 0 : m_astray + 1;
      if (m_astray > most_astray)
        return give_up(
            "finer steps and meshes do not come closer to each other: the motion depends on the smallest difference; "
            "compare up to an earlier time (--until)");
      const Resolution next = finer(at);
      if (m_found.seconds + cost_of(next) > m_options.budget)
        return give_up(fmt::format("the next refinement would take it beyond {:.3g} s of computing; --budget allows more",
                                   m_options.budget));
      at = next;
      const Trajectory& path = path_at(at);
      if (!path.complete()) return give_up(path.cause);
      m_found.path = path;
      m_found.resolution = at;
    }
  }

 private:
  bool at_rest() const { return m_sampling.times.empty(); }

  Reference give_up(const std::string& why) {
    m_found.note = why;
    return std::move(m_found);
  }

  const Trajectory& path_at(Resolution resolution) {
    const auto known = m_paths.find(resolution);
    if (known != m_paths.end()) return known->second;
    FollowOptions options;
    options.threads = m_options.threads;
    options.timed = false;
    options.go_on = m_options.go_on;
    const std::string level =
        fmt::format("reference, {} segments, dt {:.3g} s", segment_count(at_resolution(m_scene, resolution)),
                    at_resolution(m_scene, resolution).dt);
    if (m_options.progress) {
      m_options.progress(level, 0);
      options.progress = [this, level](double part) { m_options.progress(level, part); };
    }
    Trajectory path = follow(m_scene, resolution, m_sampling, options);
    m_found.seconds += path.seconds;
    ++m_found.runs;
    return m_paths.emplace(resolution, std::move(path)).first->second;
  }

  // By how much the last halvings changed it, and what is left from that. False when it was stopped on the way.
  bool look_at(Resolution at) {
    ReferenceLevel level{at, path_at(at).seconds, std::nullopt, std::nullopt};
    const auto change_from = [&](Resolution coarser) -> std::optional<double> {
      const Trajectory& other = path_at(coarser);
      if (!other.complete()) return std::nullopt;  // too coarse to work at all: nothing to learn
      return distance(path_at(at), other, m_lengths).largest;
    };
    level.change_mesh = change_from({at.mesh - 1, at.time});
    m_found.error_time = 0;
    if (!at_rest()) {
      level.change_time = change_from({at.mesh, at.time - 1});
      m_found.error_time = remaining(level.change_time, m_change_time, at.time);
    }
    m_found.error_mesh = remaining(level.change_mesh, m_change_mesh, at.mesh);
    m_found.levels.push_back(level);
    const bool stopped = std::any_of(m_paths.begin(), m_paths.end(), [](const auto& path) { return path.second.interrupted; });
    return !stopped;
  }

  // `known`: the changes so far, by level of what was halved.
  static std::optional<double> remaining(std::optional<double> change, std::map<int, double>& known, int level) {
    if (!change) return std::nullopt;
    known[level] = *change;
    const auto before = known.find(level - 1);
    return remaining_change(*change, before == known.end() ? std::nullopt : std::optional(before->second));
  }

  Resolution finer(Resolution at) const {
    const bool time = !at_rest() && m_found.error_time.value_or(1) > m_found.error_mesh.value_or(1);
    return time ? Resolution{at.mesh, at.time + 1} : Resolution{at.mesh + 1, at.time};
  }

  // s: twice that of the present level, and that of the coarser run to compare it with.
  double cost_of(Resolution next) const {
    const auto present = m_paths.find(m_found.resolution);
    const double beside = next.mesh > m_found.resolution.mesh && !at_rest() ? 1 : 0;
    return present->second.seconds * (2 + beside);
  }

  Scene m_scene;
  const Sampling& m_sampling;
  const ReferenceOptions& m_options;
  std::vector<double> m_lengths;
  std::map<Resolution, Trajectory> m_paths;
  std::map<int, double> m_change_time, m_change_mesh;
  int m_astray = 0;  // levels in a row whose changes did not fall
  Reference m_found;
};

}  // namespace

std::optional<double> Reference::error() const {
  return error_time && error_mesh ? std::optional(*error_time + *error_mesh) : std::nullopt;
}

std::optional<double> remaining_change(double change, std::optional<double> before) {
  if (change <= rounding) return change;
  if (!before) return change;
  const double fall = *before / change;
  if (!(fall >= smallest_fall)) return std::nullopt;
  return change / (std::min(fall, second_order_fall) - 1);
}

Reference refine_reference(const Scene& scene, const Sampling& sampling, const std::function<double(const Trajectory&)>& wanted,
                           const ReferenceOptions& options) {
  for (const Integrator integrator : {Integrator::midpoint, Integrator::euler}) {
    Reference found = Search(scene, sampling, options, integrator).run(wanted);
    if (found.path.complete() || found.path.interrupted || integrator == Integrator::euler) {
      if (!found.path.complete()) throw Error("reference", "newton", found.path.cause);
      return found;
    }
  }
  return {};
}

}  // namespace writhe::study
