// Where rods are nearer than they are thick, to each other or to obstacles: what a start may not have, and what a run has where
// contact is off. Near linear in the number of segments. docs/scene.md, "Bad starts".
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "contact/gap.h"
#include "contact/obstacle_shape.h"
#include "model/obstacle_pose.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::contact {

// One place: where it is deepest, of all spans that overlap there next to each other.
struct Overlap {
  int rod = 0, other = -1, obstacle = -1;  // a second rod (the same, where it meets itself) or an obstacle
  double arc = 0, other_arc = 0;           // m, rest
  double depth = 0;                        // m, above 0
  double distance = 0;                     // m, of the axes; of the axis from the obstacle, below 0 within
  double radius = 0;                       // m, of the thinner rod there
};

struct Overlaps {
  std::vector<Overlap> places;  // the deepest first
  bool all = true;              // false: there are so many that the search was ended
};

// Of which rods.
enum class Among { touching, ignored };  // those between which contact acts; those that it leaves to pass through each other

// share: of the radius; what is less deep does not count.
Overlaps rod_overlaps(const Model& model, const State& state, Among among, double share);
// Where the obstacles are at the time of the state.
Overlaps obstacle_overlaps(const Model& model, const State& state, double share);

// Rods in each other at the end of a run that lets them pass through each other: by more than 1% of a radius.
inline Overlaps ignored_overlaps(const Model& model, const State& state) {
  return rod_overlaps(model, state, Among::ignored, 0.01);
}

// "one place", "3 places"
std::string counted(const Overlaps& found);
// "rope@0.25", as a scene would name it.
std::string place_text(const Model& model, int rod, double arc);

// A place of a tube and how far it is from an obstacle there.
struct Deepest {
  double gap = std::numeric_limits<double>::infinity();  // m
  double distance = 0;                                   // m
  double radius = 0;                                     // m
  double u = 0;
};
// To about an eighth of the radius along the span; infinitely far where all of it is at least `most` (m) away.
Deepest deepest_in(const ObstacleShape& shape, const Pose& pose, const Tube& tube, double most);

}  // namespace writhe::contact
