#include "output/sink_file.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <unistd.h>

#include "output/file_replacement.h"
#include "writhe/error.h"

namespace writhe::output {

void throw_write_error(const std::filesystem::path& path, int error_number) {
  throw_write_error(path, error_number != 0 ? std::generic_category().message(error_number) : "unknown reason");
}

void throw_write_error(const std::filesystem::path& path, const std::string& reason) {
  throw Error("output", path.string(), "cannot be written (" + reason + "); check the folder, its permissions and free space");
}

void write_file(const std::filesystem::path& path, std::string_view text, Keep keep) {
  FileReplacement file(path);
  file.write(text);
  file.commit(keep);
}

FilePointer reopen(const std::filesystem::path& path, std::uint64_t size, std::string_view start) {
  const auto refuse = [&](const std::string& message) {
    throw Error("output", path.string(), message + "; resume into another folder with --out");
  };
  std::string reason;
  FilePointer file = open_to_change(path, reason);
  if (!file) refuse("cannot be continued (" + reason + ")");
  if (std::fseek(file.get(), 0, SEEK_END) != 0 || static_cast<std::uint64_t>(std::ftell(file.get())) < size)
    refuse("is shorter than it was at the checkpoint");
  std::rewind(file.get());
  std::string found(start.size(), ' ');
  if (std::fread(found.data(), 1, found.size(), file.get()) != found.size() || found != start)
    refuse("has other columns than this run would write");
  errno = 0;
  if (ftruncate(fileno(file.get()), static_cast<off_t>(size)) != 0) throw_write_error(path, errno);
  if (std::fseek(file.get(), 0, SEEK_END) != 0) throw_write_error(path, errno);
  return file;
}

}  // namespace writhe::output
