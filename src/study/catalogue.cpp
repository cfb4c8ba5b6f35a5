#include "study/catalogue.h"

#include <nlohmann/json.hpp>

#include "base/embedded.h"

namespace writhe::study {

std::vector<Paper> all_papers() {
  const nlohmann::json file = nlohmann::json::parse(embedded_file("experiments/papers.json"));
  std::vector<Paper> papers;
  for (const nlohmann::json& entry : file.at("papers")) {
    Paper paper{
        entry.at("id"), entry.at("short"), entry.at("authors"), entry.at("title"), entry.at("where"), entry.at("year"), {}};
    for (const nlohmann::json& item : entry.at("items"))
      paper.items.push_back({paper.id + ":" + item.at("id").get<std::string>(), item.at("label"), item.at("kind"),
                             item.at("shows"), item.at("needs"), item.at("measurable"), item.value("note", "")});
    papers.push_back(std::move(paper));
  }
  return papers;
}

}  // namespace writhe::study
