#include "base/embedded.h"

#include <algorithm>
#include <span>
#include <string>

#include "writhe/error.h"

namespace writhe {
namespace {

struct EmbeddedFile {
  std::string_view path;
  std::string_view text;
};

using namespace std::literals;  // a length that the compiler knows, however long the text is

// The last entry is empty, so that the table is one even when nothing is embedded.
constexpr EmbeddedFile table[] = {
#include "embedded_files.inc"
    {},
};
constexpr std::span<const EmbeddedFile> files(table, std::size(table) - 1);

}  // namespace

std::string_view embedded_file(std::string_view path) {
  const auto found = std::find_if(files.begin(), files.end(), [path](const EmbeddedFile& file) { return file.path == path; });
  if (found != files.end()) return found->text;
  throw Error("embedded file", std::string(path), "no such file inside this program; embedded_files() lists those that are");
}

std::vector<std::string_view> embedded_files() {
  std::vector<std::string_view> paths;
  for (const EmbeddedFile& file : files) paths.push_back(file.path);
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace writhe
