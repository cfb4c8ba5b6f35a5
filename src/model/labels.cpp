#include "model/labels.h"

#include <map>
#include <variant>

#include "model/problems.h"

namespace writhe {

namespace {

std::string on_rod(const char* kind, const std::string& rod) { return rod.empty() ? kind : kind + (" " + rod); }

struct LoadLabel {
  std::string operator()(const ForceLoad& load) const { return "force " + load.at.text(); }
  std::string operator()(const MomentLoad& load) const { return "moment " + load.at.text(); }
  std::string operator()(const LineLoad& load) const { return on_rod("line", load.rod); }
  std::string operator()(const DragLoad& load) const { return on_rod("drag", load.rod); }
  std::string operator()(const WindLoad& load) const { return on_rod("wind", load.rod); }
};

template <class Item>
std::vector<std::string> different_labels(const std::vector<Item>& items) {
  std::map<std::string, int> count;
  std::vector<std::string> out;
  for (const Item& item : items) {
    const std::string label = label_of(item);
    const int number = ++count[label];
    out.push_back(number == 1 ? label : label + " #" + std::to_string(number));
  }
  return out;
}

}  // namespace

std::string label_of(const Support& support) {
  return (support.kind == Support::Kind::clamp ? "clamp " : "pin ") + support.at.text();
}

std::string label_of(const Load& load) { return std::visit(LoadLabel{}, load.kind); }

std::string text_of(const std::variant<Place, Vec3>& end) {
  const auto* place = std::get_if<Place>(&end);
  return place ? place->text() : text_of(std::get<Vec3>(end));
}

std::string label_of(const Link& link) {
  return (link.kind == Link::Kind::spring ? "spring " : "tether ") + text_of(link.from) + " " + text_of(link.to);
}

std::vector<std::string> support_labels(const Scene& scene) { return different_labels(scene.supports); }
std::vector<std::string> load_labels(const Scene& scene) { return different_labels(scene.loads); }

}  // namespace writhe
