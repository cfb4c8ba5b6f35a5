// A twisted rod between two clamps winds up into a plectoneme: two strands on one helix, pressed together along a line. Tension
// and moment of its tails follow from the radius and the angle of the superhelix (docs/theory/plectoneme.md). The cord of rubber
// is so thick that shear lets it pull with 0.7 of what the published law says, so there are two: the cord as it is, against the
// law of one that stretches and shears, and one that hardly does, against the published law.
//
// R is half the distance of strands that press each other, alpha follows from their directions, t1 . t2 = -cos 2 alpha: both over
// the middle half of what touches. The laws know neither the loop at its end nor where the tails come together.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "contact/contacts.h"
#include "law.h"
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

// Of the rod of a model that is round and the same all along.
Cord cord_of(const Model& model) {
  const Vec3 across_and_along = model.segments().stiffness[0];
  return {across_and_along.z, across_and_along.x, model.joints().stiffness[0].x};
}

// The cord's section with EA and GA so much larger, as for --set.
std::string stiffer(const Model& model, double factor) {
  const Cord cord = cord_of(model);
  const double length = model.segments().length[0];
  const Vec3 inertia = model.segments().inertia[0] / length;
  return fmt::format(
      "sections.round={{stiffness: {{EA: {}, GA: {}, EI1: {}, EI2: {}, GJ: {}, linear_density: {}, inertia: [{}, {}, {}], "
      "radius: {}}}}}",
      factor * cord.EA, factor * cord.GA, cord.EI, cord.EI, model.joints().stiffness[0].z, model.segments().mass[0] / length,
      inertia.x, inertia.y, inertia.z, model.segments().half_extent[0].z);
}

// Keys end in `suffix`. Gives the law's tails at what was measured.
using Law = std::function<Tails(const Cord&, double radius, double angle)>;
struct Case {
  std::string suffix, title;
  std::vector<std::string> overrides;
  Law law;
};

Equilibrated wind_up(study::Result& result, const study::Context& context, const Case& one) {
  Snapshots shapes({2, 5.5, 6.5, 10, 16, 26});
  StaticOptions options;
  options.perturb = true;
  options.go_on = [&](const StaticPoint& point) {
    context.progress(fmt::format("{}: {:.1f} of {} turns", one.title, std::max(point.time - twist_begins, 0.0), turns));
    return true;
  };
  Equilibrated wound = equilibrate(folder + "scene.yaml", one.overrides, options, &shapes);
  const Model& model = wound.statics.model();
  const State& state = wound.statics.state();
  const Superhelix helix = superhelix(model, state);
  const Tails law = one.law(cord_of(model), helix.radius, helix.angle);
  const Reaction end = wound.statics.reactions()[1];
  const auto measure = [&](const std::string& key, double value) { result.measure(key + one.suffix, value); };
  measure("ratio_R", helix.radius / model.segments().half_extent[0].z);
  measure("ratio_F", end.force.x / law.force);
  measure("ratio_M", std::abs(end.moment.x) / law.moment);
  measure("angle", helix.angle);
  measure("turns_wound", (helix.to - helix.from) * std::sin(helix.angle) / (2 * pi * helix.radius));
  const measure::Windings windings = measure::windings_of(model, state);
  if (windings.rods.front()) measure("link_error", std::abs(std::abs(windings.rods.front()->turns.link()) - turns));
  measure("negative_eigenvalues", wound.statics.stability().negative);
  measure("points", wound.report.points);
  draw(result, one.title + " after 24 turns", model, state);
  draw_side_by_side(result, one.title + " after 0, 3.5, 4.5, 8, 14 and 24 turns", model, shapes.states());
  return wound;
}

void perform(study::Result& result, const study::Context& context) {
  const std::string published = "law of the frictionless plectoneme at the measured radius and angle",
                    derived = "docs/theory/plectoneme.md, at the measured radius and angle";
  for (const auto& [suffix, law] : {std::pair{"", derived}, std::pair{"_stiff", published}}) {
    const auto key = [&, suffix = std::string(suffix)](const char* name) { return name + suffix; };
    result.expect(key("ratio_R"), between(0.97, 1.05, "strands that touch: R is the radius of the rod"));
    result.expect(key("ratio_F"), between(0.93, 1.06, law));
    result.expect(key("ratio_M"), between(0.96, 1.04, law));
    result.expect(key("link_error"), Expectation::at_most(0.05, "link = twist + writhe is what the clamps have turned"));
  }
  result.notes = {
      "ratio_R: half the distance of the strands over the radius of the rod; ratio_F, ratio_M: force along and moment about the "
      "line of the clamps over those of the law",
      "angle: of the superhelix, rad; turns_wound: of the two strands about each other where they touch; link_error: turns",
      "_stiff: the same cord with EA and GA a thousand times as large, which hardly stretches and shears"};
  const auto published_law = [](const Cord& cord, double radius, double angle) {
    return inextensible_law(cord.EI, radius, angle);
  };
  const Equilibrated cord = wind_up(result, context, {"", "The cord", {}, [](const Cord& of, double radius, double angle) {
                                                        return extensible_law(of, radius, angle).tails;
                                                      }});
  wind_up(result, context, {"_stiff", "One that does not shear", {stiffer(cord.statics.model(), 1000)}, published_law});
}

}  // namespace

study::Experiment experiment() {
  return {"plectoneme",
          "A twisted cord winds up into a plectoneme",
          "PD Fig. 1, DER Fig. 9; law of the frictionless plectoneme",
          true,
          perform,
          {"pd:fig1", "der:fig9"}};
}

}  // namespace writhe::experiments::plectoneme
