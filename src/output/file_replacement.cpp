#include "output/file_replacement.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace writhe::output {

// The new name of a file lasts once its folder is on the disk. Where a folder cannot be synchronised, there is nothing to do.
static void sync_folder(const std::filesystem::path& folder) {
  const int opened = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  fsync(opened);
  close(opened);
}

FileReplacement::FileReplacement(std::filesystem::path path)
    : m_path(std::move(path)), m_temporary(m_path.string() + std::string(temporary_ending)) {
  std::string reason = why_no_file_here(m_path);
  if (reason.empty()) m_file = create_file(m_temporary, reason);
  if (!m_file) throw_write_error(m_path, reason);
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

void FileReplacement::commit(Keep keep) {
  errno = 0;
  const bool kept = keep == Keep::quick || (std::fflush(m_file.get()) == 0 && fsync(fileno(m_file.get())) == 0);
  if (!kept || std::fclose(m_file.release()) != 0) throw_write_error(m_path, errno);
  std::error_code error;
  std::filesystem::rename(m_temporary, m_path, error);
  if (error) throw_write_error(m_path, error.value());
  if (keep == Keep::durable) sync_folder(m_path.parent_path());
}

}  // namespace writhe::output
