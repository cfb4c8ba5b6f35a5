#include "study/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "writhe/error.h"
#include "writhe/model.h"

namespace writhe::study {

namespace {

constexpr double noise = 1e-9;  // over rod length: changes below this are of the solver's tolerance, not of step or mesh
constexpr double a_tenth = 0.1;
constexpr double least_order = 0.25, largest_order = 4;  // what lies outside is not yet on its way to an order

class Comparing {
 public:
  explicit Comparing(const CompareOptions& options) : m_options(options) {}

  Comparison run(const std::vector<Contender>& contenders) && {
    const Scene& scene = contenders.front().scene;
    choose_resolutions(scene);
    m_found.sampling.coarsest = m_meshes.front();
    if (!m_options.at_rest) m_found.sampling.times = sample_times(scene, m_times.front(), m_options.samples);
    m_lengths = lengths_of_points(scene, m_meshes.front());
    for (const Contender& contender : contenders) m_found.methods.push_back(runs_of(contender));
    find_reference(scene);
    for (Compared& method : m_found.methods) {
      set_error(method.scene);
      for (ComparedRun& run : method.time) set_error(run);
      for (ComparedRun& run : method.mesh) set_error(run);
    }
    return std::move(m_found);
  }

 private:
  // One coarser than the scene where that can be built, and finer ones.
  void choose_resolutions(const Scene& scene) {
    if (m_options.refinements == 0) return;
    const bool coarser = has_resolution(scene, {-1, 0});
    m_meshes = {coarser ? -1 : 0, coarser ? 0 : 1};
    for (int i = 1; i < m_options.refinements; ++i) m_meshes.push_back(m_meshes.back() + 1);
    if (m_options.at_rest) return;
    m_times = {-1, 0};
    for (int i = 1; i <= m_options.refinements; ++i) m_times.push_back(i);
  }

  ComparedRun run_at(const Contender& contender, Resolution resolution) {
    if (!m_options.go_on()) throw Error("compare", contender.name, "stopped before there was anything to compare");
    const Scene refined = at_resolution(contender.scene, resolution);
    ComparedRun out{resolution, segment_count(refined), refined.dt, {}, std::nullopt};
    const std::string what = fmt::format("{}, {} segments, dt {:.3g} s", contender.name, out.segments, out.dt);
    m_options.progress(what, 0);
    FollowOptions follow_options;
    follow_options.threads = m_options.threads;
    follow_options.go_on = m_options.go_on;
    follow_options.progress = [&](double part) { m_options.progress(what, part); };
    out.path = follow(contender.scene, resolution, m_found.sampling, follow_options);
    if (out.path.interrupted) throw Error("compare", contender.name, "stopped before there was anything to compare");
    return out;
  }

  Compared runs_of(const Contender& contender) {
    Compared out;
    out.contender = contender;
    out.scene = run_at(contender, {});
    for (const int time : m_times) out.time.push_back(time == 0 ? out.scene : run_at(contender, {0, time}));
    for (const int mesh : m_meshes) out.mesh.push_back(mesh == 0 ? out.scene : run_at(contender, {mesh, 0}));
    out.order_time = order_of(out.time);
    out.order_mesh = order_of(out.mesh);
    return out;
  }

  std::optional<double> order_of(const std::vector<ComparedRun>& runs) const {
    std::vector<double> changes;
    for (std::size_t i = 1; i < runs.size(); ++i) {
      if (!runs[i - 1].path.complete() || !runs[i].path.complete())
        changes.clear();
      else
        changes.push_back(distance(runs[i - 1].path, runs[i].path, m_lengths).largest);
    }
    if (changes.size() < 2 || changes.back() < noise) return std::nullopt;
    return order_of_changes(changes);
  }

  void find_reference(const Scene& scene) {
    ReferenceOptions options;
    options.budget = m_options.budget;
    options.threads = m_options.threads;
    options.go_on = m_options.go_on;
    options.progress = m_options.progress;
    m_found.reference = refine_reference(
        scene, m_found.sampling, [this](const Trajectory& path) { return a_tenth * smallest_error(path); }, options);
    m_found.interrupted = !m_options.go_on();
    if (!m_found.reference.path.complete())
      throw Error("compare", "reference", "stopped before there was anything to compare with");
  }

  double smallest_error(const Trajectory& reference) const {
    double smallest = std::numeric_limits<double>::infinity();
    const auto look = [&](const ComparedRun& run) {
      if (run.path.complete()) smallest = std::min(smallest, distance(run.path, reference, m_lengths).largest);
    };
    for (const Compared& method : m_found.methods) {
      look(method.scene);
      std::for_each(method.time.begin(), method.time.end(), look);
      std::for_each(method.mesh.begin(), method.mesh.end(), look);
    }
    return smallest;
  }

  void set_error(ComparedRun& run) const {
    if (run.path.complete()) run.error = distance(run.path, m_found.reference.path, m_lengths);
  }

  const CompareOptions& m_options;
  std::vector<int> m_meshes{0}, m_times{0};
  std::vector<double> m_lengths;
  Comparison m_found;
};

}  // namespace

Comparison compare(const std::vector<Contender>& contenders, const CompareOptions& options) {
  if (contenders.empty()) throw Error("--solvers", "", "names no method; `writhe solvers` lists them");
  return Comparing(options).run(contenders);
}

std::optional<double> order_of_changes(const std::vector<double>& changes) {
  if (changes.size() < 2) return std::nullopt;
  const double coarse = changes[changes.size() - 2], fine = changes.back();
  if (!(coarse > 0) || !(fine > 0)) return std::nullopt;
  const double order = std::log2(coarse / fine);
  return order > least_order && order < largest_order ? std::optional(order) : std::nullopt;
}

}  // namespace writhe::study
