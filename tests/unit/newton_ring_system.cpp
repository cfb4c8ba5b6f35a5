// Closed rods by `newton`: its iterations against those of a dense solve.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "elastic/increment.h"
#include "elastic/inertia.h"
#include "elastic/joint.h"
#include "elastic/segment.h"
#include "model/strain.h"
#include "solvers/solver.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

Eigen::Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }
Vec3 vec3(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }
Eigen::Matrix3d eigen(const Mat3& m) {
  Eigen::Matrix3d out;
  out << m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z;
  return out;
}
Eigen::Matrix3d eigen(const Sym3& s) { return eigen(Mat3{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}); }

// Gradient and Hessian of the incremental potential of a step, assembled without regard to any order: three rows a node, then
// three a segment; frames are prescribed and have none.
class Dense {
 public:
  Dense(const Model& model, const State& start, const State& trial, const Loading& loading, double dt)
      : m_model(model),
        m_start(start),
        m_trial(trial),
        m_loading(loading),
        m_dt(dt),
        m_damped(model.scene().damping.internal, dt) {
    const Eigen::Index size = 3 * (model.node_count() + model.segment_count());
    m_gradient.setZero(size);
    m_hessian.setZero(size, size);
    for (int i = 0; i < model.node_count(); ++i) add_node(i);
    for (int s = 0; s < model.segment_count(); ++s) add_segment(s);
    for (int j = 0; j < model.joint_count(); ++j) add_joint(j);
    for (int i = 0; i < model.node_count(); ++i)
      for (int c = 0; c < 3; ++c)
        if (model.nodes().fixed[i] >> c & 1) prescribe(3 * i + c);
  }

  Eigen::VectorXd newton_step() const {
    const Eigen::LLT<Eigen::MatrixXd> factor(m_hessian);
    EXPECT_EQ(factor.info(), Eigen::Success) << "not positive definite: the iteration under test takes another direction";
    return factor.solve(-m_gradient);
  }

 private:
  int row(int orientation) const { return 3 * (m_model.node_count() + orientation); }
  void add(int i, const Vec3& g) { m_gradient.segment<3>(i) += eigen(g); }
  void add(int i, int j, const Eigen::Matrix3d& h) {
    m_hessian.block<3, 3>(i, j) += h;
    if (i != j) m_hessian.block<3, 3>(j, i) += h.transpose();
  }
  void prescribe(Eigen::Index i) {
    m_gradient[i] = 0;
    m_hessian.row(i).setZero();
    m_hessian.col(i).setZero();
    m_hessian(i, i) = 1;
  }

  void add_node(int i) {
    const auto q = elastic::node_quadratic(m_model.nodes().mass[i], m_start.v[i], m_loading.force[i], m_loading.drag[i],
                                           m_loading.drag_force[i], m_model.scene().damping.mass, m_dt);
    add(3 * i, q.matrix * (m_trial.x[i] - m_start.x[i]) - q.force);
    add(3 * i, 3 * i, eigen(q.matrix));
  }
  void add_segment(int s) {
    const Segments& segments = m_model.segments();
    const int x0 = 3 * segments.node0[s], x1 = 3 * segments.node1[s], q = row(s);
    const double l = segments.length[s];
    const Vec3 d = (m_trial.x[segments.node1[s]] - m_trial.x[segments.node0[s]]) / l;
    const Vec3 C = m_damped.factor * segments.stiffness[s];
    const auto value =
        elastic::segment_value(d, m_trial.q[s], l, C, m_damped.rest(Vec3{}, strain::of_segment(m_model, m_start, s)));
    add(x0, -value.force);
    add(x1, value.force);
    add(q, value.moment);
    const auto h = elastic::segment_hessian(d, m_trial.q[s], l, C, value.stress);
    add(x0, x0, eigen(h.xx));
    add(x1, x1, eigen(h.xx));
    add(x0, x1, -eigen(h.xx));
    add(q, x0, -eigen(h.ux));
    add(q, x1, eigen(h.ux));
    add(q, q, eigen(h.uu));

    const auto quadratic =
        elastic::spin_quadratic(segments.inertia[s], m_start.w[s], m_loading.moment[s], m_model.scene().damping.mass, m_dt);
    const auto spin = elastic::spin_value(m_start.q[s], m_trial.q[s], 1 / m_dt, quadratic.inertia, quadratic.momentum);
    add(q, spin.moment);
    add(q, q, eigen(elastic::spin_hessian(m_start.q[s], m_trial.q[s], 1 / m_dt, quadratic.inertia, spin.excess)));
  }
  // The rotation vector of an orientation that is seen through a turn T is T^-1 of its own.
  void add_joint(int j) {
    const Joints& joints = m_model.joints();
    const int a = joints.a[j], b = joints.b[j], segments = m_model.segment_count();
    const Quat turn_a = joints.turn_a[j], turn_b = strain::turn_b(m_model, m_loading.closing, j);
    const auto orientation = [&](int o) { return o < segments ? m_trial.q[o] : m_loading.q_support[o - segments]; };
    const Quat qa = orientation(a) * turn_a, qb = orientation(b) * turn_b;
    const Vec3 K = m_damped.factor * joints.stiffness[j];
    const auto value = elastic::joint_value(qa, qb, joints.length[j], K,
                                            m_damped.rest(joints.strain_rest[j], strain::of_joint(m_model, m_start, j)));
    const auto h = elastic::joint_hessian(qa, qb, joints.length[j], K, value.stress);
    const Eigen::Matrix3d A = eigen(matrix(turn_a)), B = eigen(matrix(turn_b));
    if (a < segments) {
      add(row(a), rotate(turn_a, value.moment_a));
      add(row(a), row(a), A * eigen(h.aa) * A.transpose());
    }
    if (b < segments) {
      add(row(b), rotate(turn_b, value.moment_b));
      add(row(b), row(b), B * eigen(h.bb) * B.transpose());
    }
    if (a < segments && b < segments) add(row(b), row(a), B * eigen(h.ba) * A.transpose());
  }

  const Model& m_model;
  const State &m_start, &m_trial;
  const Loading& m_loading;
  double m_dt;
  elastic::DampedStiffness m_damped;
  Eigen::VectorXd m_gradient;
  Eigen::MatrixXd m_hessian;
};

// A closed loop in space, of a ribbon that is curved and twisted without stress and closes with a turn.
Scene loop(int segments) {
  Scene scene = Cord{.segments = segments}.scene();
  scene.sections = {{"section", RectangleSection{0.03, 0.02}}};
  Rod& rod = scene.rods[0];
  PolylineShape shape;
  for (int i = 0; i < segments; ++i) {
    const double t = 2 * pi * i / segments;
    shape.points.push_back({0.2 * std::cos(t), 0.15 * std::sin(t), 0.05 * std::cos(2 * t + 0.3)});
  }
  rod.centreline = shape;
  rod.closed = true;
  rod.rest = AsBuiltRest{};
  rod.rest_twist = 0.6;
  rod.initial_twist = rod.closing_angle = 0.9;
  rod.closing_motion.keys = {{0, 0}, {1, 1}};  // driven; how far, the loading says
  scene.damping = {0.5, 2e-3};
  scene.solver.tolerance = 1e-2;  // one iteration is enough
  return scene;
}

struct HeldLoop {
  const char* name;
  std::vector<std::pair<const char*, const char*>> pins;  // place and axes
  std::vector<const char*> clamps;
};
void PrintTo(const HeldLoop& held, std::ostream* out) { *out << held.name; }

class RingSystem : public testing::TestWithParam<std::tuple<int, HeldLoop>> {
 protected:
  RingSystem() : m_model(scene()), m_state(m_model.initial_state()) {
    for (Vec3& x : m_state.x) x += random(2e-4);
    for (int s = 0; s < m_model.segment_count(); ++s) m_state.q[s] = m_state.q[s] * exp_rotation(random(0.01));
    m_state.closing[0] = 0.1;

    const std::size_t nodes = m_state.x.size();
    m_loading.drag.resize(nodes);
    m_loading.drag_force.resize(nodes);
    m_loading.x_support = m_state.x;
    m_loading.q_support = m_model.frames().q_initial;
    m_loading.closing = {0.15};
    for (std::size_t i = 0; i < nodes; ++i) {
      m_loading.force.push_back(random(0.02));
      if (m_model.nodes().fixed[i]) m_loading.x_support[i] += random(1e-4);
    }
    for (std::size_t i = 0; i < m_state.q.size(); ++i) m_loading.moment.push_back(random(1e-4));
    for (Quat& q : m_loading.q_support) q = q * exp_rotation(random(1e-3));
  }

  Scene scene() const {
    const auto& [segments, held] = GetParam();
    Scene scene = loop(segments);
    for (const auto& [place, axes] : held.pins) pin(scene, place, axes);
    for (const char* place : held.clamps) clamp(scene, place);
    return scene;
  }
  Vec3 random(double size) {
    std::uniform_real_distribution<double> uniform(-size, size);
    return {uniform(m_engine), uniform(m_engine), uniform(m_engine)};
  }
  // Where the first iteration starts: at rest, but for what is prescribed.
  State trial() const {
    State out = m_state;
    for (std::size_t i = 0; i < out.x.size(); ++i) {
      const int fixed = m_model.nodes().fixed[i];
      const Vec3 to = m_loading.x_support[i];
      if (fixed & fixed_x) out.x[i].x = to.x;
      if (fixed & fixed_y) out.x[i].y = to.y;
      if (fixed & fixed_z) out.x[i].z = to.z;
    }
    return out;
  }

  std::mt19937 m_engine{11};
  Model m_model;
  State m_state;
  Loading m_loading;
};

// The tolerance is loose, so that few iterations are taken and an error in one is not mended by the next.
TEST_P(RingSystem, IterationsAreThoseOfADenseSolve) {
  const double dt = 0.02;
  State found = m_state;
  const StepReport report = make_solver(m_model, 1)->step(found, m_loading, dt);
  ASSERT_TRUE(report.accepted()) << report.cause;
  ASSERT_GE(report.iterations, 1);
  ASSERT_LE(report.iterations, 3);
  const State start = trial();
  State expected = start;
  for (int k = 0; k < report.iterations; ++k) {
    const Eigen::VectorXd step = Dense(m_model, m_state, expected, m_loading, dt).newton_step();
    for (Eigen::Index i = 0; i < m_model.node_count(); ++i) expected.x[i] += vec3(step.segment<3>(3 * i));
    for (Eigen::Index s = 0; s < m_model.segment_count(); ++s) {
      const Vec3 half = 0.5 * vec3(step.segment<3>(3 * (m_model.node_count() + s)));
      expected.q[s] = expected.q[s] * normalized(Quat{1, half.x, half.y, half.z});
    }
  }
  double way = 0, turn = 0, largest = 0;
  for (std::size_t i = 0; i < found.x.size(); ++i) way = std::max(way, norm(found.x[i] - expected.x[i]));
  for (int s = 0; s < m_model.segment_count(); ++s) {
    turn = std::max(turn, norm(imag(conj(expected.q[s]) * found.q[s])));
    largest = std::max(largest, norm(imag(conj(start.q[s]) * found.q[s])));
  }
  EXPECT_GT(largest, 1e-3) << "hardly a step";
  EXPECT_LT(way, 1e-13) << "m";
  EXPECT_LT(turn, 1e-12);
}

const HeldLoop held_loops[] = {{"free", {}, {}},
                               {"pinned", {{"rod.node[2]", "xyz"}}, {}},
                               {"pinned_at_the_cut", {{"rod.start", "xyz"}}, {}},
                               {"led_along_some_axes", {{"rod.start", "xz"}, {"rod.node[1]", "y"}, {"rod.node[2]", "yz"}}, {}},
                               {"clamped", {}, {"rod.node[1]"}},
                               {"clamped_at_the_cut", {{"rod.node[2]", "x"}}, {"rod.start"}},
                               {"clamped_twice", {}, {"rod.start", "rod.node[2]"}}};
// From the shortest ring on; even and odd numbers meet differently in the middle.
INSTANTIATE_TEST_SUITE_P(Loops, RingSystem,
                         testing::Combine(testing::Values(3, 4, 5, 6, 7, 8, 17, 24), testing::ValuesIn(held_loops)),
                         [](const auto& loop) {
                           return std::get<1>(loop.param).name + ("_" + std::to_string(std::get<0>(loop.param)));
                         });

}  // namespace
