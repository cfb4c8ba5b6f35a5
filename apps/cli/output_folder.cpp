#include "output_folder.h"

#include <array>
#include <system_error>
#include <utility>

#include "writhe/error.h"

namespace writhe::cli {

namespace fs = std::filesystem;

namespace {
// All that a run may write; strip.svg only when there is a motion to show.
constexpr std::array file_names{"summary.json", "probes.csv", "picture.svg", "strip.svg"};
}  // namespace

OutputFolder::OutputFolder(fs::path path, bool force) : m_path(std::move(path)) {
  const auto refuse = [this](const std::string& message) { throw Error("--out", m_path.string(), message); };
  std::error_code error;
  if (fs::exists(m_path, error) && !fs::is_directory(m_path, error)) refuse("is a file; name a folder");
  fs::create_directories(m_path, error);
  if (error) refuse("cannot be made (" + error.message() + "); choose another folder");
  const bool empty = fs::is_empty(m_path, error);
  if (error) refuse("cannot be read (" + error.message() + "); choose another folder");
  if (!empty && !force) refuse("exists and is not empty; choose another folder or add --force to replace its results");
  for (const char* name : file_names) {
    fs::remove(m_path / name, error);
    if (error) refuse("the old " + std::string(name) + " cannot be removed (" + error.message() + ")");
  }
}

std::vector<std::string> OutputFolder::files() const {
  std::vector<std::string> there;
  std::error_code error;
  for (const char* name : file_names) {
    if (fs::exists(m_path / name, error)) there.emplace_back(name);
  }
  return there;
}

}  // namespace writhe::cli
