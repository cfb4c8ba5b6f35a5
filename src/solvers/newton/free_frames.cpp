#include "solvers/newton/free_frames.h"

#include "elastic/joint.h"
#include "math/rotation.h"
#include "model/strain.h"

namespace writhe::newton {

namespace {

constexpr int most_iterations = 20;
constexpr double smallest_step = 1e-14;  // rad

// Gradient and Hessian of the energy by a turn of the frame, in its body components.
struct Balance {
  Vec3 moment{};     // N m
  Sym3 stiffness{};  // N m
};

Sym3 turned(const Quat& turn, const Sym3& m) {
  const Mat3 R = matrix(turn);
  const Mat3 full{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
  const Mat3 out = R * full * transpose(R);
  return {out.r0.x, out.r0.y, out.r0.z, out.r1.y, out.r1.z, out.r2.z};
}

void add(const Model& model, const State& state, int joint, int orientation, Balance& sum) {
  const Joints& joints = model.joints();
  const bool first = joints.a[joint] == orientation;
  const Quat turn_a = joints.turn_a[joint], turn_b = strain::turn_b(model, state, joint);
  const Quat a = state.q[joints.a[joint]] * turn_a, b = state.q[joints.b[joint]] * turn_b;
  const double length = joints.length[joint];
  const Vec3& K = joints.stiffness[joint];
  const auto value = elastic::joint_value(a, b, length, K, joints.strain_rest[joint]);
  const auto hessian = elastic::joint_hessian(a, b, length, K, Vec3{});  // positive: the search cannot be led astray
  sum.moment += rotate(first ? turn_a : turn_b, first ? value.moment_a : value.moment_b);
  sum.stiffness += turned(first ? turn_a : turn_b, first ? hessian.aa : hessian.bb);
}

// H step = -g by Cramer's rule.
Vec3 newton_step(const Balance& balance) {
  const Sym3& m = balance.stiffness;
  const Vec3 c0{m.xx, m.xy, m.xz}, c1{m.xy, m.yy, m.yz}, c2{m.xz, m.yz, m.zz}, g = -1.0 * balance.moment;
  const double inverse = 1 / dot(c0, cross(c1, c2));
  return inverse * Vec3{dot(g, cross(c1, c2)), dot(c0, cross(g, c2)), dot(c0, cross(c1, g))};
}

}  // namespace

FreeFrames::FreeFrames(const Model& model) {
  std::vector<int> index(static_cast<std::size_t>(model.frame_count()), -1);
  for (int frame = 0; frame < model.frame_count(); ++frame) {
    if (!model.frames().is_free(frame)) continue;
    index[frame] = static_cast<int>(m_frames.size());
    m_frames.push_back({model.segment_count() + frame, {}});
  }
  for (int j = 0; j < model.joint_count(); ++j) {
    for (const int orientation : {model.joints().a[j], model.joints().b[j]}) {
      const int frame = orientation - model.segment_count();
      if (frame >= 0 && index[frame] >= 0) m_frames[index[frame]].joints.push_back(j);
    }
  }
}

void FreeFrames::balance(const Model& model, const State& near, State& state, double dt) const {
  for (const Frame& frame : m_frames) {
    Quat& q = state.q[frame.orientation];
    const Quat before = q;
    q = near.q[frame.orientation];
    for (int k = 0; k < most_iterations; ++k) {
      Balance sum;
      for (const int j : frame.joints) add(model, state, j, frame.orientation, sum);
      const Vec3 step = newton_step(sum);
      if (!finite(step)) break;
      q = normalized(q * exp_rotation(step));
      if (norm(step) < smallest_step) break;
    }
    state.w[frame.orientation] = (1 / dt) * log_rotation(conj(before) * q);
  }
}

}  // namespace writhe::newton
