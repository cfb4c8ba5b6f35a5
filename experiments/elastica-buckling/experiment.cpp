// Euler's strut far beyond buckling: a straight rod is pushed together between two pins, becomes unstable, is followed along its
// lowest mode (`perturb`) to the bent equilibrium and on until its ends are inclined by 40, 80 and 120 degrees.
//
// The rod is round: the plane in which it buckles is its own choice, and both the swing about the pins' line and the spin about
// its own axis are neutral. So heights and slopes are measured from the chord.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "math/rotation.h"
#include "measure/measure.h"
#include "study/registry.h"

namespace writhe::experiments::elastica_buckling {

namespace {

using study::Expectation;

const std::string folder = "experiments/elastica-buckling/";
const std::vector<int> slopes_deg{40, 80, 120};
constexpr double tolerance = 3e-3;
constexpr double slope_tolerance = 1e-6;    // rad
constexpr double longest_shortening = 0.9;  // enough for the steepest ends

struct Arch {
  double slope = 0;     // rad, of the end against the chord
  double load = 0;      // of Euler's
  double distance = 0;  // rod lengths, of the ends
  double height = 0;    // rod lengths, of the middle over the chord
  State state;
};

StaticOptions followed_to_the_stable_branch() {
  StaticOptions options;
  options.perturb = true;
  return options;
}

// The scene's strut with its ends brought together by this part of its length in the end.
std::vector<std::string> pushed_by(double shortening) {
  return {fmt::format("supports[1].motion.translate[2]=[1, [{}, 0, 0]]", -shortening)};
}

// Inclination of the end against the chord, rad. Segments have the slopes of their middles, at l/2 and 3l/2 from the end; at a
// pin the curvature is zero, so that the slope goes as theta + a s^2 from there.
double end_slope(const std::vector<Vec3>& x) {
  const Vec3 chord = x.back() - x.front();
  const auto slope_of = [&](int segment) {
    const Vec3 along = x[segment + 1] - x[segment];
    return std::atan2(norm(cross(chord, along)), dot(chord, along));
  };
  return slope_of(0) + (slope_of(0) - slope_of(1)) / 8;
}

struct Pushed {
  double root = 0;   // of the shortening over the length: slopes are nearly straight over it, 2 sqrt(shortening) for a flat arch
  double slope = 0;  // rad
};

// How slope and shortening go together along the path.
class Slopes final : public Sink {
 public:
  const std::vector<State>& states() const { return m_states; }
  void begin(const Model&, const State& state) override { m_states.push_back(state); }
  void write(const Model& model, const State& state, const StepReport&) override {
    const double distance = norm(state.x.back() - state.x.front()) / model.rods()[0].length;
    m_points.push_back({std::sqrt(std::max(0.0, 1 - distance)), end_slope(state.x)});
    m_states.push_back(state);
  }
  void end(const Model&, const State&) override {}

  // The points before and after the path reaches this slope.
  std::pair<Pushed, Pushed> around(double slope) const {
    const auto after = std::find_if(m_points.begin(), m_points.end(), [&](const Pushed& p) { return p.slope >= slope; });
    if (after == m_points.begin() || after == m_points.end())
      throw Error("slope", fmt::format("{:.6g} rad", slope), "the path does not pass it; push the ends further");
    return {*(after - 1), *after};
  }

 private:
  std::vector<Pushed> m_points;
  std::vector<State> m_states;
};

Arch arch(double shortening) {
  const Equilibrated rod = equilibrate(folder + "scene.yaml", pushed_by(shortening), followed_to_the_stable_branch());
  const Model& model = rod.statics.model();
  const std::vector<Vec3>& x = rod.statics.state().x;
  const double length = model.rods()[0].length;
  const Vec3 chord = x.back() - x.front(), along = normalized(chord), middle = x[x.size() / 2] - x.front();
  const double euler = std::numbers::pi * std::numbers::pi * model.joints().stiffness[0].x / (length * length);
  return {end_slope(x), dot(rod.statics.reactions()[0].force, along) / euler, norm(chord) / length,
          norm(cross(along, middle)) / length, rod.statics.state()};
}

// Secant method from two points of the path.
Arch arch_with_slope(double slope, Pushed before, Pushed here) {
  constexpr int most = 8;
  for (int k = 0; k < most; ++k) {
    const double root = here.root + (slope - here.slope) * (here.root - before.root) / (here.slope - before.slope);
    const Arch found = arch(root * root);
    if (std::abs(found.slope - slope) < slope_tolerance) return found;
    before = here;
    here = {root, found.slope};
  }
  throw Error("slope", fmt::format("{:.6g} rad", slope), "no shortening was found for it");
}

// ---- what is shown -------------------------------------------------------------------------------------------------------
// N: with which the strut's first segment pushes along the line between the pins.
double thrust(const Model& model, const State& state) {
  const Vec3 along = normalized(state.x.back() - state.x.front());
  return -dot(rotate(state.q[0], measure::segment_force(model, state, 0)), along);
}

// Across the chord, in the plane of the strut, over the length.
Points shape_over_chord(const State& state) {
  const Vec3 along = normalized(state.x.back() - state.x.front());
  Points out;
  for (const Vec3& x : state.x) {
    const Vec3 from_pin = x - state.x.front();
    out.emplace_back(dot(along, from_pin), norm(cross(along, from_pin)));
  }
  return out;
}

// About the line between the pins, so that the strut bends towards z: the plane in which it buckled is one of many.
State turned_upright(State state) {
  const Vec3 middle = state.x[state.x.size() / 2];
  const Quat turn = about_axis({1, 0, 0}, std::atan2(middle.y, middle.z));
  for (Vec3& x : state.x) x = rotate(turn, x);
  for (Quat& q : state.q) q = turn * q;
  return state;
}

void illustrate(study::Result& result, const std::vector<State>& path, const std::vector<State>& arches,
                const nlohmann::json& reference) {
  const Model model(embedded_scene(folder + "scene.yaml"));  // its length is 1 m, its EI 1 N m^2
  const double euler = std::numbers::pi * std::numbers::pi;
  Points load, height, exact_load, exact_height, exact_middle;
  for (const State& state : path) {
    const double shortening = 1 - norm(state.x.back() - state.x.front());
    const Points shape = shape_over_chord(state);
    load.emplace_back(shortening, thrust(model, state) / euler);
    height.emplace_back(shortening, shape[shape.size() / 2].second);
  }
  for (const int degrees : slopes_deg) {
    const auto& exact = reference.at(std::to_string(degrees));
    const double shortening = 1 - exact.at("distance").get<double>();
    exact_load.emplace_back(shortening, exact.at("p").get<double>());
    exact_height.emplace_back(shortening, exact.at("height").get<double>());
    exact_middle.emplace_back(0.5 * (1 - shortening), exact_height.back().second);
  }
  const std::string source = "elliptic integrals, ends inclined by 40, 80 and 120 degrees";
  result.plots.push_back({.title = "Load",
                          .x = {"shortening of the distance of the ends / length"},
                          .y = {"load / Euler's"},
                          .series = {line("strut", load), marks(source, exact_load)}});
  result.plots.push_back({.title = "Height of the middle",
                          .x = {"shortening of the distance of the ends / length"},
                          .y = {"height / length"},
                          .series = {line("strut", height), marks(source, exact_height)}});
  study::Plot shapes = shape_plot("Shapes over the chord", "along / length", "across / length");
  for (std::size_t i = 0; i < arches.size(); ++i)
    shapes.series.push_back(line(fmt::format("ends inclined by {} degrees", slopes_deg[i]), shape_over_chord(arches[i])));
  shapes.series.push_back(marks("middle, elliptic integrals", exact_middle));
  result.plots.push_back(std::move(shapes));
  Snapshots drawn({0.1, 0.2, 0.4, 0.7, 1});
  for (const State& state : path) drawn.take(state);
  std::vector<State> upright;
  for (const State& state : drawn.states()) upright.push_back(turned_upright(state));
  draw(result, "The ends are brought together by 0.9 of the length within 1 s", model, upright);
}

void perform(study::Result& result, const study::Context& context) {
  const auto reference = embedded_reference(folder + "reference.json");
  for (const int degrees : slopes_deg) {
    for (const char* name : {"p", "distance", "height"})
      result.expect(fmt::format("{}_{}", name, degrees),
                    Expectation::within_relative(reference.at(std::to_string(degrees)).at(name).get<double>(), tolerance,
                                                 "elliptic integrals, " + folder + "reference.py"));
  }
  result.notes = {
      "p: load over Euler's, distance of the ends and height of the middle over the rod's length, where the ends are inclined "
      "by so many degrees; 100 segments"};
  context.progress("pushing the ends together");
  Slopes slopes;
  equilibrate(folder + "scene.yaml", pushed_by(longest_shortening), followed_to_the_stable_branch(), &slopes);
  std::vector<State> arches;
  for (const int degrees : slopes_deg) {
    context.progress(fmt::format("ends inclined by {} degrees", degrees));
    const double slope = degrees * std::numbers::pi / 180;
    const auto [before, after] = slopes.around(slope);
    const Arch found = arch_with_slope(slope, before, after);
    result.measure(fmt::format("p_{}", degrees), found.load);
    result.measure(fmt::format("distance_{}", degrees), found.distance);
    result.measure(fmt::format("height_{}", degrees), found.height);
    arches.push_back(found.state);
  }
  illustrate(result, slopes.states(), arches, reference);
}

}  // namespace

study::Experiment experiment() {
  return {"elastica-buckling", "Euler's strut with its ends inclined by 40, 80 and 120 degrees",
          "elastica by elliptic integrals, Timoshenko and Gere, Theory of Elastic Stability, ch. 2", false, perform};
}

}  // namespace writhe::experiments::elastica_buckling
