// A step allocates nothing, nor does what a step is made of: every allocation of this program is counted.
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "support/random_chain.h"
#include "support/scenes.h"

namespace {
std::atomic<long> allocations{0};
}

// Not inlined: the compiler would otherwise take malloc and delete for a pair that does not match.
__attribute__((noinline)) void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* p) noexcept { std::free(p); }
__attribute__((noinline)) void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace writhe;
using namespace writhe::test;

namespace {

Scene of_ring() {
  Scene scene = Cord{}.scene();
  scene.rods[0].centreline = RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.2};
  scene.rods[0].closing_motion.keys = {{0, 0}, {1, 1}};
  return scene;
}

void expect_no_allocation(Scene scene) {
  scene.gravity = {0, 0, -9.81};
  scene.damping = {0.1, 1e-3};
  for (const Rod& rod : scene.rods) {
    clamp(scene, rod.name + ".start");
    load(scene, ForceLoad{Place::parse(rod.name + ".end"), {0, 1e-4, 0}, true});
    load(scene, MomentLoad{Place::parse(rod.name + "@0.5"), {1e-5, 0, 0}, false});
  }
  load(scene, WindLoad{"", {1, 0, 0}});
  load(scene, DragLoad{"", 1e-3, 1e-3, {}});
  Simulation simulation = simulate(scene);
  ASSERT_TRUE(simulation.step(1e-3).accepted());
  const long before = allocations;
  ASSERT_GT(before, 0) << "the counter does not count";
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(simulation.step(1e-3).accepted());
  EXPECT_EQ(allocations, before);
}

// Two rods that meet a third in its middle.
Scene of_net() {
  Scene scene = Cord{}.scene();
  Rod arm = scene.rods[0];
  arm.name = "arm";
  arm.centreline = LineShape{{0.5, 0.4, 0}, {0.5, 0, 0}};
  scene.rods.push_back(arm);
  scene.joints = {{"", {Place::parse("arm.end"), Place::parse("rod.node[10]")}}};
  return scene;
}

// Two rods and a link between them.
Scene of_island() {
  Scene scene = Cord{}.scene();
  Rod other = scene.rods[0];
  other.name = "other";
  other.centreline = LineShape{{0, 0.1, 0}, {1, 0.1, 0}};
  scene.rods.push_back(other);
  Link link;
  link.from = Place::parse("rod.end");
  link.to = Place::parse("other@0.5");
  link.stiffness = 1;
  link.damping = 0.1;
  scene.links = {link};
  return scene;
}

Scene by_midpoint(Scene scene) {
  scene.solver.integrator = Integrator::midpoint;
  return scene;
}

Scene by_pd(Scene scene, Metric metric) {
  scene.solver.method = "pd";
  scene.solver.pd.metric = metric;
  scene.solver.pd.iterations = 30;
  return scene;
}

}  // namespace

TEST(NewtonAllocation, AStepAllocatesNothing) { expect_no_allocation(Cord{}.scene()); }
TEST(NewtonAllocation, AStepOfARingAllocatesNothing) { expect_no_allocation(of_ring()); }

TEST(NewtonAllocation, AStepOfANetAllocatesNothing) { expect_no_allocation(of_net()); }
TEST(NewtonAllocation, AStepOfAnIslandAllocatesNothing) { expect_no_allocation(of_island()); }
TEST(NewtonAllocation, AStepOfTheMidpointRuleAllocatesNothing) {
  for (const Scene& scene : {Cord{}.scene(), of_ring(), of_net(), of_island()}) expect_no_allocation(by_midpoint(scene));
}

TEST(NewtonAllocation, AFactorAndItsSolvesAllocateNothing) {
  for (const bool ring : {false, true}) {
    const RandomChain chain(9, ring, 1);
    ChainFactor kept;
    kept.segments = 9;
    kept.stride = chain.arrays().stride;
    kept.ring = ring;
    std::vector<double> memory(static_cast<std::size_t>(kept.numbers()));
    kept.lay_out(memory.data());
    std::vector<double> right(6UL * kept.stride, 1.0), several(6UL * chain_several * 10, 1.0);
    chain_kernel().hessian(chain.arrays(), 1);
    const long before = allocations;
    ASSERT_GT(before, 0) << "the counter does not count";
    ASSERT_TRUE(chain_kernel().factor(chain.arrays(), kept).good());
    chain_kernel().solve_factored(kept, right.data(), right.data());
    chain_kernel().solve_several(kept, several.data(), several.data());
    EXPECT_EQ(allocations, before);
  }
}

TEST(PdAllocation, AStepAllocatesNothing) {
  for (const Metric metric : {Metric::constant, Metric::refreshed})
    for (const Scene& scene : {Cord{}.scene(), of_ring(), of_net(), of_island()}) {
      SCOPED_TRACE(static_cast<int>(metric));
      SCOPED_TRACE(scene.rods.size());
      expect_no_allocation(by_pd(scene, metric));
    }
}
