#include "sinusoid.h"

#include <numbers>

#include <Eigen/Core>

#include "linalg/dense.h"

namespace writhe::experiments {

namespace {

// What a cos + b sin + c leaves of the samples at best.
double misfit(const Samples& samples, double frequency) {
  using Array = Eigen::Map<const Eigen::ArrayXd>;
  const auto count = static_cast<Eigen::Index>(samples.time.size());
  const Eigen::ArrayXd phase = 2 * std::numbers::pi * frequency * Array(samples.time.data(), count);
  Eigen::MatrixXd terms(count, 3);
  terms << phase.cos(), phase.sin(), Eigen::ArrayXd::Ones(count);
  const Eigen::VectorXd value = Array(samples.value.data(), count);
  return (value - terms * linalg::least_squares(terms, value)).norm();
}

}  // namespace

// Golden section.
double fitted_frequency(const Samples& samples, double low, double high) {
  constexpr double part = 1 / std::numbers::phi;
  double left = high - part * (high - low), right = low + part * (high - low);
  double at_left = misfit(samples, left), at_right = misfit(samples, right);
  while (high - low > 1e-9 * high) {
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - part * (high - low);
      at_left = misfit(samples, left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + part * (high - low);
      at_right = misfit(samples, right);
    }
  }
  return 0.5 * (low + high);
}

}  // namespace writhe::experiments
