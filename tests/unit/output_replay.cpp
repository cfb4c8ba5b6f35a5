// The frames inside a page that plays a run: packed, and unpacked by the rules of replay_block.h. tests/web reads them in a
// browser.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "io/replay.h"
#include "io/replay_block.h"
#include "output_support.h"
#include "writhe/error.h"

namespace writhe::io {
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

// What a title may not do to the page, and what the header says of the run.
TEST(Replay, HeaderTellsOfTheRunAndHoldsAnyTitle) {
  try {
    check_replay_page();
  } catch (const Error&) {
    GTEST_SKIP() << "built without the page";
  }
  const test::TemporaryFolder folder;
  Scene scene = test::framed_scene();
  scene.title = "</script><b>\"quoted\"\\ \xC3\xA4";
  const Model model(scene);
  State state = model.initial_state();
  FrameStore store = FrameStore::create(folder / "frames.bin", FrameStore::counts_of(state));
  for (int k = 0; k < 20; ++k) {
    state.time = 0.1 * k;
    store.append(state);
  }
  write_replay(model, store, folder / "page.html");
  const std::string page = test::text_of_file(folder / "page.html"),
                    start = R"(<script id="writhe-run" type="application/json">)";
  const std::size_t at = page.find(start) + start.size();
  const auto header = nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
  EXPECT_EQ(header["title"], scene.title);
  EXPECT_EQ(header["times"].size(), 20U);
  EXPECT_EQ(header["rods"].size(), model.rods().size());
  EXPECT_EQ(header["blocks"][0]["frames"], 16);
  EXPECT_EQ(header["blocks"][1]["frames"], 4);
  EXPECT_EQ(header["fields"][3]["name"], "speed");
  EXPECT_EQ(header["fields"][3]["low"], header["fields"][3]["high"]) << "nothing moves";
  EXPECT_EQ(page.find("<!--WRITHE-RUN-->"), std::string::npos);
}

}  // namespace
}  // namespace writhe::io
