// Solving with the factor of a chain or ring (chain_factor.h), for one right-hand side or several at once. Compiled for each
// instruction set; see math/pack.h.
//
// One right-hand side goes through the chain from both ends, one in each lane of a Pair, as in chain_front.h. Of several, each
// has a lane of a Pack, which goes from one end; the two ends then are two registers.
#include "solvers/newton/chain_front.h"
#include "solvers/newton/chain_solve.h"

namespace writhe::newton::WRITHE_ISA {

namespace {

// As Pair, of registers.
struct PackPair {
  Pack near, far;
  friend WRITHE_FN PackPair operator+(const PackPair& a, const PackPair& b) { return {a.near + b.near, a.far + b.far}; }
  friend WRITHE_FN PackPair operator-(const PackPair& a, const PackPair& b) { return {a.near - b.near, a.far - b.far}; }
  friend WRITHE_FN PackPair operator*(const PackPair& a, const PackPair& b) { return {a.near * b.near, a.far * b.far}; }
  friend WRITHE_FN PackPair operator-(const PackPair& a) { return {-a.near, -a.far}; }
};

WRITHE_FN double near_of(const Pair& p) { return p.v[0]; }
WRITHE_FN double far_of(const Pair& p) { return p.v[1]; }
WRITHE_FN Pack near_of(const PackPair& p) { return p.near; }
WRITHE_FN Pack far_of(const PackPair& p) { return p.far; }
template <class Two>
WRITHE_FN auto near_of(const TVec3<Two>& v) -> TVec3<decltype(near_of(v.x))> {
  return {near_of(v.x), near_of(v.y), near_of(v.z)};
}
template <class Two>
WRITHE_FN auto far_of(const TVec3<Two>& v) -> TVec3<decltype(far_of(v.x))> {
  return {far_of(v.x), far_of(v.y), far_of(v.z)};
}
template <class Two, class One>
WRITHE_FN TVec3<Two> both(const TVec3<One>& near, const TVec3<One>& far) {
  return {Two{near.x, far.x}, Two{near.y, far.y}, Two{near.z, far.z}};
}

// ---- right-hand sides and solutions ------------------------------------------------------------------------------------------
// Vectors by index: x of a node, q of an orientation; of two indices, those at the near and at the far end.
template <class Place>
struct Vectors : Place {
  using One = typename Place::One;
  using Two = typename Place::Two;
  WRITHE_FN TVec3<One> x(int i) const { return get(0, i); }
  WRITHE_FN TVec3<One> q(int i) const { return get(3, i); }
  WRITHE_FN TVec3<Two> x(int i, int j) const { return both<Two>(get(0, i), get(0, j)); }
  WRITHE_FN TVec3<Two> q(int i, int j) const { return both<Two>(get(3, i), get(3, j)); }
  WRITHE_FN void put_x(int i, const TVec3<One>& v) const { put(0, i, v); }
  WRITHE_FN void put_q(int i, const TVec3<One>& v) const { put(3, i, v); }
  WRITHE_FN void put_x(int i, int j, const TVec3<Two>& v) const {
    put(0, i, near_of(v));
    put(0, j, far_of(v));
  }
  WRITHE_FN void put_q(int i, int j, const TVec3<Two>& v) const {
    put(3, i, near_of(v));
    put(3, j, far_of(v));
  }

 private:
  WRITHE_FN TVec3<One> get(int r, int i) const { return {this->load(r, i), this->load(r + 1, i), this->load(r + 2, i)}; }
  WRITHE_FN void put(int r, int i, const TVec3<One>& v) const {
    this->store(r, i, v.x);
    this->store(r + 1, i, v.y);
    this->store(r + 2, i, v.z);
  }
};

template <class Number>
struct InRows {
  using One = double;
  using Two = Pair;
  Number* rows;
  long stride;
  WRITHE_FN double load(int r, int i) const { return rows[r * stride + i]; }
  WRITHE_FN void store(int r, int i, double v) const { rows[r * stride + i] = v; }
};

template <class Number>
struct SideBySide {
  using One = Pack;
  using Two = PackPair;
  Number* first;
  WRITHE_FN Number* at(int r, int i) const { return first + (6L * i + r) * chain_several; }
  WRITHE_FN Pack load(int r, int i) const { return Pack::load(at(r, i)); }
  WRITHE_FN void store(int r, int i, const Pack& v) const { v.store(at(r, i)); }
};

// ---- one elimination ---------------------------------------------------------------------------------------------------------
// The numbers of a factor, for both ends in turn or for one.
template <class T>
struct Numbers;
template <>
struct Numbers<double> {
  static constexpr int ends = 1;
  const double* p;
  WRITHE_FN double operator[](int i) const { return p[i]; }
};
template <>
struct Numbers<Pack> {
  static constexpr int ends = 1;
  const double* p;
  WRITHE_FN Pack operator[](int i) const { return Pack(p[i]); }
};
template <>
struct Numbers<Pair> {
  static constexpr int ends = 2;
  const double* p;
  WRITHE_FN Pair operator[](int i) const { return *reinterpret_cast<const Pair::Vec*>(p + 2 * i); }
};
template <>
struct Numbers<PackPair> {
  static constexpr int ends = 2;
  const double* p;
  WRITHE_FN PackPair operator[](int i) const { return {Pack(p[2 * i]), Pack(p[2 * i + 1])}; }
};

// What eliminating a block leaves (chain_factor.h), and its panel to n unknowns of the border.
template <class T, int n>
struct KeptElimination {
  Numbers<T> block, panel;
  WRITHE_FN KeptElimination(const double* blocks, const double* panels, int k)
      : block{blocks + static_cast<long>(k) * (Numbers<T>::ends * kept_block_size)},
        panel{n > 0 ? panels + static_cast<long>(k) * (Numbers<T>::ends * 3 * n) : nullptr} {}
  WRITHE_FN TVec3<T> inverse_times(const TVec3<T>& r) const {
    return TSym3<T>{block[0], block[1], block[2], block[3], block[4], block[5]} * r;
  }
  WRITHE_FN TVec3<T> LA(int row) const { return {block[6 + 3 * row], block[7 + 3 * row], block[8 + 3 * row]}; }
  WRITHE_FN TVec3<T> LC(int row) const { return {block[15 + 3 * row], block[16 + 3 * row], block[17 + 3 * row]}; }
  WRITHE_FN TVec3<T> border(int c) const { return {panel[3 * c], panel[3 * c + 1], panel[3 * c + 2]}; }
};

// s - a.b, one product after the other: an operation less than with their sum
template <class T>
WRITHE_FN T less(const T& s, const TVec3<T>& a, const TVec3<T>& b) {
  return s - a.x * b.x - a.y * b.y - a.z * b.z;
}

// The way there: what has been eliminated so far takes off the right-hand sides of the block eliminated next, of the one after
// it, and of n unknowns of the border.
template <class T, int n>
struct Forward {
  TVec3<T> next{}, after{};
  T border[n > 0 ? n : 1]{};
  // `own`: the block's right-hand side. Returns P^-1 times what is left of it.
  WRITHE_FN TVec3<T> eliminate(const KeptElimination<T, n>& e, const TVec3<T>& own) {
    const TVec3<T> r = own + next;
    next = {less(after.x, e.LA(0), r), less(after.y, e.LA(1), r), less(after.z, e.LA(2), r)};
    after = {less(T{}, e.LC(0), r), less(T{}, e.LC(1), r), less(T{}, e.LC(2), r)};
    for (int c = 0; c < n; ++c) border[c] = less(border[c], e.border(c), r);
    return e.inverse_times(r);
  }
};

// The way back: the solution of the two blocks ahead, and of the border.
template <class T, int n>
struct Backward {
  TVec3<T> next{}, after{};
  T border[n > 0 ? n : 1]{};
  // `z`: what Forward found for the block. Returns its solution. What is known longest comes first.
  WRITHE_FN TVec3<T> substitute(const KeptElimination<T, n>& e, TVec3<T> z) {
    for (int c = 0; c < n; ++c) z -= border[c] * e.border(c);
    z = z - after.x * e.LC(0) - after.y * e.LC(1) - after.z * e.LC(2);
    z = z - next.x * e.LA(0) - next.y * e.LA(1) - next.z * e.LA(2);
    after = next;
    next = z;
    return z;
  }
};

// ---- the whole ---------------------------------------------------------------------------------------------------------------
// Unknowns of the border, of which those at the far end are x0 and ql.
constexpr WRITHE_FN int of_far(int c) { return c < 3 ? c : c + 3; }

template <class T>
WRITHE_FN void put_three(T* to, const TVec3<T>& v) {
  to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

// From both ends to the middle and back, in the order of eliminate_chain(). On the way back the solution holds what was found on
// the way there.
template <bool ring, class Right, class Solution>
struct FactoredSolve {
  using One = typename Right::One;
  using Two = typename Right::Two;
  static constexpr int apart = ring ? 6 : 0, whole = ring ? 9 : 0;  // unknowns of the border: of either end, of both
  static constexpr int first = ring ? 1 : 0;
  using Ends = KeptElimination<Two, apart>;
  using Middle = KeptElimination<One, whole>;

  const ChainFactor& f;
  Right right;
  Solution solution;
  int n = f.segments, pairs = pairs_of(n), c = pairs + has_extra(n);
  int extra = has_extra(n) ? 2 : 0;  // eliminations before those of the middle

  WRITHE_FN void run() const {
    const Forward<Two, apart> ends = through_ends();
    Forward<One, whole> centre = joined(ends);
    if (extra) {
      solution.put_x(pairs, centre.eliminate(at_centre(0), right.x(pairs)));
      solution.put_q(pairs, centre.eliminate(at_centre(1), right.q(pairs)));
    }
    const TVec3<One> z0 = centre.eliminate(at_centre(extra), right.x(c));
    const TVec3<One> z1 = centre.eliminate(at_centre(extra + 1), right.q(c) + far_of(ends.after));
    const TVec3<One> z2 = centre.eliminate(at_centre(extra + 2), right.x(c + 1) + far_of(ends.next));

    Backward<One, whole> back;
    if constexpr (ring) solve_border(centre.border, back.border);
    const TVec3<One> end = back.substitute(at_centre(extra + 2), z2), middle = back.substitute(at_centre(extra + 1), z1);
    solution.put_x(c + 1, end);
    solution.put_q(c, middle);
    solution.put_x(c, back.substitute(at_centre(extra), z0));
    if (extra) {
      solution.put_q(pairs, back.substitute(at_centre(1), solution.q(pairs)));
      solution.put_x(pairs, back.substitute(at_centre(0), solution.x(pairs)));
    }
    back_through_ends(back, end, middle);
  }

 private:
  WRITHE_FN Ends at_ends(int k) const { return {f.blocks, f.panels, k}; }
  WRITHE_FN Middle at_centre(int k) const { return {f.centre, f.centre_panels, k}; }

  WRITHE_FN Forward<Two, apart> through_ends() const {
    Forward<Two, apart> there;
    if constexpr (ring) {
      put_three(there.border, both<Two>(right.x(0), TVec3<One>{}));  // x0 counts once
      put_three(there.border + 3, right.q(0, n - 1));
    }
    for (int k = first; k < pairs; ++k) {
      solution.put_x(k, n - k, there.eliminate(at_ends(2 * (k - first)), right.x(k, n - k)));
      solution.put_q(k, n - 1 - k, there.eliminate(at_ends(2 * (k - first) + 1), right.q(k, n - 1 - k)));
    }
    return there;
  }

  // The near end goes on through the middle; what the far one has left to the middle is added when that is reached.
  static WRITHE_FN Forward<One, whole> joined(const Forward<Two, apart>& ends) {
    Forward<One, whole> out;
    out.next = near_of(ends.next);
    out.after = near_of(ends.after);
    for (int k = 0; k < apart; ++k) {
      out.border[k] = out.border[k] + near_of(ends.border[k]);
      out.border[of_far(k)] = out.border[of_far(k)] + far_of(ends.border[k]);
    }
    return out;
  }

  WRITHE_FN void solve_border(const One* rhs, One* found) const {
    const auto at = [this](int k) { return KeptElimination<One, 0>(f.centre, nullptr, extra + 3 + k); };
    TVec3<One> v[3];
    Forward<One, 0> there;
    for (int k = 0; k < 3; ++k) v[k] = there.eliminate(at(k), {rhs[3 * k], rhs[3 * k + 1], rhs[3 * k + 2]});
    Backward<One, 0> back;
    for (int k = 2; k >= 0; --k) {
      v[k] = back.substitute(at(k), v[k]);
      put_three(found + 3 * k, v[k]);
    }
    solution.put_x(0, v[0]);
    solution.put_q(0, v[1]);
    solution.put_q(n - 1, v[2]);
  }

  WRITHE_FN void back_through_ends(const Backward<One, whole>& near, const TVec3<One>& end, const TVec3<One>& middle) const {
    Backward<Two, apart> back;
    back.next = both<Two>(near.next, end);
    back.after = both<Two>(near.after, middle);
    for (int k = 0; k < apart; ++k) back.border[k] = Two{near.border[k], near.border[of_far(k)]};
    for (int k = pairs - 1; k >= first; --k) {
      solution.put_q(k, n - 1 - k, back.substitute(at_ends(2 * (k - first) + 1), solution.q(k, n - 1 - k)));
      solution.put_x(k, n - k, back.substitute(at_ends(2 * (k - first)), solution.x(k, n - k)));
    }
  }
};

template <class Right, class Solution>
WRITHE_FN void solve_kept(const ChainFactor& f, const Right& right, const Solution& solution) {
  if (f.ring)
    FactoredSolve<true, Right, Solution>{f, right, solution}.run();
  else
    FactoredSolve<false, Right, Solution>{f, right, solution}.run();
}

}  // namespace

void solve_factored(const ChainFactor& kept, const double* right, double* solution) {
  solve_kept(kept, Vectors<InRows<const double>>{{right, kept.stride}}, Vectors<InRows<double>>{{solution, kept.stride}});
}

void solve_several(const ChainFactor& kept, const double* right, double* solution) {
  static_assert(chain_several % Pack::lanes == 0);
  for (int k = 0; k < chain_several; k += Pack::lanes)
    solve_kept(kept, Vectors<SideBySide<const double>>{{right + k}}, Vectors<SideBySide<double>>{{solution + k}});
}

}  // namespace writhe::newton::WRITHE_ISA
