// The small problem of Anderson's acceleration, for a number or a register of numbers.
//
// Of a fixed-point iteration y -> G(y) the last iterates' results G_j and residuals F_j = G_j - y_j are kept. The next iterate is
// sum a_j G_j with the weights, of sum 1, for which sum a_j F_j is shortest (Walker and Ni 2011, "Anderson acceleration for
// fixed-point iterations"). All that is needed of the F_j are their products with each other, in whatever norm.
#pragma once

#include "math/choose.h"
#include "math/unroll.h"
#include "writhe/vec.h"

namespace writhe::linalg {

inline constexpr int anderson_window = 3;                     // iterates before the newest
inline constexpr int anderson_columns = anderson_window + 1;  // that are kept

// weights from products[i][j] = F_i . F_j, of which i >= j are read, newest first, and valid[j], 1 or 0: whether the column takes
// part. The newest always does.
//
// With the differences d_j = F_j - F_0 the problem is without constraint: minimise |F_0 + sum g_j d_j|. It is solved by
// elimination, newest differences first; one that hardly differs from those before it is left out, because its weight would be
// rounding errors.
template <int columns, class T>
WRITHE_FN void anderson_weights(const T (&products)[columns][columns], const T (&valid)[columns], T (&weights)[columns]) {
  constexpr double negligible = 1e-10;  // of |d_j|^2
  T A[columns][columns], b[columns], inverse[columns];
  const T& own = products[0][0];
  WRITHE_UNROLL
  for (int i = 1; i < columns; ++i) {
    WRITHE_UNROLL
    for (int j = 1; j <= i; ++j)
      A[i][j] = choose(valid[i] * valid[j], products[i][j] - products[i][0] - products[j][0] + own, T(0.0));
    b[i] = choose(valid[i], own - products[i][0], T(0.0));
  }
  WRITHE_UNROLL
  for (int k = 1; k < columns; ++k) {
    T pivot = A[k][k];
    WRITHE_UNROLL
    for (int j = 1; j < k; ++j) pivot = pivot - A[k][j] * A[k][j] * inverse[j];
    inverse[k] = choose(pivot - T(negligible) * A[k][k], T(1.0) / pivot, T(0.0));
    WRITHE_UNROLL
    for (int i = k + 1; i < columns; ++i) WRITHE_UNROLL
    for (int j = 1; j < k; ++j) A[i][k] = A[i][k] - A[i][j] * A[k][j] * inverse[j];
    WRITHE_UNROLL
    for (int j = 1; j < k; ++j) b[k] = b[k] - A[k][j] * inverse[j] * b[j];
  }
  weights[0] = T(1.0);
  WRITHE_UNROLL
  for (int k = columns - 1; k > 0; --k) {
    T g = b[k] * inverse[k];
    WRITHE_UNROLL
    for (int i = k + 1; i < columns; ++i) g = g - A[i][k] * inverse[k] * weights[i];
    weights[k] = g;
    weights[0] = weights[0] - g;
  }
}

}  // namespace writhe::linalg
