#include "contact/obstacle_shape.h"

namespace writhe::contact {

ObstacleShape::Shape ObstacleShape::shape_of(const Obstacle& obstacle) {
  struct Make {
    Shape operator()(const PlaneObstacle& plane) const { return HalfSpace(plane); }
    Shape operator()(const SphereObstacle& sphere) const { return Ball(sphere); }
    Shape operator()(const BoxObstacle& box) const { return Brick(box); }
    Shape operator()(const CapsuleObstacle& capsule) const { return Capsule(capsule); }
    Shape operator()(const MeshObstacle& mesh) const { return ObstacleMesh(mesh); }
  };
  return std::visit(Make{}, obstacle.shape);
}

ObstacleShape::ObstacleShape(const Obstacle& obstacle) : m_shape(shape_of(obstacle)) {}

void ObstacleShape::find(const Box& box, std::vector<int>& features) const {
  if (is_mesh()) {
    mesh().find(box, features);
    return;
  }
  const auto meets = [&](const auto& shape) {
    if constexpr (requires { shape.meets(box); }) return shape.meets(box);
    return false;
  };
  if (std::visit(meets, m_shape)) features.push_back(0);
}

bool ObstacleShape::contains(const Vec3& point) const {
  return is_mesh() ? mesh().contains(point) : touch(0, point).distance < 0;
}

double ObstacleShape::distance(const Vec3& point) const {
  if (!is_mesh()) return touch(0, point).distance;
  const double distance = mesh().distance(point);
  return mesh().contains(point) ? -distance : distance;
}

Box ObstacleShape::bounds() const {
  return std::visit([](const auto& shape) { return shape.bounds(); }, m_shape);
}

double ObstacleShape::half_width() const {
  const auto width = [](const auto& shape) {
    if constexpr (requires { shape.half_width(); }) return shape.half_width();
    return 0.0;
  };
  return std::visit(width, m_shape);
}

}  // namespace writhe::contact
