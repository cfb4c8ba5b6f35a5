#include "output/growing_file.h"

#include <cerrno>
#include <cstdio>

namespace writhe::output {

namespace {
constexpr std::chrono::milliseconds flush_interval{250};
}

GrowingFile::GrowingFile(const std::filesystem::path& path, std::string_view header) : m_path(path) {
  std::string reason;
  m_file = create_file(m_path, reason);
  if (!m_file) throw_write_error(m_path, reason);
  put(header);
  flush();
}

GrowingFile::GrowingFile(const std::filesystem::path& path, std::uint64_t size, std::string_view header)
    : m_path(path), m_file(reopen(path, size, header)), m_flushed(std::chrono::steady_clock::now()) {}

void GrowingFile::put(std::string_view line) {
  errno = 0;
  if (std::fwrite(line.data(), 1, line.size(), m_file.get()) != line.size()) throw_write_error(m_path, errno);
}

void GrowingFile::flush() {
  errno = 0;
  if (std::fflush(m_file.get()) != 0) throw_write_error(m_path, errno);
  m_flushed = std::chrono::steady_clock::now();
}

void GrowingFile::flush_now_and_then() {
  if (std::chrono::steady_clock::now() - m_flushed >= flush_interval) flush();
}

std::uint64_t GrowingFile::size() {
  flush();
  return static_cast<std::uint64_t>(std::ftell(m_file.get()));
}

void GrowingFile::close() {
  flush();
  errno = 0;
  if (std::fclose(m_file.release()) != 0) throw_write_error(m_path, errno);
}

}  // namespace writhe::output
