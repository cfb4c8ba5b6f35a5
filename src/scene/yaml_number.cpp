#include "scene/yaml_number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "math/rotation.h"

namespace writhe::scene_file {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

std::string_view without_sign(std::string_view text) {
  return !text.empty() && (text[0] == '-' || text[0] == '+') ? text.substr(1) : text;
}

bool not_finite_word(std::string_view digits) {
  std::string word = lower(digits);
  if (word.starts_with('.')) word.erase(0, 1);
  return word == "nan" || word == "inf" || word == "infinity";
}

// Why a text that is no number was perhaps meant as one.
std::string why_not(std::string_view digits, std::string_view with_unit) {
  const bool only_marks = !digits.empty() && is_digit(digits[0]) && std::all_of(digits.begin(), digits.end(), [](char c) {
    return is_digit(c) || c == '.' || c == ',' || c == '_';
  });
  if (only_marks) return "expected a number; write the decimals after one point and no marks between digits";
  if (digits.starts_with("0x") || digits.starts_with("0X") || digits.starts_with("0o"))
    return "expected a number in decimal digits";
  // digits and then a word: 5 mm, 1 MPa
  const std::size_t end = digits.find_first_not_of("0123456789.eE+-");
  const bool unit =
      !digits.empty() && is_digit(digits[0]) && end != std::string_view::npos && (digits[end] == ' ' || digits.size() - end > 1);
  if (unit && !with_unit.empty()) return std::string(with_unit);
  const bool angle = unit && (digits.find("turn") != std::string_view::npos || digits.find("deg") != std::string_view::npos);
  if (angle) return "expected a number in SI units (rad), without the unit: 6.2832 for a turn, 0.017453 for a degree";
  if (unit) return "expected a number in SI units (m, s, kg, N, Pa), without the unit: 0.005 for 5 mm";
  return std::string(not_a_number);
}

}  // namespace

ParsedNumber parse_number(std::string_view text, std::string_view with_unit) {
  const std::string_view digits = without_sign(text);
  if (not_finite_word(digits)) return {0, "must be finite; give a number"};
  // from_chars would take a second sign, and the words above with something after them.
  const bool starts_well = !digits.empty() && (is_digit(digits[0]) || digits[0] == '.');
  double value = 0;
  const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (!starts_well || ec == std::errc::invalid_argument || end != digits.data() + digits.size())
    return {0, why_not(digits, with_unit)};
  if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) {
    const std::size_t nonzero = std::min(digits.find_first_not_of('0'), digits.size());
    const std::size_t start = nonzero < digits.size() && is_digit(digits[nonzero]) ? nonzero : nonzero - 1;
    return {0, "a number does not start with 0 (YAML would read octal digits); write " +
                   std::string(text.substr(0, text.size() - digits.size())) + std::string(digits.substr(start))};
  }
  if (ec == std::errc::result_out_of_range) return {0, "too large or too small for a number; check the exponent"};
  return {text[0] == '-' ? -value : value, ""};
}

ParsedNumber parse_angle(std::string_view text, bool quoted) {
  const auto unit_start = std::find_if_not(text.rbegin(), text.rend(), is_letter).base();
  const std::string_view unit = text.substr(static_cast<std::size_t>(unit_start - text.begin()));
  std::string_view number = text.substr(0, text.size() - unit.size());
  while (number.ends_with(' ')) number.remove_suffix(1);
  if (unit.empty() && quoted) return {0, "has no unit; write 90 deg, 1.57 rad or 0.25 turns"};
  ParsedNumber parsed = parse_number(unit.empty() || number.empty() ? text : number);
  if (!parsed.problem.empty() || unit.empty()) return parsed;
  if (unit == "deg") {
    parsed.value *= pi / 180;
  } else if (unit == "turn" || unit == "turns") {
    parsed.value *= 2 * pi;
  } else if (unit != "rad") {
    parsed.problem = "unknown unit '" + std::string(unit) + "'; use rad, deg or turns";
  }
  if (!std::isfinite(parsed.value)) parsed.problem = "too large for an angle";
  return parsed;
}

}  // namespace writhe::scene_file
