#include "linalg/block_matrix.h"

#include <algorithm>

namespace writhe::linalg {

BlockMatrix::BlockMatrix(int blocks, std::vector<std::pair<int, int>> couplings) : m_lower(3 * blocks, 3 * blocks) {
  for (auto& [row, column] : couplings)
    if (row > column) std::swap(row, column);  // by column first
  for (int i = 0; i < blocks; ++i) couplings.emplace_back(i, i);
  std::sort(couplings.begin(), couplings.end());
  couplings.erase(std::unique(couplings.begin(), couplings.end()), couplings.end());

  m_column_start.assign(static_cast<std::size_t>(blocks) + 1, 0);
  for (const auto& [column, row] : couplings) {
    ++m_column_start[column + 1];
    m_rows.push_back(row);
  }
  for (int c = 0; c < blocks; ++c) m_column_start[c + 1] += m_column_start[c];

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

BlockMatrix::Slot BlockMatrix::slot(int row, int column) const {
  const bool transposed = row < column;
  if (transposed) std::swap(row, column);
  const auto begin = m_rows.begin() + m_column_start[column], end = m_rows.begin() + m_column_start[column + 1];
  const auto rank = static_cast<int>(std::lower_bound(begin, end, row) - begin);
  return {m_lower.outerIndexPtr()[3 * column] + 3 * rank, 3 * static_cast<int>(end - begin), transposed};
}

Mat3 BlockMatrix::block(const Slot& slot) const {
  const double* c = m_lower.valuePtr() + slot.first;
  const double *d = c + slot.stride, *e = d + slot.stride;
  const Mat3 columns{{c[0], c[1], c[2]}, {d[0], d[1], d[2]}, {e[0], e[1], e[2]}};
  return slot.transposed ? columns : transpose(columns);
}

std::vector<BlockMatrix::Coupling> BlockMatrix::couplings() const {
  std::vector<Coupling> out;
  out.reserve(m_rows.size());
  for (int column = 0; column + 1 < static_cast<int>(m_column_start.size()); ++column)
    for (int r = m_column_start[column]; r < m_column_start[column + 1]; ++r) out.push_back({m_rows[r], column});
  return out;
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
