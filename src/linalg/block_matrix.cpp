#include "linalg/block_matrix.h"

#include <algorithm>

namespace writhe::linalg {

// Sorted by counting, in linear time and in the memory it has: the couplings of an island may change in every step.
void BlockMatrix::renew(int blocks, const std::vector<std::pair<int, int>>& couplings) {
  std::vector<int> begin(static_cast<std::size_t>(blocks) + 1, 1);  // per column: its diagonal, and what is below, doubled or not
  begin[0] = 0;
  for (const auto& [a, b] : couplings)
    if (a != b) ++begin[std::min(a, b) + 1];
  for (int c = 0; c < blocks; ++c) begin[c + 1] += begin[c];
  m_rows.resize(static_cast<std::size_t>(begin[blocks]));
  std::vector<int> end(begin);
  for (int c = 0; c < blocks; ++c) m_rows[end[c]++] = c;
  for (const auto& [a, b] : couplings)
    if (a != b) m_rows[end[std::min(a, b)]++] = std::max(a, b);

  m_column_start.assign(static_cast<std::size_t>(blocks) + 1, 0);
  for (int c = 0; c < blocks; ++c) {
    const auto first = m_rows.begin() + begin[c], last = m_rows.begin() + begin[c + 1];
    std::sort(first, last);
    const auto kept = std::copy(first, std::unique(first, last), m_rows.begin() + m_column_start[c]);
    m_column_start[c + 1] = static_cast<int>(kept - m_rows.begin());
  }
  m_rows.resize(static_cast<std::size_t>(m_column_start[blocks]));

  m_lower.resize(3 * blocks, 3 * blocks);
  m_lower.resizeNonZeros(9 * static_cast<Eigen::Index>(m_rows.size()));
  int* outer = m_lower.outerIndexPtr();
  int* inner = m_lower.innerIndexPtr();
  int next = 0;
  for (int c = 0; c < blocks; ++c) {
    for (int k = 0; k < 3; ++k) {
      outer[3 * c + k] = next;
      for (int r = m_column_start[c]; r < m_column_start[c + 1]; ++r)
        for (int i = 0; i < 3; ++i) inner[next++] = 3 * m_rows[r] + i;
    }
  }
  outer[3 * blocks] = next;
  set_zero();
}

void BlockMatrix::take_pattern(const BlockMatrix& other) {
  m_column_start = other.m_column_start;
  m_rows = other.m_rows;
  m_lower.resize(other.size(), other.size());
  m_lower.resizeNonZeros(other.m_lower.nonZeros());
  std::copy_n(other.m_lower.outerIndexPtr(), other.size() + 1, m_lower.outerIndexPtr());
  std::copy_n(other.m_lower.innerIndexPtr(), other.m_lower.nonZeros(), m_lower.innerIndexPtr());
}

void BlockMatrix::multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const {
  out.setZero(v.size());
  const int columns = static_cast<int>(m_column_start.size()) - 1;
  for (int c = 0; c < columns; ++c) {
    const int first = m_column_start[c], stride = 3 * (m_column_start[c + 1] - first);
    const double* a = m_lower.valuePtr() + 9 * static_cast<std::ptrdiff_t>(first);
    const double x = v[3 * c], y = v[3 * c + 1], z = v[3 * c + 2];
    double sx = 0, sy = 0, sz = 0;  // of what is below, transposed
    for (int e = first; e < m_column_start[c + 1]; ++e, a += 3) {
      const double *b = a + stride, *d = b + stride;
      double* const to = out.data() + 3 * static_cast<std::ptrdiff_t>(m_rows[e]);
      for (int i = 0; i < 3; ++i) to[i] += a[i] * x + b[i] * y + d[i] * z;
      if (e == first) continue;
      const double* const from = v.data() + 3 * static_cast<std::ptrdiff_t>(m_rows[e]);
      sx += a[0] * from[0] + a[1] * from[1] + a[2] * from[2];
      sy += b[0] * from[0] + b[1] * from[1] + b[2] * from[2];
      sz += d[0] * from[0] + d[1] * from[1] + d[2] * from[2];
    }
    out[3 * c] += sx;
    out[3 * c + 1] += sy;
    out[3 * c + 2] += sz;
  }
}

Mat3 BlockMatrix::block(const Slot& slot) const {
  const double* c = m_lower.valuePtr() + slot.first;
  const double *d = c + slot.stride, *e = d + slot.stride;
  const Mat3 columns{{c[0], c[1], c[2]}, {d[0], d[1], d[2]}, {e[0], e[1], e[2]}};
  return slot.transposed ? columns : transpose(columns);
}

void BlockMatrix::add(const Slot& slot, const Mat3& m) {
  const Mat3 c = slot.transposed ? m : transpose(m);  // columns of the block as it is kept
  double* to = m_lower.valuePtr() + slot.first;
  for (const Vec3& column : {c.r0, c.r1, c.r2}) {
    to[0] += column.x;
    to[1] += column.y;
    to[2] += column.z;
    to += slot.stride;
  }
}

void BlockMatrix::add(const Slot& slot, const Sym3& s) {
  add(slot, Mat3{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}});
}

}  // namespace writhe::linalg
