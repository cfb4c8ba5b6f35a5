#include "output_folder.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "output/file_replacement.h"
#include "output/sink_formats.h"
#include "writhe/error.h"

namespace writhe::cli {

namespace fs = std::filesystem;

namespace {
// strip.svg only when there is a motion to show, checkpoints of `run` only, path.csv and modes.csv of `solve` only. The
// checkpoint first: what is left without it is never taken for a run.
const std::vector<std::string> own_files{"checkpoint.writhe", "run.json",     "summary.json", "probes.csv",
                                         "picture.svg",       "strip.svg",    "path.csv",     "resultants.csv",
                                         "modes.csv",         "compare.json", "compare.html"};

// All that a command may write: files and folders.
std::vector<std::string> file_names() {
  std::vector<std::string> names = own_files;
  for (const std::string& format : format_names())
    for (const std::string& file : output::format_files(format))
      if (std::find(names.begin(), names.end(), file) == names.end()) names.push_back(file);
  return names;
}

// What a run that was killed before its first checkpoint may have left counts as nothing.
bool holds_nothing(const fs::path& folder, std::error_code& error) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename() != "checkpoint.writhe" + std::string(output::temporary_ending)) return false;
  return true;
}

}  // namespace

OutputFolder::OutputFolder(fs::path path, Use use, std::span<const fs::path> inputs) : m_path(std::move(path)) {
  const auto refuse = [this](const std::string& message) { throw Error("--out", m_path.string(), message); };
  std::error_code error;
  if (fs::exists(m_path, error) && !fs::is_directory(m_path, error)) refuse("is a file; name a folder");
  fs::create_directories(m_path, error);
  if (error) refuse("cannot be made (" + error.message() + "); choose another folder");
  if (access(m_path.c_str(), W_OK) != 0) refuse("cannot be written; choose another folder");  // before anything is computed
  lock();
  const bool empty = holds_nothing(m_path, error);
  if (error) refuse("cannot be read (" + error.message() + "); choose another folder");
  for (const fs::path& input : inputs) check_spares(input);
  if (use == Use::keep) return;
  if (!empty && use == Use::fresh_to_resume)
    refuse(
        "has no checkpoint.writhe to go on from, and is not empty; choose another folder or add --force to replace its results");
  if (!empty && use == Use::fresh_once)
    refuse("exists and is not empty; choose another folder or add --force to replace its results");
  if (!empty && use == Use::fresh)
    refuse("exists and is not empty; choose another folder, add --force to replace its results, or --resume to go on");
  for (const std::string& name : own_files) {
    fs::remove(m_path / name, error);
    if (error) refuse("the old " + name + " cannot be removed (" + error.message() + ")");
  }
  output::remove_format_files(m_path);
}

OutputFolder::~OutputFolder() {
  if (m_lock >= 0) close(m_lock);
}

// Two runs in one folder would spoil each other's files. Where a folder cannot be locked (some network disks), it is not.
void OutputFolder::lock() {
  m_lock = open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (m_lock >= 0 && flock(m_lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error("--out", m_path.string(), "another run is writing here; wait for it to end, or choose another folder");
}

// By its name as it was given, where links may lead to the folder, and by the name of the file itself.
void OutputFolder::check_spares(const fs::path& input) const {
  std::error_code error;
  const fs::path folder = fs::canonical(m_path, error);
  const fs::path given = fs::weakly_canonical(input.parent_path().empty() ? "." : input.parent_path(), error) / input.filename();
  for (const fs::path& file : {given, fs::weakly_canonical(input, error)}) {
    const bool own = file.parent_path() == folder &&
                     std::find(own_files.begin(), own_files.end(), file.filename().string()) != own_files.end();
    if (own || output::is_format_file(folder, file))
      throw Error("--out", m_path.string(),
                  "results would take the place of " + input.string() + ", which is read; choose another folder");
  }
}

bool OutputFolder::has_format(const std::string& format) const {
  std::error_code error;
  return fs::exists(m_path / output::format_files(format).front(), error);
}

std::vector<std::string> OutputFolder::files() const {
  std::vector<std::string> there;
  std::error_code error;
  for (const std::string& name : file_names()) {
    if (fs::exists(m_path / name, error)) there.push_back(name);
  }
  return there;
}

}  // namespace writhe::cli
