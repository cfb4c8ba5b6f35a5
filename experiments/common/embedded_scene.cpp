#include "embedded_scene.h"

#include <fmt/format.h>

#include "base/embedded.h"
#include "writhe/load.h"

namespace writhe::experiments {

Scene embedded_scene(const std::string& file, const std::vector<std::string>& overrides) {
  return parse_scene(std::string(embedded_file(file)), file, overrides);
}

Error stopped_at(double time, const std::string& cause) { return Error(fmt::format("t = {:.6g} s", time), "", cause); }

}  // namespace writhe::experiments
