// The frames inside a page that plays a run: packed, and unpacked by the rules of replay_block.h. tests/web reads them in a
// browser.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "model/at_place.h"
#include "output/replay.h"
#include "output/replay_block.h"
#include "output_support.h"
#include "writhe/error.h"

namespace writhe::output {
namespace {

std::string inflated(const std::string& bytes, std::size_t size) {
  std::string out(size, '\0');
  uLongf length = size;
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
            Z_OK);
  EXPECT_EQ(length, size);
  return out;
}

TEST(ReplayBlock, OfOneByteGivesDifferencesThatAreFolded) {
  // Two nodes, four frames.
  const ReplayChannel channel{8, {10, 13, 12, 13, 20, 5, 0, 250}};
  const std::string bytes = inflated(packed_block(std::vector{channel}, 2), 8);
  // 10; 13 - 10; 12 - 10; 13 - 13; 20 - (24 - 10); 5 - (26 - 13); 0 - (40 - 12); 250 - (10 - 13) is 253 or -3
  const std::vector<int> expected{20, 6, 4, 0, 12, 15, 55, 5};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(static_cast<unsigned char>(bytes[i]), expected[i]) << i;
}

TEST(ReplayBlock, OfTwoBytesHasTheLowOnesFirst) {
  const ReplayChannel channel{16, {1000, 65535, 1001, 0}};
  const std::string bytes = inflated(packed_block(std::vector{channel}, 2), 8);
  // 1000; 65535 - 1000 is 64535 or -1001; 1; 1
  const std::vector<int> codes{2000, 2001, 2, 2};
  for (std::size_t i = 0; i < codes.size(); ++i) {
    EXPECT_EQ(static_cast<unsigned char>(bytes[i]), codes[i] & 255) << i;
    EXPECT_EQ(static_cast<unsigned char>(bytes[4 + i]), codes[i] >> 8) << i;
  }
}

TEST(ReplayBlock, NumbersAreTheNearest) {
  EXPECT_EQ(quantised(-2, -2, 3, 16), 0);
  EXPECT_EQ(quantised(3, -2, 3, 16), 65535);
  EXPECT_EQ(quantised(0.5, -2, 3, 8), 128);
  EXPECT_EQ(quantised(7, 7, 7, 8), 0);
  EXPECT_EQ(quantised(9, 0, 1, 8), 255);
}

TEST(ReplayBlock, DirectionsComeBackWithinADegree) {
  const auto back = [](const OctahedralDirection& d) {
    double a = d.u / 255.0 * 2 - 1, b = d.v / 255.0 * 2 - 1;
    const double z = 1 - std::abs(a) - std::abs(b);
    if (z < 0) {
      const double c = (1 - std::abs(b)) * (a < 0 ? -1 : 1);
      b = (1 - std::abs(a)) * (b < 0 ? -1 : 1);
      a = c;
    }
    const Vec3 v{a, b, z};
    return v / norm(v);
  };
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < 80; ++j) {
      const double theta = pi * i / 39, phi = 2 * pi * j / 80;
      const Vec3 d{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
      EXPECT_LT(norm(back(octahedral(d)) - d), 0.0175) << theta << " " << phi;
    }
  }
}

class Replay : public testing::Test {
 protected:
  void SetUp() override {
    try {
      check_replay_page();
    } catch (const Error&) {
      GTEST_SKIP() << "built without the page";
    }
  }
  // Writes page.html; the header in it.
  nlohmann::json header_of(const Model& model, const std::vector<State>& frames) const {
    FrameStore store = FrameStore::create(folder / "frames.bin", FrameStore::counts_of(frames[0]));
    for (const State& state : frames) store.append(state);
    write_replay(model, store, folder / "page.html");
    const std::string page = test::text_of_file(folder / "page.html"),
                      start = R"(<script id="writhe-run" type="application/json">)";
    const std::size_t at = page.find(start) + start.size();
    return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
  }
  const test::TemporaryFolder folder;
};

// What a title may not do to the page, and what the header says of the run.
TEST_F(Replay, HeaderTellsOfTheRunAndHoldsAnyTitle) {
  Scene scene = test::framed_scene();
  scene.title = "</script><b>\"quoted\"\\ \xC3\xA4";
  const Model model(scene);
  std::vector<State> frames(20, model.initial_state());
  for (int k = 0; k < 20; ++k) frames[k].time = 0.1 * k;
  const nlohmann::json header = header_of(model, frames);
  EXPECT_EQ(header["title"], scene.title);
  EXPECT_EQ(header["times"].size(), 20U);
  EXPECT_EQ(header["rods"].size(), model.rods().size());
  EXPECT_EQ(header["blocks"][0]["frames"], 16);
  EXPECT_EQ(header["blocks"][1]["frames"], 4);
  EXPECT_EQ(header["fields"][3]["name"], "speed");
  EXPECT_EQ(header["fields"][3]["low"], header["fields"][3]["high"]) << "nothing moves";
  EXPECT_EQ(header["links"], nlohmann::json::array());
  EXPECT_EQ(test::text_of_file(folder / "page.html").find("<!--WRITHE-RUN-->"), std::string::npos);
}

Link link(Link::Kind kind, std::variant<Place, Vec3> from, std::variant<Place, Vec3> to, double rest_length) {
  Link out;
  out.kind = kind;
  out.from = std::move(from);
  out.to = std::move(to);
  out.stiffness = 1;
  out.rest_length = rest_length;
  return out;
}

// A beam on a post, which share a node, and a ring beside them. The page counts 3 nodes of the post, 5 of the beam, 9 of the
// ring.
Scene linked_net() {
  Scene scene = test::scene_of(test::rod("post", LineShape{{0, 0, 0}, {0, 0, 1}}, 2));
  scene.rods.push_back(test::rod("beam", LineShape{{-1, 0, 1}, {1, 0, 1}}, 4));
  scene.rods.push_back(test::rod("ring", RingShape{{0, 2, 0}, {0, 0, 1}, {1, 0, 0}, 0.5}, 8));
  scene.joints = {{"", {Place::parse("post.end"), Place::parse("beam@0.5")}}};
  const auto at = [](const char* place) { return Place::parse(place); };
  scene.links = {link(Link::Kind::spring, at("post@0.25"), at("beam@0.5"), 0.1),
                 link(Link::Kind::tether, Vec3{3, 0, 0.5}, at("beam@0.65"), 4),
                 link(Link::Kind::tether, at("post.end"), at("ring@0.9375"), 100),
                 link(Link::Kind::tether, at("beam.end"), at("ring.node[3]"), 0.1)};
  scene.links[0].name = "tie";
  return scene;
}

TEST_F(Replay, HeaderTellsWhereLinksEnd) {
  const Model model(linked_net());
  const State state = test::moved_state(model, 3);
  const nlohmann::json links = header_of(model, {state})["links"];
  ASSERT_EQ(links.size(), 4U);
  EXPECT_EQ(links[0]["name"], "tie");
  EXPECT_EQ(links[1]["name"], "");
  EXPECT_EQ(links[0]["kind"], "spring");
  EXPECT_EQ(links[1]["kind"], "tether");
  using Nodes = std::vector<int>;
  EXPECT_EQ(links[0]["ends"][0]["nodes"], (Nodes{0, 1}));
  EXPECT_EQ(links[0]["ends"][1]["nodes"], (Nodes{5, 6}));
  EXPECT_EQ(links[1]["ends"][0], (nlohmann::json{{"point", {3, 0, 0.5}}}));
  EXPECT_EQ(links[1]["ends"][1]["nodes"], (Nodes{5, 6}));
  EXPECT_NEAR(links[1]["ends"][1]["weight"], 0.6, 1e-12);
  EXPECT_EQ(links[2]["ends"][0]["nodes"], (Nodes{1, 2}));
  EXPECT_EQ(links[2]["ends"][0]["weight"], 1);
  EXPECT_EQ(links[2]["ends"][1]["nodes"], (Nodes{15, 16}));
  EXPECT_EQ(links[3]["ends"][1]["nodes"], (Nodes{11, 12}));

  std::vector<Vec3> nodes;
  for (std::size_t r = 0; r < model.rods().size(); ++r)
    for (int k = 0; k <= model.rods()[r].segment_count; ++k) nodes.push_back(state.x[model.node_of(static_cast<int>(r), k)]);
  for (std::size_t i = 0; i < links.size(); ++i) {
    for (const auto& [end, own] :
         {std::pair(links[i]["ends"][0], model.links()[i].from), {links[i]["ends"][1], model.links()[i].to}}) {
      if (own.place)
        test::expect_near(lerp(nodes[end["nodes"][0]], nodes[end["nodes"][1]], end["weight"]), position_of(state, own), 1e-12);
    }
  }
}

TEST_F(Replay, HeaderTellsWhenTethersAreSlack) {
  Scene scene = linked_net();
  scene.links[1].ramp.points = {{0, 1}, {0.1, 0.5}, {0.2, 1}};  // 4 m are too long for 2.7 m, and 2 m are too short
  const Model model(scene);
  std::vector<State> frames(5, model.initial_state());
  for (int k = 0; k < 5; ++k) frames[k].time = 0.05 * k;
  const nlohmann::json links = header_of(model, frames)["links"];
  using Frames = std::vector<int>;
  EXPECT_EQ(links[0]["slack"], Frames{}) << "a spring";
  EXPECT_EQ(links[1]["slack"], (Frames{0, 2, 3}));  // 4, 3, 2, 3, 4 m
  EXPECT_EQ(links[2]["slack"], Frames{0});
  EXPECT_EQ(links[3]["slack"], Frames{});
}

}  // namespace
}  // namespace writhe::output
