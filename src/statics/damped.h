// Small motions of one connected part in a medium that flows past it and resists them: (s^2 M + s C + K) x = 0, which go as
// exp(s t).
#pragma once

#include <optional>

#include <Eigen/Core>

#include "statics/pencil.h"

namespace writhe::statics {

struct DampedPairs {
  Eigen::VectorXcd rates;    // 1/s; conjugates beside each other
  Eigen::MatrixXcd vectors;  // over the pencil's unknowns, those without mass too
};

// Those nearest to zero, neutral motions left out, of a pencil with damping: two for each of `count` motions. `shift`: 1/s, of
// the size of the slowest. Nothing when the iteration fails.
std::optional<DampedPairs> damped_pairs(const Pencil& pencil, int count, double shift, const Tick& tick = {});

}  // namespace writhe::statics
