// L D L^T of a symmetric matrix of 3x3 blocks that need not be positive definite, with the signs of D. Symbolic work is done once
// a pattern; then nothing is allocated.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "linalg/block_matrix.h"
#include "writhe/vec.h"

namespace writhe::linalg {

// Blocks that are eliminated first, in runs that no entry joins; what is left comes after them.
struct Runs {
  std::vector<int> blocks;  // in this order
  std::vector<int> run_of;  // per block of the matrix; -1: it is of none
  int count = 0;
};

// By Sylvester's law D has as many negative numbers as the matrix negative eigenvalues. Elimination goes by single numbers within
// the blocks as well. So factors and solutions are exact for a matrix that differs by a few n epsilon |L||D||L^T| (Higham,
// "Accuracy and stability of numerical algorithms", 2002, theorems 9.3 and 9.4). Of a positive definite matrix that is at most n
// times the norm of the matrix itself (there, 10.3), however different the stiffnesses in it. Why not inverses of pivot blocks,
// to multiply by: with a spring k on a stiffness m they err by epsilon k^2/m in the next pivot, not epsilon k, and a
// definite matrix looked indefinite from k/m = 5e9 on.
//
// Of an indefinite matrix |L||D||L^T| has no bound: pivots are taken in an order that keeps the factor sparse, not one that keeps
// it accurate. One that cancels to rounding level spoils the solution and, for eigenvalues below the error it makes, the signs;
// neither is noticed here. Whoever solves judges the point that the solution leads to.
//
// The order is Eigen's (approximate minimum degree), of blocks, or of those that given runs leave over; the elimination that of
// Davis, "Algorithm 849: a concise sparse Cholesky factorization package", 2005: row by row, each from those before it. Why not
// Eigen's SimplicialLDLT: it goes by single numbers, of which there are nine times as many to find the order of, permutes the
// matrix into new memory and looks for the pattern of every row again in each factorisation.
class SignedFactor {
 public:
  SignedFactor() = default;  // of nothing, until renew
  explicit SignedFactor(const BlockMatrix& pattern) { renew(pattern); }
  // For another pattern: order of elimination and shape of the factors depend on what is given here alone. Runs, where they are
  // known, save most of the search for an order.
  void renew(const BlockMatrix& pattern, const Runs* runs = nullptr);

  // Of matrix + shift * metric on the unknowns that are free (1; held: 0): held rows and columns are those of the identity.
  // False when a pivot is zero, less than 1/largest double, or not finite.
  bool factorise(const BlockMatrix& matrix, const Eigen::VectorXd& free, double shift = 0, const Eigen::VectorXd& metric = {});
  int negative() const { return m_negative; }  // -1: there are no factors, the last attempt failed
  // Held unknowns of the result are zero. `out` may be `right` itself.
  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& out) const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;

 private:
  // A block of the upper triangle of the matrix in the order of elimination.
  struct Entry {
    int row;
    BlockMatrix::Slot source;
    int at_row, at_column;  // its unknowns in the matrix as it is given, in blocks
  };
  // A block of L in one of its rows.
  struct RowEntry {
    int column;
    int at;  // in m_lower
  };
  // A diagonal block of L, a unit lower triangle, with the pivots of its three unknowns.
  struct Pivot {
    double l10, l20, l21;
    Vec3 reciprocal;
    bool set(const Mat3& m, int& negative);  // adds those that are; false: as for factorise
    template <class T>                       // a number, or a row of a block
    void forward(const T& x, T& y, T& z) const;
    void backward(Vec3& v) const;
  };
  void order(const BlockMatrix& pattern);
  void order_after(const Runs& runs, const BlockMatrix& pattern);
  void find_entries(const BlockMatrix& pattern);
  void find_rows();

  int m_blocks = 0;
  std::vector<int> m_place;                      // per block: where it comes in the order of elimination
  std::vector<int> m_column_start, m_row_start;  // per block in that order: into m_entries, m_rows
  std::vector<Entry> m_entries;                  // column by column
  std::vector<RowEntry> m_rows;                  // row by row, in the order in which they are eliminated
  std::vector<int> m_lower_start, m_lower_row;   // L without its diagonal, column by column, rows ascending
  std::vector<Mat3> m_lower;
  std::vector<Pivot> m_pivots;
  std::vector<Mat3> m_work;             // a row on its way; zero between factorisations
  mutable std::vector<Vec3> m_ordered;  // a right-hand side
  Eigen::VectorXd m_free;
  int m_negative = -1;
};

}  // namespace writhe::linalg
