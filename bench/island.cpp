// Islands: ten chains of 50 segments that are solved together, over a net of the same size. With links, which couple the same
// places in every step; and with couplings that are others in every step, so that pattern and order of elimination are found anew
// each time.
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "harness.h"
#include "rubber.h"
#include "solvers/solver.h"
#include "support/test_terms.h"
#include "writhe/writhe.h"

namespace writhe::bench {

namespace {

constexpr double dt = 1e-3;  // s
constexpr int rods = 10, segments = 50, pairs = 12;
constexpr double stiffness = 2;  // N/m
constexpr double never = 1;      // m: limits of the pairs that no step reaches

// Side by side, or, joined to a net, end to end to and fro.
Scene chains(bool joined) {
  Scene scene = rubber_scene(0.002);
  scene.dt = dt;
  for (int k = 0; k < rods; ++k) {
    const double y = 0.05 * k, back = joined ? 0.05 * (k + 1) : y;
    const bool to = k % 2 == 0 || !joined;
    add_rod(scene, fmt::format("rod{}", k), to ? LineShape{{0, y, 0}, {0.5, back, 0}} : LineShape{{0.5, y, 0}, {0, back, 0}},
            segments);
    if (!joined || k == 0) add_support(scene, Support::Kind::clamp, Place::parse(fmt::format("rod{}.start", k)));
    if (joined && k > 0)
      scene.joints.push_back({"", {Place::parse(fmt::format("rod{}.end", k - 1)), Place::parse(fmt::format("rod{}.start", k))}});
  }
  return scene;
}

Scene linked() {
  Scene scene = chains(false);
  for (int k = 0; k + 1 < rods; ++k) {
    Link link;
    link.from = Place::parse(fmt::format("rod{}@0.7", k));
    link.to = Place::parse(fmt::format("rod{}.end", k + 1));
    link.stiffness = stiffness;
    scene.links.push_back(link);
  }
  return scene;
}

Simulation changing() {
  const auto make = [](const Model& model, const Threads& threads) {
    auto terms = std::make_shared<Terms>();
    terms->add(std::make_unique<test::ChangingPairs>(model, pairs, stiffness, never));
    return make_solver(model, threads, terms);
  };
  return {Model(chains(false)), make, {.threads = 1}};
}

// Of whole steps, what they do once included.
double seconds_an_iteration(Simulation& simulation) {
  const double start = cpu_seconds();
  int iterations = 0;
  for (int k = 0; k < 5; ++k) {
    const StepReport report = simulation.step(dt);
    if (!report.accepted()) throw std::runtime_error("island: " + report.cause);
    iterations += report.iterations;
  }
  return (cpu_seconds() - start) / iterations;
}

}  // namespace

std::vector<Row> island(const Yardstick& /*yardstick*/) {
  Simulation net(Model(chains(true)), {.threads = 1}), fixed(Model(linked()), {.threads = 1}), anew = changing();
  std::vector<double> of_net, of_fixed, of_anew;
  for (int turn = 0; turn < 41; ++turn) {
    of_net.push_back(seconds_an_iteration(net));
    of_fixed.push_back(seconds_an_iteration(fixed));
    of_anew.push_back(seconds_an_iteration(anew));
  }
  const double one = median(of_net);
  const std::string bar = "1.3 times a net of that size";
  return {{"net_10x50_iteration", 1e6 * one, "us", 0, ""},
          {"island_10x50_over_net", median(of_fixed) / one, "", 1.3, bar},
          {"island_10x50_changing_over_net", median(of_anew) / one, "", 1.3, bar}};
}

}  // namespace writhe::bench
