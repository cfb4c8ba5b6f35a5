#include "study/convergence.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace writhe::study {

namespace {
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

bool positive_and_finite(double value) { return std::isfinite(value) && value > 0; }
}  // namespace

double convergence_order(std::span<const double> resolutions, std::span<const double> errors) {
  if (resolutions.size() != errors.size()) throw std::invalid_argument("convergence_order: one error a resolution");
  const auto count = static_cast<double>(resolutions.size());
  double mean_n = 0, mean_e = 0;
  for (std::size_t i = 0; i < resolutions.size(); ++i) {
    if (!positive_and_finite(resolutions[i]) || !positive_and_finite(errors[i])) return undefined;
    mean_n += std::log(resolutions[i]) / count;
    mean_e += std::log(errors[i]) / count;
  }
  double covariance = 0, variance = 0;
  for (std::size_t i = 0; i < resolutions.size(); ++i) {
    const double dn = std::log(resolutions[i]) - mean_n;
    covariance += dn * (std::log(errors[i]) - mean_e);
    variance += dn * dn;
  }
  // Equal resolutions leave a variance of rounding size, not exactly zero.
  return variance > 1e-20 ? -covariance / variance : undefined;
}

}  // namespace writhe::study
