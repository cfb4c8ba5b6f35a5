// Files opened so that nothing but themselves is changed, and nobody is waited for: the other end of a pipe may never come.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace writhe {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FilePointer = std::unique_ptr<std::FILE, FileCloser>;

// All give nothing when it cannot be, and say why in `reason`: "it is a pipe or a device", or the system's words.
//
// To read. Links are followed.
FilePointer open_to_read(const std::filesystem::path& path, std::string& reason);
// To read and change what is there. Refuses a link, and a file that has a second name: what they lead to is someone else's.
FilePointer open_to_change(const std::filesystem::path& path, std::string& reason);
// A new file, to read and write. What had that name, a file or a link, loses it: nothing is written into it or through it.
FilePointer create_file(const std::filesystem::path& path, std::string& reason);

// Appends what is left of it, but not more than a little over `most` bytes. False when it cannot be read.
bool read_rest(std::FILE* file, std::size_t most, std::string& bytes);

// Why a file of this name cannot be put there, or take the place of what has the name; empty when it can.
std::string why_no_file_here(const std::filesystem::path& path);

}  // namespace writhe
