// 50, 100, 200 and 400 rods are thrown into a box and come to lie on each other. The floor grows as their number does, so that
// all heaps are equally deep and what differs is how much hangs together. Whether one went through another is counted by a check
// of its own, which knows nothing of contact (measure/passing.h): in every step all nodes move straight, and no two segments may
// have crossed. Nor may a node be outside of the box.
//
// The solver's time for a step of a rod is compared when all of them lie in the heap, over the last steps. It is CPU time of one
// thread, and what counts is by which power of the number of rods it grows, not how long it is.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "base/yardstick.h"
#include "contact/contacts.h"
#include "math/rotation.h"
#include "measure/passing.h"
#include "study/convergence.h"
#include "study/registry.h"

namespace writhe::experiments::contact_heap {

namespace {

using study::Expectation;

const std::string folder = "experiments/contact-heap/";
constexpr double first_count = 50;  // rods, in the box of the scene
constexpr int layers = 8;
// m: axes side by side in a layer and ends behind each other, layers, the first from the floor, and ends from walls
constexpr double beside = 0.008, behind = 0.008, above = 0.006, lowest = 0.005, inside = 0.004;
constexpr double turned = 0.04, tilted = 0.001;  // rad, m at an end: by how much rods are askew in their layers
constexpr double timed = 0.03;                   // s, at the end

// -1 to 1, evenly spread over successive k and never the same.
double spread(int k, double irrational) { return 2 * (k * irrational - std::floor(k * irrational)) - 1; }

// Of a layer: on a grid along its direction, those at which a rod is in the box.
std::vector<Vec3> places_of(const Vec3& direction, double length, double half) {
  const Vec3 across{-direction.y, direction.x, 0};
  const int far = 1 + static_cast<int>(2 * half / beside);
  std::vector<Vec3> out;
  for (int row = -far; row <= far; ++row)
    for (int column = -far; column <= far; ++column) {
      const Vec3 at = column * (length + behind) * direction + (row + 0.5) * beside * across;
      if (std::max(std::abs(at.x) + 0.5 * length * std::abs(direction.x), std::abs(at.y) + 0.5 * length * std::abs(direction.y)) <
          half - inside)
        out.push_back(at);
    }
  return out;
}

// In a layer rods lie side by side, each a little askew: what is turned brings ends of 4 cm nearer by twice 1.6 mm, of 8 - 3 mm.
// Layers are turned by the golden section of a circle, so that none is like another; a tilt takes 2 of the 6 - 3 mm between them.
std::vector<Rod> rods_of(const Rod& first, int count, double half) {
  constexpr double golden = std::numbers::phi - 1;
  const LineShape& line = std::get<LineShape>(first.centreline);
  const double length = norm(line.to - line.from);
  const int in_a_layer = (count + layers - 1) / layers;
  std::vector<Rod> out;
  for (int layer = 0; layer < layers; ++layer) {
    const double turn = 2 * pi * golden * layer;
    const std::vector<Vec3> places = places_of({std::cos(turn), std::sin(turn), 0}, length, half);
    const int take = std::min(in_a_layer, count - static_cast<int>(out.size())), all = static_cast<int>(places.size());
    for (int k = 0; k < take; ++k) {
      const int i = static_cast<int>(out.size());
      const double own = turn + turned * spread(i, golden);
      const Vec3 middle = places[k * all / take] + Vec3{0, 0, lowest + above * layer};
      const Vec3 way{0.5 * length * std::cos(own), 0.5 * length * std::sin(own), tilted * spread(i, std::numbers::sqrt2)};
      Rod rod = first;
      rod.name = fmt::format("cord{}", i);
      rod.centreline = LineShape{middle - way, middle + way};
      out.push_back(rod);
    }
  }
  return out;
}

// The walls farther out, with the same floor for each rod. Gives half the width of the box, m.
double widen(Scene& scene, int count) {
  double half = 0;
  for (Obstacle& obstacle : scene.obstacles) {
    Vec3& point = std::get<PlaneObstacle>(obstacle.shape).point;
    point = std::sqrt(count / first_count) * point;
    half = std::max(half, point.x);
  }
  return half;
}

int outside(const Model& model, const State& state) {
  int out = 0;
  for (const Obstacle& obstacle : model.scene().obstacles) {
    const PlaneObstacle& wall = std::get<PlaneObstacle>(obstacle.shape);
    for (const Vec3& x : state.x) out += dot(x - wall.point, wall.normal) > 0 ? 0 : 1;
  }
  return out;
}

struct Heap {
  int passed = 0, outside = 0;
  double seconds = 0, iterations = 0;  // of a step at the end: CPU time a rod, s, and mean
  double touching = 0;                 // others, or walls, that a rod touches in the end, mean
  double least_gap = 0;                // m, in the end
};

Heap drop(int count, study::Result& result, const study::Context& context) {
  Scene scene = embedded_scene(folder + "scene.yaml");
  const double half = widen(scene, count);
  scene.rods = rods_of(scene.rods.front(), count, half);
  Simulation simulation(Model(scene), {.threads = 1});
  const Model& model = simulation.model();
  measure::PassingCheck check(measure::edges_of(model));
  Heap out;
  std::vector<Vec3> from = simulation.state().x;
  int steps = 0;
  double begun = cpu_seconds();
  const StepReport report = simulation.run(scene.until, [&](const StepReport& step) {
    const double seconds = cpu_seconds() - begun;
    const State& state = simulation.state();
    out.passed += static_cast<int>(check.between(from, state.x).size());
    out.outside += outside(model, state);
    from = state.x;
    if (step.time > scene.until - timed) {
      out.seconds += seconds / count;
      out.iterations += step.iterations;
      ++steps;
    }
    if (std::lround(step.time / scene.dt) % 10 == 0)
      context.progress(fmt::format("{} rods, {:.2f} of {:.2f} s", count, step.time, scene.until));
    begun = cpu_seconds();
    return true;
  });
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  out.seconds /= steps;
  out.iterations /= steps;
  contact::Contacts contacts(model);
  contacts.read(simulation.state());
  out.least_gap = contacts.least_gap();
  for (const contact::Contacts::Meeting& meeting : contacts.meetings()) out.touching += meeting.obstacle >= 0 ? 1.0 : 2.0;
  out.touching /= count;
  draw(result, fmt::format("{} rods in the box", count), model, simulation.state());
  return out;
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("passed_through", Expectation::within(0, 0, "rods are solid"));
  result.expect("outside", Expectation::within(0, 0, "so is the box"));
  result.expect("least_gap", Expectation::at_least(1e-15, "rods are solid"));
  result.expect("exponent", Expectation::at_most(0.3, "a heap of rods costs hardly more than its rods"));
  result.notes = {
      "passed_through: crossings of segments in all steps, by measure/passing.h; outside: nodes beyond a wall in all steps",
      "exponent: p of the solver's time a step and rod ~ n^p, over n = 50 to 400 rods, CPU time of one thread in the last 30 ms",
      "time_over_n50: that time over the one of 50 rods; iterations: of a step, mean of these steps; touching: other rods and "
      "walls "
      "that a rod touches in the end, mean; least_gap: m"};
  const std::vector<double> counts{50, 100, 200, 400};
  std::vector<double> seconds;
  Points times;
  int passed = 0, out = 0;
  double least_gap = 1;  // m
  for (const double count : counts) {
    const Heap heap = drop(static_cast<int>(count), result, context);
    passed += heap.passed;
    out += heap.outside;
    least_gap = std::min(least_gap, heap.least_gap);
    seconds.push_back(heap.seconds);
    times.emplace_back(count, 1e3 * heap.seconds);
    result.measure(fmt::format("time_over_n50_n{}", count), heap.seconds / seconds.front());
    result.measure(fmt::format("iterations_n{}", count), heap.iterations);
    result.measure(fmt::format("touching_n{}", count), heap.touching);
  }
  result.measure("passed_through", passed);
  result.measure("outside", out);
  result.measure("least_gap", least_gap);
  result.measure("exponent", -study::convergence_order(counts, seconds));
  study::Plot plot = empty_plot("Time of a step for each rod", {"rods", true}, {"time (ms)", true});
  plot.series.push_back(marked_line("one thread", times));
  result.plots.push_back(std::move(plot));
}

}  // namespace

study::Experiment experiment() {
  return {"contact-heap", "Rods fall into a box", "docs/theory/contact.md, \"Nothing passes\"", true, perform};
}

}  // namespace writhe::experiments::contact_heap
