// Finite-difference checks of every element: gradient against the energy, Hessian against the energy's second difference in the
// rotation vector at 0. Random states, moderate and large rotations.
#include <functional>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "elastic/inertia.h"
#include "elastic/joint.h"
#include "elastic/segment.h"
#include "math/rotation.h"

using namespace writhe;

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct Random {
  std::mt19937 engine{20260701};
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine); }
  Vec3 vec(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec3 positive() { return {uniform(0.2, 3), uniform(0.2, 3), uniform(0.2, 3)}; }
  Quat quat() { return normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}); }
};

Vec3 part(const Vector& d, int i) { return {d[i], d[i + 1], d[i + 2]}; }
Quat turned(const Quat& q, const Vec3& delta) { return q * exp_rotation(delta); }

void put(Vector& g, int i, const Vec3& v) { g.segment<3>(i) << v.x, v.y, v.z; }
void put(Matrix& h, int i, int j, const Mat3& m) {
  h.block<3, 3>(i, j) << m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z;
}
Mat3 full(const Sym3& s) { return {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}; }
Mat3 operator-(const Mat3& m) { return {-m.r0, -m.r1, -m.r2}; }

// Central differences of fourth order: truncation and rounding both stay far below the bars.
Vector difference_gradient(const std::function<double(const Vector&)>& f, int n) {
  const double h = 1e-3;
  Vector g(n);
  for (int i = 0; i < n; ++i) {
    const auto at = [&](double s) {
      Vector d = Vector::Zero(n);
      d[i] = s;
      return f(d);
    };
    g[i] = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return g;
}

Matrix difference_hessian(const std::function<double(const Vector&)>& f, int n) {
  const double h = 2e-3;
  const double offset[4] = {-2, -1, 1, 2}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  Matrix H = Matrix::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
          Vector d = Vector::Zero(n);
          d[i] += offset[a] * h;
          d[j] += offset[b] * h;
          H(i, j) += weight[a] * weight[b] * f(d) / (h * h);
        }
  return H;
}

void expect_derivatives(const std::function<double(const Vector&)>& f, const Vector& g, const Matrix& H) {
  const int n = static_cast<int>(g.size());
  const Vector g_fd = difference_gradient(f, n);
  const Matrix H_fd = difference_hessian(f, n);
  EXPECT_LT((g - g_fd).norm(), 1e-6 * g_fd.norm());
  EXPECT_LT((H - H_fd).norm(), 1e-5 * H_fd.norm()) << "exact\n" << H << "\ndifferences\n" << H_fd;
}

}  // namespace

TEST(ElasticDerivatives, Segment) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    const Quat q = random.quat();
    const double l = random.uniform(0.3, 2);
    const Vec3 C = random.positive(), rest = random.vec(0.1), d = rotate(q, Vec3{0, 0, 1} + random.vec(0.6));
    // unknowns: x0, x1, rotation
    const auto energy = [&](const Vector& u) {
      const Vec3 moved = d + (part(u, 3) - part(u, 0)) / l;
      return elastic::segment_value(moved, turned(q, part(u, 6)), l, C, rest).energy;
    };
    const auto value = elastic::segment_value(d, q, l, C, rest);
    const auto h = elastic::segment_hessian(d, q, l, C, value.stress);
    Vector g(9);
    put(g, 0, -value.force);
    put(g, 3, value.force);
    put(g, 6, value.moment);
    Matrix H(9, 9);
    put(H, 0, 0, full(h.xx));
    put(H, 3, 3, full(h.xx));
    put(H, 0, 3, -full(h.xx));
    put(H, 3, 0, -full(h.xx));
    put(H, 6, 3, h.ux);
    put(H, 6, 0, -h.ux);
    put(H, 3, 6, transpose(h.ux));
    put(H, 0, 6, -transpose(h.ux));
    put(H, 6, 6, full(h.uu));
    expect_derivatives(energy, g, H);
  }
}

TEST(ElasticDerivatives, Joint) {
  Random random;
  for (int trial = 0; trial < 80; ++trial) {
    const Quat qa = random.quat();
    // small, moderate and large relative rotations, and twists beyond half a turn (negative scalar part)
    const double size = trial < 20 ? 0.1 : trial < 50 ? 0.8 : 1.4;
    Vec3 turn = random.vec(size);
    if (trial >= 60) turn.z += 3.5;
    const Quat qb = qa * exp_rotation(turn);
    const double l = random.uniform(0.3, 2);
    const Vec3 K = random.positive(), rest = random.vec(0.5);
    const auto energy = [&](const Vector& u) {
      return elastic::joint_value(turned(qa, part(u, 0)), turned(qb, part(u, 3)), l, K, rest).energy;
    };
    const auto value = elastic::joint_value(qa, qb, l, K, rest);
    const auto h = elastic::joint_hessian(qa, qb, l, K, value.stress);
    Vector g(6);
    put(g, 0, value.moment_a);
    put(g, 3, value.moment_b);
    Matrix H(6, 6);
    put(H, 0, 0, full(h.aa));
    put(H, 3, 3, full(h.bb));
    put(H, 3, 0, h.ba);
    put(H, 0, 3, transpose(h.ba));
    expect_derivatives(energy, g, H);
  }
}

TEST(ElasticDerivatives, Spin) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    const Quat q_prev = random.quat();
    const Quat q = q_prev * exp_rotation(random.vec(0.7));
    const double inv_h = random.uniform(0.5, 4);
    const Vec3 J = random.positive(), momentum = random.vec(2);
    const auto energy = [&](const Vector& u) {
      return elastic::spin_value(q_prev, turned(q, part(u, 0)), inv_h, J, momentum).energy;
    };
    Vector g(3);
    const auto value = elastic::spin_value(q_prev, q, inv_h, J, momentum);
    put(g, 0, value.moment);
    Matrix H(3, 3);
    put(H, 0, 0, full(elastic::spin_hessian(q_prev, q, inv_h, J, value.excess)));
    expect_derivatives(energy, g, H);
  }
}

// Moments on the two sides of a joint are one moment seen from two frames: no torque on the pair.
TEST(ElasticDerivatives, JointMomentsBalance) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    const Quat qa = random.quat(), qb = qa * exp_rotation(random.vec(1.0));
    const auto value = elastic::joint_value(qa, qb, 0.7, random.positive(), random.vec(0.5));
    EXPECT_LT(norm(rotate(qa, value.moment_a) + rotate(qb, value.moment_b)), 1e-13);
  }
}

// The energy as docs/theory/rod.md writes it, from the strains: l/2 (Omega - rest).K(Omega - rest).
TEST(ElasticDerivatives, JointByAnglesIsTheJointByStrains) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    const Quat qa = random.quat(), qb = qa * exp_rotation(random.vec(1.0));
    const double l = random.uniform(0.05, 2);
    const Vec3 K = random.positive(), rest = random.vec(0.5);
    const Vec3 strain = elastic::joint_angles(conj(qa) * qb) / l - rest;
    const auto by_strains = elastic::joint_value(qa, qb, l, K, rest);
    const auto by_angles = elastic::joint_value(qa, qb, (1 / l) * K, l * rest);
    EXPECT_NEAR(by_strains.energy, l / 2 * dot(strain, scale(K, strain)), 1e-13 * by_strains.energy);
    EXPECT_NEAR(by_angles.energy, by_strains.energy, 1e-13 * by_strains.energy);
    const double size = norm(scale(K, strain));
    EXPECT_LT(norm(by_strains.stress - scale(K, strain)), 1e-13 * size);
    EXPECT_LT(norm(by_angles.stress - by_strains.stress), 1e-13 * size);
    EXPECT_LT(norm(by_angles.moment_a - by_strains.moment_a), 1e-12 * size);
    EXPECT_LT(norm(by_angles.moment_b - by_strains.moment_b), 1e-12 * size);
  }
}

TEST(ElasticDerivatives, PlainJoint) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    const Quat qa = random.quat(), qb = qa * exp_rotation(random.vec(trial < 25 ? 0.3 : 1.4));
    const Vec3 bend = random.positive(), rest = random.vec(0.5);
    const auto energy = [&](const Vector& u) {
      return elastic::plain_joint_value(conj(turned(qa, part(u, 0))) * turned(qb, part(u, 3)), bend, rest).energy;
    };
    const auto value = elastic::plain_joint_value(conj(qa) * qb, bend, rest);
    Vector g(6);
    put(g, 0, value.moment_a);
    put(g, 3, value.moment_b);
    const Vector g_fd = difference_gradient(energy, 6);
    EXPECT_LT((g - g_fd).norm(), 1e-6 * g_fd.norm());
    // Its twist is 2 sin of half the angle (PD Eq. 4).
    const Quat twisted = qa * exp_rotation(Vec3{0, 0, 2.0});
    EXPECT_NEAR(elastic::plain_joint_value(conj(qa) * twisted, bend, Vec3{}).stress.z, 2 * bend.z * std::sin(1.0),
                1e-14 * bend.z * 10);
  }
}
