// Random numbers, turns and curves for what is read off polygons.
#pragma once

#include <random>
#include <utility>
#include <vector>

#include "math/rotation.h"
#include "measure/gauss.h"

namespace writhe::test {

class Random {
 public:
  explicit Random(unsigned seed) : m_engine(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(m_engine); }
  Vec3 vector() {  // in a cube
    const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
    return {x, y, z};
  }
  Quat rotation() {
    std::normal_distribution<double> normal;
    const double w = normal(m_engine), x = normal(m_engine), y = normal(m_engine), z = normal(m_engine);
    return normalized(Quat{w, x, y, z});
  }

 private:
  std::mt19937_64 m_engine;
};

template <class Point>
measure::Curve closed_curve(int n, const Point& point) {
  measure::Curve curve{{}, true};
  for (int i = 0; i < n; ++i) curve.points.push_back(point(2 * pi * i / n));
  return curve;
}

inline measure::Curve turned(measure::Curve curve, const Quat& q, const Vec3& shift = {0, 0, 0}) {
  for (Vec3& p : curve.points) p = rotate(q, p) + shift;
  return curve;
}

inline measure::Curve mirrored(measure::Curve curve) {
  for (Vec3& p : curve.points) p.x = -p.x;
  return curve;
}

// Winds p times about the axis of a torus and q times about its core: right-handed.
inline measure::Curve torus_knot(int p, int q, int n) {
  return closed_curve(n, [&](double t) {
    const double r = 2 + 0.7 * std::cos(q * t);
    return Vec3{r * std::cos(p * t), r * std::sin(p * t), -0.7 * std::sin(q * t)};
  });
}

}  // namespace writhe::test
