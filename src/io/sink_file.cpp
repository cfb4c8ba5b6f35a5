#include "io/sink_file.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "writhe/error.h"

namespace writhe::io {

namespace {
struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

void discard(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}
}  // namespace

void throw_write_error(const std::filesystem::path& path, int error_number) {
  const std::string reason = error_number != 0 ? std::generic_category().message(error_number) : "unknown reason";
  throw Error("output", path.string(), "cannot be written (" + reason + "); check the folder, its permissions and free space");
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path temporary = path.string() + ".tmp";
  errno = 0;
  std::unique_ptr<std::FILE, Closer> file(std::fopen(temporary.c_str(), "wb"));
  if (!file) throw_write_error(path, errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() && std::fflush(file.get()) == 0;
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
}

}  // namespace writhe::io
