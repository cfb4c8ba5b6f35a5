// Paths that stay on their branch, near bifurcations and limit points, on any mesh.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/scenes.h"
#include "support/statics.h"
#include "writhe/load.h"

using namespace writhe;
using namespace writhe::test;

namespace {

Statics of_case(const std::string& name, int segments, std::vector<std::string> overrides = {}) {
  const std::string rod = name == "strip" ? "strip" : "rod";
  overrides.push_back(fmt::format("rods.{}.segments={}", rod, segments));
  return Statics(Model(load_scene(fmt::format("{}/tests/cases/{}.yaml", WRITHE_SOURCE_DIR, name), overrides)));
}

StaticOptions leaving() {
  StaticOptions options;
  options.perturb = true;
  return options;
}

// N: 4 pi^2 EI/L^2 of the strip, 0.02 x 0.0005 m, 0.3 m long, steel.
double strip_load(const Model& model) { return 4 * pi * pi * model.joints().stiffness[0].x / 0.09; }

}  // namespace

class Branches : public testing::TestWithParam<int> {};

// The straight strip lies beside the bent one all the way, with a load that is ten thousand times as large.
TEST_P(Branches, APressedStripBendsAndStaysBent) {
  Statics strip = of_case("strip", GetParam());
  const StaticReport report = strip.solve(leaving());
  ASSERT_TRUE(report.converged()) << report.cause;
  EXPECT_EQ(report.jumps, 0);
  EXPECT_EQ(report.perturbed, 1);
  ASSERT_EQ(report.crossings.size(), 1u);
  // shortening 0.06 t m = 4 pi^2 EI/(EA L^2) L
  const double critical = strip_load(strip.model()) / strip.model().segments().stiffness[0].z * 0.3 / 0.06;
  EXPECT_NEAR(report.crossings[0].time / critical, 1, 0.01);
  EXPECT_LT(report.crossings[0].width, 1e-5 * critical);
  // elliptic integrals at a shortening of 0.2: experiments/strip-buckling/reference.py
  EXPECT_NEAR(strip.reactions()[0].force.x / strip_load(strip.model()), 1.11274, 0.02 * 1.11274);
}

TEST_P(Branches, AnImperfectStripBendsWithoutACrossing) {
  Statics strip = of_case("strip", GetParam(), {"loads[0].force=[0, 0, 1e-3]"});
  const StaticReport report = strip.solve();
  ASSERT_TRUE(report.converged()) << report.cause;
  EXPECT_TRUE(report.crossings.empty());
  EXPECT_EQ(report.jumps, 0);
  EXPECT_EQ(strip.stability().negative, 0);
  EXPECT_NEAR(strip.reactions()[0].force.x / strip_load(strip.model()), 1.11274, 0.02 * 1.11274);
  EXPECT_GT(strip.state().x[static_cast<std::size_t>(GetParam() / 2)].z, 0.05);  // to the side of the push
}

// It is called one on any mesh, and lies where the path that is followed by its length turns back.
TEST_P(Branches, AHangingCurlHasALimitPoint) {
  Statics curl = of_case("curl_limit", 2 * GetParam());
  const StaticReport report = curl.solve();
  EXPECT_EQ(report.status, StaticStatus::limit_point) << report.cause;

  StaticOptions by_length;
  by_length.arclength = true;
  by_length.longest_step = 0.005;
  double farthest = 0;
  by_length.go_on = [&farthest](const StaticPoint& point) {
    const bool turned = point.time < farthest;
    farthest = std::max(farthest, point.time);
    return !turned;
  };
  of_case("curl_limit", 2 * GetParam()).solve(by_length);
  EXPECT_NEAR(report.time, farthest, 0.01 * farthest);
}

TEST_P(Branches, ARodStraightenedByItsWeightHasALimitPointOrFalls) {
  Statics rod = of_case("straightened", 2 * GetParam());
  const StaticReport limit = rod.solve();
  EXPECT_EQ(limit.status, StaticStatus::limit_point) << limit.cause;
  Statics other = of_case("straightened", 2 * GetParam());
  const StaticReport left = other.solve(leaving());
  EXPECT_TRUE(left.converged()) << left.cause;
  EXPECT_NE(other.stability().balance, Balance::unstable);
}

INSTANTIATE_TEST_SUITE_P(Meshes, Branches, testing::Values(20, 40, 60, 100));

TEST(BranchesPast, AStrutThroughItsOwnPinsIsPerturbedRarely) {
  Statics strut = of_case("elastica_through", 20);
  const StaticReport report = strut.solve(leaving());
  EXPECT_TRUE(report.converged()) << report.cause;
  EXPECT_LT(report.perturbed, 100);
}
