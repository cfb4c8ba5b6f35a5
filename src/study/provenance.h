// Which program computed something, on what machine: what every page and file of results says of itself.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace writhe::study {

nlohmann::ordered_json program_json();  // version, details (commit, compiler, kind of build)
nlohmann::ordered_json machine_json();  // processor, cores, memory_gb, system, and the yardstick, measured now (half a second)
// The same for the same program file: what it computed can be told from what another build did. Where that file cannot be read,
// its version.
std::string build_id();
std::string checksum(const std::string& bytes);  // against damage, not against intent
nlohmann::ordered_json libraries_json();         // name and version of each

}  // namespace writhe::study
