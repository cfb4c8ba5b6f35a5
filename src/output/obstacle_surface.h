// Obstacles as triangles: for files and pages, which know no others.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "writhe/model.h"
#include "writhe/scene.h"

namespace writhe::output {

struct ObstacleSurface {
  std::vector<Vec3> points;  // m, as the obstacle stands in the scene, without its motion
  std::vector<std::array<std::int32_t, 3>>
      corners;  // of triangles, counterclockwise seen from outside; of a mesh as its file has them
};

// A plane has no end. Of it a square is drawn, about the point nearest to the middle of the ball, and as wide as twice the ball.
struct Ball {
  Vec3 middle{};      // m
  double radius = 0;  // m
};
// Around all rods as they start.
Ball ball_of_start(const Model& model);

ObstacleSurface surface_of(const Obstacle& obstacle, const Ball& ball);

}  // namespace writhe::output
