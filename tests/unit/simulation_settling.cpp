// The steps on the way to rest: when they grow, when they shrink, when rest is reached.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/settling.h"

using namespace writhe;

namespace {

constexpr double dt = 1e-3;  // s, of the scene

// What happens, step by step.
class Way {
 public:
  explicit Way(const SettleOptions& options = {}, double quiet = 0) : m_options(options), m_settling(options, dt, quiet, 0, 1) {}

  Settling& settling() { return m_settling; }
  double step() const { return m_settling.dt(); }
  bool at_rest() const { return m_settling.at_rest(); }
  double time() const { return m_state.time; }
  bool stopped() const { return norm(m_state.v[0]) == 0 && norm(m_state.w[0]) == 0; }
  // One step that ends at this speed, m/s; its sign is the direction.
  void take(double speed, bool converged = true) {
    StepReport report;
    report.converged = converged;
    report.max_speed = std::abs(speed);
    m_state.time += m_settling.dt();
    m_state.v = {{speed, 0, 0}};
    m_state.w = {{0, speed, 0}};
    m_settling.accepted(m_options, report, m_state);
  }
  // Steps at this speed until at rest; how many, 0 where they come to none.
  int rest(double speed, bool converged = true) {
    for (int k = 1; k < 20000; ++k) {
      take(speed, converged);
      if (at_rest()) return k;
    }
    return 0;
  }

 private:
  SettleOptions m_options;
  Settling m_settling;
  State m_state;
};

constexpr double slow = 1e-10, fast = 1;  // m/s; at rest below 1e-9

SettleOptions options_with(double growth, double dt_max) {
  SettleOptions options;
  options.growth = growth;
  options.dt_max = dt_max;
  return options;
}

}  // namespace

TEST(Settling, StepsThatConvergeGrowUpToTheLongest) {
  Way way(options_with(2, 0.1));
  EXPECT_EQ(way.step(), dt);
  for (int k = 1; k <= 6; ++k) {
    way.take(fast);
    EXPECT_DOUBLE_EQ(way.step(), dt * (1 << k));
  }
  way.take(fast);
  EXPECT_DOUBLE_EQ(way.step(), 0.1);
  way.take(fast);
  EXPECT_DOUBLE_EQ(way.step(), 0.1);
}

// One that does not converge may have set the rod in motion; from standing, the next one lowers the potential however long it is.
TEST(Settling, AStepThatDoesNotConvergeStopsTheRodAndGrows) {
  Way way(options_with(2, 1e3));
  way.take(fast);
  EXPECT_FALSE(way.stopped());
  way.take(fast, false);
  EXPECT_TRUE(way.stopped());
  EXPECT_DOUBLE_EQ(way.step(), 4 * dt);
}

// Not where it goes on: it may be leaving an equilibrium that is not stable.
TEST(Settling, StepsOfStaticsStopTheRodWhereItTurnsBack) {
  Way way(options_with(2, 1e3));
  double speed = fast;
  while (way.step() < SettleOptions().dt_rest) {
    way.take(speed = -speed);
    ASSERT_FALSE(way.stopped()) << "it swings, as it should, in steps of " << way.step();
  }
  way.take(speed);
  EXPECT_FALSE(way.stopped());
  way.take(-speed);
  EXPECT_TRUE(way.stopped());
}

// Where the longest do not converge: a stiff rod that turns as a whole needs its inertia.
TEST(Settling, AfterTheLongestStepsShortOnesComeAgain) {
  Way way(options_with(2, 100));
  while (way.step() < 100) way.take(fast, false);
  way.take(fast, false);
  EXPECT_DOUBLE_EQ(way.step(), 1e-3);
  while (way.step() < 100) way.take(fast, false);
  way.take(fast);
  EXPECT_DOUBLE_EQ(way.step(), 100);
}

// It would creep.
TEST(Settling, StepsThatMayNotGrowDoNotStopTheRod) {
  Way limited(options_with(2, 0.1)), constant(options_with(1, 1e3));
  while (limited.step() < 0.1) limited.take(fast, false);
  limited.take(fast, false);
  EXPECT_FALSE(limited.stopped());
  constant.take(fast, false);
  EXPECT_FALSE(constant.stopped());
}

TEST(Settling, WhatIsDrivenIsNotStoppedButFollowedInShorterSteps) {
  Way way(options_with(2, 1e3), 5);
  way.take(fast);
  way.take(fast);
  EXPECT_DOUBLE_EQ(way.step(), 4 * dt);
  way.take(fast, false);
  EXPECT_FALSE(way.stopped());
  EXPECT_DOUBLE_EQ(way.step(), 2 * dt);
  for (int k = 0; k < 3; ++k) way.take(fast, false);
  EXPECT_DOUBLE_EQ(way.step(), dt);
}

TEST(Settling, AStepThatFailsIsQuarteredAsLongAsItMayBe) {
  Way way;
  const SettleOptions options;
  double expected = dt;
  while (expected > options.dt_min) {
    ASSERT_TRUE(way.settling().shorten(options));
    expected = std::max(expected / 4, options.dt_min);
    EXPECT_DOUBLE_EQ(way.step(), expected);
  }
  EXPECT_FALSE(way.settling().shorten(options));
  EXPECT_GT(way.settling().steps(), 3) << "failed steps count, or it could go on for ever";
}

// With steps that stay as they are: slow for eight times dt_rest, without a break.
TEST(Settling, RestTakesItsTime) {
  Way way(options_with(1, 1e3));
  way.take(fast);
  for (double since = way.time(); way.time() < since + 7.5;) way.take(slow);
  ASSERT_FALSE(way.at_rest());
  way.take(fast);
  const double since = way.time();
  ASSERT_GT(way.rest(slow), 0);
  EXPECT_NEAR(way.time() - since, 8, 1.01 * dt);
}

// However long the steps are, there have to be two.
TEST(Settling, RestTakesTwoSteps) {
  Way way(options_with(1e6, 1e3));
  way.take(fast);
  ASSERT_EQ(way.step(), 1e3);
  way.take(slow);
  EXPECT_FALSE(way.at_rest()) << "it may be passing a turning point";
  way.take(slow);
  EXPECT_TRUE(way.at_rest());
}

TEST(Settling, WhatMovesBetweenStartsAnew) {
  Way way(options_with(1e6, 1));
  way.take(fast);
  for (int k = 0; k < 5; ++k) {
    way.take(slow);
    EXPECT_FALSE(way.at_rest());
    way.take(1.1e-9);  // just too fast
    EXPECT_FALSE(way.at_rest());
  }
  EXPECT_EQ(way.rest(slow), 2);
}

// Slow, but with forces left over: it would move on in steps that find them.
TEST(Settling, RestNeedsStepsThatConverge) {
  Way way;
  EXPECT_EQ(way.rest(slow, false), 0);
  way.take(slow);
  EXPECT_FALSE(way.at_rest()) << "the ones before do not count";
  EXPECT_EQ(way.rest(slow), 1) << "two long ones in all";
}

// Until the last support or load has come to rest a slow rod is only waiting, and no step is longer than a hundredth of the way.
TEST(Settling, WhatIsDrivenIsFollowed) {
  const double quiet = 5;  // s
  Way way(options_with(2, 1e3), quiet);
  EXPECT_TRUE(way.settling().still_driven(0));
  while (way.time() + way.step() < quiet) {
    ASSERT_LE(way.step(), std::max(dt, quiet / 100));
    way.take(slow);
    ASSERT_FALSE(way.at_rest());
  }
  way.take(slow);
  EXPECT_FALSE(way.settling().still_driven(way.time()));
  const double since = way.time();
  ASSERT_GT(way.rest(slow), 0);
  EXPECT_GE(way.time() - since, 2 - 0.05) << "what was slow before the end counts too early";
}

// Long steps that swing to and fro without getting smaller are cut to a third, and do not grow beyond that again.
TEST(Settling, MotionThatDoesNotDieDownGetsShorterSteps) {
  const SettleOptions options = options_with(1e6, 1);
  Way swinging(options), damped(options);
  swinging.take(fast);
  damped.take(fast);
  ASSERT_EQ(swinging.step(), 1);
  double speed = 1;
  for (int k = 0; k < 5; ++k) swinging.take(speed = -speed);
  EXPECT_DOUBLE_EQ(swinging.step(), 1.0 / 3);
  swinging.take(fast);
  EXPECT_DOUBLE_EQ(swinging.step(), 1.0 / 3);
  for (int k = 0; k < 20; ++k) damped.take(speed *= -0.8);
  EXPECT_EQ(damped.step(), 1) << "it does die down";
  Way still(options);
  still.take(fast);
  speed = 5e-8;
  for (int k = 0; k < 20; ++k) still.take(speed = -speed);
  EXPECT_EQ(still.step(), 1) << "less than a ten-millionth of the length is what a tolerance leaves over";
}
