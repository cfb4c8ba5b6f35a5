// Places along a rod: as text, and resolved to nodes and segments.
#include <gtest/gtest.h>

#include "model_fixture.h"

namespace writhe {
namespace {

using test::rod;
using test::scene_of;

TEST(Place, TextAndBack) {
  for (const char* text : {"rope.start", "rope.end", "rope@0.25", "rope@1", "rope.node[12]", "left rope.node[0]"})
    EXPECT_EQ(Place::parse(text).text(), text);
  const Place place = Place::parse("rope@0.1");
  EXPECT_EQ(place.rod, "rope");
  EXPECT_EQ(place.kind, Place::Kind::fraction);
  EXPECT_EQ(place.fraction, 0.1);
  EXPECT_EQ(Place::parse("a.node[7]").node, 7);
}

TEST(Place, NonsenseIsRefusedWithTheWaysToWriteIt) {
  for (const char* text : {"",
                           "rope",
                           ".start",
                           "@0.5",
                           "rope.",
                           "rope.middle",
                           "rope@",
                           "rope@1.5",
                           "rope@-0.1",
                           "rope@nan",
                           "rope@0.5x",
                           "rope@ 0.5",
                           "rope.node",
                           "rope.node[]",
                           "rope.node[-1]",
                           "rope.node[1.5]",
                           "rope.node[99999999999]",
                           "rope.node[3",
                           "rope[3]",
                           "rope.start.end"}) {
    try {
      Place::parse(text);
      ADD_FAILURE() << text << " was taken for a place";
    } catch (const Error& error) {
      ASSERT_EQ(error.problems().size(), 1u);
      EXPECT_EQ(error.problems()[0].value, text);
      EXPECT_NE(error.problems()[0].message.find("rod@0.25"), std::string::npos);
    }
  }
}

// Four segments of 0.5 m.
Model chain() { return Model(scene_of(rod("rope", LineShape{{0, 0, 0}, {2, 0, 0}}, 4))); }

ResolvedPlace at(const Model& model, const std::string& text) { return model.resolve(Place::parse(text), "loads[0].at"); }

double position_x(const Model& model, const ResolvedPlace& p) {
  const std::vector<Vec3>& x = model.nodes().x_initial;
  return (1 - p.node_weight1) * x[p.node0].x + p.node_weight1 * x[p.node1].x;
}

TEST(Resolve, PositionsAreLinearInArcLength) {
  const Model model = chain();
  EXPECT_EQ(position_x(model, at(model, "rope.start")), 0);
  EXPECT_EQ(position_x(model, at(model, "rope.end")), 2);
  EXPECT_EQ(position_x(model, at(model, "rope.node[3]")), 1.5);
  for (const double f : {0.0, 0.1, 0.25, 0.3, 0.5, 0.77, 0.999, 1.0}) {
    Place place{"rope", Place::Kind::fraction, f, 0};
    const ResolvedPlace p = model.resolve(place, "");
    EXPECT_NEAR(position_x(model, p), 2 * f, 1e-14);
    EXPECT_NEAR(p.arclength, 2 * f, 1e-14);
    EXPECT_EQ(p.node1, p.node0 + 1);
  }
}

TEST(Resolve, NodesHaveExactWeights) {
  const Model model = chain();
  for (const char* text : {"rope@0.5", "rope@0.50000000001", "rope@0.49999999999", "rope.node[2]"}) {
    const ResolvedPlace p = at(model, text);
    EXPECT_TRUE((p.node0 == 2 && p.node_weight1 == 0) || (p.node1 == 2 && p.node_weight1 == 1)) << text;
  }
  const ResolvedPlace end = at(model, "rope@1");
  EXPECT_EQ(end.node1, 4);
  EXPECT_EQ(end.node_weight1, 1);
}

// Moments are shared between the two nearest segment middles; beyond the outer middles there is only one.
TEST(Resolve, MomentsAreLinearBetweenSegmentMiddles) {
  const Model model = chain();
  const auto middle = [](const ResolvedPlace& p) {
    return (1 - p.segment_weight1) * (0.25 + 0.5 * p.segment0) + p.segment_weight1 * (0.25 + 0.5 * p.segment1);
  };
  for (const double f : {0.125, 0.2, 0.25, 0.3, 0.5, 0.6, 0.875}) {
    const ResolvedPlace p = model.resolve({"rope", Place::Kind::fraction, f, 0}, "");
    EXPECT_NEAR(middle(p), 2 * f, 1e-14);
    EXPECT_GE(p.segment_weight1, 0);
    EXPECT_LE(p.segment_weight1, 1);
  }
  const ResolvedPlace node = at(model, "rope.node[2]");
  EXPECT_EQ(node.segment0, 1);
  EXPECT_EQ(node.segment1, 2);
  EXPECT_DOUBLE_EQ(node.segment_weight1, 0.5);
  const ResolvedPlace start = at(model, "rope.start"), end = at(model, "rope.end");
  EXPECT_EQ((1 - start.segment_weight1) * (start.segment0 == 0) + start.segment_weight1 * (start.segment1 == 0), 1);
  EXPECT_EQ((1 - end.segment_weight1) * (end.segment0 == 3) + end.segment_weight1 * (end.segment1 == 3), 1);
}

// The corner makes one segment shorter, so the middle of the rod is not its middle node.
TEST(Resolve, FractionsAreOfRestLength) {
  const Model model(scene_of(rod("rope", PolylineShape{{{0, 0, 0}, {1, 0, 0}, {1, 1.5, 0}}}, 2)));
  const double l0 = model.segments().length[0], l1 = model.segments().length[1];
  ASSERT_GT(std::abs(l0 - l1), 0.1);
  const ResolvedPlace p = at(model, "rope@0.5");
  EXPECT_NEAR((p.node0 == 0 ? 0 : l0) + p.node_weight1 * (p.node0 == 0 ? l0 : l1), (l0 + l1) / 2, 1e-14);
}

TEST(Resolve, RingsArePeriodic) {
  const Model model(scene_of(rod("hoop", RingShape{{}, {0, 0, 1}, {1, 0, 0}, 1}, 8)));
  const ResolvedPlace start = at(model, "hoop.start"), end = at(model, "hoop.end");
  EXPECT_EQ(start.node_weight1 == 0 ? start.node0 : start.node1, 0);
  EXPECT_EQ(end.node_weight1 == 0 ? end.node0 : end.node1, 0);
  for (const ResolvedPlace& p : {start, end}) {
    EXPECT_EQ(p.segment0, 7);
    EXPECT_EQ(p.segment1, 0);
    EXPECT_NEAR(p.segment_weight1, 0.5, 1e-12);
  }
  const ResolvedPlace late = at(model, "hoop@0.99");
  EXPECT_EQ(late.node0, 7);
  EXPECT_EQ(late.node1, 0);
  EXPECT_NEAR(late.node_weight1, 0.92, 1e-12);
  EXPECT_NEAR(late.segment_weight1, 0.42, 1e-12);
}

TEST(Resolve, SecondRodStartsAfterTheFirst) {
  Scene scene = scene_of(rod("a", LineShape{{0, 0, 0}, {2, 0, 0}}, 4));
  scene.rods.push_back(rod("b", LineShape{{0, 1, 0}, {2, 1, 0}}, 4));
  const Model model(scene);
  const ResolvedPlace p = at(model, "b.node[1]");
  EXPECT_EQ(p.rod, 1);
  EXPECT_EQ(p.node0, 6);
  EXPECT_EQ(p.segment0, 4);
  EXPECT_EQ(p.segment1, 5);
}

TEST(Resolve, UnknownPlacesNameTheField) {
  const Model model = chain();
  for (const char* text : {"rop.start", "rope.node[5]"}) {
    try {
      at(model, text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.problems().at(0).field, "loads[0].at");
      EXPECT_EQ(error.problems().at(0).value, text);
    }
  }
}

TEST(Loads, AreResolved) {
  Scene scene = scene_of(rod("a", LineShape{{0, 0, 0}, {2, 0, 0}}, 4));
  scene.rods.push_back(rod("b", LineShape{{0, 1, 0}, {2, 1, 0}}, 4));
  scene.loads = {
      {ForceLoad{Place::parse("b.end"), {0, 0, -1}, false}, {}}, {LineLoad{"", {0, 0, 1}}, {}}, {DragLoad{"b", 1, 1, {}}, {}}};
  const Model model(scene);
  ASSERT_EQ(model.loads().size(), 3u);
  EXPECT_EQ(model.loads()[0].at.node1, 9);
  EXPECT_EQ(model.loads()[1].rods, (std::vector<int>{0, 1}));
  EXPECT_EQ(model.loads()[2].rods, (std::vector<int>{1}));
}

}  // namespace
}  // namespace writhe
