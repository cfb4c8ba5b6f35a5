// A twisted rod between two clamps winds up into a plectoneme: two strands on one helix, pressed together along a line.
// Frictionless, the radius R of the superhelix, its angle alpha, the tension F and the moment M of the tails obey (van der Heijden,
// Neukirch, Goss and Thompson 2003; Clauvelin, Audoly and Neukirch 2009)
//
//   F R^2/B = sin^3 alpha (cos alpha tan 2 alpha - sin alpha/2),    M = (2/sin 2 alpha)(B sin^4 alpha/(2 R) + R F).
//
// R is half the distance of strands that press each other, alpha follows from their directions, t1 . t2 = -cos 2 alpha: both over
// the middle half of what touches. The law knows neither the loop at its end nor where the tails come together.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "contact/contacts.h"
#include "math/rotation.h"
#include "measure/winding.h"
#include "study/registry.h"

namespace writhe::experiments::plectoneme {

namespace {

using study::Expectation;

const std::string folder = "experiments/plectoneme/";
constexpr double turns = 24, twist_begins = 2;  // of the scene: one turn a second from then on

// Unit: of the segment at a rest arc length, or between two where that is nearer.
Vec3 direction_at(const Model& model, const State& state, double arc) {
  const double length = model.segments().length[0], at = arc / length - 0.5;
  const int last = model.rods()[0].segment_count - 1, k = std::clamp(static_cast<int>(std::floor(at)), 0, last - 1);
  const auto way = [&](int s) { return normalized(state.x[s + 1] - state.x[s]); };
  const double part = std::clamp(at - k, 0.0, 1.0);
  return normalized((1 - part) * way(k) + part * way(k + 1));
}

Expectation between(double min, double max, const std::string& source) {
  Expectation out = Expectation::at_least(min, source);
  out.max = max;
  return out;
}

struct Superhelix {
  double radius = 0, angle = 0;  // m, rad
  double from = 0, to = 0;       // m: of the strand that comes first, what touches
};

Superhelix superhelix(const Model& model, const State& state) {
  contact::Contacts contacts(model);
  contacts.read(state);
  struct Strands {
    double first, second, distance, weight;
  };
  std::vector<Strands> all;
  Superhelix out{0, 0, model.rods()[0].length, 0};
  const double radius = model.segments().half_extent[0].z;
  for (const contact::Press& press : contacts.presses()) {
    all.push_back(
        {std::min(press.arc, press.other_arc), std::max(press.arc, press.other_arc), 2 * radius + press.gap, norm(press.force)});
    out.from = std::min(out.from, all.back().first);
    out.to = std::max(out.to, all.back().first);
  }
  double weight = 0;
  for (const Strands& one : all) {
    const double along = (one.first - out.from) / (out.to - out.from);
    if (along < 0.25 || along > 0.75) continue;
    const double cosine = dot(direction_at(model, state, one.first), direction_at(model, state, one.second));
    weight += one.weight;
    out.radius += one.weight * 0.5 * one.distance;
    out.angle += one.weight * 0.5 * std::acos(std::clamp(-cosine, -1.0, 1.0));
  }
  out.radius /= weight;
  out.angle /= weight;
  return out;
}

void perform(study::Result& result, const study::Context& context) {
  const std::string law = "law of the frictionless plectoneme at the measured radius and angle";
  result.expect("ratio_R", between(0.97, 1.05, "strands that touch: R is the radius of the rod"));
  result.expect("ratio_F", between(0.93, 1.06, law));
  result.expect("ratio_M", between(0.96, 1.04, law));
  result.expect("link_error", Expectation::at_most(0.05, "link = twist + writhe is what the clamps have turned"));
  result.notes = {
      "ratio_R: half the distance of the strands over the radius of the rod; ratio_F, ratio_M: force along and moment about the "
      "line of "
      "the clamps over those of the law",
      "angle: of the superhelix, rad; turns_wound: of the two strands about each other where they touch; link_error: turns"};
  context.progress("twisting to 24 turns");
  Snapshots shapes({2, 5.5, 6.5, 10, 16, 26});
  StaticOptions options;
  options.perturb = true;
  options.go_on = [&](const StaticPoint& point) {
    context.progress(fmt::format("{:.1f} of {} turns", std::max(point.time - twist_begins, 0.0), turns));
    return true;
  };
  const Equilibrated wound = equilibrate(folder + "scene.yaml", {}, options, &shapes);
  const Model& model = wound.statics.model();
  const State& state = wound.statics.state();
  const Superhelix helix = superhelix(model, state);
  const double R = helix.radius, sine = std::sin(helix.angle), B = model.joints().stiffness[0].x;
  const double force = sine * sine * sine * (std::cos(helix.angle) * std::tan(2 * helix.angle) - 0.5 * sine) * B / (R * R);
  const double moment = 2 / std::sin(2 * helix.angle) * (B * std::pow(sine, 4) / (2 * R) + R * force);
  const Reaction end = wound.statics.reactions()[1];
  result.measure("ratio_R", R / model.segments().half_extent[0].z);
  result.measure("ratio_F", end.force.x / force);
  result.measure("ratio_M", std::abs(end.moment.x) / moment);
  result.measure("angle", helix.angle);
  result.measure("turns_wound", (helix.to - helix.from) * sine / (2 * pi * R));
  const measure::Windings windings = measure::windings_of(model, state);
  if (windings.rods.front()) result.measure("link_error", std::abs(std::abs(windings.rods.front()->turns.link()) - turns));
  result.measure("negative_eigenvalues", wound.statics.stability().negative);
  result.measure("points", wound.report.points);
  draw(result, "The cord after 24 turns", model, state);
  draw_side_by_side(result, "After 0, 3.5, 4.5, 8, 14 and 24 turns", model, shapes.states());
}

}  // namespace

study::Experiment experiment() {
  return {"plectoneme", "A twisted cord winds up into a plectoneme", "PD Fig. 1, DER Fig. 9; law of the frictionless plectoneme",
          true, perform};
}

}  // namespace writhe::experiments::plectoneme
