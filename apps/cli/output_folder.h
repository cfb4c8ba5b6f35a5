// The folder that receives the files of a run or a solve.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace writhe::cli {

class OutputFolder {
 public:
  // fresh: the folder must be new or empty. replace: the files of an earlier run are removed, so that old and new never mix;
  // files that Writhe does not write stay. keep: a run goes on in the files that are there.
  // fresh_to_resume: as fresh, of a run that would have gone on if there were a checkpoint. fresh_once: as fresh, of a command
  // that cannot go on.
  enum class Use { fresh, fresh_to_resume, fresh_once, replace, keep };
  // Makes the folder. Throws Error when it cannot be made or used in this way, and when one of the `inputs`, files that the
  // command reads, is there under a name that the command may write or remove.
  OutputFolder(std::filesystem::path path, Use use, std::span<const std::filesystem::path> inputs = {});
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path record() const { return record_in(m_path); }
  std::filesystem::path summary() const { return m_path / "summary.json"; }
  std::filesystem::path probes() const { return m_path / "probes.csv"; }
  std::filesystem::path static_path() const { return m_path / "path.csv"; }
  std::filesystem::path resultants() const { return m_path / "resultants.csv"; }
  std::filesystem::path modes() const { return m_path / "modes.csv"; }
  std::filesystem::path comparison() const { return m_path / "compare.json"; }
  std::filesystem::path comparison_page() const { return m_path / "compare.html"; }
  std::filesystem::path report() const { return m_path / "report.json"; }
  std::filesystem::path report_page() const { return m_path / "report.html"; }
  std::filesystem::path validation() const { return m_path / "validation.md"; }
  std::filesystem::path checkpoint() const { return checkpoint_in(m_path); }
  std::filesystem::path frames() const { return frames_in(m_path); }
  static std::filesystem::path record_in(const std::filesystem::path& folder) { return folder / "run.json"; }
  static std::filesystem::path frames_in(const std::filesystem::path& folder) { return folder / "frames.bin"; }
  static std::filesystem::path checkpoint_in(const std::filesystem::path& folder) { return folder / "checkpoint.writhe"; }
  // Something of this output format is there.
  bool has_format(const std::string& format) const;
  // Names of the files that are there and that Writhe writes.
  std::vector<std::string> files() const;

 private:
  void lock();
  void check_spares(const std::filesystem::path& input) const;

  std::filesystem::path m_path;
  int m_lock = -1;  // open as long as this run writes here
};

}  // namespace writhe::cli
