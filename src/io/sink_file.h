// Files that are written whole or not at all, and what is said when they cannot be.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace writhe::io {

// Throws Error: the path, the system's reason (of `error_number`, as errno; 0: unknown) and what to do.
[[noreturn]] void throw_write_error(const std::filesystem::path& path, int error_number);

// Writes a neighbouring temporary file and renames it: a reader sees the old text or the new, never a part.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace writhe::io
