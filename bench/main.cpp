// writhe-bench [FILE]: runs every benchmark, each in a process of its own, and writes bench.json (or FILE). Exit status 1 when a
// bar is not met.
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apart.h"
#include "base/version.h"
#include "harness.h"

int main(int argc, char** argv) try {
  using namespace writhe::bench;
  const std::string path = argc > 1 ? argv[1] : "bench.json";
  if (argc > 2 || path.starts_with('-')) {
    const bool asked = argc == 2 && (path == "-h" || path == "--help");
    fmt::print(asked ? stdout : stderr,
               "writhe-bench [FILE]: runs every benchmark and writes FILE (default: bench.json); a few minutes\n");
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
  for (const auto& benchmark : {cantilever, hanging, net, pd}) {
    for (const Row& row : run_apart([&] { return benchmark(yardstick); })) {
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
