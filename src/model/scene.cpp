#include "writhe/scene.h"

#include "model/piecewise_linear.h"

namespace writhe {

double Ramp::at(double time) const { return piecewise_linear(points, time); }

Location Scene::where(const std::string& path) const {
  std::string known = path;
  while (true) {
    if (const auto found = locations.find(known); found != locations.end()) return found->second;
    if (known.empty()) return {};
    const std::size_t cut = known.find_last_of(".[");
    known.resize(cut == std::string::npos ? 0 : cut);
  }
}

}  // namespace writhe
