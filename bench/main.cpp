// writhe-bench [FILE [NAME...]]: runs every benchmark, or those named, each in a process of its own, and writes bench.json (or
// FILE). Exit status 1 when a bar is not met.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apart.h"
#include "base/version.h"
#include "harness.h"

namespace {

struct Benchmark {
  std::string name;
  std::vector<writhe::bench::Row> (*run)(const writhe::Yardstick&);
};
const std::vector<Benchmark>& benchmarks() {
  using namespace writhe::bench;
  static const std::vector<Benchmark> all{{"cantilever", cantilever},
                                          {"chain_factor", chain_factor},
                                          {"contact", contact},
                                          {"hanging", hanging},
                                          {"island", island},
                                          {"net", net},
                                          {"pd", pd},
                                          {"plectoneme", plectoneme},
                                          {"threads", threads}};
  return all;
}

// Those named, all without a name; nothing where one is not known.
std::vector<Benchmark> chosen(const std::vector<std::string>& names) {
  if (names.empty()) return benchmarks();
  std::vector<Benchmark> out;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(benchmarks().begin(), benchmarks().end(), [&](const Benchmark& one) { return one.name == name; });
    if (found == benchmarks().end()) return {};
    out.push_back(*found);
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) try {
  using namespace writhe::bench;
  const std::string path = argc > 1 ? argv[1] : "bench.json";
  const std::vector<Benchmark> todo = chosen({argv + std::min(argc, 2), argv + argc});
  if (todo.empty() || path.starts_with('-')) {
    const bool asked = argc == 2 && (path == "-h" || path == "--help");
    fmt::print(
        asked ? stdout : stderr,
        "writhe-bench [FILE [NAME...]]: runs every benchmark, or those named, and writes FILE (default: bench.json); a few "
        "minutes\nNAME:");
    for (const Benchmark& one : benchmarks()) fmt::print(asked ? stdout : stderr, " {}", one.name);
    fmt::print(asked ? stdout : stderr, "\n");
    return asked ? 0 : 2;
  }
  const writhe::Yardstick yardstick = writhe::measure_yardstick();
  fmt::print("yardstick: scalar {:.1f} ms (bars are for {:.1f} ms), matrix {:.1f} ms\n", yardstick.scalar_ms,
             writhe::reference_scalar_ms, yardstick.matrix_ms);

  nlohmann::ordered_json out;
  out["version"] = writhe::version_details();
  out["yardstick"] = {{"scalar_ms", yardstick.scalar_ms},
                      {"matrix_ms", yardstick.matrix_ms},
                      {"reference_scalar_ms", writhe::reference_scalar_ms}};
  bool all = true;
  for (const Benchmark& benchmark : todo) {
    for (const Row& row : run_apart([&] { return benchmark.run(yardstick); })) {
      const std::string bar = row.bar > 0 ? fmt::format("bar {:8.4g}  {}", row.bar, row.passed() ? "passed" : "NOT PASSED") : "";
      fmt::print("{:<40}{:>10.4g} {:<8} {}\n", row.name, row.measured, row.unit, bar);
      nlohmann::ordered_json entry = {{"name", row.name}, {"measured", row.measured}, {"unit", row.unit}};
      if (row.bar > 0) entry.update({{"bar", row.bar}, {"bar_source", row.bar_text}, {"passed", row.passed()}});
      out["benchmarks"].push_back(entry);
      all = all && row.passed();
    }
  }
  out["passed"] = all;
  std::ofstream file(path);
  file << out.dump(2) << "\n";
  if (!file.flush()) {
    fmt::print(stderr, "{}: cannot be written\n", path);
    return 1;
  }
  fmt::print("written: {}\n", path);
  return all ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "writhe-bench: {}\n", error.what());
  return 1;
}
