// Obstacles: distances against points of their surfaces, inside and outside; which boxes they meet; meshes, whose triangles,
// edges and corners together do what the surface does, however it is cut.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "contact/obstacle_shape.h"
#include "contact_support.h"

using namespace writhe;
using namespace writhe::test;
using namespace writhe::contact;

namespace {

using Shape = decltype(Obstacle::shape);
using Random = std::mt19937;
double number(Random& random, double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
Vec3 vector(Random& random, double size) {
  return {number(random, -size, size), number(random, -size, size), number(random, -size, size)};
}
ObstacleShape made(const Shape& shape) { return ObstacleShape(Obstacle{"obstacle", shape, {}}); }

// A surface by its points and by what is inside, both from the definition of the shape.
struct Solid {
  Shape shape;
  std::vector<Vec3> surface;
  std::function<bool(const Vec3&)> contains;
  double spacing;  // m: every point of the surface has one of these nearer than this
};

std::vector<Vec3> on_sphere(double spacing, double radius) {
  std::vector<Vec3> out;
  const int rings = static_cast<int>(std::ceil(pi * radius / spacing));
  for (int i = 0; i <= rings; ++i) {
    const double polar = pi * i / rings;
    const int around = std::max(1, static_cast<int>(std::ceil(2 * pi * radius * std::sin(polar) / spacing)));
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * pi * k / around;
      out.push_back(radius * Vec3{std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), std::cos(polar)});
    }
  }
  return out;
}

std::vector<Solid> solids() {
  constexpr double spacing = 0.03;
  std::vector<Solid> all;
  const Vec3 centre{0.3, -0.2, 0.5};
  Solid sphere{SphereObstacle{centre, 0.8}, on_sphere(spacing, 0.8), [=](const Vec3& x) { return norm(x - centre) < 0.8; },
               spacing};
  for (Vec3& x : sphere.surface) x += centre;
  all.push_back(sphere);

  const Vec3 axis = normalized(Vec3{1, 2, 3}), from = centre - 0.4 * axis, to = centre + 0.9 * axis;
  Solid capsule{CapsuleObstacle{from, to, 0.5}, {}, {}, spacing};
  capsule.contains = [=](const Vec3& x) { return norm(x - from - std::clamp(dot(x - from, axis), 0.0, 1.3) * axis) < 0.5; };
  for (const Vec3& x : on_sphere(spacing, 0.5)) {
    const double along = dot(x, axis);
    capsule.surface.push_back((along > 0 ? to : from) + x);
  }
  const Vec3 e = any_orthogonal(axis), f = cross(axis, e);
  for (double s = 0; s <= 1.3; s += spacing)
    for (double angle = 0; angle < 2 * pi; angle += 2 * spacing)
      capsule.surface.push_back(from + s * axis + 0.5 * (std::cos(angle) * e + std::sin(angle) * f));
  all.push_back(capsule);

  const Vec3 x = normalized(Vec3{1, 1, 0.3}), y = normalized(cross(Vec3{0.2, 0.1, 1}, x)), z = cross(x, y), size{1.2, 0.8, 0.5};
  Solid box{BoxObstacle{centre, size, x, y}, {}, {}, spacing};
  box.contains = [=](const Vec3& p) {
    const Vec3 d = p - centre;
    return std::abs(dot(d, x)) < 0.6 && std::abs(dot(d, y)) < 0.4 && std::abs(dot(d, z)) < 0.25;
  };
  const int n = 60;
  for (int i = 0; i <= n; ++i)
    for (int k = 0; k <= n; ++k)
      for (const double side : {-1.0, 1.0}) {
        const double a = 2.0 * i / n - 1, b = 2.0 * k / n - 1;
        for (const Vec3& at : {Vec3{side, a, b}, Vec3{a, side, b}, Vec3{a, b, side}})
          box.surface.push_back(centre + 0.5 * (at.x * size.x * x + at.y * size.y * y + at.z * size.z * z));
      }
  all.push_back(box);
  return all;
}

// The surface of a box as triangles, each face cut into n x n squares; `seed` cuts squares along either diagonal.
MeshObstacle box_mesh(const Vec3& half, int n, unsigned seed) {
  Random random(seed);
  MeshObstacle mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const int first = static_cast<int>(mesh.points.size());
      for (int i = 0; i <= n; ++i)
        for (int k = 0; k <= n; ++k) {
          const double a = 2.0 * i / n - 1, b = 2.0 * k / n - 1;
          const Vec3 at = axis == 0 ? Vec3{side, a, b} : axis == 1 ? Vec3{a, side, b} : Vec3{a, b, side};
          mesh.points.push_back({half.x * at.x, half.y * at.y, half.z * at.z});
        }
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
          const int p = first + i * (n + 1) + k, q = p + n + 1;
          if (random() % 2 == 0) {
            mesh.triangles.push_back({p, q, q + 1});
            mesh.triangles.push_back({p, q + 1, p + 1});
          } else {
            mesh.triangles.push_back({p, q, p + 1});
            mesh.triangles.push_back({p + 1, q, q + 1});
          }
        }
    }
  return mesh;
}

// A square of 8 m x 8 m at height 0 around the origin, its inner points moved about in the plane.
MeshObstacle flat_mesh(int n, unsigned seed) {
  Random random(seed);
  MeshObstacle mesh;
  const double h = 8.0 / n;
  for (int i = 0; i <= n; ++i)
    for (int k = 0; k <= n; ++k) {
      const bool inner = i > 0 && i < n && k > 0 && k < n;
      const auto shift = [&] { return inner ? number(random, -0.3, 0.3) * h : 0; };
      mesh.points.push_back({-4 + i * h + shift(), -4 + k * h + shift(), 0});
    }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const int p = i * (n + 1) + k, q = p + n + 1;
      mesh.triangles.push_back({p, q, q + 1});
      mesh.triangles.push_back({p, q + 1, p + 1});
    }
  return mesh;
}

Scene on(const Shape& shape, const Hose& hose) {
  Scene scene = hoses({hose});
  scene.contact = {};
  scene.contact.stiffness = 1;
  scene.obstacles.push_back({"obstacle", shape, {}});
  return scene;
}

struct Felt {
  double energy = 0;
  std::vector<Vec3> force;  // per node
};
Felt felt(const Scene& scene, const std::function<Vec3(double)>& curve) {
  const Model model(scene);
  State state = model.initial_state();
  lay(model, state, 0, curve);
  state.time = 1;  // as built it is in the obstacle, and that is over
  ContactTerm term(model);
  term.begin(state, {}, {1.01, 0.01, Integrator::euler});
  Felt out;
  out.force.resize(state.x.size());
  for (int e = 0; e < term.element_count(); ++e) {
    const Term::Value value = term.value(e, state);
    out.energy += value.energy;
    for (std::size_t i = 0; i < term.dofs(e).size(); ++i) out.force[term.dofs(e)[i].index] -= value.gradient[i];
  }
  return out;
}

}  // namespace

// The nearest of dense points is farther than the surface by no more than spacing^2 (1/distance + 1/(0.5 m))/2, or the spacing:
// radii of curvature are 0.5 m and more.
TEST(ContactObstacles, DistancesAreThoseOfTheirSurfaces) {
  Random random(1);
  for (const Solid& solid : solids()) {
    const ObstacleShape shape = made(solid.shape);
    SCOPED_TRACE(solid.shape.index());
    int inside = 0;
    for (int k = 0; k < 300; ++k) {
      const Vec3 p = Vec3{0.3, -0.2, 0.5} + vector(random, k % 2 == 0 ? 0.5 : 1.5);
      double least = std::numeric_limits<double>::infinity();
      for (const Vec3& x : solid.surface) least = std::min(least, norm(p - x));
      const Touch touch = shape.touch(0, p);
      const double distance = std::abs(touch.distance),
                   off = std::min(solid.spacing, solid.spacing * solid.spacing * (0.5 / distance + 1));
      EXPECT_LE(distance, least + 1e-12);
      EXPECT_GE(distance, least - off - 1e-12);
      EXPECT_EQ(touch.distance < 0, solid.contains(p));
      EXPECT_EQ(shape.contains(p), solid.contains(p));
      EXPECT_EQ(shape.distance(p), touch.distance);
      inside += touch.distance < 0;
      // What the normal leads to is on the surface.
      EXPECT_NEAR(shape.touch(0, p - touch.distance * touch.normal).distance, 0, 1e-12);
      EXPECT_NEAR(norm(touch.normal), 1, 1e-14);
    }
    EXPECT_GT(inside, 50);
  }
}

TEST(ContactObstacles, NormalAndCurvatureAreDerivativesOfTheDistance) {
  Random random(2);
  constexpr double h = 1e-5;
  std::vector<Shape> shapes{PlaneObstacle{{1, 2, 3}, {1, -1, 2}}};
  for (const Solid& solid : solids()) shapes.push_back(solid.shape);
  for (const Shape& given : shapes) {
    const ObstacleShape shape = made(given);
    SCOPED_TRACE(given.index());
    for (int k = 0; k < 200; ++k) {
      const Vec3 p = vector(random, 2);
      const Touch at = shape.touch(0, p);
      const double curvature[3][3] = {{at.curvature.xx, at.curvature.xy, at.curvature.xz},
                                      {at.curvature.xy, at.curvature.yy, at.curvature.yz},
                                      {at.curvature.xz, at.curvature.yz, at.curvature.zz}};
      for (int i = 0; i < 3; ++i) {
        Vec3 up = p, down = p;
        component(up, i) += h;
        component(down, i) -= h;
        const Touch above = shape.touch(0, up), below = shape.touch(0, down);
        // Where a box has another face or edge within h, its normal jumps.
        if (norm(above.normal - below.normal) > 0.01) continue;
        EXPECT_NEAR(component(at.normal, i), (above.distance - below.distance) / (2 * h), 1e-4);
        for (int j = 0; j < 3; ++j)
          EXPECT_NEAR(curvature[i][j], (component(above.normal, j) - component(below.normal, j)) / (2 * h), 2e-3) << k;
      }
    }
  }
}

// A box meets a shape if one of many points in it is inside; the other way it may be too careful by nothing, but for rounding.
TEST(ContactObstacles, NoBoxThatHasAPointInsideIsLeftOut) {
  Random random(3);
  std::vector<Shape> shapes{PlaneObstacle{{0.3, 0, 0.2}, {1, -1, 2}}};
  for (const Solid& solid : solids()) shapes.push_back(solid.shape);
  for (const Shape& given : shapes) {
    const ObstacleShape shape = made(given);
    SCOPED_TRACE(given.index());
    int met = 0, missed = 0;
    for (int k = 0; k < 2000; ++k) {
      const Vec3 a = vector(random, 1.5), size = vector(random, 0.5);
      const Box box = Box::around(a, a + size, a + size);
      double least = std::numeric_limits<double>::infinity();
      for (int i = 0; i <= 6; ++i)
        for (int j = 0; j <= 6; ++j)
          for (int m = 0; m <= 6; ++m) {
            const Vec3 part{i / 6.0, j / 6.0, m / 6.0}, way = box.high - box.low;
            least = std::min(least, shape.distance(box.low + Vec3{part.x * way.x, part.y * way.y, part.z * way.z}));
          }
      std::vector<int> features;
      shape.find(box, features);
      if (least <= 0) {
        EXPECT_EQ(features.size(), 1U) << k;
        ++met;
      } else if (least > norm(box.high - box.low) / 12) {
        EXPECT_TRUE(features.empty()) << k;
        ++missed;
      }
    }
    EXPECT_GT(met, 100);
    EXPECT_GT(missed, 100);
  }
}

// A closed mesh has the distances, inside and outside, of the box that it is.
TEST(ContactObstacles, AMeshHasTheDistancesOfItsSurface) {
  Random random(4);
  const Vec3 half{0.6, 0.9, 0.4};
  const ObstacleShape box = made(BoxObstacle{{0, 0, 0}, 2.0 * half});
  for (const int n : {1, 3, 7}) {
    const ObstacleShape mesh = made(box_mesh(half, n, 5));
    EXPECT_TRUE(mesh.mesh().is_closed());
    for (int k = 0; k < 1000; ++k) {
      const Vec3 p = vector(random, 1.2);
      EXPECT_NEAR(mesh.distance(p), box.touch(0, p).distance, 1e-14);
      EXPECT_EQ(mesh.contains(p), box.touch(0, p).distance < 0);
    }
  }
}

// Over the inside of a flat piece weights of all features that are as near as the plane sum to 1: above triangles, edges,
// corners.
TEST(ContactObstacles, WeightsOfAFlatMeshSumToOneEverywhere) {
  Random random(6);
  const MeshObstacle given = flat_mesh(6, 7);
  const ObstacleShape mesh = made(given);
  for (int k = 0; k < 2000; ++k) {
    Vec3 at = vector(random, 3.9);
    if (k % 4 == 1) at = given.points[random() % given.points.size()];
    if (k % 4 == 2) {
      const auto& [a, b, c] = given.triangles[random() % given.triangles.size()];
      at = given.points[a] + number(random, 0, 1) * (given.points[b] - given.points[a]);
    }
    at.z = number(random, -0.2, 0.2);
    std::vector<int> features;
    mesh.find(Box{at, at}.grown(20), features);
    double sum = 0, force = 0;
    for (const int feature : features) {
      const Touch touch = mesh.touch(feature, at);
      // What presses with a force that falls with the square of the distance, up to 0.25 m.
      const double press = std::pow(std::max(0.25 - touch.distance, 0.0), 2);
      force += mesh.weight(feature) * press * touch.normal.z;
      if (touch.distance < std::abs(at.z) + 1e-12) sum += mesh.weight(feature);
    }
    EXPECT_EQ(sum, 1) << k;
    if (std::abs(at.x) < 3.7 && std::abs(at.y) < 3.7) {
      EXPECT_NEAR(force, (at.z < 0 ? -1 : 1) * std::pow(0.25 - std::abs(at.z), 2), 1e-12) << k;
    }
  }
}

// A bent rod on a plane and on meshes of that plane: the same energy, and the same force on each node.
TEST(ContactObstacles, ARodOnAFlatMeshFeelsThePlane) {
  const Hose hose{20, 6, 0.05};
  const auto curve = [](double t) {
    return Vec3{-3 + 6 * t, 0.8 * std::sin(3 * t), 0.05 + 0.0005 * (1 + 0.5 * std::sin(9 * t))};
  };
  const Felt plane = felt(on(PlaneObstacle{{0, 0, 0}, {0, 0, 1}}, hose), curve);
  ASSERT_GT(plane.energy, 0);
  for (const int n : {1, 4, 23, 160}) {  // edges of 8 m to a radius
    SCOPED_TRACE(n);
    const Felt mesh = felt(on(flat_mesh(n, 8), hose), curve);
    EXPECT_NEAR(mesh.energy, plane.energy, 1e-10 * plane.energy);
    for (std::size_t i = 0; i < plane.force.size(); ++i)
      EXPECT_LE(norm(mesh.force[i] - plane.force[i]), 1e-9 * norm(plane.force[3])) << i;
  }
}

// An edge and a corner of a box as a mesh, whatever the triangles: as the box itself, of which the nearest place counts.
TEST(ContactObstacles, ARodOnTheEdgeOfAMeshFeelsTheEdge) {
  const Hose hose{9, 3, 0.05};
  const double low = 0.0504 / std::sqrt(2.0);
  const auto across = [&](double t) { return Vec3{0.1, 0.9 + low, 0.4 + low} + (3 * t - 1.4) * normalized(Vec3{0.1, 1, -1}); };
  const Felt box = felt(on(BoxObstacle{{0, 0, 0}, {1.2, 1.8, 0.8}}, hose), across);
  ASSERT_GT(box.energy, 0);
  for (const int n : {1, 3, 8}) {
    SCOPED_TRACE(n);
    const Felt mesh = felt(on(box_mesh({0.6, 0.9, 0.4}, n, 9), hose), across);
    Vec3 sum{}, expected{};
    for (std::size_t i = 0; i < box.force.size(); ++i) {
      sum += mesh.force[i];
      expected += box.force[i];
    }
    EXPECT_NEAR(mesh.energy, box.energy, 0.02 * box.energy);
    EXPECT_LE(norm(sum - expected), 0.02 * norm(expected));
  }
}
