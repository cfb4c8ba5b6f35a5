#include "embedded_scene.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/embedded.h"
#include "writhe/load.h"

namespace writhe::experiments {

Scene embedded_scene(const std::string& file, const std::vector<std::string>& overrides) {
  return parse_scene(std::string(embedded_file(file)), file, overrides);
}

nlohmann::json embedded_reference(const std::string& file) { return nlohmann::json::parse(embedded_file(file)); }

Error stopped_at(double time, const std::string& cause) { return Error(fmt::format("t = {:.6g} s", time), "", cause); }

}  // namespace writhe::experiments
