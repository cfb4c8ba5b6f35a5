#include "base/open_file.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace writhe {

namespace {

std::string system_words(int error) { return std::generic_category().message(error); }

// What there is in place of a file.
std::string kind_text(mode_t mode) { return S_ISDIR(mode) ? "it is a folder" : "it is a pipe or a device"; }

// With O_NONBLOCK a pipe is opened at once, whoever is at its other end; a file does not care.
FilePointer open_regular(const std::filesystem::path& path, int flags, const char* mode, std::string& reason) {
  // Not even opened: some devices do something then.
  struct stat found {};
  const bool there = fstatat(AT_FDCWD, path.c_str(), &found, (flags & O_NOFOLLOW) != 0 ? AT_SYMLINK_NOFOLLOW : 0) == 0;
  if (there && !S_ISREG(found.st_mode) && !S_ISLNK(found.st_mode)) {
    reason = kind_text(found.st_mode);
    return nullptr;
  }
  const int opened = open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (opened < 0) {
    const bool link = errno == ELOOP && (flags & O_NOFOLLOW) != 0;
    reason = link ? "it is a symbolic link" : system_words(errno);
    return nullptr;
  }
  const bool known = fstat(opened, &found) == 0;
  reason = known ? "" : system_words(errno);
  if (known && !S_ISREG(found.st_mode)) reason = kind_text(found.st_mode);
  if (reason.empty() && (flags & O_NOFOLLOW) != 0 && found.st_nlink > 1) reason = "it has another name too, by a hard link";
  FilePointer file(reason.empty() ? fdopen(opened, mode) : nullptr);
  if (file) return file;
  if (reason.empty()) reason = system_words(errno);
  close(opened);
  return nullptr;
}

}  // namespace

FilePointer open_to_read(const std::filesystem::path& path, std::string& reason) {
  return open_regular(path, O_RDONLY, "rb", reason);
}

FilePointer open_to_change(const std::filesystem::path& path, std::string& reason) {
  return open_regular(path, O_RDWR | O_NOFOLLOW, "r+b", reason);
}

FilePointer create_file(const std::filesystem::path& path, std::string& reason) {
  reason = why_no_file_here(path);
  if (!reason.empty()) return nullptr;
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    reason = system_words(errno);
    return nullptr;
  }
  return open_regular(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, "w+b", reason);
}

bool read_rest(std::FILE* file, std::size_t most, std::string& bytes) {
  // In pieces: it may grow, and some files of the system do not know their size.
  std::string piece(std::size_t{1} << 16, '\0');
  for (std::size_t count = 1; count > 0 && bytes.size() <= most;) {
    count = std::fread(piece.data(), 1, piece.size(), file);
    bytes.append(piece, 0, count);
  }
  return std::ferror(file) == 0;
}

std::string why_no_file_here(const std::filesystem::path& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return errno == ENOENT ? std::string() : system_words(errno);
  return S_ISREG(found.st_mode) || S_ISLNK(found.st_mode) ? std::string() : kind_text(found.st_mode);
}

}  // namespace writhe
