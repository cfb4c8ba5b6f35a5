#include "contact/wall_search.h"

#include <algorithm>

namespace writhe::contact {

namespace {

constexpr int spans_of_piece = 1024;  // some 50 us of work

// Seen from an obstacle that moves, a span comes from its box at the start to the same at the end.
Box seen(const Passing& obstacle, const Box& box) { return obstacle.moves ? seen_from(obstacle.from, obstacle.to, box) : box; }

}  // namespace

void WallSearch::find(const Rules& rules, const std::vector<Box>& boxes, std::span<const Passing> obstacles,
                      const Threads& threads, std::vector<Wall>& walls, std::vector<int>& features) {
  const Spans& spans = rules.spans();
  const int each = (spans.count() + spans_of_piece - 1) / spans_of_piece, pieces = each * static_cast<int>(obstacles.size());
  m_pieces.resize(static_cast<std::size_t>(pieces));
  threads.for_each(pieces, [&](int p) {
    Piece& piece = m_pieces[p];
    piece.walls.clear();
    piece.features.clear();
    const int o = p / each, begin = p % each * spans_of_piece, end = std::min(spans.count(), begin + spans_of_piece);
    const Box bounds = obstacles[o].shape->bounds();
    for (int i = begin; i < end; ++i) {
      const Box box = seen(obstacles[o], boxes[i].grown(spans[i].largest_radius + rules.activation(spans[i])));
      if (!bounds.meets(box)) continue;
      const auto before = piece.features.size();
      obstacles[o].shape->find(box, piece.features);
      if (piece.features.size() == before) continue;
      Wall wall = wall_of(spans[i], o, rules.material(spans[i]));
      wall.first = static_cast<int>(before);
      wall.feature_count = static_cast<int>(piece.features.size() - before);
      piece.walls.push_back(wall);
    }
  });
  int wall_sum = 0, feature_sum = 0;
  for (Piece& piece : m_pieces) {
    piece.first_wall = wall_sum;
    piece.first_feature = feature_sum;
    wall_sum += static_cast<int>(piece.walls.size());
    feature_sum += static_cast<int>(piece.features.size());
  }
  walls.resize(static_cast<std::size_t>(wall_sum));
  features.resize(static_cast<std::size_t>(feature_sum));
  threads.for_each(pieces, [&](int p) {
    const Piece& piece = m_pieces[p];
    std::copy(piece.features.begin(), piece.features.end(), features.begin() + piece.first_feature);
    for (std::size_t k = 0; k < piece.walls.size(); ++k) {
      Wall& wall = walls[piece.first_wall + k] = piece.walls[k];
      wall.first += piece.first_feature;
    }
  });
}

}  // namespace writhe::contact
