#include "output_folder.h"

#include <system_error>
#include <utility>

#include "io/sink_formats.h"
#include "writhe/error.h"

namespace writhe::cli {

namespace fs = std::filesystem;

namespace {
// All that a run may write: files and folders; strip.svg only when there is a motion to show.
std::vector<std::string> file_names() {
  std::vector<std::string> names{"summary.json", "probes.csv", "picture.svg", "strip.svg", "checkpoint.writhe"};
  for (const std::string& format : format_names())
    for (const std::string& file : io::format_files(format)) names.push_back(file);
  return names;
}

// Takes the frames out of a folder, and the folder away when nothing else is in it: it may be someone's own `obj`.
void remove_frames(const fs::path& folder, std::error_code& error) {
  const std::string start = "rods_";
  std::vector<fs::path> frames;
  bool others = false;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string stem = entry.path().stem();
    const bool frame = stem.starts_with(start) && stem.find_first_not_of("0123456789", start.size()) == std::string::npos;
    if (frame)
      frames.push_back(entry.path());
    else
      others = true;
  }
  for (const fs::path& frame : frames)
    if (!error) fs::remove(frame, error);
  if (!error && !others) fs::remove(folder, error);
}
}  // namespace

OutputFolder::OutputFolder(fs::path path, Use use) : m_path(std::move(path)) {
  const auto refuse = [this](const std::string& message) { throw Error("--out", m_path.string(), message); };
  std::error_code error;
  if (fs::exists(m_path, error) && !fs::is_directory(m_path, error)) refuse("is a file; name a folder");
  fs::create_directories(m_path, error);
  if (error) refuse("cannot be made (" + error.message() + "); choose another folder");
  const bool empty = fs::is_empty(m_path, error);
  if (error) refuse("cannot be read (" + error.message() + "); choose another folder");
  if (use == Use::keep) return;
  if (!empty && use == Use::fresh)
    refuse("exists and is not empty; choose another folder, add --force to replace its results, or --resume to go on");
  for (const std::string& name : file_names()) {
    if (fs::is_directory(m_path / name, error))
      remove_frames(m_path / name, error);
    else
      fs::remove(m_path / name, error);
    if (error) refuse("the old " + name + " cannot be removed (" + error.message() + ")");
  }
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
