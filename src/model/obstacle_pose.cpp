#include "model/obstacle_pose.h"

#include <algorithm>

namespace writhe {

namespace {

Vec3 middle_of_box_around(const std::vector<Vec3>& points) {
  if (points.empty()) return {};
  Vec3 low = points.front(), high = points.front();
  for (const Vec3& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return 0.5 * (low + high);
}

struct Centre {
  Vec3 operator()(const PlaneObstacle& plane) const { return plane.point; }
  Vec3 operator()(const SphereObstacle& sphere) const { return sphere.centre; }
  Vec3 operator()(const BoxObstacle& box) const { return box.centre; }
  Vec3 operator()(const CapsuleObstacle& capsule) const { return 0.5 * (capsule.from + capsule.to); }
  Vec3 operator()(const MeshObstacle& mesh) const { return middle_of_box_around(mesh.points); }
};

}  // namespace

Sym3 Pose::of_curvature(const Sym3& c) const {
  const Mat3 R = matrix(turn);
  const auto times = [&c](const Vec3& r) {
    return Vec3{c.xx * r.x + c.xy * r.y + c.xz * r.z, c.xy * r.x + c.yy * r.y + c.yz * r.z, c.xz * r.x + c.yz * r.y + c.zz * r.z};
  };
  const Vec3 a = times(R.r0), b = times(R.r1), d = times(R.r2);
  return {dot(R.r0, a), dot(R.r0, b), dot(R.r0, d), dot(R.r1, b), dot(R.r1, d), dot(R.r2, d)};
}

Vec3 centre_of(const Obstacle& obstacle) { return std::visit(Centre{}, obstacle.shape); }

Pose pose_of(const Obstacle& obstacle, double time) {
  if (!obstacle.motion) return {};
  const Motion& motion = *obstacle.motion;
  Pose pose;
  pose.turn = about_axis(normalized(motion.axis), motion.angle.at(time, motion.easing));
  const Vec3 about = motion.about ? *motion.about : centre_of(obstacle);
  pose.shift = about - rotate(pose.turn, about) + motion.translate.at(time, motion.easing);
  return pose;
}

}  // namespace writhe
