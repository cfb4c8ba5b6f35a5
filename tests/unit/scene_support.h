// A small scene to change, and what a refused one says.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "writhe/error.h"
#include "writhe/load.h"

namespace writhe::test {

// Lines are counted in the expected messages: 1 is `writhe: 1`.
inline const std::string small_scene = R"(writhe: 1
gravity: [0, 0, -9.81]
materials:
  rubber: {young: 1e6, poisson: 0.5, density: 1300}
sections:
  cord: {circle: {radius: 0.005}}
rods:
  rope:
    section: cord
    material: rubber
    centreline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}
    segments: 100
supports:
  - {clamp: rope.start}
loads:
  - {force: [0, 0, -1], at: rope.end}
)";

// The small scene with one piece of its text replaced; the piece must be there once.
inline std::string changed(const std::string& piece, const std::string& replacement) {
  std::string text = small_scene;
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  EXPECT_EQ(text.find(piece, at + 1), std::string::npos) << piece;
  return text.replace(at, piece.size(), replacement);
}

// The message of the Error, or "accepted".
inline std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_scene(text, "s.yaml", overrides);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace writhe::test
