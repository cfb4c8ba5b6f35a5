// The materials of the paper's comparisons with a real rod (Fig. 4) and with other methods (Fig. 12): a rod let go from
// horizontal that hangs from its clamp in the end, and one that hangs between two pins as one of them is carried half the way in.
// Every method of the list is compared with `newton` on the same mesh and with the same step, while the rod moves and where it
// rests.
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "../common/illustrate.h"
#include "../common/method_study.h"
#include "study/registry.h"

namespace writhe::experiments::pd_compare {

namespace {

using study::Expectation;

const std::string folder = "experiments/pd-compare/";
constexpr double until = 1;  // s

// A column of the paper's Table 1.
struct Column {
  const char* label;
  double radius, density, young, length, dt;  // m, kg/m^3, Pa, m, s
};
constexpr Column columns[] = {{"fig4", 1.5e-3, 1500, 100e6, 0.7, 10e-3}, {"fig12", 0.2e-3, 3000, 100e6, 0.2, 1e-3}};

const char* const scenes[] = {"clamped", "carried"};

// Of any node from where the reference has it, over the length: the largest at any step, and at rest. unfinished: steps that had
// used up their iterations.
struct Deviation {
  double motion, rest, unfinished;
};
constexpr std::pair<const char*, double Deviation::*> numbers[] = {
    {"motion", &Deviation::motion}, {"rest", &Deviation::rest}, {"unfinished", &Deviation::unfinished}};

// A method, and the most it may deviate; infinity: that is reported only.
struct Contestant {
  Method method;
  Deviation most;
};
constexpr double any = std::numeric_limits<double>::infinity();
// With ten iterations, the default, `pd` is held to no motion: steps as long as these, of rods as slender and stiff, take
// hundreds, and a straight rod that is pushed in and buckles takes thousands in the first.
std::vector<Contestant> contestants() {
  Method converged = pd_method(1e-8, 10'000);
  converged.name = "pd_converged";
  return {{pd_method(1e-9, 10), {any, 1e-3, any}}, {converged, {1e-3, 1e-3, 0}}};
}

Simulation setting(const char* scene, const Column& column, const Method& method, double damping) {
  std::vector<std::string> overrides{fmt::format("sections.round.circle.radius={}", column.radius),
                                     fmt::format("materials.stuff.density={}", column.density),
                                     fmt::format("materials.stuff.young={}", column.young),
                                     fmt::format("rods.rod.centreline.line.to=[{}, 0, 0]", column.length),
                                     fmt::format("time.dt={}", column.dt),
                                     fmt::format("damping.mass={}", damping)};
  if (scene == std::string("carried"))
    overrides.push_back(fmt::format("supports[1].motion.translate[1]=[1, [{}, 0, 0]]", -0.5 * column.length));
  return start(folder + scene + ".yaml", method, overrides);
}

// How a method moves the rod, and where it rests.
struct Run {
  std::string method;
  Path path;
  std::vector<Vec3> rest;  // m
};

class Comparison {
 public:
  Comparison(const char* scene, const Column& column) : m_scene(scene), m_column(column) {
    m_runs.push_back(run(newton_method(1e-10)));
  }
  Deviation of(const Method& method) {
    m_runs.push_back(run(method));
    const Run &own = m_runs.back(), &newton = m_runs.front();
    return {largest_distance(own.path, newton.path), largest_distance(own.rest, newton.rest) / m_column.length,
            static_cast<double>(own.path.unfinished)};
  }
  const std::vector<Run>& runs() const { return m_runs; }  // newton's first
  const Column& column() const { return m_column; }
  std::string name() const { return fmt::format("{} {}", m_column.label, m_scene); }

 private:
  Run run(const Method& method) const { return {method.name, path(method), rest(method)}; }
  // Without damping, as the paper has it.
  Path path(const Method& method) const { return follow(setting(m_scene, m_column, method, 0), until); }
  // Mass damping of about the slowest swing: only the way to rest depends on it.
  std::vector<Vec3> rest(const Method& method) const { return settled_shape(setting(m_scene, m_column, method, 10)); }

  const char* m_scene;
  Column m_column;
  std::vector<Run> m_runs;
};

// ---- what is shown -------------------------------------------------------------------------------------------------------
study::Plot rest_plot(const std::vector<Comparison>& comparisons) {
  study::Plot plot = shape_plot("At rest", "x / length", "z / length");
  for (const Comparison& one : comparisons) {
    for (const Run& run : one.runs()) {
      const Points shape = shape_xz(run.rest, one.column().length);
      if (run.method == "newton") plot.series.push_back(line("newton, " + one.name(), shape));
      if (run.method == "pd") plot.series.push_back(marks("pd, " + one.name(), thinned(shape, 17)));
    }
  }
  return plot;
}

study::Plot deviation_plot(const std::vector<Comparison>& comparisons) {
  study::Plot plot = empty_plot("Deviation from newton", {"time, s"}, {"largest distance of a node / length", true});
  for (const Comparison& one : comparisons) {
    const Path& newton = one.runs().front().path;
    for (std::size_t i = 1; i < one.runs().size(); ++i) {
      const Run& run = one.runs()[i];
      plot.series.push_back(
          line(fmt::format("{}, {}", run.method, one.name()), over_time(newton.times, distances(run.path, newton), 1e-12)));
    }
  }
  return plot;
}

study::Plot motion_plot(const Comparison& comparison) {
  study::Plot plot = shape_plot(fmt::format("{} at 0.2, 0.4, 0.6 and 1 s", comparison.name()), "x / length", "z / length");
  for (const Run& run : comparison.runs()) {
    for (const double time : {0.2, 0.4, 0.6, 1.0}) {
      const auto step = static_cast<std::size_t>(std::lround(time / comparison.column().dt)) - 1;
      const Points shape = shape_xz(run.path.shapes[step], comparison.column().length);
      const std::string name = fmt::format("{}, {} s", run.method, time);
      if (run.method == "newton") plot.series.push_back(line(name, shape));
      if (run.method == "pd") plot.series.push_back(marks(name, thinned(shape, 17)));
    }
  }
  return plot;
}

// By newton, which every other method is compared with.
void draw_motion(study::Result& result, const char* scene, const Column& column) {
  Simulation rod = setting(scene, column, newton_method(1e-10), 0);
  Snapshots shapes({0, 0.2, 0.4, 0.6, 0.8, 1});
  rod.add_sink(shapes);
  const StepReport report = rod.run(until);
  if (report.accepted())
    draw(result, fmt::format("Motion of {} {}, by newton", column.label, scene), rod.model(), shapes.states());
}

void illustrate(study::Result& result, const std::vector<Comparison>& comparisons) {
  result.plots = {rest_plot(comparisons), deviation_plot(comparisons), motion_plot(comparisons.front())};
  for (const char* scene : scenes) draw_motion(result, scene, columns[0]);
}

std::string key(const char* what, const char* scene, const Column& column, const Method& method) {
  return fmt::format("{}_{}_{}_{}", what, column.label, scene, method.name);
}

void perform(study::Result& result, const study::Context& context) {
  for (const Column& column : columns) {
    for (const char* scene : scenes) {
      for (const Contestant& c : contestants()) {
        for (const auto& [what, number] : numbers) {
          if (c.most.*number != any)
            result.expect(key(what, scene, column, c.method),
                          Expectation::at_most(c.most.*number, "newton on the same mesh: a step of pd has the same minimum"));
        }
      }
    }
  }
  result.notes = {
      "largest distance of any of 51 nodes from newton's, over the length; motion: at any step of 1 s; rest: settled with the "
      "same "
      "step and mass damping; unfinished: steps that used up their iterations; clamped: let go from horizontal, hangs from one "
      "clamped end; carried: between two pins, one of them carried half the way in within 1 s; steps of 10 ms (fig4) and 1 ms "
      "(fig12)",
      "pd: 10 iterations a step, its default; pd_converged: as many as it takes. The motion with 10 is reported without a bar: "
      "it "
      "is an error of the budget, which pd-motion holds to one; the rod of fig4_carried buckles in its first steps, of 10 ms, "
      "and "
      "what 10 iterations leave over there decides how fast"};
  std::vector<Comparison> comparisons;
  for (const Column& column : columns) {
    for (const char* scene : scenes) {
      context.progress(fmt::format("{}, {}", column.label, scene));
      Comparison& comparison = comparisons.emplace_back(scene, column);
      for (const Contestant& c : contestants()) {
        const Deviation found = comparison.of(c.method);
        for (const auto& [what, number] : numbers) result.measure(key(what, scene, column, c.method), found.*number);
      }
    }
  }
  illustrate(result, comparisons);
}

}  // namespace

study::Experiment experiment() {
  return {"pd-compare",
          "Hanging and carried rods, method against method",
          "Soler, Martin and Sorkine-Hornung, Cosserat Rods with Projective Dynamics, Figs. 4 and 12",
          false,
          perform,
          {"pd:fig4", "pd:fig12"}};
}

}  // namespace writhe::experiments::pd_compare
