// A step allocates nothing, nor does what a step is made of: every allocation of this program is counted, at malloc and its like,
// where operator new and Eigen end too.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "contact/contact_term.h"
#include "support/random_chain.h"
#include "support/scenes.h"
#include "support/test_terms.h"

namespace {

std::atomic<long> allocations{0};

}  // namespace

// The linker puts these in place of what they are named after (--wrap, tests/CMakeLists.txt) wherever our own code and the
// templates in it call that, and nowhere else: what the C library and oneTBB allocate by themselves is theirs. (Functions named
// malloc, before those of the C library, were tried: other tests then crashed within it.)
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* old, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
int __real_posix_memalign(void** out, std::size_t alignment, std::size_t size);

void* __wrap_malloc(std::size_t size) {
  ++allocations;
  return __real_malloc(size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __real_calloc(count, size);
}
void* __wrap_realloc(void* old, std::size_t size) {
  ++allocations;
  return __real_realloc(old, size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  ++allocations;
  return __real_posix_memalign(out, alignment, size);
}
}

// Not inlined: the compiler would otherwise take malloc and delete for a pair that does not match.
__attribute__((noinline)) void* operator new(std::size_t size) {
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
__attribute__((noinline)) void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto to = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(to, (size + to - 1) / to * to)) return p;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* p) noexcept { std::free(p); }
__attribute__((noinline)) void operator delete(void* p, std::size_t) noexcept { std::free(p); }
__attribute__((noinline)) void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
__attribute__((noinline)) void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

using namespace writhe;
using namespace writhe::test;

namespace {

Scene of_ring() {
  Scene scene = Cord{}.scene();
  scene.rods[0].centreline = RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.2};
  scene.rods[0].closing_motion.keys = {{0, 0}, {1, 1}};
  return scene;
}

Scene loaded(Scene scene) {
  scene.gravity = {0, 0, -9.81};
  scene.damping = {0.1, 1e-3};
  for (const Rod& rod : scene.rods) {
    clamp(scene, rod.name + ".start");
    load(scene, ForceLoad{Place::parse(rod.name + ".end"), {0, 1e-4, 0}, true});
    load(scene, MomentLoad{Place::parse(rod.name + "@0.5"), {1e-5, 0, 0}, false});
  }
  load(scene, WindLoad{"", {1, 0, 0}});
  load(scene, DragLoad{"", 1e-3, 1e-3, {}});
  return scene;
}

long allocations_of(Simulation& simulation, int steps) {
  const long before = allocations;
  for (int k = 0; k < steps; ++k)
    if (!simulation.step(1e-3).accepted()) ADD_FAILURE() << "step " << k;
  return allocations - before;
}

// The first step lays out what it needs; what terms remember is in the state from its end on, and room for it made in the next.
void expect_no_allocation(Simulation simulation) {
  allocations_of(simulation, 2);
  EXPECT_EQ(allocations_of(simulation, 20), 0);
}
void expect_no_allocation(const Scene& scene) { expect_no_allocation(simulate(loaded(scene))); }

// oneTBB allocates for its tasks, now and then. What a step of ours allocated, each would.
void expect_no_allocation_on_two_threads(const Scene& scene) {
  Simulation simulation = simulate(loaded(scene), 2);
  allocations_of(simulation, 2);
  long least = allocations_of(simulation, 1);
  for (int k = 0; k < 50; ++k) least = std::min(least, allocations_of(simulation, 1));
  EXPECT_EQ(least, 0);
}

// Rods side by side, of equal layout.
Scene of_several(int rods, int segments = 20) {
  Scene scene = Cord{.segments = segments}.scene();
  const Rod first = scene.rods[0];
  scene.rods.clear();
  for (int i = 0; i < rods; ++i) {
    scene.rods.push_back(first);
    scene.rods.back().name = "rod" + std::to_string(i);
    scene.rods.back().centreline = LineShape{{0, 0.1 * i, 0}, {1, 0.1 * i, 0}};
  }
  return scene;
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

void join(Scene& scene, const std::string& from, const std::string& to) {
  Link link;
  link.from = Place::parse(from);
  link.to = Place::parse(to);
  link.stiffness = 1;
  link.damping = 0.1;
  scene.links.push_back(link);
}

// Two rods and a link between them.
Scene of_island() {
  Scene scene = of_several(2);
  join(scene, "rod0.end", "rod1@0.5");
  return scene;
}

// Whatever there is, each more than once: pieces for two threads. 2,200 segments: loads go on threads from 2,000 on.
Scene of_all_kinds() {
  Scene scene = of_several(22, 100);
  join(scene, "rod0.end", "rod1@0.5");
  join(scene, "rod2.end", "rod3@0.5");
  for (const int i : {4, 6}) {
    const std::string name = "rod" + std::to_string(i), next = "rod" + std::to_string(i + 1);
    const double y = 0.1 * i;
    scene.rods[i + 1].centreline = LineShape{{1.5, y, 0}, {1, y, 0}};
    scene.joints.push_back({"", {Place::parse(name + ".end"), Place::parse(next + ".end")}});
  }
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

// Each way that memory is asked for, so that no other test is content with a counter that misses one.
TEST(Allocation, EveryWayIsCounted) {
  const auto counted = [](auto&& allocate) {
    const long before = allocations;
    allocate();
    return allocations - before;
  };
  static void* volatile kept = nullptr;  // or the compiler leaves out what nobody looks at
  const auto give_back = [] { std::free(kept); };
  EXPECT_EQ(counted([] { kept = std::malloc(8); }), 1);
  EXPECT_EQ(counted([] { kept = std::realloc(kept, 80); }), 1);
  give_back();
  EXPECT_EQ(counted([] { kept = std::calloc(2, 8); }), 1);
  give_back();
  EXPECT_EQ(counted([] { kept = std::aligned_alloc(64, 64); }), 1);
  give_back();
  EXPECT_EQ(counted([] {
              void* own = nullptr;
              EXPECT_EQ(posix_memalign(&own, 64, 64), 0);
              kept = own;
            }),
            1);
  give_back();
  EXPECT_EQ(counted([] {
              auto* const own = new std::vector<double>(3);
              kept = own;
              delete own;
            }),
            2);
  struct alignas(64) Wide {
    double x[8];
  };
  EXPECT_EQ(counted([] {
              Wide* const own = new Wide;
              kept = own;
              delete own;
            }),
            1);
  EXPECT_EQ(counted([] { kept = Eigen::VectorXd(Eigen::VectorXd::Zero(3)).data(); }), 1);
}

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
    for (const Scene& scene : {Cord{}.scene(), of_ring(), of_net(), of_island(), of_several(2), of_several(11)}) {
      SCOPED_TRACE(static_cast<int>(metric));
      SCOPED_TRACE(scene.rods.size());
      expect_no_allocation(by_pd(scene, metric));
    }
}

TEST(Allocation, AStepOnTwoThreadsAllocatesNothing) {
  const Scene scene = of_all_kinds();
  for (const Scene& each : {scene, by_midpoint(scene), by_pd(scene, Metric::constant), by_pd(scene, Metric::refreshed)}) {
    SCOPED_TRACE(label({each.solver.method, each.solver.integrator}));
    expect_no_allocation_on_two_threads(each);
  }
}

// Its elements change in every step, their number and the pattern do not.
TEST(Allocation, AStepWithATermThatRemembersAllocatesNothing) {
  for (const Method& method : methods) {
    SCOPED_TRACE(label(method));
    expect_no_allocation(with_term(loaded(of_several(2)), method, 1,
                                   [](const Model& model) { return std::make_unique<UnevenPairs>(model, 1.0); }));
  }
}

// What is near what, in steps in which candidates are kept and in such in which all is searched anew.
TEST(Allocation, WhatMayTouchIsFoundWithoutAny) {
  Scene scene = of_several(12, 60);
  for (int i = 0; i < 12; ++i) scene.rods[i].centreline = LineShape{{0, 0.012 * i, 0}, {1, 0.2 - 0.012 * i, 0.011 * i}};
  scene.contact.self = true;
  scene.contact.between = Contact::Between::all;
  scene.obstacles.push_back({"floor", PlaneObstacle{}, {}});
  const Model model(scene);
  contact::ContactTerm term(model);
  State state = model.initial_state();
  const auto begin = [&](double x) {
    for (Vec3& at : state.x) at.x += x;
    term.begin(state, {}, {1e-3, 1e-3, Integrator::euler});
    return term.element_count();
  };
  const auto all = [&] {
    int elements = 0;
    for (const double x : {0.0, 1e-5, 1e-5, 0.5, -0.5, -1e-5, -1e-5, 0.0, 0.5, -0.5}) elements += begin(x);
    return elements;
  };
  EXPECT_GT(all(), 1000);
  all();
  const long before = allocations;
  all();
  EXPECT_EQ(allocations - before, 0);
}
