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
constexpr int most_halvings = 8;            // of the first step, until one works
constexpr int most_astray = 2;              // levels in a row that do not come closer to each other
constexpr double rounding = 1e-11;          // over rod length: below this a change is noise

// The scene as the reference computes it. All its steps are of one length: where steps are halved as needed, two lengths may end
// in the same steps, and look as if they had converged.
Scene reference_scene(Scene scene, Integrator integrator) {
  SolverSettings settings;
  settings.method = "newton";
  settings.integrator = integrator;
  settings.tolerance = std::min(strict_tolerance, scene.solver.tolerance);
  scene.solver = settings;
  scene.adaptive = false;
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
    m_wanted = wanted;
    Resolution at = first_that_works();
    for (;;) {
      if (!m_found.path.complete()) return give_up(m_found.path.cause);
      if (!judge(at)) return give_up("it was stopped");
      if (m_found.sufficient) return std::move(m_found);
      if (m_astray > most_astray)
        return give_up(
            "finer steps and meshes do not come closer to each other: the motion depends on the smallest difference; "
            "compare up to an earlier time (--until)");
      at = finer(at);
      if (m_found.seconds + cost_of_next() > m_options.budget)
        return give_up(fmt::format("the next refinement would take it beyond {:.3g} s of computing; --budget allows more",
                                   m_options.budget));
      const Trajectory& path = path_at(at);
      if (!path.complete()) return give_up(path.interrupted ? "it was stopped" : path.cause);
    }
  }

 private:
  bool at_rest() const { return m_sampling.times.empty(); }

  // Steps that are too long for the motion fail: shorter ones then.
  Resolution first_that_works() {
    Resolution at = m_options.start;
    if (at_rest()) at.time = 0;
    const int last = at.time + (at_rest() ? 0 : most_halvings);
    for (;; ++at.time) {
      const Trajectory& path = path_at(at);
      if (!path.complete() && !path.interrupted && at.time < last && m_found.seconds < m_options.budget) continue;
      take(at);
      return at;
    }
  }

  void take(Resolution at) {
    m_found.path = path_at(at);
    m_found.resolution = at;
    if (m_found.path.complete()) m_found.wanted = std::max(m_wanted(m_found.path), rounding);
  }

  Reference give_up(const std::string& why) {
    m_found.note = why;
    if (m_found.path.complete() && !m_found.error() && !at_rest())
      m_found.note +=
          ". Finer runs do not yet agree with each other: a load that is put on at once rings in all its modes where nothing "
          "damps "
          "it (ramp it, add damping.internal, or compare --until settled), and a motion that depends on the smallest difference "
          "can be compared up to an earlier time only (--until)";
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

  // By how much the last halvings changed it, and what is left from that. False when it was stopped before that was known: what
  // was found then is that of the level before.
  bool judge(Resolution at) {
    ReferenceLevel level{at, path_at(at).seconds, std::nullopt, std::nullopt};
    const auto change_from = [&](Resolution coarser) -> std::optional<double> {
      const Trajectory& other = path_at(coarser);
      m_stopped = m_stopped || other.interrupted;
      if (!other.complete()) return std::nullopt;  // too coarse to work at all: nothing to learn
      return distance(path_at(at), other, m_lengths).largest;
    };
    level.change_mesh = change_from({at.mesh - 1, at.time});
    if (!at_rest()) level.change_time = change_from({at.mesh, at.time - 1});
    if (m_stopped) return false;
    take(at);
    m_found.error_time = at_rest() ? 0 : remaining(level.change_time, m_change_time, at.time);
    m_found.error_mesh = remaining(level.change_mesh, m_change_mesh, at.mesh);
    m_found.levels.push_back(level);
    const std::optional<double> error = m_found.error();
    m_found.sufficient = error && *error <= m_found.wanted;
    m_astray = error ? 0 : m_astray + 1;
    return true;
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

  // s: twice that of the present level, and a coarser run to compare it with.
  double cost_of_next() const { return 3 * m_found.path.seconds; }

  Scene m_scene;
  const Sampling& m_sampling;
  const ReferenceOptions& m_options;
  std::vector<double> m_lengths;
  std::map<Resolution, Trajectory> m_paths;
  std::map<int, double> m_change_time, m_change_mesh;
  std::function<double(const Trajectory&)> m_wanted;
  bool m_stopped = false;
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
  Reference found = Search(scene, sampling, options, Integrator::midpoint).run(wanted);
  if (found.path.complete() || found.path.interrupted) return found;
  found = Search(scene, sampling, options, Integrator::euler).run(wanted);
  if (!found.path.complete()) throw Error("reference", "newton", found.path.cause);
  if (sampling.times.empty()) return found;
  // Steps that are long for the motion damp it, all of them alike: that they agree says little.
  found.sufficient = false;
  found.note = "the midpoint rule fails on this scene, and implicit Euler damps the motion; take shorter steps (--dt)";
  return found;
}

}  // namespace writhe::study
