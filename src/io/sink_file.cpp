#include "io/sink_file.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "writhe/error.h"

namespace writhe::io {

namespace {
// The new name of a file lasts once its folder is on the disk. Where a folder cannot be synchronised, there is nothing to do.
void sync_folder(const std::filesystem::path& folder) {
  const int opened = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  fsync(opened);
  close(opened);
}

void discard(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}
}  // namespace

void throw_write_error(const std::filesystem::path& path, int error_number) {
  const std::string reason = error_number != 0 ? std::generic_category().message(error_number) : "unknown reason";
  throw Error("output", path.string(), "cannot be written (" + reason + "); check the folder, its permissions and free space");
}

void write_file(const std::filesystem::path& path, std::string_view text, Keep keep) {
  const std::filesystem::path temporary = path.string() + ".tmp";
  errno = 0;
  FilePointer file(std::fopen(temporary.c_str(), "wb"));
  if (!file) throw_write_error(path, errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() && std::fflush(file.get()) == 0 &&
                       (keep == Keep::quick || fsync(fileno(file.get())) == 0);
  const int write_error = errno;
  const bool closed = std::fclose(file.release()) == 0;
  if (!written || !closed) {
    const int reason = written ? errno : write_error;
    discard(temporary);
    throw_write_error(path, reason);
  }
  std::error_code renamed;
  std::filesystem::rename(temporary, path, renamed);
  if (renamed) {
    discard(temporary);
    throw_write_error(path, renamed.value());
  }
  if (keep == Keep::durable) sync_folder(path.parent_path());
}

FilePointer reopen(const std::filesystem::path& path, std::uint64_t size, std::string_view start) {
  const auto refuse = [&](const std::string& message) {
    throw Error("output", path.string(), message + "; resume into another folder with --out");
  };
  errno = 0;
  FilePointer file(std::fopen(path.c_str(), "r+b"));
  if (!file) refuse("cannot be continued (" + std::generic_category().message(errno) + ")");
  std::error_code error;
  if (std::filesystem::file_size(path, error) < size || error) refuse("is shorter than it was at the checkpoint");
  std::string found(start.size(), ' ');
  if (std::fread(found.data(), 1, found.size(), file.get()) != found.size() || found != start)
    refuse("has other columns than this run would write");
  std::filesystem::resize_file(path, size, error);
  if (error) throw_write_error(path, error.value());
  if (std::fseek(file.get(), 0, SEEK_END) != 0) throw_write_error(path, errno);
  return file;
}

}  // namespace writhe::io
