// How each rod is left out of contact near itself and near the rods joined to it. docs/theory/contact.md, "Neighbours".
#pragma once

#include <vector>

#include "contact/span.h"
#include "contact/zones.h"

namespace writhe::contact {

class Neighbours {
 public:
  Neighbours() = default;
  // tubes: as thick as rods are for each other.
  Neighbours(const Model& model, const Spans& tubes);

  // Of two rods, the first the lower one, or of one with itself.
  const Neighbourhood& of(int a, int b) const;

 private:
  struct Neighbour {
    int rod;
    Neighbourhood near;
  };
  Neighbourhood m_strangers;
  std::vector<std::vector<Neighbour>> m_of;  // per rod: itself, and rods behind it that it meets, ascending
};

}  // namespace writhe::contact
