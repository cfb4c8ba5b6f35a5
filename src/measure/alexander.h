// The Alexander polynomial of a drawing of a knot, at chosen numbers, and the knots that it names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "writhe/vec.h"

namespace writhe::measure {

// Crossings in no order; arcs run from one passage below to the next and are numbered along the knot.
struct Drawing {
  struct Crossing {
    int over = 0;               // arc
    int before = 0, after = 0;  // arcs that end and begin below it
    bool right_handed = true;
  };
  std::vector<Crossing> crossings;  // as many as arcs
};

// A closed polygon seen along a direction (unit). None where edges or corners lie on each other as far as can be told.
std::optional<Drawing> drawing_of(const std::vector<Vec3>& polygon, const Vec3& direction);

// Two values that depend on the knot alone, exact: the polynomial's value at a number t times that at 1/t, modulo the prime
// 2^61 - 1, in which its free factor, a power of t with a sign, falls out.
struct AlexanderValues {
  static constexpr std::array<std::uint64_t, 3> at{2, 3, 10};
  std::array<std::uint64_t, 3> product{1, 1, 1};
  std::int64_t determinant = 1;  // |value at -1|, if it is below 2^60
  bool operator==(const AlexanderValues&) const = default;
};
AlexanderValues alexander_values(const Drawing& drawing);

// Of the prime knots of up to 7 crossings, some sums of them and some torus knots. Empty when there is none.
std::string knot_name(const AlexanderValues& values);

}  // namespace writhe::measure
