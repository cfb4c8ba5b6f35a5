// Where rods are rooted in obstacles: a place that is held and begins in one, or so near that it would have a
// thinning (thinning.h), could not be pressed out. Near it
// along the rod, as near as a rod is to itself, that obstacle does not count. docs/theory/contact.md, "Beginnings".
#pragma once

#include <span>
#include <vector>

#include "contact/obstacle_shape.h"
#include "contact/span.h"
#include "writhe/model.h"

namespace writhe::contact {

struct Root {
  int rod = 0, obstacle = 0;
  double arc = 0, reach = 0, around = 0;  // m: of the place; to either side; of a ring, its length, else 0
  bool has(double at) const;              // m: arc length on the rod
};
inline bool any_has(std::span<const Root> roots, double arc) {
  for (const Root& root : roots)
    if (root.has(arc)) return true;
  return false;
}

class Roots {
 public:
  Roots() = default;
  // shapes: of the obstacles of the scene.
  Roots(const Model& model, const Spans& spans, std::span<const ObstacleShape> shapes);
  std::span<const Root> of(int rod, int obstacle) const;

 private:
  std::vector<Root> m_all;  // by rod, then obstacle
};

}  // namespace writhe::contact
