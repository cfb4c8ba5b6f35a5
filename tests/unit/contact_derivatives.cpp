// Contact as an element: energy, gradient and Hessian by differences, for pairs of spans and for spans at obstacles.
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "contact_support.h"
#include "elastic/barrier.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// Of rods of 1 m: they press from a gap of 1.5 cm on (contact/rules.cpp).
constexpr double activation = 0.015;

// A scene, and its nodes where something touches.
struct Touched {
  std::string name;
  Scene scene;
  std::function<void(const Model&, State&)> lay_out;
};
std::ostream& operator<<(std::ostream& out, const Touched& touched) { return out << touched.name; }

Touched two(std::string name, const Hose& a, const Hose& b, const std::array<Vec3, 4>& ends) {
  return {std::move(name), hoses({a, b}), [ends](const Model& model, State& state) {
            lay_straight(model, state, 0, ends[0], ends[1]);
            lay_straight(model, state, 1, ends[2], ends[3]);
          }};
}

Touched at_obstacle(std::string name, const decltype(Obstacle::shape)& shape, const Vec3& from, const Vec3& to) {
  Touched out{std::move(name), hoses({{}}), [=](const Model& model, State& state) { lay_straight(model, state, 0, from, to); }};
  out.scene.contact = {};
  out.scene.contact.stiffness = 1;
  out.scene.obstacles.push_back({"obstacle", shape, {}});
  return out;
}

// A roof of two triangles with its ridge along x at height 0, and a third that makes the ridge's far end a corner.
MeshObstacle roof() {
  MeshObstacle mesh;
  mesh.points = {{-20, 0, 0}, {20, 0, 0}, {0, 15, -10}, {0, -15, -10}};
  mesh.triangles = {{0, 1, 2}, {1, 0, 3}, {0, 2, 3}, {2, 1, 3}};
  return mesh;
}

std::vector<Touched> all_touched() {
  const double near = 2 + 0.4 * activation;
  std::vector<Touched> all;
  all.push_back(two("parallel", {}, {}, {Vec3{0, 0, 0}, {8, 0, 0}, {0.4, near, 0}, {8.4, near, 0}}));
  all.push_back(two("end_to_end", {}, {}, {Vec3{0, 0, 0}, {8, 0, 0}, {8 + near, 0, 0}, {16 + near, 0.3, 0}}));
  all.push_back(two("crossing", {}, {}, {Vec3{0, 0, 0}, {8, 0, 0}, {4.2, -4, near}, {4.2, 4, near}}));
  all.push_back(two("crossing_askew", {5, 9}, {13, 7}, {Vec3{0, 0, 0}, {8, 0, 0}, {1, -1, near}, {8, 1.5, near}}));
  all.push_back(two("end_at_middle", {}, {}, {Vec3{0, 0, 0}, {8, 0, 0}, {3.7, near, 0}, {3.9, 8, 1}}));
  all.push_back(two("ends_askew", {2, 8}, {1, 8}, {Vec3{0, 0, 0}, {8, 0, 0}, {8.2, near - 0.01, 0.1}, {9, 8, 1}}));
  all.push_back(two("one_segment", {1, 8}, {1, 8}, {Vec3{0, 0, 0}, {8, 0, 0}, {4, near, 0}, {12, near, 0}}));
  all.push_back(two("tapered", {4, 8, 1, false, {{0, 1}, {1, 0.5}}}, {7, 8, 0.5, false, {{0, 1}, {0.5, 1.5}, {1, 1}}},
                    {Vec3{0, 0, 0}, {8, 0, 0}, {0, 1.65, 0}, {8, 1.3, 0}}));
  all.push_back(two("ring_and_rod", {12, 12 * pi, 1, true}, {}, {}));
  all.back().lay_out = [near](const Model& model, State& state) {
    lay(model, state, 0, [](double t) { return 6.1 * Vec3{std::cos(2 * pi * t), std::sin(2 * pi * t), 0}; });
    const double inside = 6.1 * std::cos(pi / 12) - near;  // the curve goes through the middles of segments
    lay_straight(model, state, 1, {inside, 0.1, -4}, {inside, 0.1, 4});
  };
  all.push_back({"fold", hoses({{24, 24}}), [near](const Model& model, State& state) {  // a drop: its legs meet at the end
                   lay(model, state, 0, [near](double t) {
                     const double s = 24 * t - 12, way = std::abs(s) - pi, side = s < 0 ? -1 : 1;
                     if (way < 0) return 2.0 * Vec3{std::cos(s / 2), std::sin(s / 2), 0};
                     return Vec3{-way, side * std::max(2 - way / 4 * (2 - 0.5 * near), 0.5 * near), 0};
                   });
                 }});
  // One span that is bent so much that what is pi r apart along it comes as near as 2 r: (half a segment) pi cos 50.3 degrees.
  all.push_back({"bent_span", hoses({{2, 80}}), [near](const Model& model, State& state) {
                   const double along = near / pi, across = std::sqrt(1 - along * along);
                   state.x[model.node_of(0, 0)] = 40.0 * Vec3{-along, -across, 0};
                   state.x[model.node_of(0, 1)] = {0, 0, 0};
                   state.x[model.node_of(0, 2)] = 40.0 * Vec3{along, -across, 0};
                 }});
  const double on = 1 + 0.4 * activation;
  all.push_back(at_obstacle("plane", PlaneObstacle{{1, 2, 3}, {0, 0, 2}}, {0, 0, 3 + on}, {8, 1, 3 + on}));
  all.push_back(at_obstacle("sphere", SphereObstacle{{4, 0, -3}, 3}, {0, 0, on}, {8, 0, on}));
  all.push_back(at_obstacle("capsule", CapsuleObstacle{{3, -3, -1}, {5, 3, -1}, 1}, {0, 0, on}, {8, 0, on}));
  all.push_back(at_obstacle("capsule_end", CapsuleObstacle{{4, 0, -9}, {4.1, 0.1, -1}, 1}, {0, 0.1, on}, {8, 0.1, on}));
  all.push_back(at_obstacle("box_face", BoxObstacle{{4, 0, -2}, {6, 5, 4}}, {0, 0, on}, {8, 0, on}));
  all.push_back(
      at_obstacle("box_edge", BoxObstacle{{4, 0, -3 * std::sqrt(2.0)}, {6, 6, 6}, {1, 0, 0}, {0, 1, 1}}, {0, 0, on}, {8, 0, on}));
  all.push_back(at_obstacle("box_corner", BoxObstacle{{-3, -3, -3}, {6, 6, 6}},
                            on / std::sqrt(3.0) * Vec3{1, 1, 1} + Vec3{-4, 4, 0},
                            on / std::sqrt(3.0) * Vec3{1, 1, 1} + Vec3{4, -4, 0}));
  all.push_back(at_obstacle("mesh_edge", roof(), {-4, 0.1, on}, {4, 0.1, on}));
  all.push_back(at_obstacle("mesh_edge_across", roof(), {0.1, -4, on}, {0.2, 4, on}));
  all.push_back(at_obstacle("mesh_corner", roof(), {-20 - on, -4, 0}, {-20 - on, 4, 0}));
  MeshObstacle floor;
  floor.points = {{-20, -20, 0}, {20, -20, 0}, {20, 20, 0}, {-20, 20, 0}};
  floor.triangles = {{0, 1, 2}, {2, 0, 3}};
  all.push_back(at_obstacle("mesh_face", floor, {2, -5, on}, {9, -4, on}));
  all.push_back(at_obstacle("mesh_face_across", floor, {-3, 3, -on}, {3, -3, -on}));
  return all;
}

struct Begun {
  Model model;
  contact::ContactTerm term;
  State state;

  Begun(const Touched& touched, Integrator integrator, double shake = 1e-3)
      : model(touched.scene), term(model), state(model.initial_state()) {
    touched.lay_out(model, state);
    state = shaken(state, shake, 7);
    if (integrator == Integrator::midpoint) {
      const State touching = state;
      for (Vec3& x : state.x) x += Vec3{0.02, 0.01, 0.03};  // comes from farther off or not; the mirrored end is what touches
      term.begin(state, {}, {0.5, 0.01, integrator, touching.x});
      for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i] = 0.5 * (state.x[i] + touching.x[i]);
    } else {
      term.begin(state, {}, {0.5, 0.01, integrator});
    }
  }
  State moved(const Dof& dof, int axis, double by) const {
    State out = state;
    component(out.x[dof.index], axis) += by;
    return out;
  }
};

class ContactDerivatives : public testing::TestWithParam<std::tuple<Touched, Integrator>> {
 protected:
  const Begun at{std::get<0>(GetParam()), std::get<1>(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(All, ContactDerivatives,
                         testing::Combine(testing::ValuesIn(all_touched()),
                                          testing::Values(Integrator::euler, Integrator::midpoint)),
                         [](const auto& given) {
                           return std::get<0>(given.param).name +
                                  (std::get<1>(given.param) == Integrator::midpoint ? "_midpoint" : "");
                         });

}  // namespace

// Force and stiffness are the derivatives of the energy, from close to nothing to nearly all of the width; both begin at 0.
TEST(Barrier, ForceAndStiffnessAreItsDerivatives) {
  const elastic::BarrierMaterial m{0.02, 3};
  const auto at = [&](double gap) { return elastic::barrier(gap, m.activation, m.stiffness); };
  for (double gap = 1e-4; gap < 0.02; gap *= 1.1) {
    const double h = 1e-5 * gap;
    const elastic::BarrierValue now = at(gap), up = at(gap + h), down = at(gap - h);
    EXPECT_NEAR(now.pressure, (down.energy - up.energy) / (2 * h), 1e-8 * now.pressure + 1e-12);
    EXPECT_NEAR(now.stiffness, (down.pressure - up.pressure) / (2 * h), 1e-8 * now.stiffness + 1e-9);
    EXPECT_GT(now.stiffness, 0);
  }
  const elastic::BarrierValue outside = at(0.02);
  EXPECT_EQ(outside.energy, 0);
  EXPECT_EQ(outside.pressure, 0);
  EXPECT_EQ(outside.stiffness, 0);
}

// What "stiffness" of a material says: at half the activation the pressure is that times the depth.
TEST(Barrier, PressesAtHalfItsWidthAsItsStiffnessSays) {
  EXPECT_NEAR(elastic::barrier(0.01, 0.02, 3.0).pressure, 3 * 0.01, 1e-15);
}

TEST(Barrier, HasAGapForEveryPressure) {
  const elastic::BarrierMaterial m{0.02, 3};
  EXPECT_NEAR(elastic::barrier_gap(0, m), 0.02, 1e-9);
  for (double gap = 1e-8; gap < 0.0199; gap *= 1.3) {
    const double pressure = elastic::barrier(gap, m.activation, m.stiffness).pressure;
    EXPECT_NEAR(elastic::barrier_gap(pressure, m), gap, 1e-9 * gap);
  }
}

// Gaps that are found on a way are those of the energy and change with the nodes as they say.
TEST_P(ContactDerivatives, GapsAreThoseOfTheEnergyAndGoAsTheySay) {
  constexpr double h = 1e-6;
  const State moved = shaken(at.state, h, 3);
  for (int e = 0; e < at.term.element_count(); ++e) {
    const Term::Value value = at.term.value(e, at.state);
    std::vector<Term::Gap> gaps, after;
    at.term.find_gaps(e, at.state, moved, gaps);
    double energy = 0, change = 0;
    const std::span<const Dof> dofs = at.term.dofs(e);
    for (const Term::Gap& gap : gaps) {
      if (gap.gap >= gap.material.activation) continue;
      const elastic::BarrierValue barrier = elastic::barrier(gap.gap, gap.material.activation, gap.material.stiffness);
      energy += gap.weight * barrier.energy;
      for (std::size_t i = 0; i < dofs.size(); ++i)
        change -= gap.weight * barrier.pressure * gap.coefficient[i] *
                  dot(gap.normal, moved.x[dofs[i].index] - at.state.x[dofs[i].index]);
    }
    EXPECT_NEAR(energy, value.energy, 1e-12 * value.energy);
    double expected = 0;
    for (std::size_t i = 0; i < dofs.size(); ++i)
      expected += dot(value.gradient[i], moved.x[dofs[i].index] - at.state.x[dofs[i].index]);
    EXPECT_NEAR(change, expected, 1e-9 * std::abs(expected) + 1e-18);
  }
}

TEST_P(ContactDerivatives, GradientIsThatOfTheEnergy) {
  constexpr double h = 1e-6;
  double energy = 0;
  for (int e = 0; e < at.term.element_count(); ++e) {
    const Term::Value value = at.term.value(e, at.state);
    energy += value.energy;
    ASSERT_TRUE(std::isfinite(value.energy));
    if (value.energy == 0) continue;
    SCOPED_TRACE(e);
    for (std::size_t i = 0; i < at.term.dofs(e).size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const double up = at.term.value(e, at.moved(at.term.dofs(e)[i], k, h)).energy;
        const double down = at.term.value(e, at.moved(at.term.dofs(e)[i], k, -h)).energy;
        EXPECT_NEAR(component(value.gradient[i], k), (up - down) / (2 * h), 1e-6 * value.force + 1e-11);
      }
  }
  EXPECT_GT(energy, 0) << "nothing touches";
}

TEST_P(ContactDerivatives, HessianIsThatOfTheEnergy) {
  constexpr double h = 1e-6;
  for (int e = 0; e < at.term.element_count(); ++e) {
    if (at.term.value(e, at.state).energy == 0) continue;
    SCOPED_TRACE(e);
    const Eigen::MatrixXd exact = full_hessian(at.term, e, at.state, Curvature::exact);
    EXPECT_LE((exact - exact.transpose()).norm(), 1e-14 * exact.norm());
    const auto dofs = at.term.dofs(e);
    for (std::size_t j = 0; j < dofs.size(); ++j)
      for (int c = 0; c < 3; ++c) {
        const Term::Value up = at.term.value(e, at.moved(dofs[j], c, h)), down = at.term.value(e, at.moved(dofs[j], c, -h));
        for (std::size_t i = 0; i < dofs.size(); ++i)
          for (int r = 0; r < 3; ++r)
            EXPECT_NEAR(exact(static_cast<int>(3 * i) + r, static_cast<int>(3 * j) + c),
                        (component(up.gradient[i], r) - component(down.gradient[i], r)) / (2 * h), 1e-5 * exact.norm() + 1e-8);
      }
  }
}

TEST_P(ContactDerivatives, ConvexIsPositiveAndTheRestOfIt) {
  for (int e = 0; e < at.term.element_count(); ++e) {
    const Eigen::MatrixXd convex = full_hessian(at.term, e, at.state, Curvature::convex);
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(convex).eigenvalues();
    EXPECT_GE(values[0], -1e-12 * (1 + values[values.size() - 1])) << e;
  }
}

// Moved as a whole, an element of rods alone does not resist: its forces sum to zero, and so do their moments.
TEST_P(ContactDerivatives, ForcesBetweenRodsSumToZero) {
  if (!at.model.scene().contact.rods_touch()) return;  // an obstacle takes them
  const bool mirrored = std::get<1>(GetParam()) == Integrator::midpoint;
  for (int e = 0; e < at.term.element_count(); ++e) {
    const Term::Value value = at.term.value(e, at.state);
    Vec3 force{}, moment{};
    for (std::size_t i = 0; i < at.term.dofs(e).size(); ++i) {
      force += value.gradient[i];
      moment += cross(at.state.x[at.term.dofs(e)[i].index], value.gradient[i]);
    }
    EXPECT_LE(norm(force), 1e-12 * value.force + 1e-16) << e;
    if (!mirrored) {  // there the moment about where the end is vanishes, not about the middle
      EXPECT_LE(norm(moment), 1e-11 * value.force + 1e-15) << e;
    }
  }
}
