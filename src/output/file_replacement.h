// A long file that is written piece by piece and takes its name only when it is whole.
#pragma once

#include <filesystem>
#include <string_view>

#include "output/sink_file.h"

namespace writhe::output {

// Of the temporary file: one that nobody else gives, so that what has it is left over from a run that was killed.
inline constexpr std::string_view temporary_ending = ".writhe-tmp";

// Writes to a neighbouring temporary file; without commit() that one is removed and an old file stays as it was. A link of that
// name is replaced, and what it leads to stays as it was.
class FileReplacement {
 public:
  // All throw Error when the file cannot be written.
  explicit FileReplacement(std::filesystem::path path);
  ~FileReplacement();
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  void write(std::string_view text);
  void commit(Keep keep = Keep::quick);

 private:
  std::filesystem::path m_path, m_temporary;
  FilePointer m_file;
};

}  // namespace writhe::output
