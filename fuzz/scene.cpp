// Whatever the bytes of a scene file and of its overrides: a scene that makes a sound model, or an Error that says why not.
//
// An input is a scene file. Lines `--set path=value` at its top are taken off and given as overrides.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "writhe/error.h"
#include "writhe/load.h"
#include "writhe/model.h"

namespace {

using namespace writhe;

// Larger scenes take long and find nothing that small ones do not.
constexpr long most_segments = 2000;
constexpr std::size_t most_rods = 50;

void require(bool condition) {
  if (!condition) std::abort();  // the fuzzer keeps the input
}

std::vector<std::string> take_overrides(std::string& text) {
  const std::string start = "--set ";
  std::vector<std::string> overrides;
  while (text.starts_with(start) && overrides.size() < 4) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    overrides.push_back(text.substr(start.size(), end - start.size()));
    text.erase(0, end + 1);
  }
  return overrides;
}

// Every problem says something, and where: in the file or in an option.
void check_message(const Error& error) {
  require(!error.problems().empty());
  for (const Problem& problem : error.problems()) {
    require(!problem.message.empty() && !problem.where.file.empty());
    require(problem.text().find('\0') == std::string::npos);
  }
}

bool is_small(const Scene& scene) {
  long segments = 0;
  for (const Rod& rod : scene.rods) segments += std::max(0, rod.segments);
  return segments <= most_segments && scene.rods.size() <= most_rods;
}

template <class Item>
bool all_finite(const std::vector<Item>& items) {
  for (const Item& item : items) {
    if (!finite(item)) return false;
  }
  return true;
}

void check_model(const Model& model) {
  const State state = model.initial_state();
  require(all_finite(state.x) && all_finite(state.q));
  require(all_finite(model.segments().stiffness) && all_finite(model.segments().inertia));
  require(all_finite(model.joints().stiffness) && all_finite(model.joints().strain_rest));
  for (const double mass : model.nodes().mass) require(std::isfinite(mass) && mass > 0);
  for (const double length : model.segments().length) require(std::isfinite(length) && length > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> overrides = take_overrides(text);
  Scene scene;
  try {
    scene = parse_scene(text, "scene.yaml", overrides);
  } catch (const Error& error) {
    check_message(error);
    return 0;
  }
  if (!is_small(scene)) return 0;
  try {
    check_model(Model(scene));
  } catch (const Error& error) {
    check_message(error);
  }
  return 0;
}
