// A heavy rod lies on a plane, one end, hinged, is lifted by d. Beam theory (small slopes, weight w a length, bending stiffness
// B): over the length l it has left the plane. There, with s from where it lies to the end,
//
//   B y'''' = -w,  y = y' = y'' = 0 at s = 0,  y = d and y'' = 0 at s = l
//
// so that y = d (2 (s/l)^3 - (s/l)^4) with l^4 = 24 B d/w, and the end carries B 12 d/l^3 = w l/2. Height d/10 is where
// 2 u^3 - u^4 = 0.1, u = s/l: 0.603 l from the lifted end. d/l is 0.01, so slopes are up to 0.02.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "math/rotation.h"
#include "study/registry.h"

namespace writhe::experiments::contact_lift {

namespace {

using study::Expectation;

const std::string folder = "experiments/contact-lift/";
constexpr double radius = 0.0005, young = 2.0e11, density = 7850, lifted = 0.003389;  // m, Pa, kg/m^3, m: of the scene
const double weight = density * pi * radius * radius * 9.81;                          // N/m
const double length = std::pow(24 * young * pi * std::pow(radius, 4) / 4 * lifted / weight, 0.25);

// Over l, from the lifted end.
double place_of_tenth() {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double u = 0.5 * (low + high);
    (2 * u * u * u - u * u * u * u < 0.1 ? low : high) = u;
  }
  return 1 - low;
}

// m, along the plane from the lifted end: where a cubic through four nodes has this height.
double place_at_height(const std::vector<Vec3>& x, double height) {
  std::size_t k = 0;
  while (x[k + 1].z > height) ++k;
  k = std::max<std::size_t>(k, 1);
  const auto cubic = [&](double at) {
    double sum = 0;
    for (std::size_t i = k - 1; i <= k + 2; ++i) {
      double term = x[i].z;
      for (std::size_t j = k - 1; j <= k + 2; ++j)
        if (j != i) term *= (at - x[j].x) / (x[i].x - x[j].x);
      sum += term;
    }
    return sum;
  };
  double low = x[k].x, high = x[k + 1].x;
  for (int i = 0; i < 60; ++i) {
    const double at = 0.5 * (low + high);
    (cubic(at) > height ? low : high) = at;
  }
  return low - x[0].x;
}

// m: where it lies, in the middle between the lifted part and the other end.
double height_at_rest(const std::vector<Vec3>& x) { return x[2 * x.size() / 3].z; }

void perform(study::Result& result, const study::Context& context) {
  const std::string source = "beam on a rigid plane; see experiments/contact-lift";
  const std::vector<int> meshes{60, 120, 240};
  const auto key = [&](const char* name, int segments) {
    return segments == meshes.back() ? std::string(name) : fmt::format("{}_n{}", name, segments);
  };
  for (const int segments : meshes) {
    result.expect(key("force_ratio", segments), Expectation::within(1, 0.01, source));
    result.expect(key("length_ratio", segments), Expectation::within(1, segments == meshes.back() ? 0.01 : 0.02, source));
  }
  result.notes = {
      "force_ratio: what the pin carries over w l/2; length_ratio: distance of the place that stands d/10 above where the rod "
      "lies "
      "from the lifted end, over 0.603 l"};
  const double place = place_of_tenth() * length;
  Points heights;
  for (const int segments : meshes) {
    context.progress(fmt::format("{} segments", segments));
    const Equilibrated lying = equilibrate(folder + "scene.yaml", {fmt::format("rods.wire.segments={}", segments)});
    const std::vector<Vec3>& x = lying.statics.state().x;
    const double floor = height_at_rest(x);
    result.measure(key("force_ratio", segments), lying.statics.reactions()[0].force.z / (0.5 * weight * length));
    result.measure(key("length_ratio", segments), place_at_height(x, floor + 0.1 * (x[0].z - floor)) / place);
    result.measure(key("lifted_ratio", segments), (x[0].z - floor) / lifted);
    if (segments != meshes.back()) continue;
    draw(result, "A wire on a plane, lifted at one end", lying.statics.model(), lying.statics.state());
    for (const Vec3& node : x) heights.emplace_back(node.x / length, (node.z - floor) / lifted);
  }
  study::Plot plot = empty_plot("The lifted end", {"distance from the end / l"}, {"height / d"});
  Points theory;
  for (int i = 0; i <= 60; ++i) {
    const double u = i / 60.0;
    theory.emplace_back(1 - u, 2 * u * u * u - u * u * u * u);
  }
  plot.series = {line("240 segments", heights), dashed("beam theory", theory)};
  result.plots.push_back(std::move(plot));
}

}  // namespace

study::Experiment experiment() {
  return {"contact-lift", "A heavy rod, lifted off a plane at one end", "beam theory: l = (24 B d/w)^(1/4)", false, perform};
}

}  // namespace writhe::experiments::contact_lift
