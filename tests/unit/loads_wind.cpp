// Wind and flowing media within a step: forces and derivatives of one segment, and rods that the wind carries far in a step.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loads/flow.h"
#include "loads/wind_term.h"
#include "measure/measure.h"
#include "support/random_chain.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

Scene ribbon() {
  Cord cord;
  cord.segments = 3;
  Scene scene = cord.scene();
  scene.sections = {{"section", RectangleSection{0.02, 0.003}}};  // its width counts otherwise along d1 than along d2
  return scene;
}

const WindLoad wind{"", {5, -3, 8}, 1.2, 1.1};
const DragLoad water{"", 3, 0.4, {0.5, 0.2, -0.3}};
constexpr double factor = 0.7;  // a ramp's

Vec3 axis(int k) { return {k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0}; }

Mat3 from_columns(const Vec3* columns) { return transpose(Mat3{columns[0], columns[1], columns[2]}); }

double difference(const Mat3& a, const Mat3& b) { return norm(a.r0 - b.r0) + norm(a.r1 - b.r1) + norm(a.r2 - b.r2); }

// Scenes in which a line of 1 m hangs in the wind.
Scene line_in_wind(double speed) {
  Cord cord;
  cord.young = 1e8, cord.radius = 0.002, cord.density = 1140, cord.poisson = 0.4;
  cord.segments = 30;
  Scene scene = cord.scene();
  scene.solver.tolerance = 1e-9;
  scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, -1}};
  scene.gravity = {0, 0, -9.81};
  scene.damping.internal = 1e-3;
  scene.dt = 2e-3;
  pin(scene, "rod.start");
  load(scene, WindLoad{"", {speed, 0.2 * speed, 0}, 1.204, 1.1});
  return scene;
}

}  // namespace

// The force is that of the drag as the step knows it, D (u - v), and its derivatives those by differences.
TEST(FlowForce, IsTheDragAndHasItsDerivatives) {
  const Model model(ribbon());
  loads::InFlow at{normalized(Quat{0.8, 0.3, -0.4, 0.2}), {{1, 2, -1}, {-0.5, 1, 2}}};
  for (const Load& load : {Load{wind, {}}, Load{water, {}}}) {
    SCOPED_TRACE(load.kind.index());
    const loads::FlowForce found = loads::flow_force(model, 1, at, load, factor);
    State state = model.initial_state();
    state.q[1] = at.q;
    state.v[1] = at.v[0], state.v[2] = at.v[1];
    const loads::HalfDrag half = loads::half_drag(model, state, 1, load, factor);
    for (int i = 0; i < 2; ++i) {
      const Vec3 expected = half.force() - half.drag * at.v[i];
      EXPECT_LT(norm(found.force[i] - expected), 1e-13 * norm(expected));
    }
    constexpr double h = 1e-6;
    for (int i = 0; i < 2; ++i) {
      Vec3 columns[3];
      for (int k = 0; k < 3; ++k) {
        loads::InFlow plus = at, minus = at;
        plus.q = at.q * exp_rotation(h * axis(k)), minus.q = at.q * exp_rotation(-h * axis(k));
        columns[k] = (loads::flow_force(model, 1, plus, load, factor).force[i] -
                      loads::flow_force(model, 1, minus, load, factor).force[i]) /
                     (2 * h);
      }
      const double size = norm(found.force[i]);
      EXPECT_LT(difference(found.by_turn[i], from_columns(columns)), 1e-8 * size);
      for (int j = 0; j < 2; ++j) {
        for (int k = 0; k < 3; ++k) {
          loads::InFlow plus = at, minus = at;
          plus.v[j] += h * axis(k), minus.v[j] -= h * axis(k);
          columns[k] = (loads::flow_force(model, 1, plus, load, factor).force[i] -
                        loads::flow_force(model, 1, minus, load, factor).force[i]) /
                       (2 * h);
        }
        EXPECT_LT(difference(found.by_velocity[i][j], from_columns(columns)), 1e-8 * size);
      }
    }
  }
}

// What a step has of the wind when it starts, and the term, are together the wind where the step ends; and the term's derivatives
// are those by differences.
TEST(WindTerm, MakesOfTheKnownForceThatOfTheEnd) {
  constexpr double dt = 0.5;
  for (const Load& given : {Load{wind, {}}, Load{water, {}}}) {
    SCOPED_TRACE(given.kind.index());
    Scene scene = ribbon();
    scene.loads = {given};
    const Model model(scene);
    State start = model.initial_state();
    for (Vec3& v : start.v) v = {0.3, -0.2, 0.5};
    loads::WindTerm term(model);
    term.begin(start, {}, {dt, dt, Integrator::euler});
    ASSERT_EQ(term.element_count(), 3);
    State at = start;
    at.q[1] = normalized(at.q[1] * exp_rotation(Vec3{0.4, 0.3, -0.2}));
    at.x[1] += Vec3{0.1, 0.05, -0.2}, at.x[2] += Vec3{-0.1, 0.3, 0.1};
    const Vec3 v[2] = {(1 / dt) * (at.x[1] - start.x[1]), (1 / dt) * (at.x[2] - start.x[2])};
    const Term::Value value = term.value(1, at);
    const loads::HalfDrag known = loads::half_drag(model, start, 1, given, 1);
    const loads::FlowForce there = loads::flow_force(model, 1, {at.q[1], {v[0], v[1]}}, given, 1);
    for (int i = 0; i < 2; ++i) {
      const Vec3 both = known.force() - known.drag * v[i] - value.gradient[i];
      EXPECT_LT(norm(both - there.force[i]), 1e-12 * norm(both));
    }
    std::vector<Mat3> blocks(9);
    term.circulation(1, at, blocks);
    const std::span<const Dof> dofs = term.dofs(1);
    for (int column = 0; column < 3; ++column) {
      constexpr double h = 1e-6;
      Vec3 columns[3][3];
      for (int k = 0; k < 3; ++k) {
        State plus = at, minus = at;
        if (dofs[column].kind == Dof::Kind::node) {
          plus.x[dofs[column].index] += h * axis(k), minus.x[dofs[column].index] -= h * axis(k);
        } else {
          plus.q[1] = at.q[1] * exp_rotation(h * axis(k)), minus.q[1] = at.q[1] * exp_rotation(-h * axis(k));
        }
        const Term::Value after = term.value(1, plus), before = term.value(1, minus);
        for (int row = 0; row < 3; ++row) columns[row][k] = (after.gradient[row] - before.gradient[row]) / (2 * h);
      }
      for (int row = 0; row < 3; ++row)
        EXPECT_LT(difference(blocks[3 * row + column], from_columns(columns[row])), 1e-8 * norm(there.force[0]));
    }
  }
}

// In steps in which the wind does not carry a rod far its rods keep their kernels.
TEST(WindTerm, ActsInLongStepsOnly) {
  const Model model(line_in_wind(20));
  loads::WindTerm term(model);
  term.begin(model.initial_state(), {}, {0.002, 0.002, Integrator::euler});
  EXPECT_EQ(term.element_count(), 0);
  term.begin(model.initial_state(), {}, {1, 1, Integrator::euler});
  EXPECT_EQ(term.element_count(), 30);
}

// In winds of 0.4 to 160 times the weight. With the force of the start of each step a line swung for ever in any but short ones.
TEST(WindTerm, LinesComeToRestInAnyWind) {
  for (const double speed : {8.0, 20.0, 80.0}) {
    SCOPED_TRACE(speed);
    State ends[2];
    for (const bool pd : {false, true}) {
      Scene scene = line_in_wind(speed);
      scene.solver.method = pd ? "pd" : "newton";
      ends[pd] = settled(scene).state();
    }
    EXPECT_LT(norm(ends[0].x.back() - ends[1].x.back()), 1e-6);
    if (speed > 8) continue;
    // The same by short steps, which lag, where it does not matter: nothing moves any more.
    Scene scene = line_in_wind(speed);
    scene.damping.mass = 2;
    scene.dt = 0.02;
    Simulation simulation = simulate(scene);
    ASSERT_TRUE(simulation.run(40).accepted());
    EXPECT_LT(norm(ends[0].x.back() - simulation.state().x.back()), 1e-6);
  }
}
