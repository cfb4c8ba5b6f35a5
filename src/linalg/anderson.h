// The small problem of Anderson's acceleration, for a number or a register of numbers.
//
// Of a fixed-point iteration y -> G(y) the last iterates' results G_j and residuals F_j = G_j - y_j are kept. The next iterate is
// sum a_j G_j with the weights, of sum 1, for which sum a_j F_j is shortest (Walker and Ni 2011, "Anderson acceleration for
// fixed-point iterations"). All that is needed of the F_j are their products with each other, in whatever norm.
#pragma once

#include "math/choose.h"
#include "writhe/vec.h"

namespace writhe::linalg {

inline constexpr int anderson_window = 5;                     // iterates before the newest
inline constexpr int anderson_columns = anderson_window + 1;  // that are kept

// weights[0 ... columns) from products[i][j] = F_i . F_j and valid[j], 1 or 0: whether the column takes part. The newest always
// does.
//
// With the differences d_j = F_j - F_newest the problem is without constraint: minimise |F_newest + sum g_j d_j|. It is solved by
// elimination, newest differences first; one that hardly differs from those before it is left out, because its weight would be
// rounding errors.
template <class T>
WRITHE_FN void anderson_weights(const T (&products)[anderson_columns][anderson_columns], const T (&valid)[anderson_columns],
                                int newest, T (&weights)[anderson_columns]) {
  constexpr int n = anderson_window;
  constexpr double negligible = 1e-10;  // of |d_j|^2
  T A[n][n], b[n], inverse[n];
  int column[n];
  for (int i = 0; i < n; ++i) column[i] = (newest + anderson_columns - 1 - i) % anderson_columns;
  const T& own = products[newest][newest];
  for (int i = 0; i < n; ++i) {
    const int ci = column[i];
    for (int j = 0; j <= i; ++j) {
      const int cj = column[j];
      const T product = products[ci][cj] - products[ci][newest] - products[cj][newest] + own;
      A[i][j] = choose(valid[ci] * valid[cj], product, T(0.0));
    }
    b[i] = choose(valid[ci], own - products[ci][newest], T(0.0));
  }
  for (int k = 0; k < n; ++k) {
    T pivot = A[k][k];
    for (int j = 0; j < k; ++j) pivot = pivot - A[k][j] * A[k][j] * inverse[j];
    inverse[k] = choose(pivot - T(negligible) * A[k][k], T(1.0) / choose(pivot, pivot, T(1.0)), T(0.0));
    for (int i = k + 1; i < n; ++i)
      for (int j = 0; j < k; ++j) A[i][k] = A[i][k] - A[i][j] * A[k][j] * inverse[j];
    for (int j = 0; j < k; ++j) b[k] = b[k] - A[k][j] * inverse[j] * b[j];
  }
  T sum(0.0);
  for (int k = n - 1; k >= 0; --k) {
    T g = b[k] * inverse[k];
    for (int i = k + 1; i < n; ++i) g = g - A[i][k] * inverse[k] * weights[column[i]];
    weights[column[k]] = g;
    sum = sum + g;
  }
  weights[newest] = T(1.0) - sum;
}

}  // namespace writhe::linalg
