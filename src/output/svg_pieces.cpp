#include "output/svg_pieces.h"

#include <algorithm>
#include <cmath>

namespace writhe::output {

namespace {

constexpr double bend_a_piece = 0.10;   // rad
constexpr double twist_a_piece = 0.15;  // rad
constexpr int most_cuts = 12;           // of one segment

// Pieces that segment i deserves.
int cuts(const Model& model, const RodCurve& curve, int i, const Camera& camera) {
  const double thickness = std::max({2 * model.segments().half_extent[curve.segment(i)].z, 1.5 / camera.scale, 1e-300});
  const double deep = std::abs(camera.depth(curve.chord(i))) / thickness;
  const double most = std::max({curve.bend(i) / bend_a_piece, curve.twist(i) / twist_a_piece, deep, 1.0});
  return static_cast<int>(std::ceil(std::min<double>(most, most_cuts)));
}

Piece piece(const RodCurve& curve, const Station& a, const Station& b, int i, bool first, bool last) {
  return {a, b, curve.rod(), curve.segment(i), first && !curve.closed(), last && !curve.closed()};
}

// From node i to node i + span, in `count` pieces (more than one only when span is 1).
void cut(const RodCurve& curve, int i, int span, int count, std::vector<Piece>& out) {
  const int n = curve.segments();
  if (span > 1) {
    out.push_back(piece(curve, curve.at(i, 0), curve.at(i + span - 1, 1), i + span / 2, i == 0, i + span == n));
    return;
  }
  Station before = curve.at(i, 0);
  for (int k = 1; k <= count; ++k) {
    const Station after = curve.at(i, static_cast<double>(k) / count);
    out.push_back(piece(curve, before, after, i, i == 0 && k == 1, i + 1 == n && k == count));
    before = after;
  }
}

}  // namespace

std::vector<Piece> cut_into_pieces(const Model& model, const State& state, const measure::SegmentJoints& joints,
                                   const Camera& camera, int budget) {
  std::vector<RodCurve> curves;
  for (std::size_t r = 0; r < model.rods().size(); ++r) {
    curves.emplace_back(model, state, joints, static_cast<int>(r));
  }
  double wanted = 0;
  for (const RodCurve& curve : curves) {
    for (int i = 0; i < curve.segments(); ++i) wanted += cuts(model, curve, i, camera);
  }
  const double share = std::min(1.0, budget / std::max(wanted, 1.0));
  const int span = std::max(1, (model.segment_count() + budget - 1) / std::max(budget, 1));

  std::vector<Piece> out;
  for (const RodCurve& curve : curves) {
    for (int i = 0; i < curve.segments(); i += span) {
      const int count = std::max(1, static_cast<int>(share * cuts(model, curve, i, camera)));
      cut(curve, i, std::min(span, curve.segments() - i), count, out);
    }
  }
  return out;
}

}  // namespace writhe::output
