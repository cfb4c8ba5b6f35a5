#include "base/text_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/open_file.h"

namespace writhe {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_file(const std::string& path, std::string message) {
  throw Error(std::vector<Problem>{{{path, 0, 0}, "", "", std::move(message)}});
}

[[noreturn]] void refuse_size(const std::string& path, std::size_t max_bytes) {
  refuse_file(path, fmt::format("larger than {} MB; is this the file you meant?", max_bytes >> 20));
}

bool is_control(unsigned char c) { return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; }

bool is_continuation(unsigned char c) { return (c & 0xC0) == 0x80; }

// Bytes of the UTF-8 character that starts at i (Unicode 15, table 3-7), 0 when there is none.
std::size_t character_size(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0; };
  const int b0 = byte(0), b1 = byte(1);
  if (b0 < 0x80) return 1;
  if (b0 < 0xC2 || b0 > 0xF4) return 0;
  const std::size_t size = b0 < 0xE0 ? 2 : b0 < 0xF0 ? 3 : 4;
  for (std::size_t k = 1; k < size; ++k) {
    if (!is_continuation(static_cast<unsigned char>(byte(k)))) return 0;
  }
  const bool overlong = (b0 == 0xE0 && b1 < 0xA0) || (b0 == 0xF0 && b1 < 0x90);
  const bool surrogate = b0 == 0xED && b1 >= 0xA0;
  const bool too_large = b0 == 0xF4 && b1 >= 0x90;
  return overlong || surrogate || too_large ? 0 : size;
}

Location location_of(std::string_view text, std::size_t i, const std::string& name) {
  const std::string_view before = text.substr(0, i);
  const std::size_t line_end = before.rfind('\n');
  const std::size_t line_start = line_end == std::string_view::npos ? 0 : line_end + 1;
  return {name, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1, static_cast<int>(i - line_start) + 1};
}

}  // namespace

std::string read_text_file(const std::string& path, std::size_t max_bytes) {
  std::error_code ec;
  const fs::file_status status = fs::status(path, ec);
  if (status.type() == fs::file_type::not_found) refuse_file(path, "no such file; check the path");
  if (fs::is_directory(status)) refuse_file(path, "this is a folder; give the file in it");
  if (fs::is_regular_file(status) && fs::file_size(path, ec) > max_bytes && !ec) refuse_size(path, max_bytes);
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse_file(path, "this is a pipe or a device; give a file");
  std::string reason;
  const FilePointer file = open_to_read(path, reason);
  if (!file) refuse_file(path, fmt::format("cannot be opened ({}); check who may read it", reason));
  std::string text;
  if (!read_rest(file.get(), max_bytes, text)) refuse_file(path, "cannot be read; check who may read it");
  if (text.size() > max_bytes) refuse_size(path, max_bytes);
  return text;
}

std::optional<Problem> find_not_text(const std::string& text, const std::string& name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return Problem{{name, 0, 0}, "", "", "is UTF-16 text; save the file as UTF-8"};
  }
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t size = character_size(text, i);
    if (size == 0 || is_control(c)) {
      return Problem{location_of(text, i, name), "", fmt::format("0x{:02x}", c), "this byte is not text; save the file as UTF-8"};
    }
    i += size;
  }
  return std::nullopt;
}

std::size_t byte_order_mark_size(std::string_view text) { return text.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

std::optional<std::string> control_character(std::string_view text) {
  for (const char c : text) {
    if (is_control(static_cast<unsigned char>(c))) return fmt::format("0x{:02x}", static_cast<unsigned char>(c));
  }
  return std::nullopt;
}

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::size_t end = std::min(text.size(), longest);
  while (end < text.size() && end > 0 && is_continuation(static_cast<unsigned char>(text[end]))) --end;
  std::string out;
  for (std::size_t i = 0; i < end;) {
    const std::size_t size = character_size(text, i);
    const char c = text[i];
    if (size == 0 || is_control(static_cast<unsigned char>(c))) {
      out += '?';
    } else if (c == '\n' || c == '\t' || c == '\r') {
      out += ' ';
    } else {
      out += text.substr(i, size);
    }
    i += std::max(size, std::size_t{1});
  }
  return end < text.size() ? out + "..." : out;
}

}  // namespace writhe
