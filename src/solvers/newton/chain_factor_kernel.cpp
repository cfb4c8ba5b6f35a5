// The factor of a chain or ring that is kept (chain_factor.h). Compiled for each instruction set; see math/pack.h.
//
// It is the elimination of chain_front.h with a border that writes down every step. What that does to a right-hand side is read
// by nobody here, and the compiler leaves it out.
#include "solvers/newton/chain_solve.h"
#include "solvers/newton/ring_border.h"

namespace writhe::newton::WRITHE_ISA {

namespace {

// Signs, and whether they mean anything: with a determinant that is zero, or too small or too large to be inverted, or no number,
// there is no inverse.
struct PivotCount {
  static constexpr double smallest = 0x1p-1022, largest = 0x1.fffffffffffffp+1023;  // of which the inverse is finite
  Signs signs;
  Signs::Mask broken{0, 0};  // by lane
  int first_broken = -1;

  WRITHE_FN void add(const Pair& first, const Pair& second, const Pair& third) {
    signs.add(first, second, third);
    const Pair::Vec size = third.v < Pair::Vec{0, 0} ? -third.v : third.v;
    broken |= ~((size >= Pair(smallest).v) & (size <= Pair(largest).v));
  }
  WRITHE_FN void add(double first, double second, double third) {
    signs.add(first, second, third);
    const double size = third < 0 ? -third : third;
    if (!(size >= smallest && size <= largest)) broken[0] = -1;
  }
  WRITHE_FN void passed(int near, int far) {
    if (first_broken < 0 && (broken[0] | broken[1])) first_broken = broken[0] ? near : far;
  }
};

template <class T>
struct KeptBlock {
  TSym3<T> inverse;
  TMat3<T> LA, LC;
};
static_assert(sizeof(KeptBlock<double>) == kept_block_size * sizeof(double));
static_assert(sizeof(KeptBlock<Pair>) == 2 * kept_block_size * sizeof(double));
static_assert(sizeof(Panel<Pair, 6>) == 2 * kept_end_panel_size * sizeof(double));
static_assert(sizeof(Panel<double, 9>) == kept_whole_panel_size * sizeof(double));

// A border that keeps every elimination, and passes it on to that of the chain.
template <class T, class Inner>
struct Keeping {
  KeptBlock<T>* next;
  Inner inner;
  WRITHE_FN Keeping(KeptBlock<T>* first, const Inner& of_chain) : next(first), inner(of_chain) {}
  WRITHE_FN void eliminate(const TSym3<T>& inverse, const Factor<T>& f) {
    *next++ = {inverse, f.LA, f.LC};
    inner.eliminate(inverse, f);
  }
  WRITHE_FN void meet() { inner.meet(); }
};

template <class Inner>
struct KeepingEnds : Keeping<Pair, Inner> {
  static constexpr int segments = Inner::segments;
  KeptBlock<double>* centre;
  WRITHE_FN KeepingEnds(const ChainFactor& kept, const Inner& of_chain)
      : Keeping<Pair, Inner>(reinterpret_cast<KeptBlock<Pair>*>(kept.blocks), of_chain),
        centre(reinterpret_cast<KeptBlock<double>*>(kept.centre)) {}
  WRITHE_FN Remainder<Pair> begin(const ChainArrays& a) { return this->inner.begin(a); }
  WRITHE_FN auto joined() const {
    auto whole = this->inner.joined();
    return Keeping<double, decltype(whole)>(centre, whole);
  }
};

template <class Inner>
WRITHE_FN auto factor_between(const ChainArrays& a, const ChainFactor& kept, const Inner& inner, PivotCount& pivots) {
  KeepingEnds<Inner> ends(kept, inner);
  Factor<Pair> node, rotation;  // not needed: kept by the border
  const auto nowhere = [&](int) { return SegmentFactor<Pair>{node, rotation}; };
  double slope = 0;
  return eliminate_chain(ends, a, nowhere, pivots, slope).joined;
}

ChainPivots result(const PivotCount& pivots) { return {pivots.signs.count(), pivots.first_broken}; }

ChainPivots factor_open(const ChainArrays& a, const ChainFactor& kept) {
  PivotCount pivots;
  factor_between(a, kept, NoBorder{}, pivots);
  return result(pivots);
}

ChainPivots factor_ring(const ChainArrays& a, const ChainFactor& kept) {
  PivotCount pivots;
  auto centre = factor_between(a, kept, EndBorder(kept.panels), pivots);
  auto* panels = reinterpret_cast<Panel<double, 9>*>(kept.centre_panels);
  for (int k = 0; k < centre.inner.count; ++k) panels[k] = centre.inner.kept[k];
  Keeping<double, NoBorder> border(centre.next, {});
  double slope = 0;
  centre.inner.close(a, pivots, slope, border);
  pivots.passed(0, a.segments - 1);
  return result(pivots);
}

}  // namespace

ChainPivots factor(const ChainArrays& arrays, const ChainFactor& kept) {
  return kept.ring ? factor_ring(arrays, kept) : factor_open(arrays, kept);
}

}  // namespace writhe::newton::WRITHE_ISA
