// How what touches at the end of a step has come there, for the midpoint rule: its force then acts along the mean of the normals
// in the sense that its work is that of the gap. docs/theory/contact.md, "In time".
#pragma once

#include <span>
#include <vector>

#include "contact/pair.h"
#include "contact/wall.h"

namespace writhe::contact {

struct Passage {
  double gap = 0;  // m, at the start
  Vec3 normal{};   // there
  Vec3 moved{};    // m: of the point against what it touches at the end
};

// x: m, of nodes, where the step began and where it ends; touch: there.
Passage passage(const Pair& pair, const Touching& touch, const std::vector<Vec3>& from, const Positions& to);
// In the frame of the obstacle as it stands at the end.
Passage passage(const Wall& wall, const Touching& touch, const Placed& from, const Pose& to, const std::vector<Vec3>& x_from,
                const Positions& x_to);

// The direction m for which m . moved is what the gap has grown.
Vec3 mean_normal(const Passage& passage, const Vec3& normal, double gap);

}  // namespace writhe::contact
