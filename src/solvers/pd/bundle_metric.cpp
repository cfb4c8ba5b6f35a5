// The metric of a bundle: assembled and factored.
#include <vector>

#include "solvers/pd/bundle.h"
#include "solvers/pd/metric.h"

namespace writhe::pd {

namespace {

// A symmetric tridiagonal matrix, and its elimination from both ends towards an index between them: of index i into its neighbour
// on that side. What is not free takes no part.
struct Tridiagonal {
  std::vector<double> diagonal, next;  // next[i]: between i and i + 1
  std::vector<char> free;
  explicit Tridiagonal(int count) : diagonal(count, 0.0), next(count, 0.0), free(count, 1) {}

  // inverse: -1/pivot. factor: what is taken of row i off its neighbour's.
  template <class Put>
  void eliminate(int middle, const Put& put) {
    const int count = static_cast<int>(diagonal.size());
    const auto pivot = [&](int i, double link, int into) {
      const double d = diagonal[i], f = into >= 0 && free[i] && free[into] ? link / d : 0;
      if (into >= 0) diagonal[into] -= f * link;
      put(i, free[i] ? -1 / d : 0.0, f);
    };
    for (int i = 0; i < middle; ++i) pivot(i, next[i], i + 1);
    for (int i = count - 1; i > middle; --i) pivot(i, next[i - 1], i - 1);
    pivot(middle, 0, -1);
  }
};

double part(const Vec3& v, int c) { return c == 0 ? v.x : c == 1 ? v.y : v.z; }

}  // namespace

void Bundle::factorise_nodes(int lane) {
  const BundleArrays& a = m_arrays;
  const Chain& chain = m_members[lane];
  const double inv_h = a.inv_h, damping = model().scene().damping.mass;
  for (int c = 0; c < 3; ++c) {
    Tridiagonal matrix(a.segments + 1);
    for (int i = 0; i <= a.segments; ++i) {
      const int level = m_drag_levels[3 * (static_cast<std::size_t>(lane) * (a.segments + 1) + i) + c];
      matrix.diagonal[i] += level_factor(level) * model().nodes().mass[chain.node0 + i] * (inv_h + damping) * inv_h;
      matrix.free[i] = a.row(row_free + c)[a.at(i, lane)] == 1;
    }
    for (int i = 0; i < a.segments; ++i) {
      const double k = node_stiffness(vec(row_stretch, i, lane)) / a.row(row_length)[a.at(i, lane)];
      matrix.diagonal[i] += k;
      matrix.diagonal[i + 1] += k;
      matrix.next[i] -= k;
    }
    matrix.eliminate(a.several() ? a.segments : (a.segments + 1) / 2, [&](int i, double inverse, double factor) {
      a.row(row_node_inverse + c)[a.at(i, lane)] = inverse;
      a.row(row_node_factor + c)[a.at(i, lane)] = factor;
    });
  }
}

void Bundle::factorise_turns(int lane) {
  const BundleArrays& a = m_arrays;
  for (int c = 0; c < 3; ++c) {
    Tridiagonal matrix(a.segments);
    for (int i = 0; i < a.segments; ++i) {
      const double stretch2 = level_factor(m_stretch_levels[static_cast<std::size_t>(lane) * a.segments + i]);
      matrix.diagonal[i] += part(turn_stiffness(vec(row_spin_inertia, i, lane), vec(row_stretch, i, lane),
                                                a.row(row_length)[a.at(i, lane)], stretch2, a.inv_h),
                                 c);
    }
    for (int i = 0; i + 1 < a.segments; ++i) {
      const JointMetric joint = joint_metric(vec(row_bend, i, lane), m_coupling);
      matrix.diagonal[i] += part(joint.own, c);
      matrix.diagonal[i + 1] += part(joint.own, c);
      matrix.next[i] -= part(joint.between, c);
    }
    for (const BundleAnchor& anchor : m_anchors) {
      const auto bend = [&](int r) { return anchor.rows[(anchor_bend + r) * a.lanes + lane]; };
      matrix.diagonal[anchor.segment] += part(joint_metric({bend(0), bend(1), bend(2)}, m_coupling).own, c);
    }
    for (double& d : matrix.diagonal) d *= regular;
    matrix.eliminate(a.several() ? a.segments - 1 : a.segments / 2, [&](int i, double inverse, double factor) {
      a.row(row_turn_inverse + c)[a.at(i, lane)] = inverse;
      a.row(row_turn_factor + c)[a.at(i, lane)] = factor;
    });
  }
}

}  // namespace writhe::pd
