#include "io/file_replacement.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace writhe::io {

FileReplacement::FileReplacement(std::filesystem::path path) : m_path(std::move(path)), m_temporary(m_path.string() + ".tmp") {
  errno = 0;
  m_file.reset(std::fopen(m_temporary.c_str(), "wb"));
  if (!m_file) throw_write_error(m_path, errno);
}

FileReplacement::~FileReplacement() {
  m_file.reset();
  std::error_code ignored;
  std::filesystem::remove(m_temporary, ignored);
}

void FileReplacement::write(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), m_file.get()) != text.size()) throw_write_error(m_path, errno);
}

void FileReplacement::commit() {
  errno = 0;
  if (std::fclose(m_file.release()) != 0) throw_write_error(m_path, errno);
  std::error_code error;
  std::filesystem::rename(m_temporary, m_path, error);
  if (error) throw_write_error(m_path, error.value());
}

}  // namespace writhe::io
