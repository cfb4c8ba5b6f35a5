// The global steps: the constant metric, solved; and what makes the next point of its results. Compiled for each instruction set;
// see math/pack.h. No containers, no allocation.
#include "linalg/anderson.h"
#include "math/retraction.h"
#include "math/unroll.h"
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
// another, by elimination (bundle_passes.h) and substitution along all strands at once. With that coupling,
//   step_t = y_t + before_t * (last of the strand before) + after_t * (first of the strand after),
// and the ends of all strands solve a small system, whose inverse is known (BundleArrays::seams).
Neighbours substitute(const BundleArrays& arrays, int system, int next, const Column& out, int step) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  PVec3 y = scale(l.vec(system + strand_inverse, a.tiles - 1, next), out.vec(step, a.tiles - 1));
  out.put(step, a.tiles - 1, y);
  for (int t = a.tiles - 2; t >= 0; --t) {
    y = scale(l.vec(system + strand_inverse, t, next), out.vec(step, t)) - scale(l.vec(system + strand_factor, t, next), y);
    out.put(step, t, y);
  }
  Neighbours ends;
  if (a.several) return ends;
  constexpr int lanes = Pack::lanes;
  const double* seam = a.seams + (system == row_turn_system ? 1 : 0) * 3 * 4 * lanes * lanes;
  const auto find = [&](int c, Pack& before, Pack& after) {
    const double *first_ends = out.at(step + c, 0), *last_ends = out.at(step + c, a.tiles - 1);
    const double* own = seam + static_cast<long>(c) * 4 * lanes * lanes;
    Pack sums[4]{};  // by the first ends, before and after; by the last ones
    for (int j = 0; j < lanes; ++j) {
      const Pack first_end(first_ends[j]), last_end(last_ends[j]);
      sums[0] = sums[0] + first_end * Pack::load(own + 2 * j * lanes);
      sums[1] = sums[1] + first_end * Pack::load(own + (2 * j + 1) * lanes);
      sums[2] = sums[2] + last_end * Pack::load(own + (2 * (j + lanes)) * lanes);
      sums[3] = sums[3] + last_end * Pack::load(own + (2 * (j + lanes) + 1) * lanes);
    }
    before = sums[0] + sums[2];
    after = sums[1] + sums[3];
  };
  find(0, ends.before.x, ends.after.x);
  find(1, ends.before.y, ends.after.y);
  find(2, ends.before.z, ends.after.z);
  return ends;
}

WRITHE_FN PVec3 with_neighbours(const Rows& l, int t, int system, int next, const PVec3& y, const Neighbours& ends) {
  return y + scale(l.vec(system + strand_before, t, next), ends.before) +
         scale(l.vec(system + strand_after, t, next), ends.after);
}

void move_nodes(const BundleArrays& arrays, int column, BundleSums& sums) {
  const BundleArrays a = arrays;
  const Column out = column_of(a, column);
  find_forces(arrays, out, sums);
  if (a.refreshed) return;
  const Neighbours ends = substitute(arrays, row_node_system, a.node_system_step, out, column_step);
  const Rows l{a.rows};
  for (int t = 0; t < a.tiles; ++t) {
    PVec3 step = out.vec(column_step, t);
    if (!a.several) {
      step = with_neighbours(l, t, row_node_system, a.node_system_step, step, ends);
      out.put(column_step, t, step);
    }
    const PVec3 x = l.vec(a.point + point_x, t) + step;
    l.put(a.point + point_x, t, x);
    out.put(int{column_point} + point_x, t, x);
  }
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

// Turns the best point by the column's steps, and finds the products of the newest residual with all of them, in the norm of the
// metric P: F_i . P F_j = -F_i . gradient_j.
template <int columns, class Step>
void turn_all(const BundleArrays& arrays, int newest, BundleHistory& history, const Step& turn_of) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  const NewestFirst<columns> order(a, newest);
  const Column& out = order.column[0];
  Pack products[2][columns]{};  // of nodes and turns: two sums that do not wait for each other
  const auto add = [&](int part, int t, const PVec3& own) {
    const PVec3 g = l.vec(row_gradient_x + 3 * part, t);
    for (int j = 0; j < columns; ++j) {
      const PVec3 f = j == 0 ? own : order.column[j].vec(column_step + 3 * part, t);
      products[part][j] = products[part][j] - g.x * f.x - g.y * f.y - g.z * f.z;
    }
  };
  for (int t = 0; t < a.tiles; ++t) {
    const PVec3 step = turn_of(t);
    out.put(column_step + 3, t, step);
    out.put(int{column_point} + point_q, t, turned_not_unit(l.quat(a.best + point_q, t), step));
    add(0, t, out.vec(column_step, t));
    add(1, t, step);
  }
  for (int j = 0; j < columns; ++j) {
    const Pack product = total(a, products[0][j] + products[1][j]);
    put_lanes(history.products[newest][order.place[j]], product);
    put_lanes(history.products[order.place[j]][newest], product);
  }
  put_lanes(history.valid[newest], Pack(1.0));
}

template <int columns = anderson_columns, class Step>
WRITHE_FN void turn_filled(const BundleArrays& a, int newest, BundleHistory& history, const Step& turn_of) {
  if constexpr (columns > 1)
    if (history.filled < columns) return turn_filled<columns - 1>(a, newest, history, turn_of);
  turn_all<columns>(a, newest, history, turn_of);
}

void turn(const BundleArrays& arrays, int column, BundleHistory& history) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  const Column out = column_of(a, column);
  const Pack size = get_lanes(history.turn_size);
  if (a.refreshed) {
    solve_coupled(arrays, out.start, size);
    for (int t = 0; t < a.tiles; ++t)
      out.put(int{column_point} + point_x, t, l.vec(a.best + point_x, t) + out.vec(column_step, t));
    turn_filled(a, column, history, [&](int t) { return out.vec(column_step + 3, t); });
    return;
  }
  const Neighbours ends = substitute(arrays, row_turn_system, 1, out, column_step + 3);
  if (a.several)
    turn_filled(a, column, history, [&](int t) { return size * out.vec(column_step + 3, t); });
  else
    turn_filled(a, column, history,
                [&](int t) { return size * with_neighbours(l, t, row_turn_system, 1, out.vec(column_step + 3, t), ends); });
}

void take(const BundleArrays& arrays, int column) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  const Column from = column_of(a, column);
  for (int t = 0; t < a.tiles; ++t) {
    l.put(a.point + point_x, t, from.vec(int{column_point} + point_x, t));
    l.put(a.point + point_q, t, at_unit_length(from.quat(int{column_point} + point_q, t)));
  }
}

template <int columns>
WRITHE_FN void find_weights(const NewestFirst<columns>& order, const BundleHistory& history, Pack (&weights)[columns]) {
  Pack products[columns][columns], valid[columns];
  WRITHE_UNROLL
  for (int i = 0; i < columns; ++i) {
    valid[i] = get_lanes(history.valid[order.place[i]]);
    WRITHE_UNROLL
    for (int j = 0; j <= i; ++j) products[i][j] = get_lanes(history.products[order.place[i]][order.place[j]]);
  }
  linalg::anderson_weights(products, valid, weights);
}

template <int columns>
void mix_columns(const BundleArrays& arrays, int newest, BundleHistory& history) {
  const BundleArrays a = arrays;
  const NewestFirst<columns> order(a, newest);
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
    const PQuat q = {mixed(point_q), mixed(point_q + 1), mixed(point_q + 2), mixed(point_q + 3)};
    l.put(a.point + point_q, t, at_unit_length(q));
  }
  Pack others(0.0);
  for (int j = 1; j < columns; ++j) others = others + weights[j] * weights[j];
  put_lanes(history.mixed, others);
}

template <int columns = anderson_columns>
void mix_filled(const BundleArrays& a, int newest, BundleHistory& history) {
  if constexpr (columns == 1) {
    take(a, newest);
  } else {
    if (history.filled == columns)
      mix_columns<columns>(a, newest, history);
    else
      mix_filled<columns - 1>(a, newest, history);
  }
}

void fall_back(const BundleArrays& a, int column, const double* merit, const double* limit, BundleHistory& history) {
  const Rows l{a.rows};
  const Column result = column_of(a, column);
  const Pack rise = get_lanes(merit) - get_lanes(limit);
  const Pack mixed = a.refreshed ? Pack(0.0) : get_lanes(history.mixed);
  for (int t = 0; t < a.tiles; ++t) {
    const PVec3 x = result.vec(int{column_point} + point_x, t);
    const PQuat q = at_unit_length(result.quat(int{column_point} + point_q, t));
    const Pack results[point_rows] = {x.x, x.y, x.z, q.w, q.x, q.y, q.z};
    for (int r = 0; r < point_rows; ++r) {
      const Pack now = l.scalar(a.point + r, t), before = l.scalar(a.best + r, t);
      const Pack to = choose(rise, choose(mixed, results[r], before), now);
      l.put(a.point + r, t, to);
      l.put(a.best + r, t, choose(rise, before, now));
      // What takes no part in mixing must be finite, too.
      for (int j = 0; j < anderson_columns; ++j) {
        const Column own = column_of(a, j);
        own.put(column_point + r, t, choose(rise, to, own.scalar(column_point + r, t)));
      }
    }
  }
  const Pack zero(0.0), size = get_lanes(history.turn_size);
  put_lanes(history.turn_size, choose(rise, choose(mixed, size, Pack(0.5) * size), size));
  for (int j = 0; j < anderson_columns; ++j) put_lanes(history.valid[j], choose(rise, zero, get_lanes(history.valid[j])));
  put_lanes(history.mixed, choose(rise, zero, get_lanes(history.mixed)));
}

}  // namespace

extern const BundleKernel kernel;
const BundleKernel kernel = {HWY_STR(WRITHE_ISA), Pack::lanes,  gather, predict, refresh,
                             move_nodes,          find_moments, turn,   take,    mix_filled<anderson_columns>,
                             fall_back,           inspect};

}  // namespace WRITHE_ISA
}  // namespace writhe::pd
