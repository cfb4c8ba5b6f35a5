// The constant metric of a bundle: assembled and factored.
#include <vector>

#include <Eigen/LU>

#include "solvers/pd/bundle.h"
#include "solvers/pd/metric.h"

namespace writhe::pd {

// A symmetric tridiagonal matrix. What is not free takes no part.
struct Tridiagonal {
  std::vector<double> diagonal, next;  // next[i]: between i and i + 1
  std::vector<char> free;
  explicit Tridiagonal(int count) : diagonal(count, 0.0), next(count, 0.0), free(count, 1) {}
  int count() const { return static_cast<int>(diagonal.size()); }
  double link(int i) const { return i >= 0 && i + 1 < count() && free[i] && free[i + 1] ? next[i] : 0; }
};

namespace {

double part(const Vec3& v, int c) { return c == 0 ? v.x : c == 1 ? v.y : v.z; }

// The factors of the rows begin ... end - 1 of a matrix on their own.
struct Strand {
  std::vector<double> inverse, factor;  // -1/pivot, 0 of what is not free; by what a row is taken off the next one
  Strand(const Tridiagonal& matrix, int begin, int end) : inverse(end - begin, 0.0), factor(end - begin, 0.0) {
    double carry = 0;
    for (int i = begin; i < std::min(end, matrix.count()); ++i) {
      const double pivot = matrix.diagonal[i] - carry;
      if (matrix.free[i]) inverse[i - begin] = -1 / pivot;
      const double link = i + 1 < end ? matrix.link(i) : 0;
      factor[i - begin] = link / pivot;
      carry = factor[i - begin] * link;
    }
  }
  // minus the inverse times the right side
  std::vector<double> solve(std::vector<double> r) const {
    const int n = static_cast<int>(r.size());
    for (int t = 1; t < n; ++t) r[t] -= factor[t - 1] * r[t - 1];
    for (int t = n - 1; t >= 0; --t) r[t] = inverse[t] * r[t] - (t + 1 < n ? factor[t] * r[t + 1] : 0);
    return r;
  }
};

}  // namespace

// See `substitute` in bundle_global_kernel.cpp.
void Bundle::factorise_system(int chain, int system, int c, Tridiagonal& matrix) {
  const BundleArrays& a = m_arrays;
  const int lanes = a.lanes, tiles = a.tiles;
  const auto at = [&](int row, int tile, int lane) -> double& {
    return a.rows[(static_cast<long>(tile) * bundle_rows + system + row + c) * lanes + lane];
  };
  const auto put = [&](const Strand& strand, int lane) {
    for (int t = 0; t < tiles; ++t) {
      at(strand_inverse, t, lane) = strand.inverse[t];
      at(strand_factor, t, lane) = strand.factor[t];
    }
  };
  if (a.several) return put(Strand(matrix, 0, tiles), chain);

  // ends(first of strand k) = own + from_before * (last of k - 1) + from_after * (first of k + 1), the same for its last.
  Eigen::MatrixXd ends = Eigen::MatrixXd::Identity(2 * lanes, 2 * lanes);
  for (int k = 0; k < lanes; ++k) {
    const Strand strand(matrix, k * tiles, (k + 1) * tiles);
    put(strand, k);
    std::vector<double> before(tiles, 0.0), after(tiles, 0.0);
    before.front() = matrix.link(k * tiles - 1);
    after.back() = matrix.link((k + 1) * tiles - 1);
    before = strand.solve(std::move(before));
    after = strand.solve(std::move(after));
    for (int t = 0; t < tiles; ++t) {
      at(strand_before, t, k) = before[t];
      at(strand_after, t, k) = after[t];
    }
    if (k > 0) {
      ends(k, lanes + k - 1) -= before.front();
      ends(lanes + k, lanes + k - 1) -= before.back();
    }
    if (k + 1 < lanes) {
      ends(k, k + 1) -= after.front();
      ends(lanes + k, k + 1) -= after.back();
    }
  }
  const Eigen::MatrixXd inverse = ends.partialPivLu().inverse();
  double* seam = a.seams + ((system == row_turn_system ? 3 : 0) + c) * 4L * lanes * lanes;
  for (int j = 0; j < 2 * lanes; ++j)
    for (int k = 0; k < lanes; ++k) {
      seam[(2 * j) * lanes + k] = k > 0 ? inverse(lanes + k - 1, j) : 0;
      seam[(2 * j + 1) * lanes + k] = k + 1 < lanes ? inverse(k + 1, j) : 0;
    }
}

void Bundle::factorise_nodes(int chain) {
  const BundleArrays& a = m_arrays;
  const int node0 = m_members[chain].node0;
  const double inv_h = a.inv_h, damping = model().scene().damping.mass;
  for (int c = 0; c < 3; ++c) {
    Tridiagonal matrix(a.segments + 1);
    for (int i = 0; i <= a.segments; ++i) {
      const std::size_t at = 3 * (static_cast<std::size_t>(chain) * (a.segments + 1) + i);
      const int level = m_drag_levels[at + c];
      matrix.diagonal[i] += level_factor(level) * elastic::bare_node_matrix(model().nodes().mass[node0 + i], damping, inv_h);
      matrix.free[i] = cell(row_free + c, i, chain) == 1;
      const bool as_first = level == m_drag_levels[at] && cell(row_free + c, i, chain) == cell(row_free, i, chain);
      if (!as_first) m_arrays.node_system_step = 1;
    }
    for (int i = 0; i < a.segments; ++i) {
      const double k = node_stiffness(vec(row_stretch, i, chain));
      matrix.diagonal[i] += k;
      matrix.diagonal[i + 1] += k;
      matrix.next[i] -= k;
    }
    factorise_system(chain, row_node_system, c, matrix);
  }
}

void Bundle::factorise_turns(int chain) {
  const BundleArrays& a = m_arrays;
  const double weight = joint_weight(m_published);
  for (int c = 0; c < 3; ++c) {
    Tridiagonal matrix(a.segments);
    for (int i = 0; i < a.segments; ++i) {
      const double stretch2 = level_factor(m_stretch_levels[static_cast<std::size_t>(chain) * a.segments + i]);
      const double length = cell(row_length, i, chain);
      matrix.diagonal[i] +=
          part(turn_stiffness(vec(row_spin_stiffness, i, chain), length * vec(row_stretch, i, chain), length, stretch2), c);
    }
    for (int i = 0; i + 1 < a.segments; ++i) {
      const JointMetric joint = joint_metric(weight * vec(row_bend, i, chain), m_coupling);
      matrix.diagonal[i] += part(joint.own, c);
      matrix.diagonal[i + 1] += part(joint.own, c);
      matrix.next[i] -= part(joint.between, c);
    }
    for (const BundleAnchor& anchor : m_anchors) {
      const auto bend = [&](int r) { return anchor.rows[(anchor_bend + r) * a.lanes + chain]; };
      matrix.diagonal[anchor.segment] += part(joint_metric(weight * Vec3{bend(0), bend(1), bend(2)}, m_coupling).own, c);
    }
    for (double& d : matrix.diagonal) d *= regular;
    factorise_system(chain, row_turn_system, c, matrix);
  }
}

}  // namespace writhe::pd
