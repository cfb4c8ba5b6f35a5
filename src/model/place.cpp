// Places along a rod as text: rope.start, rope.end, rope@0.25, rope.node[12].
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "writhe/scene.h"

namespace writhe {

namespace {

constexpr const char* how_to_write =
    "is not a place; write rod.start, rod.end, rod@0.25 (fraction of the length, 0 to 1) or rod.node[12] with the rod's name";

// The whole of `text` as a number, or nothing.
template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Place> parse_place(std::string_view text) {
  const std::size_t name_end = text.find_first_of(".@[");
  if (name_end == 0 || name_end == std::string_view::npos) return std::nullopt;
  Place place;
  place.rod = text.substr(0, name_end);
  const std::string_view rest = text.substr(name_end);
  if (rest == ".start" || rest == ".end") {
    place.kind = rest == ".start" ? Place::Kind::start : Place::Kind::end;
    return place;
  }
  if (rest.starts_with('@')) {
    const auto fraction = number<double>(rest.substr(1));
    // Written so that a NaN fails.
    if (!fraction || !(*fraction >= 0 && *fraction <= 1)) return std::nullopt;
    place.kind = Place::Kind::fraction;
    place.fraction = *fraction;
    return place;
  }
  constexpr std::string_view node = ".node[";
  if (rest.starts_with(node) && rest.ends_with(']')) {
    const auto index = number<int>(rest.substr(node.size(), rest.size() - node.size() - 1));
    if (!index || *index < 0) return std::nullopt;
    place.kind = Place::Kind::node;
    place.node = *index;
    return place;
  }
  return std::nullopt;
}

}  // namespace

std::string Place::text() const {
  switch (kind) {
    case Kind::start:
      return rod + ".start";
    case Kind::end:
      return rod + ".end";
    case Kind::fraction:
      return fmt::format("{}@{}", rod, fraction);
    case Kind::node:
      return fmt::format("{}.node[{}]", rod, node);
  }
  return rod;
}

Place Place::parse(const std::string& text) {
  if (const std::optional<Place> place = parse_place(text)) return *place;
  throw Error("", text, how_to_write);
}

}  // namespace writhe
