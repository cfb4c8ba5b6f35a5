// A register of doubles that behaves like one double, so that the element functions run on several elements at once.
//
// The width is that of the instruction set this translation unit is compiled for (Highway's static target). Include it only from
// *_kernel.cpp files: a portable build compiles those once for each instruction set, each in its own namespace WRITHE_ISA.
#pragma once

// The instruction set is chosen by the compiler flags of the translation unit, never inside it.
#define HWY_COMPILE_ONLY_STATIC
#include <cstdint>

#include <hwy/highway.h>
//
#include <hwy/contrib/math/math-inl.h>

#include "math/exp_rotation.h"
#include "math/retraction.h"

#ifndef WRITHE_ISA
#define WRITHE_ISA native
#endif

namespace writhe::WRITHE_ISA {

namespace hn = hwy::HWY_NAMESPACE;

struct Pack {
  using Tag = hn::ScalableTag<double>;
  using Vec = hn::Vec<Tag>;
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(Tag()));

  Vec v;

  Pack() = default;  // not zero, unless asked for by {}
  // Written out, because g++ 12 copies structs of registers in pieces of 8 bytes if it may, through memory.
  Pack(const Pack& other) : v(other.v) {}  // NOLINT
  Pack& operator=(const Pack& other) {     // NOLINT
    v = other.v;
    return *this;
  }
  Pack(Vec vec) : v(vec) {}  // NOLINT: a register is a Pack
  explicit Pack(double s) : v(hn::Set(Tag(), s)) {}

  static Pack load(const double* p) { return hn::LoadU(Tag(), p); }
  void store(double* p) const { hn::StoreU(v, Tag(), p); }

  friend Pack operator+(const Pack& a, const Pack& b) { return hn::Add(a.v, b.v); }
  friend Pack operator-(const Pack& a, const Pack& b) { return hn::Sub(a.v, b.v); }
  friend Pack operator*(const Pack& a, const Pack& b) { return hn::Mul(a.v, b.v); }
  friend Pack operator/(const Pack& a, const Pack& b) { return hn::Div(a.v, b.v); }
  friend Pack operator-(const Pack& a) { return hn::Neg(a.v); }
  friend Pack sqrt(const Pack& a) { return hn::Sqrt(a.v); }
  friend Pack max(const Pack& a, const Pack& b) { return hn::Max(a.v, b.v); }
  // Lane by lane: a where the condition is positive, else b.
  friend Pack choose(const Pack& condition, const Pack& a, const Pack& b) {
    return hn::IfThenElse(hn::Gt(condition.v, hn::Zero(Tag())), a.v, b.v);
  }
  friend double sum(const Pack& a) { return hn::GetLane(hn::SumOfLanes(Tag(), a.v)); }
  friend double largest(const Pack& a) { return hn::GetLane(hn::MaxOfLanes(Tag(), a.v)); }

  // atan2(s, c) over the whole circle: near zero, where most joints are, by its series in s/c.
  friend Pack angle_of(const Pack& s, const Pack& c) {
    const Tag d;
    const Vec limit = hn::Mul(hn::Set(d, 0.125), c.v);
    const auto near = hn::Lt(hn::Abs(s.v), limit);
    const Vec t = hn::Div(s.v, hn::IfThenElse(near, c.v, hn::Set(d, 1.0)));
    const Vec t2 = hn::Mul(t, t);
    const Vec t4 = hn::Mul(t2, t2);
    // Two terms at a time, which is half as long a chain as Horner's; the first term left out is 2^-48/17 of the whole at most.
    const auto pair = [&](double even, double odd) { return hn::MulAdd(hn::Set(d, odd), t2, hn::Set(d, even)); };
    const Vec low = hn::MulAdd(t4, pair(1.0 / 5, -1.0 / 7), pair(1.0, -1.0 / 3));
    const Vec high = hn::MulAdd(t4, pair(1.0 / 13, -1.0 / 15), pair(1.0 / 9, -1.0 / 11));
    Vec series = hn::MulAdd(hn::Mul(t4, t4), high, low);
    series = hn::Mul(series, t);
    if (hn::AllTrue(d, near)) [[likely]]
      return series;
    return hn::IfThenElse(near, series, full_angle_of(s.v, c.v));
  }

  // See math/retraction.h: near one by its series.
  friend Pack inverse_root(const Pack& square) {
    const Tag d;
    const Vec e = hn::Sub(square.v, hn::Set(d, 1.0));
    const auto near = hn::Lt(hn::Abs(e), hn::Set(d, 1.0 / 128));
    const Vec e2 = hn::Mul(e, e);
    const auto pair = [&](double even, double odd) { return hn::MulAdd(hn::Set(d, odd), e, hn::Set(d, even)); };
    const Vec low = hn::MulAdd(e2, pair(3.0 / 8, -5.0 / 16), pair(1.0, -1.0 / 2));
    const Vec high = hn::MulAdd(e2, pair(231.0 / 1024, -429.0 / 2048), pair(35.0 / 128, -63.0 / 256));
    const Vec series = hn::MulAdd(hn::Mul(e2, e2), high, low);
    if (hn::AllTrue(d, near)) [[likely]]
      return series;
    return hn::IfThenElse(near, series, hn::Div(hn::Set(d, 1.0), hn::Sqrt(square.v)));
  }

 private:
  // Twice the angle of the half-way direction, from the side where it does not cancel. Not inlined: it would take the registers
  // of a loop that hardly ever calls it.
  [[gnu::noinline, gnu::cold]] static Vec full_angle_of(Vec s, Vec c) {
    const Tag d;
    const Vec length = hn::Sqrt(hn::MulAdd(s, s, hn::Mul(c, c)));
    const auto right = hn::Ge(c, hn::Zero(d));
    // c >= 0: 2 atan(s/(r + c)). c < 0: pi sign(s) - 2 atan(s/(r - c)).
    const Vec half = hn::Atan(d, hn::Div(s, hn::Add(length, hn::Abs(c))));
    const Vec angle = hn::Add(half, half);
    const Vec turn = hn::CopySign(hn::Set(d, 3.14159265358979323846), s);
    return hn::IfThenElse(right, angle, hn::Sub(turn, angle));
  }
};

// See math/exp_rotation.h: by its series for less than half a radian, which is far for a step.
inline HalfTurn<Pack> half_turn(const Pack& angle2) {
  const Pack::Tag d;
  const Pack::Vec z = hn::Mul(hn::Set(d, 0.25), angle2.v);
  const auto horner = [&](const double(&terms)[7]) {
    Pack::Vec v = hn::Set(d, terms[6]);
    for (int k = 5; k >= 0; --k) v = hn::MulAdd(v, z, hn::Set(d, terms[k]));
    return v;
  };
  constexpr double cosine[7] = {1, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600};
  constexpr double sine[7] = {0.5, -1.0 / 12, 1.0 / 240, -1.0 / 10080, 1.0 / 725760, -1.0 / 79833600, 1.0 / 12454041600};
  const auto near = hn::Lt(angle2.v, hn::Set(d, 0.25));
  HalfTurn<Pack> series = {horner(cosine), horner(sine)};
  if (hn::AllTrue(d, near)) return series;
  const Pack::Vec angle = hn::Sqrt(angle2.v), half = hn::Mul(hn::Set(d, 0.5), angle);
  return {hn::IfThenElse(near, series.cosine.v, hn::Cos(d, half)),
          hn::IfThenElse(near, series.sine_over_angle.v, hn::Div(hn::Sin(d, half), angle))};
}

struct LaneIndices {
  std::int64_t lane[Pack::lanes];
};
constexpr LaneIndices shifted_lanes(int by) {
  LaneIndices out{};
  for (int k = 0; k < Pack::lanes; ++k) out.lane[k] = k + by < 0 ? 0 : k + by >= Pack::lanes ? Pack::lanes - 1 : k + by;
  return out;
}

// Lane k has what lane k + 1 had; the last keeps its own.
inline Pack from_next_lane(const Pack& a) {
  constexpr LaneIndices indices = shifted_lanes(1);
  return hn::TableLookupLanes(a.v, hn::SetTableIndices(Pack::Tag(), indices.lane));
}
// 0, 1, 2, ...
inline Pack lane_numbers() { return hn::Iota(Pack::Tag(), 0.0); }
// a in the last lane, b in the others.
inline Pack last_lane(const Pack& a, const Pack& b) { return hn::IfThenElse(hn::FirstN(Pack::Tag(), Pack::lanes - 1), b.v, a.v); }
// Lane k has what lane k - 1 had; the first has zero.
inline Pack from_previous_lane(const Pack& a) {
  constexpr LaneIndices indices = shifted_lanes(-1);
  const Pack::Vec v = hn::TableLookupLanes(a.v, hn::SetTableIndices(Pack::Tag(), indices.lane));
  return hn::IfThenZeroElse(hn::FirstN(Pack::Tag(), 1), v);
}

}  // namespace writhe::WRITHE_ISA
