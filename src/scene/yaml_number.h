// Numbers as a scene writes them: decimal, finite, the same in every locale.
#pragma once

#include <string>
#include <string_view>

namespace writhe::scene_file {

// What is said of a text that is nothing like a number.
inline constexpr std::string_view not_a_number = "expected a number";

struct ParsedNumber {
  double value = 0;
  std::string problem;  // empty: `value` is good
};

// YAML reads 010 as eight and .nan as a number; here both are refused, each with what to write instead. `with_unit`: what is said
// of a number that a unit follows; default: that it is in SI units.
ParsedNumber parse_number(std::string_view text, std::string_view with_unit = {});

// An angle in rad: a number (rad) or a number with one of the units rad, deg, turn, turns.
// A text in quotes (`quoted`) must have its unit.
ParsedNumber parse_angle(std::string_view text, bool quoted);

}  // namespace writhe::scene_file
