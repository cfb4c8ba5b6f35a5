#include "contact/neighbours.h"

#include <algorithm>
#include <map>
#include <utility>

#include "math/rotation.h"

namespace writhe::contact {

Neighbours::Neighbours(const Model& model, const Spans& tubes) {
  const int rods = static_cast<int>(model.rods().size());
  const auto radius = [&](int rod) {
    double largest = 0;
    for (int i = tubes.first_of(rod); i < tubes.first_of(rod + 1); ++i) largest = std::max(largest, tubes[i].largest_radius);
    return largest;
  };
  const auto around = [&](int rod) { return model.rods()[rod].closed ? model.rods()[rod].length : 0; };
  std::map<std::pair<int, int>, Neighbourhood> all;
  for (int rod = 0; rod < rods; ++rod) {
    Neighbourhood& own = all[{rod, rod}];
    own.reach = pi * radius(rod);
    own.same = true;
    own.around_a = own.around_b = around(rod);
  }
  std::vector<std::vector<std::pair<int, double>>> places(static_cast<std::size_t>(model.node_count()));  // rod and arc length
  for (int rod = 0; rod < rods; ++rod) {
    const RodRange& range = model.rods()[rod];
    double arc = 0;
    for (int k = 0; k < range.segment_count + (range.closed ? 0 : 1); ++k) {
      std::vector<std::pair<int, double>>& here = places[model.node_of(rod, k)];
      for (const auto& [other, at] : here) {
        Neighbourhood& both = all[{other, rod}];
        both.reach = pi * 0.5 * (radius(other) + radius(rod));
        both.around_a = around(other);
        both.around_b = around(rod);
        both.meetings.push_back({at, arc});
        if (other == rod) both.meetings.push_back({arc, at});
      }
      here.emplace_back(rod, arc);
      if (k < range.segment_count) arc += model.segments().length[range.first_segment + k];
    }
  }
  m_of.resize(static_cast<std::size_t>(rods));
  for (auto& [both, near] : all) m_of[both.first].push_back({both.second, std::move(near)});
}

const Neighbourhood& Neighbours::of(int a, int b) const {
  const std::vector<Neighbour>& own = m_of[a];
  const auto found = std::lower_bound(own.begin(), own.end(), b, [](const Neighbour& one, int rod) { return one.rod < rod; });
  return found != own.end() && found->rod == b ? found->near : m_strangers;
}

}  // namespace writhe::contact
