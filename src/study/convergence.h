// How fast an error falls when the mesh gets finer.
#pragma once

#include <span>

namespace writhe::study {

// The p of error = c N^-p: minus the slope of the least-squares line through (log N, log error).
// NaN when fewer than two different resolutions are given or a value is not positive and finite.
double convergence_order(std::span<const double> resolutions, std::span<const double> errors);

}  // namespace writhe::study
