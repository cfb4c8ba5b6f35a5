#include "flat_mesh.h"

#include <random>

namespace writhe::experiments {

MeshObstacle irregular_mesh(const Sheet& sheet) {
  std::mt19937 random(17);
  const auto between = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
  };
  const auto off_grid = [&](int i, int last) { return i == 0 || i == last ? i : i + between(-0.3, 0.3); };
  MeshObstacle mesh;
  for (int j = 0; j <= sheet.rows; ++j)
    for (int i = 0; i <= sheet.columns; ++i) {
      const double x = off_grid(i, sheet.columns) / sheet.columns - 0.5, y = off_grid(j, sheet.rows) / sheet.rows - 0.5;
      mesh.points.push_back(sheet.centre + x * sheet.length * sheet.along + y * sheet.width * sheet.across);
    }
  for (int j = 0; j < sheet.rows; ++j)
    for (int i = 0; i < sheet.columns; ++i) {
      const int a = j * (sheet.columns + 1) + i, b = a + 1, c = b + sheet.columns + 1, d = c - 1;
      if (random() % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  return mesh;
}

}  // namespace writhe::experiments
