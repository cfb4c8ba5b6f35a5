#include "scene/yaml_override.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/names.h"
#include "base/text_file.h"
#include "writhe/error.h"

namespace writhe::scene_file {
namespace {

// One step down: a key, or an index into a list.
struct Step {
  std::string key;
  std::optional<std::size_t> index;
  std::string path;  // up to and with this step
};

std::optional<std::size_t> parse_index(std::string_view digits) {
  std::size_t index = 0;
  const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (ec != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return index;
}

// `supports[0].axes` as steps; nothing when it is not a path.
std::optional<std::vector<Step>> parse_path(const std::string& path) {
  std::vector<Step> steps;
  std::size_t i = 0;
  while (i < path.size()) {
    if (path[i] == '[') {
      const std::size_t close = path.find(']', i);
      if (close == std::string::npos || steps.empty()) return std::nullopt;
      const std::optional<std::size_t> index = parse_index(std::string_view(path).substr(i + 1, close - i - 1));
      if (!index) return std::nullopt;
      i = close + 1;
      steps.push_back({"", index, path.substr(0, i)});
    } else {
      if (path[i] == '.' && !steps.empty()) ++i;
      const std::size_t end = std::min(path.find_first_of(".[]", i), path.size());
      if (end == i) return std::nullopt;
      steps.push_back({path.substr(i, end - i), std::nullopt, path.substr(0, end)});
      i = end;
    }
  }
  if (steps.empty() || path.ends_with('.') || steps.size() > static_cast<std::size_t>(max_depth)) return std::nullopt;
  return steps;
}

std::vector<std::string> keys_of(const Value& map) {
  std::vector<std::string> keys;
  for (const MapEntry& entry : map.entries) keys.push_back(entry.key);
  return keys;
}

class Override {
 public:
  Override(int source, Reading& reading) : m_source(source), m_reading(reading) {}

  void apply(Value& root, const std::string& text) {
    if (const std::optional<Problem> bad = find_not_text(text, "")) {
      return problem("", fmt::format("the byte {} is not text; remove it", bad->value));
    }
    const std::size_t equals = text.find('=');
    const auto steps = equals == std::string::npos ? std::nullopt : parse_path(text.substr(0, equals));
    if (!steps) return problem("", "expected path=value, such as rods.rope.segments=200 or supports[0].axes=xy");
    Value value = parse_yaml(text.substr(equals + 1), m_reading.sources[static_cast<std::size_t>(m_source)], m_source);
    Value* target = &root;
    for (std::size_t i = 0; i < steps->size() && target; ++i) target = step_down(*target, *steps, i);
    if (target) *target = std::move(value);
  }

 private:
  // The value one step down, made where it may be; reports and returns null where it may not.
  Value* step_down(Value& at, const std::vector<Step>& steps, std::size_t i) {
    const Step& step = steps[i];
    return step.index ? list_item(at, step) : map_value(at, steps, i);
  }

  Value* list_item(Value& at, const Step& step) {
    if (at.kind == Value::Kind::list && *step.index < at.items.size()) return &at.items[*step.index];
    if (at.kind != Value::Kind::list) {
      problem(step.path, "there is no list here; give a key instead");
    } else if (at.items.empty()) {
      problem(step.path, "the list is empty; set the whole list instead");
    } else {
      problem(step.path, fmt::format("the list ends with [{}]; set the whole list to add to it", at.items.size() - 1));
    }
    return nullptr;
  }

  Value* map_value(Value& at, const std::vector<Step>& steps, std::size_t i) {
    const Step& step = steps[i];
    if (at.kind != Value::Kind::map) {
      problem(step.path, "there is no map here; set " + (i > 0 ? steps[i - 1].path : "the whole") + " instead");
      return nullptr;
    }
    const auto found = std::find_if(at.entries.begin(), at.entries.end(), [&](const MapEntry& e) { return e.key == step.key; });
    if (found != at.entries.end()) return &found->value;
    const bool last = i + 1 == steps.size();
    if (!last && is_user_name(steps, i)) {
      problem(step.path, "there is nothing of that name; " + hint(step.key, keys_of(at), "names"));
      return nullptr;
    }
    const Mark mark{m_source, 0, 0};
    Value made;
    made.kind = Value::Kind::map;
    made.mark = mark;
    at.entries.push_back({step.key, mark, std::move(made)});
    return &at.entries.back().value;
  }

  static bool is_user_name(const std::vector<Step>& steps, std::size_t i) {
    const std::string& top = steps[0].key;
    return i == 1 && (top == "rods" || top == "materials" || top == "sections");
  }

  void problem(const std::string& path, std::string message) {
    m_reading.add({m_reading.locate({m_source, 0, 0}), printable(path), "", std::move(message)});
  }

  int m_source;
  Reading& m_reading;
};

}  // namespace

std::string override_name(const std::string& text) { return "--set " + printable(text); }

void apply_override(Value& root, const std::string& text, int source, Reading& reading) {
  try {
    Override(source, reading).apply(root, text);
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) reading.add(problem);
  }
}

}  // namespace writhe::scene_file
