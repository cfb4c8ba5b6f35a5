// The global steps: the constant metric, solved; and what makes the next point of its results. Compiled for each instruction set;
// see math/pack.h. No containers, no allocation.
#include "linalg/anderson.h"
#include "math/retraction.h"
#include "solvers/pd/bundle_passes.h"

namespace writhe::pd {
namespace WRITHE_ISA {

namespace {

using linalg::anderson_columns;

// What a strand still lacks when it is solved on its own: the unknowns next to its ends, in the strands before and after.
struct Neighbours {
  PVec3 before{}, after{};
};

// Three tridiagonal systems, strand by strand: step = -T^-1 gradient with T the matrix without what couples one strand with
// another, by elimination along all strands at once. With that coupling,
//   step_t = y_t + before_t * (last of the strand before) + after_t * (first of the strand after),
// and the ends of all strands solve a small system, whose inverse is known (BundleArrays::seams).
Neighbours solve_strands(const BundleArrays& arrays, int gradient, int system, const Column& out, int step) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  PVec3 r = l.vec(gradient, 0);
  out.put(step, 0, r);
  for (int t = 1; t < a.tiles; ++t) {
    r = l.vec(gradient, t) - scale(l.vec(system + strand_factor, t - 1), r);
    out.put(step, t, r);
  }
  PVec3 y = scale(l.vec(system + strand_inverse, a.tiles - 1), r);
  out.put(step, a.tiles - 1, y);
  for (int t = a.tiles - 2; t >= 0; --t) {
    y = scale(l.vec(system + strand_inverse, t), out.vec(step, t)) - scale(l.vec(system + strand_factor, t), y);
    out.put(step, t, y);
  }
  Neighbours ends;
  if (a.several) return ends;
  constexpr int lanes = Pack::lanes;
  const double* seam = a.seams + (system == row_turn_system ? 1 : 0) * 3 * 4 * lanes * lanes;
  Pack* parts[3][2] = {{&ends.before.x, &ends.after.x}, {&ends.before.y, &ends.after.y}, {&ends.before.z, &ends.after.z}};
  for (int c = 0; c < 3; ++c) {
    const double *first_ends = out.at(step + c, 0), *last_ends = out.at(step + c, a.tiles - 1);
    for (int j = 0; j < 2 * lanes; ++j, seam += 2 * lanes) {
      const Pack end(j < lanes ? first_ends[j] : last_ends[j - lanes]);
      *parts[c][0] = *parts[c][0] + end * Pack::load(seam);
      *parts[c][1] = *parts[c][1] + end * Pack::load(seam + lanes);
    }
  }
  return ends;
}

WRITHE_FN PVec3 with_neighbours(const Rows& l, int t, int system, const PVec3& y, const Neighbours& ends) {
  return y + scale(l.vec(system + strand_before, t), ends.before) + scale(l.vec(system + strand_after, t), ends.after);
}

void move_nodes(const BundleArrays& arrays, int column, BundleSums& sums) {
  find_forces(arrays, sums);
  const BundleArrays a = arrays;
  if (a.refreshed) return;
  const Column out = column_of(a, column);
  const Neighbours ends = solve_strands(arrays, row_gradient_x, row_node_system, out, column_step);
  const Rows l{a.rows};
  for (int t = 0; t < a.tiles; ++t) {
    PVec3 step = out.vec(column_step, t);
    if (!a.several) {
      step = with_neighbours(l, t, row_node_system, step, ends);
      out.put(column_step, t, step);
    }
    const PVec3 x = l.vec(a.point + point_x, t) + step;
    l.put(a.point + point_x, t, x);
    out.put(int{column_point} + point_x, t, x);
  }
}

// Turns of the best point by the column's steps.
WRITHE_FN void put_turned(const Rows& l, const Column& out, int best, int t, const PVec3& step) {
  out.put(column_step + 3, t, step);
  out.put(int{column_point} + point_q, t, nearly_turned(l.quat(best + point_q, t), step));
}

void turn(const BundleArrays& arrays, int column, const BundleHistory& history) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  const Column out = column_of(a, column);
  const Pack size = get_lanes(history.turn_size);
  if (a.refreshed) {
    solve_coupled(arrays, out.start, size);
    for (int t = 0; t < a.tiles; ++t) {
      out.put(int{column_point} + point_x, t, l.vec(a.best + point_x, t) + out.vec(column_step, t));
      put_turned(l, out, a.best, t, out.vec(column_step + 3, t));
    }
    return;
  }
  const Neighbours ends = solve_strands(arrays, row_gradient_q, row_turn_system, out, column_step + 3);
  for (int t = 0; t < a.tiles; ++t) {
    PVec3 step = out.vec(column_step + 3, t);
    if (!a.several) step = with_neighbours(l, t, row_turn_system, step, ends);
    put_turned(l, out, a.best, t, size * step);
  }
}

void take(const BundleArrays& arrays, int column) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  const Column from = column_of(a, column);
  for (int t = 0; t < a.tiles; ++t)
    for (int r = 0; r < point_rows; ++r) l.put(a.point + r, t, from.scalar(column_point + r, t));
}

// The last columns, newest first.
template <int columns>
struct NewestFirst {
  int place[columns];
  Column column[columns];
  NewestFirst(const BundleArrays& a, int newest) {
    for (int j = 0; j < columns; ++j) {
      place[j] = (newest + anderson_columns - j) % anderson_columns;
      column[j] = column_of(a, place[j]);
    }
  }
};

// The products of the newest residual with all of them, in the norm of the metric P: F_i . P F_j = -F_i . gradient_j.
template <int columns>
WRITHE_FN void add_products(const BundleArrays& a, const NewestFirst<columns>& order, BundleHistory& history) {
  const Rows l{a.rows};
  Pack products[columns];
  for (int t = 0; t < a.tiles; ++t)
    for (int r = 0; r < 6; ++r) {
      const Pack gradient = l.scalar(row_gradient_x + r, t);
      for (int j = 0; j < columns; ++j) products[j] = products[j] - gradient * order.column[j].scalar(column_step + r, t);
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
WRITHE_FN void find_weights(const NewestFirst<columns>& order, const BundleHistory& history, Pack (&weights)[columns]) {
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
  const NewestFirst<columns> order(a, newest);
  add_products(a, order, history);
  Pack weights[columns];
  find_weights(order, history, weights);
  const Rows l{a.rows};
  for (int t = 0; t < a.tiles; ++t) {
    // From the newest, so that what is the same in all of them, as prescribed places are, stays the same.
    const auto mixed = [&](int r) {
      const Pack own = order.column[0].scalar(column_point + r, t);
      Pack v = own;
      for (int j = 1; j < columns; ++j) v = v + weights[j] * (order.column[j].scalar(column_point + r, t) - own);
      return v;
    };
    for (int r = 0; r < point_q; ++r) l.put(a.point + r, t, mixed(r));
    const Pack q[4] = {mixed(point_q), mixed(point_q + 1), mixed(point_q + 2), mixed(point_q + 3)};
    const Pack scale = Pack(1.0) / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int r = 0; r < 4; ++r) l.put(a.point + point_q + r, t, scale * q[r]);
  }
  put_lanes(history.mixed, Pack(1.0));
}

template <int columns = anderson_columns>
void mix_filled(const BundleArrays& a, int newest, BundleHistory& history) {
  if constexpr (columns == 1) {
    take(a, newest);
    add_products(a, NewestFirst<1>(a, newest), history);
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
  const Rows l{a.rows};
  const Column result = column_of(a, column);
  const Pack rise = get_lanes(merit) - get_lanes(limit);
  const Pack mixed = a.refreshed ? Pack(0.0) : get_lanes(history.mixed);
  for (int t = 0; t < a.tiles; ++t)
    for (int r = 0; r < point_rows; ++r) {
      const Pack now = l.scalar(a.point + r, t), before = l.scalar(a.best + r, t);
      l.put(a.point + r, t, choose(rise, choose(mixed, result.scalar(column_point + r, t), before), now));
      l.put(a.best + r, t, choose(rise, before, now));
    }
  const Pack zero(0.0), size = get_lanes(history.turn_size);
  put_lanes(history.turn_size, choose(rise, choose(mixed, size, Pack(0.5) * size), size));
  for (int j = 0; j < anderson_columns; ++j) put_lanes(history.valid[j], choose(rise, zero, get_lanes(history.valid[j])));
  put_lanes(history.mixed, choose(rise, zero, get_lanes(history.mixed)));
}

}  // namespace

extern const BundleKernel kernel;
const BundleKernel kernel = {HWY_STR(WRITHE_ISA), Pack::lanes, predict, refresh, move_nodes, find_moments, turn, take, mix,
                             fall_back,           inspect};

}  // namespace WRITHE_ISA
}  // namespace writhe::pd
