// Neutral motions of parts: rods that are joined move as one, rods that are not each on their own.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// A straight rod along x, pinned at both ends: it can spin about its axis and do nothing else.
Scene pinned_rod() {
  Scene scene = Cord{}.scene();
  pin(scene, "rod.start");
  pin(scene, "rod.end");
  return scene;
}

// The same rod in four pieces. They are not in the order of the line, and one runs backwards: from the first, 'a', the pieces
// become known in the order a, d, b, c.
Scene pinned_pieces(double y = 0, const std::string& prefix = "") {
  Scene scene = pinned_rod();
  const Rod whole = scene.rods[0];
  scene.rods.clear();
  const auto piece = [&](const std::string& name, double from, double to) {
    Rod rod = whole;
    rod.name = prefix + name;
    rod.centreline = LineShape{{from, y, 0}, {to, y, 0}};
    rod.segments = 5;
    scene.rods.push_back(rod);
  };
  piece("a", 0, 0.25);
  piece("b", 0.75, 0.5);
  piece("c", 0.75, 1);
  piece("d", 0.25, 0.5);
  const auto place = [&](const char* text) { return Place::parse(prefix + text); };
  scene.joints = {{"", {place("a.end"), place("d.start")}},
                  {"", {place("d.end"), place("b.end")}},
                  {"", {place("b.start"), place("c.start")}}};
  scene.supports.clear();
  pin(scene, prefix + "a.start");
  pin(scene, prefix + "c.end");
  return scene;
}

template <class Item>
void append(std::vector<Item>& to, const std::vector<Item>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

TEST(StaticParts, PiecesOfALineSpinAsOneWhateverTheirOrder) {
  for (const Scene& scene : {pinned_rod(), pinned_pieces()}) {
    const Stability found = stability_of(scene);
    EXPECT_EQ(found.balance, Balance::neutral);
    ASSERT_EQ(found.neutral.size(), 1u);
    EXPECT_NE(found.neutral[0].find("spins about its own axis"), std::string::npos) << found.neutral[0];
  }
}

// Two nets, a rod with pins and one with a clamp, whose frame belongs to it alone.
TEST(StaticParts, EachHasItsOwnMotions) {
  Scene scene = pinned_pieces();
  const Scene other = pinned_pieces(1, "other_");
  append(scene.rods, other.rods);
  append(scene.joints, other.joints);
  append(scene.supports, other.supports);
  for (const char* name : {"rod", "held"}) {
    Rod rod = pinned_rod().rods[0];
    rod.name = name;
    scene.rods.push_back(rod);
  }
  pin(scene, "rod.start");
  pin(scene, "rod.end");
  clamp(scene, "held.start");
  const std::vector<std::string> expected = {"the net of 'a' spins about its own axis",
                                             "the net of 'other_a' spins about its own axis", "rod spins about its own axis"};
  EXPECT_EQ(stability_of(scene).neutral, expected);
}
