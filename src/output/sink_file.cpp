#include "output/sink_file.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include "output/file_replacement.h"
#include "writhe/error.h"

namespace writhe::output {

void throw_write_error(const std::filesystem::path& path, int error_number) {
  const std::string reason = error_number != 0 ? std::generic_category().message(error_number) : "unknown reason";
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

}  // namespace writhe::output
