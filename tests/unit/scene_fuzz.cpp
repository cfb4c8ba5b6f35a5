// Whatever bytes a scene file holds: it is read or refused, never more.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scene_full.h"
#include "scene_support.h"
#include "writhe/error.h"
#include "writhe/load.h"

namespace writhe {
namespace {

enum class Outcome { read, refused };

// Anything but an Error fails the test by leaving it. A refusal says something.
Outcome outcome(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_scene(text, "s.yaml", overrides);
    return Outcome::read;
  } catch (const Error& error) {
    EXPECT_FALSE(error.problems().empty());
    return Outcome::refused;
  }
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : m_random(seed) {}

  std::string mutate(std::string text) {
    for (int n = 1 + below(3); n > 0; --n) change(text);
    return text;
  }
  std::string noise(int size) {
    std::string text;
    while (static_cast<int>(text.size()) < size) text += token();
    return text;
  }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(m_random); }

 private:
  void change(std::string& text) {
    const std::size_t at = position(text), other = position(text);
    const std::size_t length = static_cast<std::size_t>(1 + below(20));
    switch (below(6)) {
      case 0:
        text.insert(at, token());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(other, length));
        break;
      case 3:
        text.replace(at, std::min<std::size_t>(1, text.size() - at), 1, static_cast<char>(below(256)));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        text.replace(at, length, text.substr(other, length));
        break;
    }
  }
  std::size_t position(const std::string& text) { return static_cast<std::size_t>(below(static_cast<int>(text.size()) + 1)); }
  std::string token() {
    static const std::vector<std::string> tokens{"[",           "]",
                                                 "{",           "}",
                                                 ":",           ": ",
                                                 "- ",          ",",
                                                 "\n",          " ",
                                                 "  ",          "\t",
                                                 "#",           "\"",
                                                 "'",           "|\n",
                                                 ">\n",         "&a ",
                                                 "*a",          "!",
                                                 "!!str ",      "%",
                                                 "?",           "? ",
                                                 "---\n",       "...\n",
                                                 "~",           "<<: ",
                                                 ".nan",        "010",
                                                 "1e9",         "-",
                                                 "0",           "1e999",
                                                 "writhe: 1\n", "rods:",
                                                 "a",           "\\",
                                                 "\\x00",       "\xEF\xBB\xBF",
                                                 "\xFF",        "@",
                                                 "`",           "true",
                                                 "null",        "rope.node[99999999999]",
                                                 "as_built",    "\r\n",
                                                 "\"\\u0000\"", "rods: *a\n"};
    return tokens[static_cast<std::size_t>(below(static_cast<int>(tokens.size())))];
  }

  std::mt19937 m_random;
};

TEST(SceneFuzz, MutatedScenesAreReadOrRefused) {
  Mutator mutator(20240229);
  int read = 0, refused = 0;
  for (int i = 0; i < 4000; ++i) (outcome(mutator.mutate(test::full_scene)) == Outcome::read ? read : refused) += 1;
  // Both happen, or the mutations would be too weak or too strong to test anything.
  EXPECT_GT(read, 50);
  EXPECT_GT(refused, 1000);
}

TEST(SceneFuzz, NoiseIsRefused) {
  Mutator mutator(7);
  for (int i = 0; i < 4000; ++i) EXPECT_EQ(outcome(mutator.noise(1 + mutator.below(80))), Outcome::refused);
}

TEST(SceneFuzz, MutatedOverridesAreReadOrRefused) {
  Mutator mutator(11);
  const std::vector<std::string> seeds{"rods.rope.segments=200", "supports[0].axes=xy",
                                       "loads[0]={moment: [0, 0, 1], at: rope.end}"};
  int read = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string& seed = seeds[static_cast<std::size_t>(i) % seeds.size()];
    if (outcome(test::small_scene, {mutator.mutate(seed)}) == Outcome::read) ++read;
  }
  EXPECT_GT(read, 10);
  EXPECT_LT(read, 2000);
}

}  // namespace
}  // namespace writhe
