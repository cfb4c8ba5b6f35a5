// Files that are written whole or not at all, and what is said when they cannot be.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/open_file.h"

namespace writhe::output {

// Throws Error: the path, the system's reason (of `error_number`, as errno; 0: unknown) and what to do.
[[noreturn]] void throw_write_error(const std::filesystem::path& path, int error_number);
[[noreturn]] void throw_write_error(const std::filesystem::path& path, const std::string& reason);

// Writes a neighbouring temporary file and renames it: a reader sees the old text or the new, never a part, even when the
// program is killed. With `durable` the same holds when the machine loses power.
enum class Keep { quick, durable };
void write_file(const std::filesystem::path& path, std::string_view text, Keep keep = Keep::quick);

// Opens a file that an earlier run wrote, cut back to `size` bytes, to go on at its end. Throws Error when it is shorter, does
// not start with `start`, or is a link.
FilePointer reopen(const std::filesystem::path& path, std::uint64_t size, std::string_view start);

}  // namespace writhe::output
