// The global steps: the constant metric, solved; and what makes the next point of its results. Compiled for each instruction set;
// see math/pack.h. No containers, no allocation.
#include "linalg/anderson.h"
#include "math/retraction.h"
#include "solvers/pd/bundle_passes.h"

namespace writhe::pd {
namespace WRITHE_ISA {

namespace {

using linalg::anderson_columns;

struct Triple {
  double x, y, z;
};

// Three tridiagonal systems of `count` unknowns, factored towards the middle from both ends: step = -P^-1 gradient.
// Of several chains the middle is the last index.
void solve_one(const BundleArrays& arrays, int count, int gradient, int inverse, int factor, double* step) {
  const BundleArrays a = arrays;
  const double *gx = a.row(gradient), *gy = a.row(gradient + 1), *gz = a.row(gradient + 2);
  const double *ix = a.row(inverse), *iy = a.row(inverse + 1), *iz = a.row(inverse + 2);
  const double *fx = a.row(factor), *fy = a.row(factor + 1), *fz = a.row(factor + 2);
  double *sx = step, *sy = step + a.stride, *sz = step + 2L * a.stride;
  const int middle = count / 2;
  const auto at = [&](int i) { return Triple{gx[i], gy[i], gz[i]}; };
  const auto put = [&](int i, const Triple& t) { sx[i] = t.x, sy[i] = t.y, sz[i] = t.z; };
  const auto eliminate = [&](const Triple& next, int i, const Triple& t) {
    return Triple{next.x - fx[i] * t.x, next.y - fy[i] * t.y, next.z - fz[i] * t.z};
  };
  Triple near = at(0), far = at(count - 1);
  int i = 0, j = count - 1;
  for (; i + 1 < middle && j - 1 > middle; ++i, --j) {
    put(i, near);
    put(j, far);
    near = eliminate(at(i + 1), i, near);
    far = eliminate(at(j - 1), j, far);
  }
  for (; i < middle; ++i) {
    put(i, near);
    near = eliminate(at(i + 1), i, near);
  }
  if (middle == 0) near = at(0);
  Triple both = near;  // at the middle, from the near side
  for (; j > middle; --j) {
    put(j, far);
    if (j - 1 == middle)
      both = eliminate(both, j, far);
    else
      far = eliminate(at(j - 1), j, far);
  }
  const auto back = [&](int k, const Triple& t) {
    return Triple{sx[k] * ix[k] - fx[k] * t.x, sy[k] * iy[k] - fy[k] * t.y, sz[k] * iz[k] - fz[k] * t.z};
  };
  put(middle, {both.x * ix[middle], both.y * iy[middle], both.z * iz[middle]});
  near = far = {sx[middle], sy[middle], sz[middle]};
  i = middle - 1;
  j = middle + 1;
  for (; i >= 0 && j < count; --i, ++j) {
    near = back(i, near);
    far = back(j, far);
    put(i, near);
    put(j, far);
  }
  for (; i >= 0; --i) put(i, near = back(i, near));
  for (; j < count; ++j) put(j, far = back(j, far));
}

void solve_several(const BundleArrays& arrays, int count, int gradient, int inverse, int factor, double* step) {
  const BundleArrays a = arrays;
  const Rows l{a};
  const auto put = [&](int p, const PVec3& v) {
    v.x.store(step + p);
    v.y.store(step + a.stride + p);
    v.z.store(step + 2L * a.stride + p);
  };
  const auto get = [&](int p) {
    return PVec3{Pack::load(step + p), Pack::load(step + a.stride + p), Pack::load(step + 2L * a.stride + p)};
  };
  PVec3 r = l.vec(gradient, 0);
  put(0, r);
  for (int i = 1, p = a.shift; i < count; ++i, p += a.shift) {
    r = l.vec(gradient, p) - scale(l.vec(factor, p - a.shift), r);
    put(p, r);
  }
  const int last = (count - 1) * a.shift;
  r = scale(l.vec(inverse, last), r);
  put(last, r);
  for (int p = last - a.shift; p >= 0; p -= a.shift) {
    r = scale(l.vec(inverse, p), get(p)) - scale(l.vec(factor, p), r);
    put(p, r);
  }
}

void solve(const BundleArrays& a, int count, int gradient, int inverse, int factor, double* step) {
  (a.several() ? solve_several : solve_one)(a, count, gradient, inverse, factor, step);
}

void move_nodes(const BundleArrays& arrays, int column, BundleSums& sums) {
  find_forces(arrays, sums);
  const BundleArrays a = arrays;
  if (a.refreshed) return;
  solve(arrays, a.segments + 1, row_gradient_x, row_node_inverse, row_node_factor, a.column(column, column_step));
  for (int c = 0; c < 3; ++c) {
    double *x = a.row(a.point + point_x + c), *result = a.column(column, int{column_point} + point_x + c);
    const double* step = a.column(column, column_step + c);
    for (int p = 0; p < a.padded; p += Pack::lanes) {
      const Pack next = Pack::load(x + p) + Pack::load(step + p);
      next.store(x + p);
      next.store(result + p);
    }
  }
}

void turn(const BundleArrays& arrays, int column, const BundleHistory& history) {
  const BundleArrays a = arrays;
  const Rows l{a};
  double* step = a.column(column, column_step + 3);
  const Pack size = get_lanes(history.turn_size);
  if (a.refreshed) {
    solve_coupled(arrays, a.column(column, column_step), size);
    for (int c = 0; c < 3; ++c)
      for (int p = 0; p < a.padded; p += Pack::lanes)
        (l.scalar(a.best + point_x + c, p) + Pack::load(a.column(column, column_step + c) + p))
            .store(a.column(column, int{column_point} + point_x + c) + p);
  } else {
    solve(arrays, a.segments, row_gradient_q, row_turn_inverse, row_turn_factor, step);
  }
  const Pack turn_size = a.refreshed ? Pack(1.0) : size;
  for (int p = 0; p < a.padded; p += Pack::lanes) {
    PVec3 t;
    Pack* parts[3] = {&t.x, &t.y, &t.z};
    for (int c = 0; c < 3; ++c) {
      double* s = step + static_cast<long>(c) * a.stride + p;
      *parts[c] = turn_size * Pack::load(s);
      parts[c]->store(s);
    }
    const PQuat q = nearly_turned(l.quat(a.best + point_q, p), t);
    const Pack result[4] = {q.w, q.x, q.y, q.z};
    for (int c = 0; c < 4; ++c) result[c].store(a.column(column, int{column_point} + point_q + c) + p);
  }
}

void take(const BundleArrays& arrays, int column) {
  const BundleArrays a = arrays;
  for (int r = 0; r < point_rows; ++r)
    for (int p = 0; p < a.padded; p += Pack::lanes)
      Pack::load(a.column(column, column_point + r) + p).store(a.row(a.point + r) + p);
}

// Places in the history, newest first.
template <int columns>
struct NewestFirst {
  int place[columns];
  explicit NewestFirst(int newest) {
    for (int j = 0; j < columns; ++j) place[j] = (newest + anderson_columns - j) % anderson_columns;
  }
};

// The products of the newest residual with all of them, in the norm of the metric P: F_i . P F_j = -F_i . gradient_j.
template <int columns>
void add_products(const BundleArrays& arrays, const NewestFirst<columns>& order, BundleHistory& history) {
  const BundleArrays a = arrays;
  Pack products[columns];
  for (int r = 0; r < 6; ++r) {
    const double *g = a.row(row_gradient_x + r), *f[columns];
    for (int j = 0; j < columns; ++j) f[j] = a.column(order.place[j], column_step + r);
    for (int p = 0; p < a.padded; p += Pack::lanes) {
      const Pack gradient = Pack::load(g + p);
      for (int j = 0; j < columns; ++j) products[j] = products[j] - gradient * Pack::load(f[j] + p);
    }
  }
  const int newest = order.place[0];
  for (int j = 0; j < columns; ++j) {
    const Pack product = total(a, products[j]);
    put_lanes(history.products[newest][order.place[j]], product);
    put_lanes(history.products[order.place[j]][newest], product);
  }
  put_lanes(history.valid[newest], Pack(1.0));
}

template <int columns>
void find_weights(const NewestFirst<columns>& order, const BundleHistory& history, Pack (&weights)[columns]) {
  Pack products[columns][columns], valid[columns];
  for (int i = 0; i < columns; ++i) {
    valid[i] = get_lanes(history.valid[order.place[i]]);
    for (int j = 0; j <= i; ++j) products[i][j] = get_lanes(history.products[order.place[i]][order.place[j]]);
  }
  linalg::anderson_weights(products, valid, weights);
}

template <int columns>
void mix_columns(const BundleArrays& arrays, int newest, BundleHistory& history) {
  const BundleArrays a = arrays;
  const NewestFirst<columns> order(newest);
  add_products(arrays, order, history);
  Pack weights[columns];
  find_weights(order, history, weights);
  const double* result[columns];
  for (int j = 0; j < columns; ++j) result[j] = a.column(order.place[j], column_point);
  double* to = a.row(a.point);
  for (int p = 0; p < a.padded; p += Pack::lanes) {
    // From the newest, so that what is the same in all of them, as prescribed places are, stays the same.
    const auto mixed = [&](int r) {
      const long at = static_cast<long>(r) * a.stride + p;
      const Pack own = Pack::load(result[0] + at);
      Pack v = own;
      for (int j = 1; j < columns; ++j) v = v + weights[j] * (Pack::load(result[j] + at) - own);
      return v;
    };
    for (int r = 0; r < point_q; ++r) mixed(r).store(to + static_cast<long>(r) * a.stride + p);
    const Pack q[4] = {mixed(point_q), mixed(point_q + 1), mixed(point_q + 2), mixed(point_q + 3)};
    const Pack scale = Pack(1.0) / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int r = 0; r < 4; ++r) (scale * q[r]).store(to + static_cast<long>(point_q + r) * a.stride + p);
  }
  put_lanes(history.mixed, Pack(1.0));
}

template <int columns = anderson_columns>
void mix_filled(const BundleArrays& a, int newest, BundleHistory& history) {
  if constexpr (columns == 1) {
    take(a, newest);
    add_products(a, NewestFirst<1>(newest), history);
  } else {
    if (history.filled == columns)
      mix_columns<columns>(a, newest, history);
    else
      mix_filled<columns - 1>(a, newest, history);
  }
}

void mix(const BundleArrays& a, int column, BundleHistory& history) {
  if (history.filled < anderson_columns) ++history.filled;
  mix_filled(a, column, history);
}

void fall_back(const BundleArrays& a, int column, const double* merit, const double* limit, BundleHistory& history) {
  const Pack rise = get_lanes(merit) - get_lanes(limit);
  const Pack mixed = a.refreshed ? Pack(0.0) : get_lanes(history.mixed);
  for (int r = 0; r < point_rows; ++r) {
    double *point = a.row(a.point + r), *best = a.row(a.best + r);
    const double* result = a.column(column, column_point + r);
    for (int p = 0; p < a.padded; p += Pack::lanes) {
      const Pack now = Pack::load(point + p), before = Pack::load(best + p);
      choose(rise, choose(mixed, Pack::load(result + p), before), now).store(point + p);
      choose(rise, before, now).store(best + p);
    }
  }
  const Pack zero(0.0), size = get_lanes(history.turn_size);
  put_lanes(history.turn_size, choose(rise, choose(mixed, size, Pack(0.5) * size), size));
  for (int j = 0; j < anderson_columns; ++j) put_lanes(history.valid[j], choose(rise, zero, get_lanes(history.valid[j])));
  put_lanes(history.mixed, choose(rise, zero, get_lanes(history.mixed)));
}

}  // namespace

extern const BundleKernel kernel;
const BundleKernel kernel = {HWY_STR(WRITHE_ISA), Pack::lanes, refresh, move_nodes, find_moments, turn, take, mix,
                             fall_back,           inspect};

}  // namespace WRITHE_ISA
}  // namespace writhe::pd
