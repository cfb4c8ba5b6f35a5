// run.json: which scene a folder of results is of, so that pictures and meshes can be made of it later.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace writhe::output {

struct RunRecord {
  std::string scene;                   // path of the scene file when it ran: other files it names are looked for beside it
  std::string text;                    // what was in it
  std::vector<std::string> overrides;  // path=value
  std::string page;                    // of --html, absolute; empty without
};

// Reads the scene file. Throws Error when it cannot be read.
RunRecord run_record(const std::string& scene, std::vector<std::string> overrides, const std::string& page = {});

// Both throw Error when the file cannot be written, or read as what it should be.
void write_run_record(const std::filesystem::path& path, const RunRecord& record);
RunRecord read_run_record(const std::filesystem::path& path);

}  // namespace writhe::output
