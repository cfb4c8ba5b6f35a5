#include "base/machine.h"

#include <fstream>
#include <string_view>
#include <thread>

#include <sys/utsname.h>
#include <unistd.h>

namespace writhe {

namespace {

// The value of the first line that starts with `key`, without the separator and quotes around it.
std::string value_in(const char* file, std::string_view key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    const std::size_t first = line.find_first_not_of(" \t\"", at + 1), last = line.find_last_not_of(" \t\"");
    return first == std::string::npos ? std::string() : line.substr(first, last + 1 - first);
  }
  return {};
}

std::string system_text() {
  std::string out = value_in("/etc/os-release", "PRETTY_NAME", '=');
  utsname name{};
  if (uname(&name) != 0) return out;
  if (!out.empty()) out += ", ";
  return out + name.sysname + " " + name.release + " " + name.machine;
}

}  // namespace

Machine this_machine() {
  Machine out;
  out.processor = value_in("/proc/cpuinfo", "model name", ':');
  out.cores = static_cast<int>(std::thread::hardware_concurrency());
  out.memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  out.system = system_text();
  return out;
}

}  // namespace writhe
