// A plane as a mesh: some hundred triangles, no two of them alike.
#pragma once

#include "writhe/scene.h"

namespace writhe::experiments {

struct Sheet {
  Vec3 centre{}, along{1, 0, 0}, across{0, 1, 0};  // m; unit, at right angles
  double length = 0, width = 0;                    // m
  int columns = 0, rows = 0;                       // two triangles each
};

// Corners are off a grid by up to 0.3 of its cells, the same ones each time; cells are divided along either diagonal.
MeshObstacle irregular_mesh(const Sheet& sheet);

}  // namespace writhe::experiments
