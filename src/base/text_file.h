// The bytes of a text file: read within a size, checked to be text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "writhe/error.h"

namespace writhe {

// Enough for a polyline of some 200,000 points; yaml-cpp reads about 4 MB a second.
inline constexpr std::size_t max_scene_bytes = std::size_t{16} << 20;

// The whole file. Throws Error when it cannot be read, is a pipe or a device, which might never end, or has more than
// `max_bytes`, without reading those first.
std::string read_text_file(const std::string& path, std::size_t max_bytes);

// The first byte that is not part of UTF-8 text.
std::optional<Problem> find_not_text(const std::string& text, const std::string& name);

// 3 when the text starts with the mark that some editors put before UTF-8, else 0.
std::size_t byte_order_mark_size(std::string_view text);

// The first control character (other than tab and line ends), as `0x1b`.
std::optional<std::string> control_character(std::string_view text);

// For messages: in one line, control characters and what is not UTF-8 as `?`, cut after 60 bytes.
std::string printable(std::string_view text);

}  // namespace writhe
