// Rods as closed surfaces: for printing and for renderers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::output {

struct TubeOptions {
  int sides = 16;             // of the outline of a round section, at least 3; a rectangle has its four corners
  double bend_a_piece = 0.1;  // rad: a segment is cut finer where it bends by more
};

// One closed surface a rod, triangles counterclockwise seen from outside. Rods that touch or cross, as those of a net do, each
// have their own.
struct TubeMesh {
  struct Rod {
    std::string name;
    std::size_t first_vertex = 0, first_triangle = 0;
  };
  std::vector<Vec3> vertices;                           // m
  std::vector<std::array<std::uint32_t, 3>> triangles;  // indices of vertices
  std::vector<Rod> rods;
};

TubeMesh tube_mesh(const Model& model, const State& state, const TubeOptions& options = {});

}  // namespace writhe::output
