#include "study/provenance.h"

#include <fstream>
#include <iterator>
#include <string>

#include <Eigen/Core>
#include <fmt/format.h>
#include <hwy/highway.h>
#include <nlohmann/json.hpp>
#include <tbb/version.h>
#include <zlib.h>

#include "base/machine.h"
#include "base/version.h"
#include "base/yardstick.h"

namespace writhe::study {

using nlohmann::ordered_json;

namespace {
std::string dotted(int major, int minor, int patch) { return fmt::format("{}.{}.{}", major, minor, patch); }
}  // namespace

ordered_json program_json() { return {{"version", version()}, {"details", version_details()}}; }

std::string checksum(const std::string& bytes) {
  const uLong sum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return fmt::format("{:08x}-{}", sum, bytes.size());
}

std::string build_id() {
  static const std::string id = [] {
    std::ifstream program("/proc/self/exe", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(program), {}};
    return bytes.empty() ? version_details() : checksum(bytes);
  }();
  return id;
}

ordered_json machine_json() {
  const Machine machine = this_machine();
  const Yardstick yardstick = measure_yardstick();
  return {{"processor", machine.processor},
          {"cores", machine.cores},
          {"memory_gb", machine.memory * 1e-9},
          {"system", machine.system},
          {"yardstick_ms", yardstick.scalar_ms},
          {"yardstick_matrix_ms", yardstick.matrix_ms},
          {"yardstick_reference_ms", reference_scalar_ms}};
}

ordered_json libraries_json() {
  const auto entry = [](const char* name, const std::string& number) {
    return ordered_json{{"name", name}, {"version", number}};
  };
  return ordered_json::array({
      entry("Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)),
      entry("oneTBB", TBB_VERSION_STRING),
      entry("Highway", dotted(HWY_MAJOR, HWY_MINOR, HWY_PATCH)),
      entry("nlohmann-json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)),
      entry("fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)),
      entry("zlib", ZLIB_VERSION),
  });
}

}  // namespace writhe::study
