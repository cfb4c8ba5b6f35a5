#include "output/replay_obstacles.h"

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "base/bytes.h"  // which makes sure that this machine is little endian, as the page takes it
#include "model/obstacle_pose.h"
#include "output/base64.h"

namespace writhe::output {

namespace {

template <class Number>
std::string packed(const std::vector<Number>& values) {
  std::string out;
  append_base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)}, out);
  return out;
}

// A page needs no more digits.
double rounded(double value) {
  constexpr double digits = 1e7;
  return std::round(value * digits) / digits;
}

std::vector<double> poses_of(const Obstacle& obstacle, std::span<const double> times) {
  std::vector<double> out;
  if (!obstacle.motion) return out;
  for (const double time : times) {
    const Pose pose = pose_of(obstacle, time);
    for (const double value : {pose.turn.w, pose.turn.x, pose.turn.y, pose.turn.z, pose.shift.x, pose.shift.y, pose.shift.z})
      out.push_back(rounded(value));
  }
  return out;
}

}  // namespace

nlohmann::ordered_json obstacles_header(const Model& model, const Ball& ball, std::span<const double> times) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const Obstacle& obstacle : model.scene().obstacles) {
    const ObstacleSurface surface = surface_of(obstacle, ball);
    std::vector<float> points;
    for (const Vec3& x : surface.points)
      for (const double value : {x.x, x.y, x.z}) points.push_back(static_cast<float>(value));
    std::vector<std::uint32_t> corners;
    for (const std::array<std::int32_t, 3>& triangle : surface.corners)
      corners.insert(corners.end(), triangle.begin(), triangle.end());
    out.push_back({{"name", obstacle.name},
                   {"plane", std::holds_alternative<PlaneObstacle>(obstacle.shape)},
                   {"points", packed(points)},
                   {"corners", packed(corners)},
                   {"poses", poses_of(obstacle, times)}});
  }
  return out;
}

}  // namespace writhe::output
