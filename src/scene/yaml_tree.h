// A YAML (or JSON) text as a tree of values that know where they stood.
//
// Why not YAML::Node: it drops the position of keys, keeps doubled keys apart only by accident, shares the nodes of an alias
// (so an override would change both) and is built before anyone can say "too deep". yaml-cpp does the scanning and parsing here
// too.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace writhe::scene_file {

// Lines and columns count from 1. `source` 0 is the file, k > 0 the k-th override, which has no lines.
struct Mark {
  int source = 0;
  int line = 0;
  int column = 0;
};

struct MapEntry;

struct Value {
  enum class Kind { nothing, scalar, list, map };
  Kind kind = Kind::nothing;
  bool quoted = false;  // "5" is text, 5 is a number
  Mark mark;
  std::string text;               // of a scalar, without its quotes
  std::vector<Value> items;       // of a list
  std::vector<MapEntry> entries;  // of a map, in the order of the file; doubled keys are still there
};

struct MapEntry {
  std::string key;
  Mark mark;
  Value value;
};

// An alias counts as often as it is used, so that a few lines cannot stand for billions of values.
inline constexpr std::size_t max_values = 2'000'000;
inline constexpr int max_depth = 64;

// Throws Error, with `name` as the file and `source` in the marks. The text may be any bytes.
Value parse_yaml(const std::string& text, const std::string& name, int source = 0);

}  // namespace writhe::scene_file
