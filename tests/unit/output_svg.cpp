// Pictures: where things are drawn, in which order, and what is said about them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "model_fixture.h"
#include "output/svg_color.h"
#include "output/svg_picture.h"
#include "output/svg_text.h"
#include "output_svg_reader.h"
#include "writhe/error.h"

namespace writhe::output {
namespace {

using Elements = std::vector<test::SvgElement>;

Scene scene_of(std::vector<Rod> rods) {
  Scene scene = test::empty_scene();
  scene.sections.push_back({"rope", CircleSection{0.02}, 1});
  scene.sections.push_back({"hair", CircleSection{2e-5}, 1});
  scene.sections.push_back({"bar", RectangleSection{0.06, 0.01}, 1});
  scene.rods = std::move(rods);
  return scene;
}

Rod rod(const std::string& name, Centreline centreline, int segments, const std::string& section = "rope") {
  Rod out = test::rod(name, std::move(centreline), segments);
  out.section = section;
  return out;
}

std::string draw(const Model& model, const State& state, const PictureOptions& options = {}) {
  return draw_svg(model, std::span(&state, 1), options);
}
Elements drawn(const Scene& scene, const PictureOptions& options = {}) {
  const Model model(scene);
  return test::read_svg(draw(model, model.initial_state(), options));
}

// px per metre, from the scale bar and its label.
double scale_of(const Elements& elements) {
  for (std::size_t i = 0; i + 1 < elements.size(); ++i) {
    if (elements[i]["id"] != "scale") continue;
    const std::vector<double> n = test::numbers_in(elements[i]["d"]);
    const std::string label = elements[i + 1].text;
    const std::map<std::string, double> units{{"m", 1}, {"mm", 1e-3}, {"km", 1e3}};
    return (n[6] - n[4]) / (test::numbers_in(label)[0] * units.at(label.substr(label.find(' ') + 1)));
  }
  ADD_FAILURE() << "no scale bar";
  return 1;
}

// The straight bodies of round rods in the order they are painted.
struct Body {
  Point from, to;
  double half_width;
  std::string color;
};
std::vector<Body> bodies(const Elements& elements) {
  std::vector<Body> out;
  for (const test::SvgElement& e : elements) {
    if (e.name != "use" || e["xlink:href"].substr(0, 2) != "#r") continue;
    const std::vector<double> m = test::numbers_in(e["transform"]);
    out.push_back({{m[4], m[5]}, {m[4] + m[0], m[5] + m[1]}, std::hypot(m[2], m[3]), e["fill"]});
  }
  return out;
}

double distance_to(const Body& body, Point p) {
  const Point d = body.to - body.from;
  const double t = std::clamp(dot(p - body.from, d) / dot(d, d), 0.0, 1.0);
  return norm(p - (body.from + t * d));
}

std::vector<std::vector<double>> stripes(const Elements& elements) {
  std::vector<std::vector<double>> out;
  for (const test::SvgElement& e : elements) {
    if (e["class"] == "s") out.push_back(test::numbers_in(e["d"]));
  }
  return out;
}

std::size_t count(const Elements& elements, const std::string& key, const std::string& value) {
  return static_cast<std::size_t>(
      std::count_if(elements.begin(), elements.end(), [&](const test::SvgElement& e) { return e[key] == value; }));
}

bool says(const Elements& elements, const std::string& text) {
  return std::any_of(elements.begin(), elements.end(), [&](const test::SvgElement& e) { return e.text == text; });
}

// ---- the file ----------------------------------------------------------------------------------------------------------
TEST(SvgText, LongTextIsShortenedToItsRoom) {
  EXPECT_EQ(output::shortened("a cord", 10, 100), "a cord");
  for (const std::string& text : {std::string(80, 'w'), std::string("µµµµµµµµµµµµµµµµµµµµµµµµµ")}) {
    for (const double room : {0.0, 30.0, 57.0, 100.0}) {
      const std::string shown = output::shortened(text, 10, room);
      ASSERT_TRUE(shown.ends_with("…")) << shown;
      const std::string kept = shown.substr(0, shown.size() - 3);
      EXPECT_TRUE(text.starts_with(kept));
      EXPECT_EQ(kept.size() % (text[0] == 'w' ? 1 : 2), 0u) << "cut inside a character";
      EXPECT_TRUE(kept.empty() || output::text_width(shown, 10) <= room);
    }
  }
}

TEST(Svg, TitleOfAnyCharactersStaysWellFormed) {
  PictureOptions options;
  options.title = "a < b & \"c\" > d\x01 µ \xff";
  const Elements elements = drawn(scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 4)}), options);
  EXPECT_TRUE(says(elements, "a < b & \"c\" > d µ "));
  EXPECT_EQ(elements[0].name, "svg");
}

TEST(Svg, EveryReferenceIsDefined) {
  Rod helix = rod("rod", HelixShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.2, 0.1, 3}, 80);
  PictureOptions options;
  options.view = View::iso;
  options.color = measure::Field::curvature;
  const Elements elements = drawn(scene_of({helix}), options);
  std::set<std::string> ids;
  for (const test::SvgElement& e : elements) {
    if (e["id"].empty()) continue;
    EXPECT_TRUE(ids.insert(e["id"]).second) << e["id"];
  }
  for (const test::SvgElement& e : elements) {
    std::string reference = e["xlink:href"].empty() ? "" : e["xlink:href"].substr(1);
    if (e["fill"].substr(0, 5) == "url(#") reference = e["fill"].substr(5, e["fill"].size() - 6);
    EXPECT_TRUE(reference.empty() || ids.count(reference) == 1) << reference;
  }
}

TEST(Svg, ManyRodsOverTimeStayASmallFile) {
  std::vector<Rod> rods;
  for (int i = 0; i < 10; ++i) {
    Rod one = rod("rod" + std::to_string(i), HelixShape{{0.5 * i, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.15, 0.2, 5}, 100);
    one.initial_twist = 9;
    rods.push_back(one);
  }
  const Model model(scene_of(rods));
  std::vector<State> states(8, model.initial_state());
  for (std::size_t k = 0; k < states.size(); ++k) {
    for (Vec3& x : states[k].x) x.z -= 0.2 * static_cast<double>(k);
  }
  PictureOptions options;
  options.view = View::iso;
  options.color = measure::Field::curvature;
  EXPECT_LT(draw_svg(model, states, options).size(), 2'000'000U);
}

TEST(Svg, MoreSegmentsThanPiecesAreDrawnTogether) {
  PictureOptions options;
  options.pieces = 50;
  const Elements elements = drawn(scene_of({rod("rod", HelixShape{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, 1, 0.1, 1}, 1000)}), options);
  const std::vector<Body> all = bodies(elements);
  EXPECT_LE(all.size(), 50U);
  EXPECT_GE(all.size(), 40U);
}

TEST(Svg, StatesThatCannotBeDrawnAreRefused) {
  const Model model(scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 4)}));
  State state = model.initial_state();
  state.x[2].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(draw(model, state), Error);
  state = model.initial_state();
  state.x[2].y = 1e200;  // its square is no number
  EXPECT_THROW(draw(model, state), Error);
  state = model.initial_state();
  state.x.pop_back();
  EXPECT_THROW(draw(model, state), Error);
  EXPECT_THROW(draw_svg(model, {}, {}), Error);
}

// Rods of which the whole length falls on one pixel, or on one number: somewhere between, directions are lost.
TEST(Svg, RodsTooSmallForThePictureLeaveOnlyNumbers) {
  const ParabolaShape bow{{0, 0, 0}, {0.005, 0, 0}, {0, 0, 1}, 0.0004};
  for (const double far : {1e-2, 1.0, 1e2, 1e5, 1e8, 1e11}) {
    ParabolaShape other = bow;
    for (Vec3* x : {&other.from, &other.to}) *x = *x + Vec3{0, far, far};
    const Model model(scene_of({rod("here", bow, 78, "hair"), rod("there", other, 78, "hair")}));
    const Model alone(scene_of({rod("there", other, 78, "hair")}));
    const Model one(scene_of({rod("flies", bow, 78, "hair")}));
    std::vector<State> flight(4, one.initial_state());
    double k = 0;
    for (State& state : flight) {
      for (Vec3& x : state.x) x = x + Vec3{0, k * far, -k * k * far};
      ++k;
    }
    for (const View view : {View::xy, View::xz, View::yz, View::iso}) {
      PictureOptions options;
      options.view = view;
      for (const std::string& text : {draw(model, model.initial_state(), options), draw(alone, alone.initial_state(), options),
                                      draw_svg(one, flight, options)}) {
        EXPECT_EQ(text.find("nan"), std::string::npos) << far;
        EXPECT_EQ(text.find("inf"), std::string::npos) << far;
        EXPECT_NE(text.find("scale"), std::string::npos);
      }
    }
  }
}

// ---- where rods are -------------------------------------------------------------------------------------------------------
class Views : public ::testing::TestWithParam<View> {};

// What each view shows to the right and upwards, worked out by hand.
Point seen(View view, const Vec3& x) {
  switch (view) {
    case View::xy:
      return {x.x, x.y};
    case View::xz:
      return {x.x, x.z};
    case View::yz:
      return {x.y, x.z};
    default:
      return {(x.x + x.y) / std::sqrt(2.0), (-x.x + x.y + 2 * x.z) / std::sqrt(6.0)};
  }
}

TEST_P(Views, EveryNodeIsOnTheDrawnRod) {
  Scene scene = scene_of({rod("rod", HelixShape{{0.3, 0.2, 0.1}, {0.2, 0.5, 1}, {1, 0, 0}, 0.5, 0.4, 2}, 40)});
  scene.supports = {test::pin("rod.start")};
  const Model model(scene);
  const State state = model.initial_state();
  PictureOptions options;
  options.view = GetParam();
  const Elements elements = test::read_svg(draw(model, state, options));
  const std::vector<Body> all = bodies(elements);
  // The tip of the pin's triangle is node 0; the others are measured from it.
  const auto pin = std::find_if(elements.begin(), elements.end(), [](const test::SvgElement& e) { return e["class"] == "pin"; });
  ASSERT_NE(pin, elements.end());
  const Point origin{test::numbers_in((*pin)["d"])[0], test::numbers_in((*pin)["d"])[1]};
  for (const Vec3& x : state.x) {
    const Point from_first = scale_of(elements) * (seen(GetParam(), x) - seen(GetParam(), state.x[0]));
    const Point expected = origin + Point{from_first.x, -from_first.y};
    double nearest = 1e9;
    for (const Body& body : all) nearest = std::min(nearest, distance_to(body, expected));
    EXPECT_LT(nearest, 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Views, ::testing::Values(View::xy, View::xz, View::yz, View::iso));

TEST(Svg, RodsHaveTheirTrueThickness) {
  const Elements elements = drawn(scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0.3}}, 6)}));
  EXPECT_NEAR(bodies(elements)[0].half_width, 0.02 * scale_of(elements), 0.05);
}

TEST(Svg, AHairStaysVisible) {
  const Elements elements = drawn(scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0.3}}, 6, "hair")}));
  EXPECT_LT(2e-5 * scale_of(elements), 0.1);
  EXPECT_GE(2 * bodies(elements)[0].half_width, 1.5);
  EXPECT_TRUE(stripes(elements).empty());
}

TEST(Svg, ARodSeenEndOnIsADiscOfItsRadius) {
  PictureOptions options;
  options.view = View::yz;
  const Elements elements = drawn(scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 6)}), options);
  const double radius = 0.02 * scale_of(elements);
  std::size_t discs = 0;
  for (const test::SvgElement& e : elements) {
    if (e.name != "use" || e["xlink:href"].substr(0, 2) != "#f") continue;
    ++discs;
    const std::vector<double> m = test::numbers_in(e["transform"]);
    EXPECT_NEAR(std::hypot(m[0], m[1]), radius, 0.05);
    EXPECT_NEAR(std::hypot(m[2], m[3]), radius, 0.05);
  }
  EXPECT_EQ(discs, 1U);  // the end at x = 1 faces the viewer, the other does not
}

// From the end of the rod, at x = 1: up to a point, and on to another.
TEST(Svg, LinksAreDrawnDashedWhileTheyAreSlack) {
  Scene scene = scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 4)});
  Link tether;
  tether.kind = Link::Kind::tether;
  tether.from = Place::parse("rod.end");
  tether.to = Vec3{1, 0, 0.5};
  tether.stiffness = 10;
  Link spring = tether;
  spring.kind = Link::Kind::spring;
  spring.to = Vec3{1.5, 0, 0};
  for (const double rest : {0.4, 0.6}) {  // m, of ways of 0.5 m: a spring that is too long pushes, and is not slack
    tether.rest_length = spring.rest_length = rest;
    scene.links = {tether, spring};
    const Elements elements = drawn(scene);
    const double scale = scale_of(elements);
    std::vector<test::SvgElement> links;
    for (const test::SvgElement& e : elements)
      if (e["class"] == "link") links.push_back(e);
    ASSERT_EQ(links.size(), 2U);
    EXPECT_EQ(links[0]["stroke-dasharray"].empty(), rest < 0.5);
    EXPECT_TRUE(links[1]["stroke-dasharray"].empty());
    const std::vector<double> straight = test::numbers_in(links[0]["d"]), wound = test::numbers_in(links[1]["d"]);
    ASSERT_EQ(straight.size(), 4U);
    EXPECT_NEAR(straight[2] - straight[0], 0, 0.2);
    EXPECT_NEAR(straight[3] - straight[1], -0.5 * scale, 0.2) << "upwards";
    ASSERT_GT(wound.size(), 8U) << "springs are drawn wound";
    EXPECT_NEAR(wound[0], straight[0], 0.2);
    EXPECT_NEAR(wound[wound.size() - 2] - wound[0], 0.5 * scale, 0.2);
    EXPECT_NEAR(wound.back(), wound[1], 0.2);
    EXPECT_EQ(count(elements, "class", "anchor"), 2U);
  }
}

TEST(Svg, NothingIsDrawnWithASingularMatrix) {
  // Exactly along the view, and in the picture but for a rounding error.
  const Elements elements =
      drawn(scene_of({rod("along", LineShape{{0, 0, 0}, {0, 1, 0}}, 5), rod("flat", LineShape{{0, 0, 0.5}, {1, -1e-17, 0.5}}, 5),
                      rod("nearly", LineShape{{0, 0, 1}, {1, -1e-5, 1}}, 5)}));
  for (const test::SvgElement& e : elements) {
    if (e.name != "use") continue;
    const std::vector<double> m = test::numbers_in(e["transform"]);
    EXPECT_GT(std::abs(m[0] * m[3] - m[1] * m[2]), 1e-3) << e["transform"];
  }
}

TEST(Svg, TheNearerRodIsPaintedLast) {
  for (const double near : {-0.1, 0.1}) {  // xz is seen from -y
    const Elements elements = drawn(scene_of(
        {rod("first", LineShape{{-1, near, 0}, {1, near, 0.1}}, 5), rod("second", LineShape{{0, -near, -1}, {0, -near, 1}}, 5)}));
    const std::vector<Body> all = bodies(elements);
    const std::string first = rod_color(0).hex(), second = rod_color(1).hex();
    EXPECT_EQ(all.front().color, near < 0 ? second : first);
    EXPECT_EQ(all.back().color, near < 0 ? first : second);
  }
}

TEST(Svg, ARodThatPassesBehindAndInFrontOfAnotherIsSplit) {
  // Runs from behind the other rod to before it; where they cross it is in front.
  const Elements elements = drawn(
      scene_of({rod("slanted", LineShape{{-1, 1.2, 0}, {1, -1, 0}}, 1), rod("across", LineShape{{0, 0.4, -1}, {0, 0.4, 1}}, 1)}));
  const std::vector<Body> all = bodies(elements);
  const auto across = std::find_if(all.begin(), all.end(), [](const Body& b) { return b.color == rod_color(1).hex(); });
  ASSERT_NE(across, all.end());
  EXPECT_GT(std::distance(all.begin(), across), 1);
  EXPECT_GT(std::distance(across, all.end()), 2);
}

// ---- rotation of the section -------------------------------------------------------------------------------------------
// d1 is turned by `angle` from the viewer upwards.
TEST(Svg, TheStripeTurnsWithTheSection) {
  for (const double angle : {-1.0, -0.4, 0.0, 0.7, 1.1}) {
    Rod one = rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 5);
    one.d1 = Vec3{0, -std::cos(angle), std::sin(angle)};
    const Elements elements = drawn(scene_of({one}));
    const std::vector<std::vector<double>> quads = stripes(elements);
    ASSERT_FALSE(quads.empty());
    const double axis = bodies(elements)[0].from.y, radius = bodies(elements)[0].half_width;
    const double low = axis - std::max(quads[0][1], quads[0][5]), high = axis - std::min(quads[0][1], quads[0][5]);
    EXPECT_LT(low / radius, std::sin(angle)) << angle;
    EXPECT_GT(high / radius, std::sin(angle)) << angle;
    EXPECT_LT((high - low) / radius, 0.6);
  }
}

TEST(Svg, TheStripeIsHiddenOnTheBack) {
  Rod one = rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 5);
  one.d1 = Vec3{0, 1, 0};
  EXPECT_TRUE(stripes(drawn(scene_of({one}))).empty());
}

TEST(Svg, ATwistedRodShowsItsStripeOnceATurnRightHanded) {
  Rod one = rod("rod", LineShape{{0, 0, 0}, {2, 0, 0}}, 60);
  one.d1 = Vec3{0, 1, 0};  // starts and ends on the back
  one.initial_twist = 3 * 2 * pi;
  const Elements elements = drawn(scene_of({one}));
  const std::vector<std::vector<double>> quads = stripes(elements);
  const double scale = scale_of(elements), left = bodies(elements)[0].from.x;
  // Middles of the visible stretches: half turns 1, 3, 5 of 6.
  std::vector<double> middles;
  double start = quads[0][0], last = quads[0][0];
  for (const std::vector<double>& q : quads) {
    if (q[0] - last > 0.15 * scale) {
      middles.push_back((start + last) / 2);
      start = q[0];
    }
    last = q[2];
  }
  middles.push_back((start + last) / 2);
  ASSERT_EQ(middles.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR((middles[k] - left) / scale, 2.0 * (2 * static_cast<double>(k) + 1) / 6, 0.03);
  }
  // Right-handed about +x, seen from -y: on the near side d1 comes from above (z) and goes down.
  EXPECT_LT(quads[0][1], quads[quads.size() / 6][1]);
}

TEST(Svg, TheTwoBroadFacesOfARibbonDiffer) {
  const auto front_color = [](double sign) {
    Rod one = rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 4, "bar");
    one.d1 = Vec3{0, 0, sign};  // d2 = x cross d1 = -y for +z: toward the viewer
    const Elements elements = drawn(scene_of({one}));
    for (const test::SvgElement& e : elements) {
      const std::vector<double> n = test::numbers_in(e["d"]);
      if (e["stroke"].empty() || e["fill"] != e["stroke"] || n.size() != 8) continue;
      const double height = std::abs(n[7] - n[1]);
      if (std::abs(height - 0.06 * scale_of(elements)) < 0.1) return e["fill"];  // the broad face, 60 mm high
    }
    ADD_FAILURE() << "no broad face";
    return std::string();
  };
  EXPECT_NE(front_color(1), front_color(-1));
}

// ---- fields, supports, captions ------------------------------------------------------------------------------------------
TEST(Svg, ColoursFollowTheFieldAndTheLegendNamesIt) {
  const Model model(scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 5)}));
  State state = model.initial_state();
  for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i].x *= 1 + 0.1 * state.x[i].x;  // pulled more and more
  PictureOptions options;
  options.color = measure::Field::tension;
  const Elements elements = test::read_svg(draw(model, state, options));
  EXPECT_TRUE(says(elements, "tension [N]"));
  std::vector<Body> all = bodies(elements);
  std::sort(all.begin(), all.end(), [](const Body& a, const Body& b) { return a.from.x < b.from.x; });
  EXPECT_EQ(all.front().color, viridis(0).hex());
  EXPECT_EQ(all.back().color, viridis(1).hex());
  EXPECT_EQ(viridis(0).hex(), "#440154");
  EXPECT_EQ(viridis(1).hex(), "#fde725");
  EXPECT_FALSE(says(test::read_svg(draw(model, state)), "tension [N]"));
}

TEST(Svg, SupportsAreMarkedAtTheirNodes) {
  Scene scene = scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 4)});
  scene.supports = {test::clamp("rod.start"), test::pin("rod.end")};
  const Elements elements = drawn(scene);
  EXPECT_EQ(count(elements, "class", "clamp"), 1U);
  EXPECT_EQ(count(elements, "class", "pin"), 1U);
  const std::vector<Body> all = bodies(elements);
  for (const test::SvgElement& e : elements) {
    const std::vector<double> n = test::numbers_in(e["d"]);
    if (e["class"] == "pin") {
      EXPECT_NEAR(n[0], all.back().to.x, 0.05);
      EXPECT_NEAR(n[1], all.back().to.y, 0.05);
    } else if (e["class"] == "clamp") {  // the block touches the rod and lies behind it
      EXPECT_NEAR(n[0], all.front().from.x, 0.05);
      EXPECT_LT(n[4], all.front().from.x);
    }
  }
}

TEST(Svg, GravityIsShownOnlyWhereThereIsSome) {
  Scene scene = scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 4)});
  EXPECT_TRUE(says(drawn(scene), "g"));
  scene.gravity = {0, 0, 0};
  EXPECT_FALSE(says(drawn(scene), "g"));
}

// ---- motion ------------------------------------------------------------------------------------------------------------------
std::vector<double> opacities(const Elements& elements) {
  std::vector<double> out;
  for (const test::SvgElement& e : elements) {
    if (e["class"] == "shape") out.push_back(test::numbers_in(e["opacity"])[0]);
  }
  return out;
}

TEST(Svg, AVisibleMotionIsOverlaidEarlierShapesPaler) {
  const Model model(scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 10)}));
  std::vector<State> states(4, model.initial_state());
  for (std::size_t k = 0; k < states.size(); ++k) {
    states[k].time = 0.25 * static_cast<double>(k);
    for (Vec3& x : states[k].x) x.z -= 0.2 * static_cast<double>(k);
  }
  const Elements elements = test::read_svg(draw_svg(model, states, {}));
  const std::vector<double> shades = opacities(elements);
  ASSERT_EQ(shades.size(), 4U);
  EXPECT_TRUE(std::is_sorted(shades.begin(), shades.end()));
  EXPECT_LT(shades[0], 0.5);
  EXPECT_EQ(shades[3], 1);
  for (const char* time : {"t = 0 s", "t = 0.25 s", "t = 0.5 s", "t = 0.75 s"}) EXPECT_TRUE(says(elements, time)) << time;
  // One scale: the shapes are 0.2 m apart in the picture.
  const std::vector<Body> all = bodies(elements);
  EXPECT_NEAR(all.back().from.y - all.front().from.y, 0.6 * scale_of(elements), 0.1);
}

TEST(Svg, AMotionThatCannotBeToldApartGetsPanels) {
  const Model model(scene_of({rod("rod", LineShape{{0, 0, 0}, {1, 0, 0}}, 10)}));
  std::vector<State> states(3, model.initial_state());
  for (std::size_t k = 0; k < states.size(); ++k) states[k].time = static_cast<double>(k);
  const Elements elements = test::read_svg(draw_svg(model, states, {}));
  EXPECT_EQ(opacities(elements), (std::vector<double>{1, 1, 1}));
  const std::vector<Body> all = bodies(elements);
  std::set<std::pair<double, double>> places;
  for (const Body& body : all) places.insert({body.from.x, body.from.y});
  EXPECT_EQ(places.size(), all.size());  // no shape on top of another
}

}  // namespace
}  // namespace writhe::output
