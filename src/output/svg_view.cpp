#include "output/svg_view.h"

#include <algorithm>
#include <array>

#include "base/names.h"
#include "writhe/error.h"

namespace writhe::output {

View parse_view(std::string_view name, const std::string& key) {
  static constexpr std::array<std::string_view, 4> names{"xy", "xz", "yz", "iso"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error(key, std::string(name),
                "no such view; " + hint(name, std::vector<std::string>(names.begin(), names.end()), "views"));
  }
  return static_cast<View>(found - names.begin());
}

void Rect::include(Point p, double margin) {
  x0 = std::min(x0, p.x - margin);
  y0 = std::min(y0, p.y - margin);
  x1 = std::max(x1, p.x + margin);
  y1 = std::max(y1, p.y + margin);
}

Camera Camera::looking(View view) {
  Camera camera;
  switch (view) {
    case View::xy:
      camera.right = {1, 0, 0};
      camera.up = {0, 1, 0};
      break;
    case View::xz:
      camera.right = {1, 0, 0};
      camera.up = {0, 0, 1};
      break;
    case View::yz:
      camera.right = {0, 1, 0};
      camera.up = {0, 0, 1};
      break;
    case View::iso:  // all three axes foreshortened alike
      camera.right = normalized(Vec3{1, 1, 0});
      camera.up = normalized(Vec3{-1, 1, 2});
      break;
  }
  camera.toward = cross(camera.right, camera.up);
  return camera;
}

}  // namespace writhe::output
