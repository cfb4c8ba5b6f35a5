// Where an obstacle is at a time.
#pragma once

#include "model/motion.h"
#include "writhe/scene.h"

namespace writhe {

// Leads points of an obstacle as it stands in the scene to where they are: x -> turn x + shift.
struct Pose {
  Quat turn{1, 0, 0, 0};
  Vec3 shift{};
  Vec3 of_point(const Vec3& x) const { return rotate(turn, x) + shift; }
  Vec3 of_direction(const Vec3& d) const { return rotate(turn, d); }
  Vec3 back(const Vec3& x) const { return rotate_back(turn, x - shift); }
  Vec3 direction_back(const Vec3& d) const { return rotate_back(turn, d); }
  Sym3 of_curvature(const Sym3& c) const;
};

// The default centre of its turn.
Vec3 centre_of(const Obstacle& obstacle);
Pose pose_of(const Obstacle& obstacle, double time);

}  // namespace writhe
