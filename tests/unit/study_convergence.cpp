#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "study/convergence.h"

namespace writhe::study {
namespace {

std::vector<double> power_law(const std::vector<double>& resolutions, double factor, double order) {
  std::vector<double> errors;
  for (const double n : resolutions) errors.push_back(factor * std::pow(n, -order));
  return errors;
}

TEST(ConvergenceOrder, IsTheExponentOfAPowerLaw) {
  const std::vector<double> n{40, 80, 160};
  for (const double order : {0.5, 1.0, 2.0, 4.0}) EXPECT_NEAR(convergence_order(n, power_law(n, 3.7, order)), order, 1e-12);
}

TEST(ConvergenceOrder, IsNegativeForAGrowingError) {
  const std::vector<double> n{10, 30};
  EXPECT_NEAR(convergence_order(n, power_law(n, 1, -1.5)), -1.5, 1e-12);
}

TEST(ConvergenceOrder, IsTheLeastSquaresSlope) {
  // Points 1, 1/2, 1/16 at N = 1, 2, 4: over log2 N the errors fall by 0, 1, 4; the least-squares slope is 2.
  EXPECT_NEAR(convergence_order(std::vector<double>{1, 2, 4}, std::vector<double>{1, 0.5, 0.0625}), 2, 1e-12);
}

TEST(ConvergenceOrder, IsUndefinedWithoutTwoResolutionsOrWithUnusableErrors) {
  using V = std::vector<double>;
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(convergence_order(V{}, V{})));
  EXPECT_TRUE(std::isnan(convergence_order(V{10}, V{0.1})));
  EXPECT_TRUE(std::isnan(convergence_order(V{30, 30, 30}, V{0.1, 0.2, 0.3})));  // their mean is off by rounding
  EXPECT_TRUE(std::isnan(convergence_order(V{10, 20}, V{0.1, 0})));
  EXPECT_TRUE(std::isnan(convergence_order(V{10, 20}, V{0.1, -0.1})));
  EXPECT_TRUE(std::isnan(convergence_order(V{10, 20}, V{0.1, inf})));
  EXPECT_TRUE(std::isnan(convergence_order(V{10, 20}, V{0.1, std::nan("")})));
}

TEST(ConvergenceOrder, WantsOneErrorAResolution) {
  EXPECT_THROW(convergence_order(std::vector<double>{10, 20}, std::vector<double>{0.1}), std::invalid_argument);
}

}  // namespace
}  // namespace writhe::study
