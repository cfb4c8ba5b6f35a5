// A straight rod is twisted by many turns; as its clamps are brought together it buckles into a helix whose amplitude is largest
// in the middle and dies out towards the ends. Measured is how far the tangent deviates from the line through the clamps at most.
//
// The rod starts straight, twisted and stretched, where it is just unstable, and is followed (`perturb`) along its lowest mode,
// whose amplitude is largest in the middle: the buckle starts there. What is followed is a local minimum; others,
// where the rod passes through itself, are not looked for.
//
// Where the buckle sits costs next to nothing: the ends are twelve decay lengths away, and on an even mesh it may rest anywhere
// near the middle. Its shape does not depend on that. With one half twice as fine it does cost: for the same shortening a coarse
// mesh pulls less at its clamps, has therefore given off less energy, and so the buckle slides to the fine half until the clamp
// there repels it.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments::helical_buckling {

namespace {

using study::Expectation;

const std::string folder = "experiments/helical-buckling/";
const std::vector<int> meshes{75, 150, 300, 600};
constexpr int coarse_half = 100;  // segments of the coarse half; the other has twice as many

struct Deviation {
  double largest = 0;   // rad, of the tangent from x
  double position = 0;  // where, of the rod's length
};

// Of every segment, which has the direction of its middle.
struct Inclinations {
  std::vector<double> cosine;  // of the angle with x
  std::vector<double> middle;  // m along the rod
  double length = 0;           // m
};

Inclinations inclinations(const Model& model, const State& state) {
  const Segments& segments = model.segments();
  Inclinations out;
  for (int i = 0; i < model.segment_count(); ++i) {
    out.cosine.push_back(normalized(state.x[segments.node1[i]] - state.x[segments.node0[i]]).x);
    out.middle.push_back(out.length + segments.length[i] / 2);
    out.length += segments.length[i];
  }
  return out;
}

// The largest deviation is at the vertex of the parabola through the cosines of the most inclined segment and its neighbours.
Deviation largest_deviation(const Model& model, const State& state) {
  const auto [cosine, middle, length] = inclinations(model, state);
  const auto k = std::min_element(cosine.begin() + 1, cosine.end() - 1) - cosine.begin();
  const double slope = (cosine[k] - cosine[k - 1]) / (middle[k] - middle[k - 1]);
  const double next_slope = (cosine[k + 1] - cosine[k]) / (middle[k + 1] - middle[k]);
  const double bend = (next_slope - slope) / (middle[k + 1] - middle[k - 1]);
  const double at = 0.5 * (middle[k - 1] + middle[k]) - slope / (2 * bend);
  const double vertex = cosine[k] + (at - middle[k]) * (slope + bend * (at - middle[k - 1]));
  return {std::acos(vertex), at / length};
}

StaticOptions followed_to_the_buckle() {
  StaticOptions options;
  options.perturb = true;
  options.tolerance = 1e-6;       // less moves the buckle along the rod and changes nothing else
  options.max_iterations = 3000;  // the way down from the straight rod is long and flat
  options.first_step = 1e-3;
  return options;
}

Statics buckled(const std::string& scene, const std::vector<std::string>& overrides) {
  return equilibrate(folder + scene, overrides, followed_to_the_buckle()).statics;
}

// ---- what is shown -------------------------------------------------------------------------------------------------------
// The angle of the tangent as in Fig. 7 of Bergou and others: over s/s*, counted from where it is largest. The scale s* is that
// of the exact solution, cos(phi) = cos(phi_max) + (1 - cos(phi_max)) tanh^2(s/s*), 1/s* = (torque/2B) tan(phi_max/2).
class Envelope {
 public:
  explicit Envelope(const nlohmann::json& reference)
      : m_cosine(std::cos(reference.at("phi_max").get<double>())),
        m_rate(reference.at("torque").get<double>() / 2 * std::tan(reference.at("phi_max").get<double>() / 2)) {}

  study::Series exact() const {
    Points points;
    for (int k = -100; k <= 100; ++k) {
      const double s = shown * k / 100, t = std::tanh(s);
      points.emplace_back(s, std::acos(m_cosine + (1 - m_cosine) * t * t));
    }
    return dashed("exact, van der Heijden and Thompson", std::move(points));
  }
  study::Series of(const std::string& name, const Statics& statics) const {
    const auto [cosine, middle, length] = inclinations(statics.model(), statics.state());
    const double centre = largest_deviation(statics.model(), statics.state()).position;
    Points points;
    for (std::size_t i = 0; i < cosine.size(); ++i) {
      const double s = m_rate * (middle[i] / length - centre);
      if (std::abs(s) < shown) points.emplace_back(s, std::acos(std::min(1.0, cosine[i])));
    }
    return line(name, std::move(points));
  }

 private:
  static constexpr double shown = 6;
  double m_cosine, m_rate;  // m_rate: rod lengths over s*
};

study::Plot envelope_plot(const std::string& title) {
  return empty_plot(title, {"arc length s/s*, from the largest deviation"}, {"deviation of the tangent, rad"});
}

void illustrate(study::Result& result, const std::vector<Statics>& even, const Statics& graded, const nlohmann::json& reference) {
  const Envelope envelope(reference);
  study::Plot of_even = envelope_plot("Envelope of the helix, even meshes"),
              of_graded = envelope_plot("Envelope, one half twice as fine");
  of_even.series.push_back(envelope.exact());
  of_graded.series = {envelope.exact(), envelope.of("200 + 100 segments", graded)};
  const double exact = reference.at("phi_max").get<double>();
  Points largest;
  for (std::size_t i = 0; i < even.size(); ++i) {
    of_even.series.push_back(envelope.of(fmt::format("{} segments", meshes[i]), even[i]));
    largest.emplace_back(meshes[i], largest_deviation(even[i].model(), even[i].state()).largest);
  }
  study::Plot maxima = empty_plot("Largest deviation", {"segments", true}, {"deviation of the tangent, rad"});
  maxima.series = {marked_line("even meshes", largest),
                   dashed("exact, van der Heijden and Thompson",
                          {{static_cast<double>(meshes.front()), exact}, {static_cast<double>(meshes.back()), exact}})};
  result.plots = {std::move(of_even), std::move(of_graded), std::move(maxima)};
  draw(result, "Buckled, 600 segments", even.back().model(), even.back().state());
  draw(result, "The finer half on the left", graded.model(), graded.state());
}

// ---- what is measured ----------------------------------------------------------------------------------------------------
Statics measure_even(study::Result& result, int segments) {
  Statics statics = buckled("scene.yaml", {fmt::format("rods.rod.segments={}", segments)});
  result.measure(fmt::format("phi_max_{}", segments), largest_deviation(statics.model(), statics.state()).largest);
  if (segments < meshes.back()) return statics;
  const double length = statics.model().rods()[0].length, bending = statics.model().joints().stiffness[0].x;
  const Reaction at_end = statics.reactions()[1];
  result.measure("tension", at_end.force.x * length * length / bending);
  result.measure("torque", at_end.moment.x * length / bending);
  return statics;
}

Statics measure_graded(study::Result& result) {
  Statics statics = buckled("graded.yaml", {fmt::format("rods.fine.segments={}", 2 * coarse_half),
                                            fmt::format("rods.coarse.segments={}", coarse_half)});
  const Deviation deviation = largest_deviation(statics.model(), statics.state());
  result.measure("phi_max_graded", deviation.largest);
  result.measure("position_graded", deviation.position);
  result.measure("unstable_motions_graded", statics.stability().negative);
  return statics;
}

void perform(study::Result& result, const study::Context& context) {
  const auto reference = embedded_reference(folder + "reference.json");
  const std::string source = "van der Heijden and Thompson 2000, " + folder + "reference.py";
  const auto expect = [&](const char* key, const char* entry, double tolerance) {
    result.expect(key, Expectation::within_relative(reference.at(entry).get<double>(), tolerance, source));
  };
  for (const char* key : {"phi_max_300", "phi_max_600", "phi_max_graded"}) expect(key, "phi_max", 1e-2);
  expect("tension", "tension", 5e-3);
  expect("torque", "torque", 5e-3);
  result.expect("position_graded", Expectation::at_most(0.5, "the fine half, where the energy is less"));
  result.expect("unstable_motions_graded", Expectation::at_most(0, "a rest that is not passing"));
  result.notes = {
      "phi_max: largest angle of the tangent with the line through the clamps, by segments; tension over B/L^2 and torque over "
      "B/L with 600",
      "graded: 200 segments in the first half, 100 in the second, joined; position: where the deviation is largest"};
  std::vector<Statics> even;
  for (const int segments : meshes) {
    context.progress(fmt::format("{} segments", segments));
    even.push_back(measure_even(result, segments));
  }
  context.progress("one half twice as fine");
  const Statics graded = measure_graded(result);
  illustrate(result, even, graded, reference);
}

}  // namespace

study::Experiment experiment() {
  return {"helical-buckling",
          "Twisted rod that buckles into a localised helix",
          "Bergou and others, Discrete Elastic Rods, Fig. 7; van der Heijden and Thompson, Nonlinear Dynamics 21 (2000)",
          false,
          perform,
          {"der:fig7"}};
}

}  // namespace writhe::experiments::helical_buckling
