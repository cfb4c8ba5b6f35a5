// Where two spans are nearest, their neighbourhood left out: exact for straight rods, and to half a percent of the radius for
// bent ones. It costs the same however long a segment is for its radius, as samples would not.
#pragma once

#include <limits>

#include "contact/gap.h"
#include "contact/zones.h"

namespace writhe::contact {

struct Closest {
  double gap = std::numeric_limits<double>::infinity();  // m: distance less both radii; infinite where nothing counts
  double distance = 0;                                   // m, of the axes
  double radius = 0;                                     // m: the smaller one there
  double arc_a = 0, arc_b = 0;                           // m, rest
};

// The rods of the spans in the order of the neighbourhood. m: places whose gap is no less than `most` are not looked for.
Closest closest_of(const Tube& a, const Tube& b, const Neighbourhood& near, double most);

}  // namespace writhe::contact
