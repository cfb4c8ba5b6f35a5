#include "linalg/signed_factor.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace writhe::linalg {

namespace {

Mat3 minus(const Mat3& a, const Mat3& b) { return {a.r0 - b.r0, a.r1 - b.r1, a.r2 - b.r2}; }
Mat3 plus(const Mat3& a, const Mat3& b) { return {a.r0 + b.r0, a.r1 + b.r1, a.r2 + b.r2}; }
Vec3 times_transposed(const Mat3& m, const Vec3& v) { return v.x * m.r0 + v.y * m.r1 + v.z * m.r2; }
// a b^T
Mat3 outer(const Mat3& a, const Mat3& b) {
  return {{dot(a.r0, b.r0), dot(a.r0, b.r1), dot(a.r0, b.r2)},
          {dot(a.r1, b.r0), dot(a.r1, b.r1), dot(a.r1, b.r2)},
          {dot(a.r2, b.r0), dot(a.r2, b.r1), dot(a.r2, b.r2)}};
}

// Rows and columns that are held (0) out.
Mat3 only_free(const Mat3& m, const Vec3& rows, const Vec3& columns) {
  return {rows.x * scale(m.r0, columns), rows.y * scale(m.r1, columns), rows.z * scale(m.r2, columns)};
}

Vec3 free_of(const Eigen::VectorXd& free, int block) { return {free[3 * block], free[3 * block + 1], free[3 * block + 2]}; }

// Which comes where, of a graph given as the lower triangle of a matrix, column by column.
Eigen::AMDOrdering<int>::PermutationType least_degree(std::span<const int> column_start, std::span<const int> rows) {
  const std::vector<double> ones(rows.size(), 1);  // Eigen's graphs are matrices
  const auto size = static_cast<Eigen::Index>(column_start.size()) - 1;
  const Eigen::Map<const Eigen::SparseMatrix<double>> graph(size, size, static_cast<Eigen::Index>(ones.size()),
                                                            column_start.data(), rows.data(), ones.data());
  Eigen::AMDOrdering<int>::PermutationType order_of;
  Eigen::AMDOrdering<int>()(graph.selfadjointView<Eigen::Lower>(), order_of);
  return order_of;
}

void sort_unique(std::vector<std::pair<int, int>>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace

// Reciprocals, to divide once a pivot and not once an entry: w (1/d) errs by one rounding more than w / d does, of its own size.
// That of an infinite pivot is zero.
bool SignedFactor::Pivot::set(const Mat3& m, int& negative) {
  reciprocal.x = 1 / m.r0.x;
  l10 = m.r1.x * reciprocal.x;
  l20 = m.r2.x * reciprocal.x;
  const double d1 = m.r1.y - l10 * m.r1.x, w21 = m.r2.y - l20 * m.r1.x;
  reciprocal.y = 1 / d1;
  l21 = w21 * reciprocal.y;
  reciprocal.z = 1 / (m.r2.z - l20 * m.r2.x - l21 * w21);
  for (const double r : {reciprocal.x, reciprocal.y, reciprocal.z}) {
    if (r == 0 || !std::isfinite(r)) return false;
    negative += r < 0 ? 1 : 0;
  }
  return true;
}

template <class T>
void SignedFactor::Pivot::forward(const T& x, T& y, T& z) const {
  y = y - l10 * x;
  z = z - l20 * x - l21 * y;
}

void SignedFactor::Pivot::backward(Vec3& v) const {
  v.y -= l21 * v.z;
  v.x = v.x - l20 * v.z - l10 * v.y;
}

void SignedFactor::renew(const BlockMatrix& pattern, const Runs* runs) {
  m_blocks = pattern.size() / 3;
  m_negative = -1;
  m_place.resize(static_cast<std::size_t>(m_blocks));
  if (runs)
    order_after(*runs, pattern);
  else
    order(pattern);
  find_entries(pattern);
  find_rows();
  const auto blocks = static_cast<std::size_t>(m_blocks);
  m_pivots.resize(blocks);
  m_work.assign(blocks, {});
  m_ordered.resize(blocks);
}

void SignedFactor::order(const BlockMatrix& pattern) {
  const auto order_of = least_degree(pattern.column_start(), pattern.rows());
  for (int k = 0; k < m_blocks; ++k) m_place[order_of.indices()[k]] = k;
}

// Once a run is eliminated, all that it had entries with have entries with each other.
void SignedFactor::order_after(const Runs& runs, const BlockMatrix& pattern) {
  for (std::size_t k = 0; k < runs.blocks.size(); ++k) m_place[runs.blocks[k]] = static_cast<int>(k);
  std::vector<int> left, number(static_cast<std::size_t>(m_blocks), -1);
  for (int b = 0; b < m_blocks; ++b) {
    if (runs.run_of[b] >= 0) continue;
    number[b] = static_cast<int>(left.size());
    left.push_back(b);
  }
  std::vector<std::pair<int, int>> beside, pairs;  // run and what is left over; column and row
  for (int column = 0; column < m_blocks; ++column)
    for (int entry = pattern.column_start()[column]; entry < pattern.column_start()[column + 1]; ++entry) {
      const int a = number[column], b = number[pattern.rows()[entry]];
      if (a >= 0 && b >= 0) pairs.emplace_back(a, b);  // numbers ascend as blocks do
      if ((a >= 0) != (b >= 0)) beside.emplace_back(runs.run_of[a >= 0 ? pattern.rows()[entry] : column], std::max(a, b));
    }
  sort_unique(beside);
  for (std::size_t i = 0; i < beside.size(); ++i)
    for (std::size_t j = i + 1; j < beside.size() && beside[j].first == beside[i].first; ++j)
      pairs.emplace_back(beside[i].second, beside[j].second);
  sort_unique(pairs);
  std::vector<int> column_start(left.size() + 1, 0), rows;
  for (const auto& [column, row] : pairs) {
    ++column_start[column + 1];
    rows.push_back(row);
  }
  for (std::size_t k = 0; k < left.size(); ++k) column_start[k + 1] += column_start[k];
  const auto order_of = least_degree(column_start, rows);
  for (std::size_t k = 0; k < left.size(); ++k)
    m_place[left[order_of.indices()[static_cast<Eigen::Index>(k)]]] = static_cast<int>(runs.blocks.size() + k);
}

// Columns of the upper triangle in the order of elimination, each in the order of the rows as they were numbered.
void SignedFactor::find_entries(const BlockMatrix& pattern) {
  const std::span<const int> starts = pattern.column_start(), rows = pattern.rows();
  const auto for_each = [&](const auto& work) {
    for (int column = 0; column < m_blocks; ++column)
      for (int entry = starts[column]; entry < starts[column + 1]; ++entry) work(entry, rows[entry], column);
  };
  m_column_start.assign(static_cast<std::size_t>(m_blocks) + 1, 0);
  for_each([&](int, int row, int column) { ++m_column_start[std::max(m_place[row], m_place[column]) + 1]; });
  for (int k = 0; k < m_blocks; ++k) m_column_start[k + 1] += m_column_start[k];
  m_entries.resize(rows.size());
  std::vector<int> next(m_column_start.begin(), m_column_start.end() - 1);
  for_each([&](int entry, int row, int column) {
    const bool swapped = m_place[row] > m_place[column];
    const int upper_row = swapped ? column : row, upper_column = swapped ? row : column;
    m_entries[next[m_place[upper_column]]++] = {m_place[upper_row], pattern.slot_at(entry, column, swapped), upper_row,
                                                upper_column};
  });
}

// Row k of L has an entry wherever the paths from the entries of column k of the matrix, up the tree of elimination, pass.
void SignedFactor::find_rows() {
  const auto blocks = static_cast<std::size_t>(m_blocks);
  std::vector<int> parent(blocks, -1), seen(blocks, -1), path(blocks), row(blocks), count(blocks, 0);
  m_rows.clear();
  m_row_start.assign(1, 0);
  for (int k = 0; k < m_blocks; ++k) {
    int top = m_blocks;
    seen[k] = k;
    for (int e = m_column_start[k]; e < m_column_start[k + 1]; ++e) {
      int length = 0;
      for (int i = m_entries[e].row; i < k && seen[i] != k; i = parent[i]) {
        if (parent[i] < 0) parent[i] = k;
        path[length++] = i;
        seen[i] = k;
      }
      while (length > 0) row[--top] = path[--length];
    }
    for (; top < m_blocks; ++top) m_rows.push_back({row[top], count[row[top]]++});
    m_row_start.push_back(static_cast<int>(m_rows.size()));
  }
  m_lower_start.assign(1, 0);
  for (const int entries : count) m_lower_start.push_back(m_lower_start.back() + entries);
  m_lower_row.resize(m_rows.size());
  m_lower.resize(m_rows.size());
  for (int k = 0; k < m_blocks; ++k)
    for (int r = m_row_start[k]; r < m_row_start[k + 1]; ++r) {
      m_rows[r].at += m_lower_start[m_rows[r].column];
      m_lower_row[m_rows[r].at] = k;
    }
}

bool SignedFactor::factorise(const BlockMatrix& matrix, const Eigen::VectorXd& free, double shift,
                             const Eigen::VectorXd& metric) {
  m_free = free;
  m_negative = -1;
  int negative = 0;
  Mat3* const y = m_work.data();  // per column: transposed, what is left of row k there
  for (int k = 0; k < m_blocks; ++k) {
    Mat3 pivot{};
    for (int e = m_column_start[k]; e < m_column_start[k + 1]; ++e) {
      const Entry& entry = m_entries[e];
      const Mat3 own = only_free(matrix.block(entry.source), free_of(free, entry.at_row), free_of(free, entry.at_column));
      if (entry.row < k) {
        y[entry.row] = plus(y[entry.row], own);
        continue;
      }
      const Vec3 f = free_of(free, entry.at_row), held = Vec3{1, 1, 1} - f;
      const Vec3 shifted = shift != 0 ? shift * scale(free_of(metric, entry.at_row), f) : Vec3{};
      pivot = plus(own, {{shifted.x + held.x, 0, 0}, {0, shifted.y + held.y, 0}, {0, 0, shifted.z + held.z}});
    }
    for (int r = m_row_start[k]; r < m_row_start[k + 1]; ++r) {
      const auto [i, at] = m_rows[r];
      Mat3 above = y[i];
      y[i] = {};
      m_pivots[i].forward(above.r0, above.r1, above.r2);
      const Mat3 left = transpose(above);  // row k of L D
      const Vec3 by = m_pivots[i].reciprocal;
      const Mat3 l{scale(left.r0, by), scale(left.r1, by), scale(left.r2, by)};
      for (int p = m_lower_start[i]; p < at; ++p) y[m_lower_row[p]] = minus(y[m_lower_row[p]], outer(m_lower[p], left));
      pivot = minus(pivot, outer(l, left));
      m_lower[at] = l;
    }
    if (m_pivots[k].set(pivot, negative)) continue;
    std::fill(m_work.begin(), m_work.end(), Mat3{});
    return false;
  }
  m_negative = negative;
  return true;
}

void SignedFactor::solve(const Eigen::VectorXd& right, Eigen::VectorXd& out) const {
  Vec3* const x = m_ordered.data();
  for (int b = 0; b < m_blocks; ++b) x[m_place[b]] = scale(free_of(right, b), free_of(m_free, b));
  for (int i = 0; i < m_blocks; ++i) {
    Vec3 xi = x[i];
    m_pivots[i].forward(xi.x, xi.y, xi.z);
    x[i] = xi;
    for (int p = m_lower_start[i]; p < m_lower_start[i + 1]; ++p) x[m_lower_row[p]] = x[m_lower_row[p]] - m_lower[p] * xi;
  }
  for (int i = m_blocks - 1; i >= 0; --i) {
    Vec3 xi = scale(m_pivots[i].reciprocal, x[i]);
    for (int p = m_lower_start[i]; p < m_lower_start[i + 1]; ++p) xi = xi - times_transposed(m_lower[p], x[m_lower_row[p]]);
    m_pivots[i].backward(xi);
    x[i] = xi;
  }
  out.resize(static_cast<Eigen::Index>(3) * m_blocks);
  for (int b = 0; b < m_blocks; ++b) {
    const Vec3 value = scale(x[m_place[b]], free_of(m_free, b));
    out[3 * b] = value.x;
    out[3 * b + 1] = value.y;
    out[3 * b + 2] = value.z;
  }
}

Eigen::VectorXd SignedFactor::solve(const Eigen::VectorXd& right) const {
  Eigen::VectorXd out;
  solve(right, out);
  return out;
}

}  // namespace writhe::linalg
