// The constant metric of the global step: what stands for the Hessian of the incremental potential. docs/theory/pd.md, "Metric".
//
// It is scalar: one system for each coordinate of the nodes, one for each body component of the turns, none of which couples to
// another. It changes the way to the minimum and not the minimum.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "elastic/increment.h"
#include "writhe/model.h"
#include "writhe/vec.h"

namespace writhe::pd {

// Of C, or of C over length: a segment resists its nodes' difference with R C R^T, whichever way it lies; this is the scalar that
// errs least.
inline double node_stiffness(const Vec3& C) { return 0.5 * (std::max({C.x, C.y, C.z}) + std::min({C.x, C.y, C.z})); }

// N m: what holds the turn of a segment: inertia over the squared step, damping included, and the shear that follows when d3
// leaves the line of the nodes. stretch2: squared length over rest length.
inline Vec3 turn_stiffness(const Vec3& spin, const Vec3& C, double length, double stretch2) {
  return spin + length * stretch2 * Vec3{C.y, C.x, 0};
}

// N m: what a joint adds to each of its sides, and takes off between them.
struct JointMetric {
  Vec3 own, between;
};
// bend: stiffness over length, N m. With separate orientations (A_i = B_i = identity in PD Eq. 19) both sides are drawn to a
// frame half way, and know nothing of each other.
inline JointMetric joint_metric(const Vec3& bend, Coupling coupling) {
  if (coupling == Coupling::separate) return {2.0 * bend, Vec3{}};
  return {bend, bend};
}

// Whether the refreshed metric is worth its cost. Where it is thin and stiff a rod turns only as its nodes move, and solving for
// one after the other takes about 1/slowness iterations: a wave of wave number k keeps the part 1/((1 + m/(h^2 GA k^2))(1 + EI
// k^2/GA)) of its error, which is most at k^4 = m/(h^2 EI): slowness 2 sqrt(m EI)/(h GA). Of a joint, for a step of 1 s.
inline double slowness(const Model& model, int joint) {
  const Segments& segments = model.segments();
  const int s = std::min(model.joints().a[joint], model.joints().b[joint]);
  const Vec3 &K = model.joints().stiffness[joint], &C = segments.stiffness[s];
  const RodRange& rod = model.rods()[segments.rod[s]];
  return 2 * std::sqrt(rod.mass / rod.length * std::min(K.x, K.y)) / std::max(C.x, C.y);
}

// The other thing the constant metric does not know: a rod that is curved without stress cannot roll freely. 1/s^2: the stiffness
// of that over the inertia, which is all that the metric has there.
inline double rolling(const Model& model, int joint) {
  const int s = std::min(model.joints().a[joint], model.joints().b[joint]);
  const Vec3 &K = model.joints().stiffness[joint], &rest = model.joints().strain_rest[joint];
  return model.joints().length[joint] * (K.x * rest.x * rest.x + K.y * rest.y * rest.y) / model.segments().inertia[s].z;
}

// Of the joints of a part. Below this slowness the refreshed metric takes less time: of a chain to an error of 0.1 %, of a ring
// or a net, where most of the time goes into evaluating and not into the matrix, to a tolerance of 1e-4 (bench/README.md).
inline constexpr double slow_chain = 0.14, slow_net = 1;

class MetricChoice {
 public:
  MetricChoice(const Model& model, const std::vector<int>& joints, double slow) : m_slow(slow) {
    for (const int j : joints) {
      m_slowness = std::min(m_slowness, slowness(model, j));
      m_rolling = std::max(m_rolling, rolling(model, j));
    }
  }
  bool refreshed(const PdSettings& settings, double inv_h) const {
    if (constant_only(settings)) return false;
    return settings.metric == Metric::refreshed || inv_h * m_slowness < m_slow || m_rolling > rolls * inv_h * inv_h;
  }
  static bool constant_only(const PdSettings& settings) {
    return settings.metric == Metric::constant || settings.weights == Weights::published ||
           settings.coupling == Coupling::separate;
  }

 private:
  static constexpr double rolls = 0.3;  // where the iteration would overshoot (docs/theory/pd.md)

  double m_slow;
  double m_slowness = std::numeric_limits<double>::infinity(), m_rolling = 0;
};

// On a diagonal: keeps a pivot that rounding alone would decide positive, that of an orientation which nothing holds.
inline constexpr double regular = 1 + 1e-12;

// Whether a node has any drag.
inline bool is_any(const Sym3& D) { return D.xx != 0 || D.xy != 0 || D.xz != 0 || D.yy != 0 || D.yz != 0 || D.zz != 0; }

// What the metric, which knows no coupling of coordinates, must have in each of them so as not to be less than D anywhere, N/m:
// the sums of the rows bound its eigenvalues.
inline Vec3 row_sums(const Sym3& D) {
  const double xy = std::abs(D.xy), xz = std::abs(D.xz), yz = std::abs(D.yz);
  return {D.xx + xy + xz, D.yy + xy + yz, D.zz + xz + yz};
}

// How much larger something is than the metric was made for, in steps of a fifth. The metric is made again when this changes and
// depends on nothing else, so that it is the same after a restart.
inline int metric_level(double ratio) {
  if (!(ratio > 1.2)) return 0;
  return static_cast<int>(std::ceil(std::min(std::log(ratio) / std::log(1.2), 1000.0)));
}
inline double level_factor(int level) { return std::pow(1.2, level); }

}  // namespace writhe::pd
