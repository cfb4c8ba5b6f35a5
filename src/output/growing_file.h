// A text file that grows row by row while something is computed.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "output/sink_file.h"

namespace writhe::output {

class GrowingFile {
 public:
  // All throw Error when the file cannot be written.
  GrowingFile() = default;
  // Starts a new file with its header.
  GrowingFile(const std::filesystem::path& path, std::string_view header);
  // Goes on with a file, cut back to `size` bytes; see reopen() of sink_file.h.
  GrowingFile(const std::filesystem::path& path, std::uint64_t size, std::string_view header);

  bool is_open() const { return m_file != nullptr; }
  void put(std::string_view line);
  // Hands over what was put: at once, or when some time has passed since the last flush, so that someone who watches the file
  // sees it grow and a slow disk does not slow the run.
  void flush();
  void flush_now_and_then();
  std::uint64_t size();  // bytes, all of them flushed
  void close();

 private:
  std::filesystem::path m_path;
  FilePointer m_file;
  std::chrono::steady_clock::time_point m_flushed;
};

}  // namespace writhe::output
