// `pd` on chains that lie side by side in the lanes of a register: each is computed as if it were alone.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "assembly/terms_of.h"
#include "pd_support.h"
#include "solvers/pd/net.h"
#include "support/random_scenes.h"
#include "support/stepper.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// m, of rods of 1 m: what remains where the order of sums is another one, in a register or along a rod cut into strands.
constexpr double same = 1e-12;

// More than two registers full of chains, equal in layout and in nothing else.
Scene hair() {
  RandomScenes random(42);
  const int count = 2 * pd::bundle_kernel().lanes + 1;
  Scene scene;
  scene.gravity = {0.5, -1, -9.81};
  scene.damping = {0.3, 1e-3};
  for (int i = 0; i < count; ++i) {
    const std::string own = std::to_string(i);
    const double young = random.spread(1e6, 2e7);
    scene.materials.push_back({"material" + own, young, random.uniform(800, 1500), {}, young * random.uniform(0.2, 0.5)});
    scene.sections.push_back(
        {"section" + own, RectangleSection{random.uniform(0.006, 0.02), random.uniform(0.006, 0.02)}, random.uniform(0.5, 1)});
    Rod rod;
    rod.name = "rod" + own;
    rod.section = "section" + own;
    rod.material = "material" + own;
    const Vec3 from{0, 0.2 * i, 0};
    rod.centreline = PolylineShape{{from, from + Vec3{0.5, 0, 0} + random.vec(0.05), from + Vec3{1, 0, 0} + random.vec(0.1)}};
    rod.segments = 13;
    rod.d1 = Vec3{0, 0, 1};
    rod.initial_twist = random.uniform(-1, 1);
    rod.rest_twist = random.uniform(-1, 1);
    scene.rods.push_back(rod);
    clamp(scene, rod.name + ".start");
    clamp(scene, rod.name + ".node[7]");
    random.press(scene, rod.name);
  }
  scene.dt = 2e-3;
  return scene;
}

// Leaves some rods, and what holds them and acts on them.
template <class Stays>
Scene only(Scene scene, const Stays& stays) {
  std::erase_if(scene.rods, [&](const Rod& rod) { return !stays(rod.name); });
  std::erase_if(scene.supports, [&](const Support& support) { return !stays(support.at.rod); });
  std::erase_if(scene.loads, [&](const Load& load) {
    return std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.at; })
            return !stays(kind.at.rod);
          else
            return !stays(kind.rod);
        },
        load.kind);
  });
  return scene;
}
Scene alone(const Scene& all, const std::string& rod) {
  return only(all, [&](const std::string& name) { return name == rod; });
}
// As many rods as a register has lanes.
Scene one_register(const Scene& all) {
  const std::vector<Rod> first(all.rods.begin(), all.rods.begin() + pd::bundle_kernel().lanes);
  return only(all, [&](const std::string& name) {
    return std::any_of(first.begin(), first.end(), [&](const Rod& rod) { return rod.name == name; });
  });
}

// Takes over what belongs to one rod, from a state of all into that of the rod alone. Frames stay.
void take_rod(const Model& model, const State& all, int rod, State& single) {
  const RodRange& range = model.rods()[rod];
  std::copy_n(all.x.begin() + range.first_node, single.x.size(), single.x.begin());
  std::copy_n(all.v.begin() + range.first_node, single.v.size(), single.v.begin());
  std::copy_n(all.q.begin() + range.first_segment, range.segment_count, single.q.begin());
  std::copy_n(all.w.begin() + range.first_segment, range.segment_count, single.w.begin());
}

// Steps all rods together, and each alone from the same start. All: a Stepper or an OpenBundle.
template <class All>
void expect_as_alone(All& all, const Scene& scene, int steps, double limit) {
  const State start = all.state;
  std::vector<StepReport> reports;
  for (int k = 0; k < steps; ++k) {
    reports.push_back(all.step(scene.dt));
    ASSERT_TRUE(reports.back().accepted()) << reports.back().cause;
  }
  // of those alone: the most iterations, whether all converged, and what is left of the one with most against its limit
  std::vector<StepReport> most(reports.size());
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    SCOPED_TRACE(scene.rods[r].name);
    Stepper single(alone(scene, scene.rods[r].name));
    take_rod(all.model, start, static_cast<int>(r), single.state);
    const State before = single.state;
    for (int k = 0; k < steps; ++k) {
      const StepReport report = single.step(scene.dt);
      ASSERT_TRUE(report.accepted()) << report.cause;
      most[k].iterations = std::max(most[k].iterations, report.iterations);
      most[k].converged = most[k].converged && report.converged;
      most[k].residual = std::max(most[k].residual, report.residual / report.residual_limit);
    }
    State beside = single.state;
    take_rod(all.model, all.state, static_cast<int>(r), beside);
    const Distance apart = distance(beside, single.state);
    EXPECT_LT(apart.way, limit);
    EXPECT_LT(apart.turn, limit * scene.rods[r].segments) << "rad: the limit over the length of a segment";
    EXPECT_GT(distance(before, single.state).way, 1e-3) << "it has hardly moved";
  }
  for (std::size_t k = 0; k < reports.size(); ++k) {
    SCOPED_TRACE("step " + std::to_string(k));
    EXPECT_EQ(reports[k].converged, most[k].converged);
    if (scene.solver.tolerance < 1e-10) continue;  // near rounding, that decides how many it takes
    EXPECT_EQ(reports[k].iterations, most[k].iterations);
    EXPECT_NEAR(reports[k].residual / reports[k].residual_limit, most[k].residual, 1e-4 * most[k].residual);
  }
}

void expect_same_side_by_side(const Scene& scene, int steps, double limit) {
  Stepper all(scene);
  expect_as_alone(all, scene, steps, limit);
}

TEST(PdLanes, ChainsThatConvergeDoNotFeelTheirNeighbours) {
  at_every_width([] {
    for (const Metric metric : metrics) {
      SCOPED_TRACE(name(metric));
      expect_same_side_by_side(by_pd(hair(), 5000, metric, 1e-12), 10, same);
    }
  });
}

// The same number of iterations for all, too few to converge.
TEST(PdLanes, ChainsOnABudgetDoNotFeelTheirNeighbours) {
  at_every_width([] {
    for (const Metric metric : metrics) {
      SCOPED_TRACE(name(metric));
      for (const int iterations : {1, 4, 10}) expect_same_side_by_side(by_pd(hair(), iterations, metric), 10, same);
    }
  });
}

// Each ends after as many iterations as it needs itself.
TEST(PdLanes, ChainsThatEndBeforeTheirNeighboursStayWhereTheyAre) {
  at_every_width([] {
    for (const Metric metric : metrics) {
      SCOPED_TRACE(name(metric));
      for (const double tolerance : {1e-2, 1e-4, 1e-6}) expect_same_side_by_side(by_pd(hair(), 200, metric, tolerance), 10, same);
    }
  });
}

// A rubber rod and steel wires: the rubber wants the constant metric, steel the refreshed one.
Scene rubber_among_steel(int place, int count) {
  Scene scene = Cord{.radius = 0.008}.scene();
  scene.gravity = {0, 0, -9.81};
  scene.materials.push_back({"steel", 2.1e11, 7850, 0.3, {}});
  scene.sections.push_back({"wire", CircleSection{0.001}});
  scene.rods.clear();
  for (int i = 0; i < count; ++i) {
    Rod rod;
    rod.name = "rod" + std::to_string(i);
    rod.section = i == place ? "section" : "wire";
    rod.material = i == place ? "material" : "steel";
    rod.centreline = LineShape{{0, 0.1 * i, 0}, {1, 0.1 * i, 0}};
    rod.segments = 20;
    scene.rods.push_back(rod);
    clamp(scene, rod.name + ".start");
  }
  scene.dt = 2e-3;
  return by_pd(scene, 10, Metric::automatic, 1e-6);
}

// Whether they become bundles of their own, or lie in one because the step is not the one that was said.
TEST(PdLanes, StiffChainsDoNotChooseTheMetricOfASoftOne) {
  at_every_width([] {
    const int lanes = pd::bundle_kernel().lanes;
    const Scene scene = rubber_among_steel(1, std::max(2, lanes));
    const auto wants_refreshed = [&](int rod) {
      const Model model(scene);
      return pd::MetricChoice(model, joints_by_rod(model)[rod], pd::slow_chain).refreshed(scene.solver.pd, 1 / scene.dt);
    };
    ASSERT_TRUE(wants_refreshed(0));
    ASSERT_FALSE(wants_refreshed(1));
    expect_same_side_by_side(scene, 20, same);
    if (lanes == 1) return;
    for (const int place : {0, 1}) {
      SCOPED_TRACE("in one bundle, rubber in lane " + std::to_string(place));
      const Scene mixed = rubber_among_steel(place, lanes);
      OpenBundle all(mixed, lanes);
      expect_as_alone(all, mixed, 20, same);
    }
  });
}

// Nine rods: bundles of eight or four, or none, and what is left over.
TEST(PdLanes, TheWidthOfARegisterDoesNotMatter) {
  std::vector<State> ends;
  const Scene scene = rubber_among_steel(1, 9);
  at_every_width([&] {
    Stepper all(scene);
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(all.step(scene.dt).accepted());
    ends.push_back(all.state);
  });
  for (const State& end : ends) EXPECT_LT(distance(ends[0], end).way, same);
}

// As many of them as a register has lanes, thrown about: turns are refused, also the first of a step, and metrics made anew, of
// one chain and not of the next.
TEST(PdLanes, ChainsThatGoBackDoNotHoldTheirNeighboursUp) {
  at_every_width([] {
    const int lanes = pd::bundle_kernel().lanes;
    if (lanes == 1) return;
    Scene scene = one_register(hair());
    drop_followers(scene);  // which leave their bundle
    for (const Metric metric : metrics) {
      for (const int iterations : {1, 2, 3, 6, 12, 25}) {
        for (unsigned seed = 0; seed < 20; ++seed) {
          SCOPED_TRACE(name(metric) + ", " + std::to_string(iterations) + " iterations, start " + std::to_string(seed));
          RandomScenes random(seed);
          scene.dt = random.spread(5e-4, 2e-3);
          const Scene own = by_pd(scene, iterations, metric, 1e-3);
          OpenBundle all(own, lanes);
          make_violent(all.state, random);
          expect_as_alone(all, own, 1, same);
        }
      }
    }
  });
}

// Drag on a neighbour does not change how a free rod begins its step.
TEST(PdLanes, DragIsThatOfTheRodItself) {
  at_every_width([] {
    Scene scene = by_pd(Cord{}.scene(), 2, Metric::refreshed, 1e-6);
    scene.gravity = {0, 0, -9.81};
    load(scene, ForceLoad{Place::parse("rod.end"), {0, 0.1, 0}});
    for (const bool closed : {false, true}) {
      SCOPED_TRACE(closed ? "a ring" : "a chain");
      if (closed) scene.rods[0].centreline = RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.2};
      Scene both = scene;
      both.rods.push_back(scene.rods[0]);
      both.rods[1].name = "other";
      load(both, DragLoad{"other", 1, 1, {}});
      expect_same_side_by_side(both, 20, same);
    }
  });
}

TEST(PdLanes, AChainThatFailsIsNamed) {
  for (const Metric metric : metrics) {
    SCOPED_TRACE(name(metric));
    const Scene safe = by_pd(hair(), 50, metric);
    for (std::size_t r = 0; r < safe.rods.size(); ++r) {
      SCOPED_TRACE(safe.rods[r].name);
      Scene scene = safe;
      load(scene, ForceLoad{Place::parse(scene.rods[r].name + ".end"), {0, 1e300, 0}, false});
      Stepper stepper(scene);
      const State before = stepper.state;
      const StepReport report = stepper.step(scene.dt);
      EXPECT_EQ(report.status, StepStatus::not_finite);
      EXPECT_EQ(report.rod, static_cast<int>(r));
      EXPECT_GE(report.node, 0);
      EXPECT_LE(report.node, 13);
      EXPECT_EQ(distance(before, stepper.state).way, 0) << "the state has changed";
    }
  }
}

// Built with a bend of 160 degrees in one joint and at rest there: none of its business that others do not converge, or fail.
TEST(PdLanes, AFoldedChainAtRestAnswersForItselfAlone) {
  at_every_width([] {
    const int lanes = pd::bundle_kernel().lanes;
    if (lanes == 1) return;
    for (const int place : {0, lanes - 1}) {
      SCOPED_TRACE("in lane " + std::to_string(place));
      Scene scene = by_pd(Cord{}.scene(), 1, Metric::constant);
      scene.rods.resize(static_cast<std::size_t>(lanes), scene.rods[0]);
      for (int i = 0; i < lanes; ++i) {
        Rod& rod = scene.rods[i];
        rod.name = "rod" + std::to_string(i);
        rod.centreline = LineShape{{0, 0, 0.1 * i}, {1, 0, 0.1 * i}};
        if (i != place) load(scene, ForceLoad{Place::parse(rod.name + ".end"), {0, 0.01, 0}});
      }
      const double angle = pi / 9;  // not a corner of a polyline, which would have no bend in its joint
      scene.rods[place].centreline = ParabolaShape{{0, 0, 0}, {std::sin(angle / 2), 0, 0}, {0, 0, 1}, 0.5 * std::cos(angle / 2)};
      scene.rods[place].rest = AsBuiltRest{};
      OpenBundle open(scene, lanes);
      const StepReport report = open.step(1e-3);
      EXPECT_TRUE(report.accepted()) << report.cause;
      EXPECT_FALSE(report.converged);

      const int other = place == 0 ? 1 : 0;
      load(scene, ForceLoad{Place::parse("rod" + std::to_string(other) + ".end"), {0, 1e300, 0}, false});
      OpenBundle failing(scene, lanes);
      const StepReport failed = failing.step(1e-3);
      EXPECT_EQ(failed.status, StepStatus::not_finite);
      EXPECT_EQ(failed.rod, other);
    }
  });
}

// ---- rods that are solved elsewhere ----------------------------------------------------------------------------------

// Where all rods are after some steps, and what was said of the last; those left out stand still.
struct Outcome {
  State state;
  StepReport report;
};
Outcome step_without(const Scene& scene, const std::vector<std::uint8_t>& left_out) {
  OpenBundle open(scene, static_cast<int>(scene.rods.size()));
  open.bundle.leave_out(left_out);
  StepReport report;
  for (int k = 0; k < 5; ++k) {
    report = open.step(scene.dt);
    EXPECT_TRUE(report.accepted()) << report.cause;
  }
  return {open.state, report};
}

bool same_bits(const Model& model, int rod, const State& a, const State& b) {
  const RodRange& range = model.rods()[rod];
  bool same_so_far = true;
  for (int i = 0; i <= range.segment_count; ++i)
    same_so_far = same_so_far && norm(a.x[range.first_node + i] - b.x[range.first_node + i]) == 0;
  for (int i = 0; i < range.segment_count; ++i) {
    const Quat &p = a.q[range.first_segment + i], &q = b.q[range.first_segment + i];
    same_so_far = same_so_far && p.w == q.w && norm(imag(p) - imag(q)) == 0;
  }
  return same_so_far;
}

// Also with neighbours that want the other metric, end sooner or later, or would fail.
TEST(PdLeftOut, TheOthersDoNotDependOnIt) {
  at_every_width([] {
    if (pd::bundle_kernel().lanes == 1) return;
    Scene ends_apart = one_register(hair());
    Scene fails = ends_apart;
    load(fails, ForceLoad{Place::parse(fails.rods[1].name + ".end"), {0, 1e300, 0}, false});
    for (const auto& [what, scene] :
         std::vector<std::pair<std::string, Scene>>{{"other metrics", rubber_among_steel(1, pd::bundle_kernel().lanes)},
                                                    {"constant", by_pd(ends_apart, 200, Metric::constant, 1e-4)},
                                                    {"refreshed", by_pd(ends_apart, 200, Metric::refreshed, 1e-4)},
                                                    {"fails", by_pd(fails, 200, Metric::constant, 1e-4)}}) {
      SCOPED_TRACE(what);
      const Model model(scene);
      const State start = model.initial_state();
      const int count = static_cast<int>(scene.rods.size());
      std::vector<std::uint8_t> none(scene.rods.size(), 0), second = none, all_but_first(scene.rods.size(), 1),
                                                            all = all_but_first;
      second[1] = 1;
      all_but_first[0] = 0;
      const Outcome without_second = step_without(scene, second), first_only = step_without(scene, all_but_first);
      EXPECT_TRUE(same_bits(model, 1, start, without_second.state)) << "it was stored";
      EXPECT_FALSE(same_bits(model, 0, start, without_second.state)) << "it has not moved";
      EXPECT_TRUE(same_bits(model, 0, without_second.state, first_only.state));
      EXPECT_GT(without_second.report.residual_limit, 0);
      if (what != "fails") {
        const Outcome together = step_without(scene, none);
        for (int r = 0; r < count; ++r)
          EXPECT_EQ(same_bits(model, r, together.state, without_second.state), r != 1) << "rod " << r;
        EXPECT_GE(together.report.iterations, without_second.report.iterations);
      }
      // Nobody is left.
      const Outcome nobody = step_without(scene, all);
      EXPECT_EQ(nobody.report.iterations, 0);
      EXPECT_TRUE(nobody.report.converged);
      EXPECT_EQ(nobody.report.residual, 0);
      for (int r = 0; r < count; ++r) EXPECT_TRUE(same_bits(model, r, start, nobody.state)) << "rod " << r;
    }
  });
}

// And comes back when it is solved here again. Meanwhile whoever solves it says where it is.
TEST(PdLeftOut, IsWhatWasSaidLast) {
  const Scene scene = by_pd(RandomScenes(3).net(), 10, Metric::automatic);
  OpenPart open(scene);
  pd::Net net(open.model, {first_numbers(static_cast<int>(scene.rods.size())), first_numbers(open.model.joint_count())},
              std::make_shared<NetStates>(open.model), terms_of(open.model));
  const auto step = [&](bool here) {
    net.leave_out(std::vector<std::uint8_t>(scene.rods.size(), here ? 0 : 1));
    for (Vec3& x : open.state.x) x += Vec3{0.1, 0, 0};
    const State before = open.state;
    const StepReport report = open.step(net, scene.dt);
    EXPECT_TRUE(report.accepted());
    EXPECT_EQ(report.iterations > 0, here);
    EXPECT_EQ(distance(before, open.state).way > 1e-6, here);
  };
  for (const bool here : {true, false, true}) step(here);
}

}  // namespace
