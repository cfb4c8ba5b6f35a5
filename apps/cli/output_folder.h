// The folder that receives the files of a run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace writhe::cli {

class OutputFolder {
 public:
  // Makes the folder. Throws Error when it cannot be made, or holds something and `force` is not given. With `force` the files
  // of an earlier run are removed, so that old and new never mix; files that Writhe does not write stay.
  OutputFolder(std::filesystem::path path, bool force);

  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path summary() const { return m_path / "summary.json"; }
  std::filesystem::path probes() const { return m_path / "probes.csv"; }
  // Names of the files of a run that are there.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path m_path;
};

}  // namespace writhe::cli
