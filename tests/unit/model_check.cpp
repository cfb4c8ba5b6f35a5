// Every check of a scene: the path it names, the value it shows, the remedy it gives, and that all problems come at once.
#include <functional>
#include <limits>
#include <ostream>

#include <gtest/gtest.h>

#include "model_fixture.h"

namespace writhe {
namespace {

using test::clamp;
using test::empty_scene;
using test::pin;
using test::rod;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// A scene that is fine: a rod, a ring, a tube and a direct section.
Scene good_scene() {
  Scene scene = empty_scene();
  scene.sections.push_back({"pipe", TubeSection{0.01, 0.008}, 1});
  scene.sections.push_back({"oval", EllipseSection{0.01, 0.008}, 1});
  scene.sections.push_back({"given", DirectSection{1, 1, 1, 1, 1, 1, 1, 1, 1, 0}, 1});
  scene.rods.push_back(rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 10));
  scene.rods.push_back(rod("hoop", RingShape{{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, 0.5}, 12));
  scene.supports.push_back(clamp("rope.start"));
  scene.loads.push_back({ForceLoad{Place::parse("rope.end"), {0, 0, 1}, false}, {}});
  scene.output.probes.push_back({"tip", Place::parse("rope.end"), {"position"}});
  return scene;
}

Rod& rope(Scene& scene) { return scene.rods[0]; }

struct Case {
  std::string path, value, remedy;  // remedy: a part of the message
  std::function<void(Scene&)> spoil;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.path << ": " << c.value; }

std::vector<Problem> problems_of(const Scene& scene) {
  try {
    const Model model(scene);
  } catch (const Error& error) {
    return error.problems();
  }
  return {};
}

std::string all_text(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& p : problems) out += p.text() + "\n";
  return out;
}

class Check : public testing::TestWithParam<Case> {};

TEST(CheckScene, TheGoodSceneIsGood) { EXPECT_EQ(all_text(problems_of(good_scene())), ""); }

TEST_P(Check, NamesPathValueAndRemedy) {
  Scene scene = good_scene();
  GetParam().spoil(scene);
  const std::vector<Problem> problems = problems_of(scene);
  ASSERT_EQ(problems.size(), 1u) << all_text(problems);
  EXPECT_EQ(problems[0].field, GetParam().path);
  EXPECT_EQ(problems[0].value, GetParam().value);
  EXPECT_NE(problems[0].message.find(GetParam().remedy), std::string::npos) << problems[0].message;
}

INSTANTIATE_TEST_SUITE_P(
    Materials, Check,
    testing::Values(Case{"materials.rubber.young", "-1", "greater than 0", [](Scene& s) { s.materials[0].young = -1; }},
                    Case{"materials.rubber.young", "nan", "finite", [](Scene& s) { s.materials[0].young = nan; }},
                    Case{"materials.rubber.density", "0", "kg/m^3", [](Scene& s) { s.materials[0].density = 0; }},
                    Case{"materials.rubber.poisson", "0.6", "at most 0.5", [](Scene& s) { s.materials[0].poisson = 0.6; }},
                    Case{"materials.rubber.poisson", "-1", "greater than -1", [](Scene& s) { s.materials[0].poisson = -1; }},
                    Case{"materials.rubber.poisson", "nan", "greater than -1", [](Scene& s) { s.materials[0].poisson = nan; }},
                    Case{"materials.rubber", "", "not both", [](Scene& s) { s.materials[0].shear = 1e5; }},
                    Case{"materials.rubber", "", "not neither", [](Scene& s) { s.materials[0].poisson.reset(); }},
                    Case{"materials.rubber.shear", "inf", "shear modulus",
                         [](Scene& s) { s.materials[0].poisson.reset(), s.materials[0].shear = infinity; }},
                    Case{"materials.rubber", "rubber", "used twice", [](Scene& s) { s.materials.push_back(s.materials[0]); }},
                    Case{"materials[1]", "", "no name",
                         [](Scene& s) { s.materials.push_back(s.materials[0]), s.materials[1].name = ""; }}));

template <class Shape>
Shape& shape_of(Scene& scene, int section) {
  return std::get<Shape>(scene.sections[section].shape);
}

INSTANTIATE_TEST_SUITE_P(
    Sections, Check,
    testing::Values(
        Case{"sections.cord.circle.radius", "-0.1", "radius (m)", [](Scene& s) { shape_of<CircleSection>(s, 0).radius = -0.1; }},
        Case{"sections.ribbon.rectangle.width", "0", "along d1", [](Scene& s) { shape_of<RectangleSection>(s, 1).width = 0; }},
        Case{"sections.ribbon.rectangle.height", "nan", "along d2",
             [](Scene& s) { shape_of<RectangleSection>(s, 1).height = nan; }},
        Case{"sections.pipe.tube.inner_radius", "0.01", "smaller than the outer",
             [](Scene& s) { shape_of<TubeSection>(s, 2).inner_radius = 0.01; }},
        Case{"sections.pipe.tube.outer_radius", "0", "greater than 0",
             [](Scene& s) { shape_of<TubeSection>(s, 2).outer_radius = 0; }},
        Case{"sections.oval.ellipse.semi_axis1", "-1", "semi-axis",
             [](Scene& s) { shape_of<EllipseSection>(s, 3).semi_axis1 = -1; }},
        Case{"sections.oval.ellipse.semi_axis2", "0", "semi-axis",
             [](Scene& s) { shape_of<EllipseSection>(s, 3).semi_axis2 = 0; }},
        Case{"sections.given.stiffness.EA", "0", "stretch", [](Scene& s) { shape_of<DirectSection>(s, 4).EA = 0; }},
        Case{"sections.given.stiffness.GA", "-2", "shear", [](Scene& s) { shape_of<DirectSection>(s, 4).GA = -2; }},
        Case{"sections.given.stiffness.EI1", "0", "bending", [](Scene& s) { shape_of<DirectSection>(s, 4).EI1 = 0; }},
        Case{"sections.given.stiffness.EI2", "0", "bending", [](Scene& s) { shape_of<DirectSection>(s, 4).EI2 = 0; }},
        Case{"sections.given.stiffness.GJ", "0", "twisting", [](Scene& s) { shape_of<DirectSection>(s, 4).GJ = 0; }},
        Case{"sections.given.stiffness.linear_density", "0", "mass",
             [](Scene& s) { shape_of<DirectSection>(s, 4).linear_density = 0; }},
        Case{"sections.given.stiffness.inertia", "[0, 1, 1]", "inertia",
             [](Scene& s) { shape_of<DirectSection>(s, 4).inertia1 = 0; }},
        Case{"sections.given.stiffness.inertia", "[1, 0, 1]", "inertia",
             [](Scene& s) { shape_of<DirectSection>(s, 4).inertia2 = 0; }},
        Case{"sections.given.stiffness.inertia", "[1, 1, 0]", "inertia",
             [](Scene& s) { shape_of<DirectSection>(s, 4).inertia3 = 0; }},
        Case{"sections.given.stiffness.radius", "-1", "drawing", [](Scene& s) { shape_of<DirectSection>(s, 4).radius = -1; }},
        Case{"sections.cord.shear_factor", "0", "shear factor", [](Scene& s) { s.sections[0].shear_factor = 0; }},
        Case{"sections.cord", "cord", "used twice", [](Scene& s) { s.sections.push_back(s.sections[0]); }},
        Case{"rods.rope.section", "cord", "units",
             [](Scene& s) { shape_of<CircleSection>(s, 0).radius = 1e-120, rope(s).section = "cord"; }}));

INSTANTIATE_TEST_SUITE_P(
    Rods, Check,
    testing::Values(Case{"rods.rope.segments", "0", "1 or more",
                         [](Scene& s) { rope(s).segments = 0, s.supports.clear(), s.loads.clear(); }},
                    Case{"rods.hoop.segments", "2", "3 or more", [](Scene& s) { s.rods[1].segments = 2; }},
                    Case{"rods.hoop.segments", "3", "each would turn by 120 degrees; use at least 4 segments",
                         [](Scene& s) { s.rods[1].segments = 3; }},
                    Case{"rods.rope.segments", "10", "centreline: each would turn by 360 degrees; use at least 40 segments",
                         [](Scene& s) {
                           rope(s).centreline = HelixShape{{}, {0, 0, 1}, {1, 0, 0}, 0.1, 0.006, 10};
                         }},
                    Case{"rods.rope.segments", "10", "rest.shape: each would turn by 180 degrees",
                         [](Scene& s) {
                           rope(s).rest = ShapeRest{ArcShape{{}, {0, 0, 1}, {1, 0, 0}, 0.1, -10 * pi}, {}};
                         }},
                    Case{"rods.rope.segments", "2000000000", "3000 GB", [](Scene& s) { rope(s).segments = 2000000000; }},
                    Case{"rods.rope.section", "ribon", "did you mean 'ribbon'?", [](Scene& s) { rope(s).section = "ribon"; }},
                    Case{"rods.rope.section", "girder", "known sections: cord", [](Scene& s) { rope(s).section = "girder"; }},
                    Case{"rods.rope.material", "rubbr", "did you mean 'rubber'?", [](Scene& s) { rope(s).material = "rubbr"; }},
                    Case{"rods.rope.material", "", "needs a material", [](Scene& s) { rope(s).material = ""; }},
                    Case{"rods.rope", "rope", "used twice", [](Scene& s) { s.rods.push_back(rope(s)); }},
                    Case{"rods[2]", "", "no name", [](Scene& s) { s.rods.push_back(rope(s)), s.rods[2].name = ""; }},
                    Case{"rods.a.b", "a.b", "must not contain", [](Scene& s) { s.rods[1].name = "a.b"; }},
                    Case{"rods.a@b", "a@b", "must not contain", [](Scene& s) { s.rods[1].name = "a@b"; }},
                    Case{"rods.a[b", "a[b", "must not contain", [](Scene& s) { s.rods[1].name = "a[b"; }},
                    Case{"rods.rope.d1", "[2, 0, 0]", "parallel to the rod",
                         [](Scene& s) {
                           rope(s).d1 = Vec3{2, 0, 0};
                         }},
                    Case{"rods.rope.d1", "[0, 0, 0]", "must not be zero",
                         [](Scene& s) {
                           rope(s).d1 = Vec3{0, 0, 0};
                         }},
                    Case{"rods.rope.initial_twist", "40", "at least 13 segments", [](Scene& s) { rope(s).initial_twist = 40; }},
                    Case{"rods.rope.rest_twist", "nan", "finite", [](Scene& s) { rope(s).rest_twist = nan; }},
                    Case{"rods.rope.closing_angle", "1", "only a closed rod", [](Scene& s) { rope(s).closing_angle = 1; }},
                    Case{"rods.hoop.closing_angle", "inf", "finite", [](Scene& s) { s.rods[1].closing_angle = infinity; }},
                    Case{"rods.rope.taper", "", "directly",
                         [](Scene& s) {
                           rope(s).section = "given", rope(s).taper = {{0, 1}};
                         }},
                    Case{"rods.rope.velocity", "[0, nan, 0]", "three finite components",
                         [](Scene& s) {
                           rope(s).velocity = {0, std::nan(""), 0};
                         }},
                    Case{"rods.rope.taper[1]", "0.5", "must increase",
                         [](Scene& s) {
                           rope(s).taper = {{0.5, 1}, {0.5, 2}};
                         }},
                    Case{"rods.rope.taper[0]", "1.5", "between 0 and 1",
                         [](Scene& s) {
                           rope(s).taper = {{1.5, 1}};
                         }},
                    Case{"rods.rope.taper[0]", "0", "greater than 0",
                         [](Scene& s) {
                           rope(s).taper = {{0, 0}};
                         }},
                    Case{"rods.rope.rest.straight.length", "-1", "rest length",
                         [](Scene& s) { rope(s).rest = StraightRest{-1}; }},
                    Case{"rods.rope.rest.shape.arc.radius", "0", "greater than 0",
                         [](Scene& s) {
                           rope(s).rest = ShapeRest{ArcShape{{}, {0, 0, 1}, {1, 0, 0}, 0, 1}, {}};
                         }},
                    Case{"rods.rope.rest.d1", "[0, 1, 0]", "parallel to the rod",
                         [](Scene& s) {
                           rope(s).rest = ShapeRest{LineShape{{0, 0, 0}, {0, 1, 0}}, Vec3{0, 1, 0}};
                         }},
                    Case{"rods.rope.rest.curvature", "nan", "about d2 (1/m)",
                         [](Scene& s) {
                           rope(s).rest = CurvedRest{0, nan, 0, {}};
                         }},
                    Case{"rods.rope.rest.twist", "inf", "rad/m",
                         [](Scene& s) {
                           rope(s).rest = CurvedRest{0, 0, infinity, {}};
                         }},
                    Case{"rods.rope.rest.length", "0", "rest length",
                         [](Scene& s) {
                           rope(s).rest = CurvedRest{0, 0, 0, 0};
                         }},
                    // 50/m over 1 m: 50 rad in quarter turns are 31.8 of them, in 10 segments 286 degrees each.
                    Case{"rods.rope.rest.curvature", "50 1/m in all",
                         "turns the rod by 286 degrees a segment; use at least 32 segments",
                         [](Scene& s) {
                           rope(s).rest = CurvedRest{30, -40, 0, {}};
                         }},
                    Case{"rods.rope.rest.curvature", "50 1/m in all", "use at least 64 segments",
                         [](Scene& s) {
                           rope(s).rest = CurvedRest{50, 0, 0, 2};
                         }},
                    Case{"rods.rope.rest.twist", "-40", "half a turn or more for every segment; use at least 13 segments",
                         [](Scene& s) {
                           rope(s).rest = CurvedRest{0, 0, -40, {}};
                         }},
                    Case{"rods.rope.rest_twist", "1", "give rest.twist",
                         [](Scene& s) { rope(s).rest = CurvedRest{1, 0, 0, {}}, rope(s).rest_twist = 1; }},
                    Case{"rods", "", "no rod",
                         [](Scene& s) { s.rods.clear(), s.supports.clear(), s.loads.clear(), s.output.probes.clear(); }}));

void set_shape(Scene& scene, Centreline shape) { rope(scene).centreline = std::move(shape); }

INSTANTIATE_TEST_SUITE_P(
    Centrelines, Check,
    testing::Values(Case{"rods.rope.centreline.line.to", "[1, 2, 3]", "no length",
                         [](Scene& s) {
                           set_shape(s, LineShape{{1, 2, 3}, {1, 2, 3}});
                         }},
                    Case{"rods.rope.centreline.line.from", "[nan, 0, 0]", "finite",
                         [](Scene& s) {
                           set_shape(s, LineShape{{nan, 0, 0}, {1, 2, 3}});
                         }},
                    Case{"rods.rope.centreline", "inf m", "units",
                         [](Scene& s) {
                           set_shape(s, LineShape{{-1e308, 0, 0}, {1e308, 0, 0}});
                         }},
                    Case{"rods.rope.centreline.polyline.points", "1 points", "needs 2",
                         [](Scene& s) {
                           set_shape(s, PolylineShape{{{0, 0, 0}}});
                         }},
                    Case{"rods.rope.centreline.polyline.points[2]", "[1, 0, 0]", "remove one",
                         [](Scene& s) {
                           set_shape(s, PolylineShape{{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}}});
                         }},
                    Case{"rods.rope.centreline.polyline.points[1]", "[0, inf, 0]", "finite",
                         [](Scene& s) {
                           set_shape(s, PolylineShape{{{0, 0, 0}, {0, infinity, 0}}});
                         }},
                    Case{"rods.rope.centreline.obj", "0 points", "needs 2",
                         [](Scene& s) {
                           set_shape(s, ObjShape{"a.obj", {}});
                         }},
                    Case{"rods.rope.centreline", "node 5 at [1, 0, 0]", "straight back",
                         [](Scene& s) {
                           set_shape(s, PolylineShape{{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}});
                         }},
                    Case{"rods.rope.centreline", "segment 1", "has no length",
                         [](Scene& s) {
                           set_shape(s, PolylineShape{{{0, 0, 0}, {3, 0, 0}, {2, 0, 0}, {2, 2, 0}}}), rope(s).segments = 3;
                         }},
                    Case{"rods.rope.centreline.arc.radius", "-1", "radius of the curve",
                         [](Scene& s) {
                           set_shape(s, ArcShape{{}, {0, 0, 1}, {1, 0, 0}, -1, 1});
                         }},
                    Case{"rods.rope.centreline.arc.angle", "0", "not 0",
                         [](Scene& s) {
                           set_shape(s, ArcShape{{}, {0, 0, 1}, {1, 0, 0}, 1, 0});
                         }},
                    Case{"rods.rope.centreline.arc.start", "[0, 0, 2]", "across",
                         [](Scene& s) {
                           set_shape(s, ArcShape{{}, {0, 0, 1}, {0, 0, 2}, 1, 1});
                         }},
                    Case{"rods.rope.centreline.arc.normal", "[0, 0, 0]", "must not be zero",
                         [](Scene& s) {
                           set_shape(s, ArcShape{{}, {0, 0, 0}, {0, 0, 2}, 1, 1});
                         }},
                    Case{"rods.rope.centreline.helix.axis", "[0, 0, 0]", "must not be zero",
                         [](Scene& s) {
                           set_shape(s, HelixShape{{}, {0, 0, 0}, {1, 0, 0}, 1, 1, 1});
                         }},
                    Case{"rods.rope.centreline.helix.turns", "0", "left-handed",
                         [](Scene& s) {
                           set_shape(s, HelixShape{{}, {0, 0, 1}, {1, 0, 0}, 1, 1, 0});
                         }},
                    Case{"rods.rope.centreline.helix.pitch", "nan", "finite",
                         [](Scene& s) {
                           set_shape(s, HelixShape{{}, {0, 0, 1}, {1, 0, 0}, 1, nan, 1});
                         }},
                    Case{"rods.rope.centreline.parabola.sag", "inf", "finite",
                         [](Scene& s) {
                           set_shape(s, ParabolaShape{{}, {1, 0, 0}, {0, 0, 1}, infinity});
                         }},
                    Case{"rods.rope.centreline.parabola.up", "[0, 0, 0]", "must not be zero",
                         [](Scene& s) {
                           set_shape(s, ParabolaShape{{}, {1, 0, 0}, {0, 0, 0}, 1});
                         }},
                    Case{"rods.rope.centreline.parabola.to", "[0, 0, 1]", "move it aside",
                         [](Scene& s) {
                           set_shape(s, ParabolaShape{{}, {0, 0, 1}, {0, 0, 1}, 1});
                         }},
                    Case{"rods.rope.centreline.catenary.length", "0.9", "shorter than the distance of the ends, 1 m",
                         [](Scene& s) {
                           set_shape(s, CatenaryShape{{}, {1, 0, 0}, {0, 0, 1}, 0.9});
                         }},
                    Case{"rods.rope.centreline.catenary.length", "nan", "length of the cable",
                         [](Scene& s) {
                           set_shape(s, CatenaryShape{{}, {1, 0, 0}, {0, 0, 1}, nan});
                         }},
                    Case{"rods.rope.centreline.catenary.up", "[0, 0, 0]", "must not be zero",
                         [](Scene& s) {
                           set_shape(s, CatenaryShape{{}, {1, 0, 0}, {0, 0, 0}, 2});
                         }},
                    Case{"rods.rope.centreline", "", "hangs between two ends, so the rod cannot be closed",
                         [](Scene& s) {
                           set_shape(s, CatenaryShape{{}, {0, 0, 0}, {0, 0, 1}, 2}), rope(s).closed = true;
                         }},
                    Case{"rods.rope.segments", "1", "slack of the centreline; use at least 2 segments",
                         [](Scene& s) {
                           set_shape(s, CatenaryShape{{}, {1, 0, 0}, {0, 0, 1}, 2}), rope(s).segments = 1;
                         }},
                    Case{"rods.rope.segments", "2", "use at least 3 segments",
                         [](Scene& s) {
                           set_shape(s, CatenaryShape{{}, {0, 0, 0}, {0, 0, 1}, 2}), rope(s).segments = 2;
                         }},
                    Case{"rods.rope.centreline", "", "cannot be closed", [](Scene& s) { rope(s).closed = true; }},
                    Case{"rods.rope.centreline.polyline.points", "2 points", "needs 3",
                         [](Scene& s) {
                           set_shape(s, PolylineShape{{{0, 0, 0}, {1, 0, 0}}}), rope(s).closed = true;
                         }},
                    Case{"rods.hoop.centreline.ring.radius", "0", "greater than 0",
                         [](Scene& s) { std::get<RingShape>(s.rods[1].centreline).radius = 0; }}));

INSTANTIATE_TEST_SUITE_P(
    Attachments, Check,
    testing::Values(
        Case{"supports[0].clamp", "rop.start", "did you mean 'rope'?", [](Scene& s) { s.supports[0].at.rod = "rop"; }},
        Case{"supports[1].pin", "cable.end", "known rods: rope and hoop",
             [](Scene& s) { s.supports.push_back(pin("cable.end")); }},
        Case{"supports[1].pin", "rope.node[11]", "from 0 to 10", [](Scene& s) { s.supports.push_back(pin("rope.node[11]")); }},
        Case{"supports[1].pin", "hoop.node[12]", "from 0 to 11", [](Scene& s) { s.supports.push_back(pin("hoop.node[12]")); }},
        Case{"supports[1].pin", "rope@0.25", "rope.node[2] and rope.node[3]",
             [](Scene& s) { s.supports.push_back(pin("rope@0.25")); }},
        Case{"supports[1].pin", "hoop@0.99", "hoop.node[11] and hoop.node[0]",
             [](Scene& s) { s.supports.push_back(pin("hoop@0.99")); }},
        Case{"supports[1].pin", "rope.node[0]", "one support", [](Scene& s) { s.supports.push_back(pin("rope.node[0]")); }},
        Case{"supports[2].clamp", "hoop.end", "one support",
             [](Scene& s) { s.supports.push_back(pin("hoop.start")), s.supports.push_back(clamp("hoop.end")); }},
        Case{"supports[0].axes", "xx", "each once", [](Scene& s) { s.supports[0].axes = "xx"; }},
        Case{"supports[0].axes", "xw", "x, y and z", [](Scene& s) { s.supports[0].axes = "xw"; }},
        Case{"supports[1].axes", "", "at least one", [](Scene& s) { s.supports.push_back(pin("rope.end", "")); }},
        Case{"supports[0].tangent", "[0, 0, 0]", "must not be zero",
             [](Scene& s) {
               s.supports[0].tangent = Vec3{0, 0, 0};
             }},
        Case{"supports[0].d1", "[0, 0, 2]", "parallel to the tangent",
             [](Scene& s) {
               s.supports[0].tangent = Vec3{0, 0, 1}, s.supports[0].d1 = Vec3{0, 0, 2};
             }},
        Case{"supports[0].d1", "[3, 0, 0]", "parallel to the rod",
             [](Scene& s) {
               s.supports[0].d1 = Vec3{3, 0, 0};
             }},
        Case{"supports[0].tangent", "[-1, 0, 0]", "points 180 degrees away from the rod",
             [](Scene& s) {
               s.supports[0].tangent = Vec3{-1, 0, 0};
             }},
        Case{"supports[0].tangent", "[-10, 0, 1.7]", "170 is the most",  // 170.4 degrees
             [](Scene& s) {
               s.supports[0].tangent = Vec3{-10, 0, 1.7};
             }},
        Case{"supports[0].tangent", "", "use a clamp",
             [](Scene& s) {
               s.supports[0].kind = Support::Kind::pin, s.supports[0].tangent = Vec3{1, 0, 0};
             }},
        Case{"loads[0].at", "rope.node[77]", "from 0 to 10",
             [](Scene& s) { std::get<ForceLoad>(s.loads[0].kind).at = Place::parse("rope.node[77]"); }},
        Case{"loads[0].at", "rope@2", "between 0 and 1",
             [](Scene& s) {
               std::get<ForceLoad>(s.loads[0].kind).at = {"rope", Place::Kind::fraction, 2, 0};
             }},
        Case{"loads[0].force", "[0, nan, 0]", "(N)",
             [](Scene& s) {
               std::get<ForceLoad>(s.loads[0].kind).force.y = nan, std::get<ForceLoad>(s.loads[0].kind).force.z = 0;
             }},
        Case{"loads[1].moment", "[inf, 0, 0]", "(N m)",
             [](Scene& s) {
               s.loads.push_back({MomentLoad{Place::parse("rope.end"), {infinity, 0, 0}, false}, {}});
             }},
        Case{"loads[1].rod", "hop", "did you mean 'hoop'?",
             [](Scene& s) {
               s.loads.push_back({LineLoad{"hop", {}}, {}});
             }},
        Case{"loads[1].force_per_length", "[0, 0, inf]", "(N/m)",
             [](Scene& s) {
               s.loads.push_back({LineLoad{"hoop", {0, 0, infinity}}, {}});
             }},
        Case{"loads[1].drag.normal", "-1", "drag",
             [](Scene& s) {
               s.loads.push_back({DragLoad{"", -1, 0, {}}, {}});
             }},
        Case{"loads[1].drag.tangential", "-1", "drag",
             [](Scene& s) {
               s.loads.push_back({DragLoad{"", 0, -1, {}}, {}});
             }},
        Case{"loads[1].ramp[1]", "-5", "negative factor",
             [](Scene& s) {
               s.loads.push_back({DragLoad{"", 1, 1, {}}, {{{0, 0}, {1, -5}}}});
             }},
        Case{"loads[1].wind", "rope", "'given' has radius 0",
             [](Scene& s) {
               rope(s).section = "given", s.loads.push_back({WindLoad{"", {1, 0, 0}, 1, 1}, {}});
             }},
        Case{"loads[1].rod", "rope", "'given' has radius 0",
             [](Scene& s) {
               rope(s).section = "given", s.loads.push_back({WindLoad{"rope", {1, 0, 0}, 1, 1}, {}});
             }},
        Case{"loads[1].wind.velocity", "[nan, 0, 0]", "wind",
             [](Scene& s) {
               s.loads.push_back({WindLoad{"", {nan, 0, 0}, 1, 1}, {}});
             }},
        Case{"loads[1].wind.density", "-1", "air",
             [](Scene& s) {
               s.loads.push_back({WindLoad{"", {}, -1, 1}, {}});
             }},
        Case{"loads[1].wind.coefficient", "-1", "drag coefficient",
             [](Scene& s) {
               s.loads.push_back({WindLoad{"", {}, 1, -1}, {}});
             }},
        Case{"loads[0].ramp[1]", "1", "must increase",
             [](Scene& s) {
               s.loads[0].ramp.points = {{1, 0}, {1, 1}};
             }},
        Case{"loads[0].ramp[0]", "nan", "factor",
             [](Scene& s) {
               s.loads[0].ramp.points = {{1, nan}};
             }},
        Case{"output.probes[0].at", "rod.end", "known rods", [](Scene& s) { s.output.probes[0].at.rod = "rod"; }},
        Case{"output.probes[0].fields[1]", "positon", "did you mean 'position'?",
             [](Scene& s) { s.output.probes[0].fields.push_back("positon"); }},
        Case{"output.probes[0].fields[2]", "position", "named twice",
             [](Scene& s) {
               s.output.probes[0].fields = {"position", "tension", "position"};
             }},
        Case{"output.probes[0].fields", "", "names no field", [](Scene& s) { s.output.probes[0].fields.clear(); }},
        Case{"output.probes[1].name", "tip", "used twice", [](Scene& s) { s.output.probes.push_back(s.output.probes[0]); }}));

void join(Scene& scene, const std::string& a, const std::string& b) {
  scene.rods.push_back(rod("next", LineShape{{1, 0, 0}, {2, 0, 0}}, 5));
  scene.joints.push_back({"knot", {Place::parse(a), Place::parse(b)}});
}

INSTANTIATE_TEST_SUITE_P(
    Junctions, Check,
    testing::Values(Case{"joints[0]", "one place", "two or more",
                         [](Scene& s) {
                           s.joints.push_back({"knot", {Place::parse("rope.end")}});
                         }},
                    Case{"joints[0].places[1]", "nex.start", "did you mean 'next'?",
                         [](Scene& s) { join(s, "rope.end", "nex.start"); }},
                    Case{"joints[0].places[1]", "[2, 0, 0]", "must coincide", [](Scene& s) { join(s, "rope.end", "next.end"); }},
                    Case{"joints[0].places[1]", "next@0.33", "next.node[1] and next.node[2]",
                         [](Scene& s) { join(s, "rope.end", "next@0.33"); }},
                    Case{"joints[0].places[1]", "rope.node[10]", "already in joints[0]",
                         [](Scene& s) { join(s, "rope.end", "rope.node[10]"); }},
                    Case{"joints[1].places[0]", "next.start", "already in joints[0]",
                         [](Scene& s) {
                           join(s, "rope.end", "next.start");
                           s.rods.push_back(rod("third", LineShape{{1, 0, 0}, {1, 1, 0}}, 2));
                           s.joints.push_back({"", {Place::parse("next.start"), Place::parse("third.start")}});
                         }},
                    Case{"joints[1].name", "knot", "used twice",
                         [](Scene& s) {
                           join(s, "rope.end", "next.start");
                           s.rods.push_back(rod("third", LineShape{{2, 0, 0}, {2, 1, 0}}, 2));
                           s.joints.push_back({"knot", {Place::parse("next.end"), Place::parse("third.start")}});
                         }},
                    Case{"supports[2].pin", "next.start", "already has a support at rope.end", [](Scene& s) {
                           join(s, "rope.end", "next.start");
                           s.supports.push_back(pin("rope.end"));
                           s.supports.push_back(pin("next.start"));
                         }}));

INSTANTIATE_TEST_SUITE_P(
    Run, Check,
    testing::Values(Case{"time.dt", "0", "time step", [](Scene& s) { s.dt = 0; }},
                    Case{"time.dt", "nan", "time step", [](Scene& s) { s.dt = nan; }},
                    Case{"time.until", "-1", "end time", [](Scene& s) { s.until = -1; }},
                    Case{"time.until", "1e+300", "too many steps", [](Scene& s) { s.until = 1e300; }},
                    Case{"time.until", "1", "too many steps of 1e-300 s", [](Scene& s) { s.dt = 1e-300; }},
                    Case{"time.tolerance", "0", "error a step may make", [](Scene& s) { s.step_tolerance = 0; }},
                    Case{"time.tolerance", "nan", "error a step may make", [](Scene& s) { s.step_tolerance = nan; }},
                    Case{"solver.tolerance", "0.1", "at most 0.01", [](Scene& s) { s.solver.tolerance = 0.1; }},
                    Case{"solver.tolerance", "0", "greater than 0", [](Scene& s) { s.solver.tolerance = 0; }},
                    Case{"solver.newton.max_iterations", "0", "1 or more", [](Scene& s) { s.solver.newton.max_iterations = 0; }},
                    Case{"solver.pd.iterations", "0", "1 or more", [](Scene& s) { s.solver.pd.iterations = 0; }},
                    Case{"solver.pd.iterations", "1000001", "at most 1000000",
                         [](Scene& s) { s.solver.pd.iterations = 1000001; }},
                    Case{"gravity", "[0, 0, inf]", "finite", [](Scene& s) { s.gravity.z = infinity; }},
                    Case{"gravity.ramp[0]", "inf", "finite",
                         [](Scene& s) {
                           s.gravity_ramp.points = {{infinity, 1}};
                         }},
                    Case{"damping.mass", "-1", "0 or greater", [](Scene& s) { s.damping.mass = -1; }},
                    Case{"damping.internal", "nan", "finite", [](Scene& s) { s.damping.internal = nan; }},
                    Case{"output.interval", "-1", "0 or greater", [](Scene& s) { s.output.interval = -1; }},
                    Case{"output.formats[0]", "vkt", "did you mean 'vtk'?", [](Scene& s) { s.output.formats = {"vkt"}; }},
                    Case{"output.formats[0]", "stl", "vtk, usd, obj and html", [](Scene& s) { s.output.formats = {"stl"}; }},
                    Case{"output.formats[1]", "vtk", "named twice",
                         [](Scene& s) {
                           s.output.formats = {"vtk", "vtk"};
                         }},
                    Case{"output.frame_interval", "nan", "finite", [](Scene& s) { s.output.frame_interval = nan; }},
                    Case{"output.checkpoint", "-1", "0 or greater", [](Scene& s) { s.output.checkpoint = -1; }},
                    Case{"output.picture.view", "zz", "xy, xz, yz and iso", [](Scene& s) { s.output.picture.view = "zz"; }},
                    Case{"output.picture.color", "heat", "tension", [](Scene& s) { s.output.picture.color = "heat"; }},
                    Case{"output.picture.frames", "0", "1 or more", [](Scene& s) { s.output.picture.frames = 0; }}));

TEST(CheckScene, AllProblemsComeAtOnce) {
  Scene scene = good_scene();
  scene.materials[0].young = -1;
  scene.rods[0].material = "rubbr";
  scene.rods[1].segments = 1;
  scene.supports.push_back(pin("rope@0.25"));  // needs the geometry of a rod that has another problem
  scene.loads[0].ramp.points = {{1, 0}, {0, 1}};
  scene.dt = 0;
  const std::vector<Problem> problems = problems_of(scene);
  EXPECT_EQ(problems.size(), 6u) << all_text(problems);
}

TEST(CheckScene, ProblemsPointAtTheirLine) {
  Scene scene = good_scene();
  scene.locations["rods.rope"] = {"a.yaml", 12, 3};
  scene.rods[0].segments = -4;
  const std::vector<Problem> problems = problems_of(scene);
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems[0].text(), "a.yaml:12:3: rods.rope.segments: -4: a rod needs 1 or more segments");
}

// Not the largest rod alone: many that are small enough each, refused before any memory is taken.
TEST(CheckScene, MemoryOfAllRodsTogether) {
  Scene scene = good_scene();
  for (int i = 0; i < 5; ++i) scene.rods.push_back(rod("r" + std::to_string(i), LineShape{{0, 0, 0}, {1, 0, 0}}, 4000000));
  const std::vector<Problem> problems = problems_of(scene);
  ASSERT_EQ(problems.size(), 1u) << all_text(problems);
  EXPECT_EQ(problems[0].field, "rods.r0.segments");
  EXPECT_NE(problems[0].message.find("30 GB"), std::string::npos) << problems[0].message;
}

TEST(CheckScene, LimitsThemselvesAreAllowed) {
  Scene scene = good_scene();
  scene.materials[0].poisson = 0.5;
  scene.solver.tolerance = 1e-2;
  scene.solver.newton.max_iterations = 1;
  scene.solver.pd.iterations = 1;
  scene.until = 0;
  scene.rods[0].segments = 1;
  scene.rods[1].segments = 4;
  scene.rods[0].taper = {{0, 1}, {1, 2}};
  scene.rods[0].initial_twist = 3.1;
  scene.supports[0].tangent = Vec3{-10, 0, 1.8};  // 169.8 degrees from the rod
  scene.rods.push_back(rod("triangle", PolylineShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, 3));
  scene.rods.back().closed = true;
  scene.loads.push_back({WindLoad{"", {1, 0, 0}, 1, 1}, {{{0, -1}}}});  // the factor is on the velocity
  EXPECT_EQ(all_text(problems_of(scene)), "");
  scene.solver.pd.iterations = 1000000;
  EXPECT_EQ(all_text(problems_of(scene)), "");
}

}  // namespace
}  // namespace writhe
