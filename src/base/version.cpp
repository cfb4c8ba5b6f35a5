#include "base/version.h"

namespace writhe {
namespace {
#include "version_info.inc"  // version_text, commit_text, build_text: written by cmake/write_version.cmake

#if defined(__clang__)
constexpr char compiler_text[] = "clang " __clang_version__;
#else
constexpr char compiler_text[] = "g++ " __VERSION__;
#endif
}  // namespace

const char* version() { return version_text; }

std::string version_details() {
  std::string commit = commit_text;
  if (!commit.empty()) commit += ", ";
  return commit + compiler_text + ", " + build_text;
}

}  // namespace writhe
