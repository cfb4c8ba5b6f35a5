// Equilibria of small scenes.
#pragma once

#include <gtest/gtest.h>

#include "writhe/writhe.h"

namespace writhe::test {

// Fails the test where there is none.
inline Statics solved(const Scene& scene, const StaticOptions& options = {}) {
  Statics statics{Model(scene)};
  const StaticReport report = statics.solve(options);
  EXPECT_TRUE(report.converged()) << report.cause;
  return statics;
}

inline Stability stability_of(const Scene& scene) { return solved(scene).stability(); }

}  // namespace writhe::test
