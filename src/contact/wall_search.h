// Which spans may touch which obstacles in a step. docs/theory/contact.md, "Search".
#pragma once

#include <span>
#include <vector>

#include "base/parallel.h"
#include "contact/rules.h"
#include "contact/wall.h"

namespace writhe::contact {

// An obstacle on its way through a step.
struct Passing {
  const ObstacleShape* shape = nullptr;
  Pose from, to;
  bool moves = false;
};

class WallSearch {
 public:
  // Obstacle by obstacle, and of each the spans in order. boxes: per span, m, wherever it may come, without its radius. features:
  // of all walls, see Wall.
  void find(const Rules& rules, const std::vector<Box>& boxes, std::span<const Passing> obstacles, const Threads& threads,
            std::vector<Wall>& walls, std::vector<int>& features);

 private:
  // What a piece of the spans finds at one obstacle; its memory is kept.
  struct Piece {
    std::vector<Wall> walls;
    std::vector<int> features;
    int first_wall = 0, first_feature = 0;
  };
  std::vector<Piece> m_pieces;
};

}  // namespace writhe::contact
