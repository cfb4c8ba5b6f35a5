// The formats in which shapes over time can be written (output.formats). src/output/sink_formats.h makes their sinks.
#pragma once

#include <string>
#include <vector>

namespace writhe {

inline const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names{"vtk", "usd", "obj", "html"};
  return names;
}

}  // namespace writhe
