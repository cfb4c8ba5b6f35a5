// A folder that goes away with what is in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "writhe/error.h"

namespace writhe::cli {

class TemporaryFolder {
 public:
  // Throws Error when it cannot be made.
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "writhe-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw Error("TMPDIR", pattern, "no folder can be made there; set TMPDIR to another one");
    m_path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(m_path, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return m_path / name; }

 private:
  std::filesystem::path m_path;
};

}  // namespace writhe::cli
