// A symmetric matrix of 3x3 blocks on a fixed graph. Only its lower triangle is kept, column by column.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "writhe/vec.h"

namespace writhe::linalg {

class BlockMatrix {
 public:
  using Sparse = Eigen::SparseMatrix<double>;

  // couplings: pairs of blocks with an entry, in any order and number; the diagonal is there anyway.
  BlockMatrix(int blocks, const std::vector<std::pair<int, int>>& couplings) { renew(blocks, couplings); }
  void renew(int blocks, const std::vector<std::pair<int, int>>& couplings);
  // The pattern of another, in the memory it has; what its blocks hold is left open until set_zero.
  void take_pattern(const BlockMatrix& other);

  // Where a block lies. Looked up once for each element, so that adding needs no search.
  struct Slot {
    int first = -1;           // of its first column, in the values
    int stride = 0;           // to the next column
    bool transposed = false;  // it was asked for above the diagonal
  };
  Slot slot(int row, int column) const {
    const bool transposed = row < column;
    if (transposed) std::swap(row, column);
    return slot_at(entry(row, column), column, transposed);
  }
  bool has(int row, int column) const {
    if (row < column) std::swap(row, column);
    const auto last = m_rows.begin() + m_column_start[column + 1];
    return std::binary_search(m_rows.begin() + m_column_start[column], last, row);
  }
  // Of the block in `rows()[entry]`, which belongs to that column.
  Slot slot_at(int entry, int column, bool transposed) const {
    const int first = m_column_start[column], count = m_column_start[column + 1] - first;
    return {9 * first + 3 * (entry - first), 3 * count, transposed};
  }

  // As it was asked for.
  Mat3 block(const Slot& slot) const;
  // Block rows with an entry at and below the diagonal, ascending, all columns one after the other; `column_start`: where each
  // begins, and the end of the last.
  std::span<const int> rows() const { return m_rows; }
  std::span<const int> column_start() const { return m_column_start; }

  int size() const { return static_cast<int>(m_lower.rows()); }
  void set_zero() { m_lower.coeffs().setZero(); }
  // All its numbers, as `lower().coeffs()` has them.
  void set(const Eigen::ArrayXd& numbers) { m_lower.coeffs() = numbers; }
  void add(const Slot& slot, const Mat3& m);
  void add(const Slot& slot, const Sym3& s);  // on the diagonal

  // Entries above the diagonal of a diagonal block are there too and mirror those below.
  const Sparse& lower() const { return m_lower; }
  // out = matrix v
  void multiply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const;
  Eigen::VectorXd times(const Eigen::VectorXd& v) const {
    Eigen::VectorXd out;
    multiply(v, out);
    return out;
  }

 private:
  // Where a block at or below the diagonal is in `rows()`. Most columns are short, and all begin with the diagonal.
  int entry(int row, int column) const {
    constexpr int short_column = 8;
    int at = m_column_start[column];
    const int end = m_column_start[column + 1];
    if (row == column) return at;
    if (end - at > short_column)
      return static_cast<int>(std::lower_bound(m_rows.begin() + at, m_rows.begin() + end, row) - m_rows.begin());
    while (m_rows[at] < row) ++at;
    return at;
  }

  std::vector<int> m_column_start, m_rows;
  Sparse m_lower;
};

}  // namespace writhe::linalg
