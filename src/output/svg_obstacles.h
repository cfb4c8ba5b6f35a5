// Obstacles as they are drawn: surfaces in pale grey behind the rods, cut off at the edge of the picture.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "output/svg_view.h"
#include "writhe/model.h"

namespace writhe::output {

// frame: px, outside of which nothing is drawn. time: s, for those that move.
std::string draw_obstacles(const Model& model, double time, const Camera& camera, const Rect& frame);

// What is behind an obstacle and has to be drawn before it. Planes hide nothing: rods are on one side of them, and seen from the
// other they would all be gone; nor do meshes of very many triangles.
class Hiding {
 public:
  Hiding(const Model& model, double time, const Camera& camera);
  bool hides(const Vec3& x) const;

 private:
  struct Triangle {
    std::array<Point, 3> at;      // m, as Camera::direction has it
    std::array<double, 3> depth;  // m
    Rect box;
  };
  struct Solid {
    Rect box;
    std::vector<Triangle> triangles;
  };
  const Camera& m_camera;
  std::vector<Solid> m_solids;
};
// Widens what a picture shows (m, as Camera::direction has it) by obstacles that are not much larger than it is.
void include_obstacles(const Model& model, double time, const Camera& camera, Rect& extent);

}  // namespace writhe::output
