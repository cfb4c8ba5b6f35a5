#include "measure/winding.h"

#include <utility>

#include "measure/knots.h"

namespace writhe::measure {

namespace {

class Budget {
 public:
  bool takes(double pairs) {
    if (m_spent + pairs > most_pairs) return false;
    m_spent += pairs;
    return true;
  }

 private:
  double m_spent = 0;
};

void add_rods(const Model& model, const State& state, Windings& out) {
  Budget budget;
  const SegmentJoints joints = segment_joints(model);
  for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod) {
    out.rods.emplace_back();
    const double n = model.rods()[rod].segment_count;
    if (budget.takes(n * n))
      out.rods.back() = {rod_topology(model, state, joints, rod), knot_of(rod_curve(model, state, rod)).name};
    else
      ++out.rods_left_out;
  }
}

void add_rings(const Model& model, const State& state, Windings& out) {
  std::vector<int> rings;
  for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod)
    if (model.rods()[rod].closed) rings.push_back(rod);
  std::vector<Curve> curves;
  std::vector<Bounds> bounds;
  for (const int rod : rings) {
    curves.push_back(rod_curve(model, state, rod));
    bounds.push_back(bounds_of(curves.back().points));
  }
  Budget tests, budget;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    for (std::size_t j = i + 1; j < rings.size(); ++j) {
      const bool looked_at =
          tests.takes(1) && (apart(bounds[i], bounds[j]) || budget.takes(1.0 * curves[i].edges() * curves[j].edges()));
      if (!looked_at) {
        ++out.ring_pairs_left_out;
        continue;
      }
      if (const int link = linking_number(curves[i], curves[j]); link != 0) out.rings.push_back({rings[i], rings[j], link});
    }
  }
}

}  // namespace

Windings windings_of(const Model& model, const State& state) {
  Windings out;
  add_rods(model, state, out);
  add_rings(model, state, out);
  return out;
}

}  // namespace writhe::measure
