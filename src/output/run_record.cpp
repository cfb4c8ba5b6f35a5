#include "output/run_record.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "base/text_file.h"
#include "output/page.h"
#include "output/sink_file.h"
#include "writhe/error.h"

namespace writhe::output {

RunRecord run_record(const std::string& scene, std::vector<std::string> overrides, const std::string& page) {
  return {std::filesystem::absolute(scene).lexically_normal().string(), read_text_file(scene, max_scene_bytes),
          std::move(overrides), page.empty() ? page : std::filesystem::absolute(page).lexically_normal().string()};
}

void write_run_record(const std::filesystem::path& path, const RunRecord& record) {
  nlohmann::ordered_json json = {{"scene", record.scene}, {"overrides", record.overrides}, {"text", record.text}};
  if (!record.page.empty()) json["page"] = record.page;
  write_file(path, text_of(json, 2) + "\n");
}

RunRecord read_run_record(const std::filesystem::path& path) {
  constexpr std::size_t most = 4 * max_scene_bytes;  // quotes and line ends are escaped
  try {
    const nlohmann::json json = nlohmann::json::parse(read_text_file(path.string(), most));
    return {json.at("scene"), json.at("text"), json.at("overrides"), json.value("page", "")};
  } catch (const nlohmann::json::exception&) {
    throw Error("run", path.string(), "is damaged; run the scene again");
  }
}

}  // namespace writhe::output
