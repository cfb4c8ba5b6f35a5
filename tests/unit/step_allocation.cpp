// A step allocates nothing: every allocation of this program is counted.
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

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

Scene by_pd(Scene scene, Metric metric) {
  scene.solver.method = "pd";
  scene.solver.metric = metric;
  scene.solver.iterations = 30;
  return scene;
}

}  // namespace

TEST(NewtonAllocation, AStepAllocatesNothing) { expect_no_allocation(Cord{}.scene()); }
TEST(NewtonAllocation, AStepOfARingAllocatesNothing) { expect_no_allocation(of_ring()); }

TEST(PdAllocation, AStepAllocatesNothing) {
  for (const Metric metric : {Metric::constant, Metric::refreshed}) {
    SCOPED_TRACE(static_cast<int>(metric));
    expect_no_allocation(by_pd(Cord{}.scene(), metric));
  }
}
