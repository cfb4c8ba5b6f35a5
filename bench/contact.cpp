// Detection: from positions to the sorted list of pairs of spans that may touch in the step (ContactTerm::begin).
// bench/README.md. Time of the clock on the wall, the quickest of many, each of nodes that were moved a little so that nothing
// can be kept but what would be in a run.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "contact/contact_term.h"
#include "harness.h"
#include "math/rotation.h"
#include "rubber.h"
#include "writhe/writhe.h"

namespace writhe::bench {

namespace {

constexpr double dt = 1e-3;  // s

// A net of n x n rods of 1 m with meshes of 1/(n - 1), r 2 mm, of one segment from junction to junction.
Scene square_net(int n) {
  Scene scene = rubber_scene(0.002);
  scene.contact.self = true;
  scene.contact.between = Contact::Between::all;
  for (int k = 0; k < n; ++k) {
    const double at = static_cast<double>(k) / (n - 1);
    add_rod(scene, fmt::format("along{}", k), {{0, at, 0}, {1, at, 0}}, n - 1);
    add_rod(scene, fmt::format("across{}", k), {{at, 0, 0}, {at, 1, 0}}, n - 1);
  }
  const auto node = [](const std::string& rod, int k) { return Place::parse(fmt::format("{}.node[{}]", rod, k)); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      scene.joints.push_back({"", {node(fmt::format("along{}", i), j), node(fmt::format("across{}", j), i)}});
  return scene;
}

// Folded in two along its middle, layers 1.05 diameters apart and shifted against each other by a third of a mesh: Fig. 16 of the
// nets' paper.
void fold(State& state, int n) {
  const double gap = 1.05 * 0.004, bow = 0.5 * pi * gap, shift = 1.0 / (3 * (n - 1));
  for (Vec3& x : state.x) {
    const double s = x.x - 0.5;
    if (s > 0.5 * bow)
      x = {0.5 - (s - 0.5 * bow), x.y + shift, gap};
    else if (s > -0.5 * bow)
      x = {0.5 - 0.5 * bow + 0.5 * gap * std::cos(pi * s / bow), x.y + shift * (0.5 + s / bow),
           0.5 * gap * (1 + std::sin(pi * s / bow))};
  }
}

// Hairs of 50 segments of 4 mm, r 0.5 mm, in rows 1.2 mm apart, all in the same waves.
Scene hair(int hairs) {
  Scene scene = rubber_scene(0.0005);
  scene.contact.between = Contact::Between::all;
  scene.contact.self = true;
  const int row = static_cast<int>(std::ceil(std::sqrt(hairs)));
  for (int k = 0; k < hairs; ++k) {
    const int column = k % row, line = k / row;
    const Vec3 root{0.0012 * column, 0.0012 * line, 0};
    add_rod(scene, fmt::format("hair{}", k), {root, root + Vec3{0, 0, -0.2}}, 50);
  }
  return scene;
}
void wave(State& state) {
  for (Vec3& x : state.x) x += Vec3{0.01 * std::sin(60 * x.z), 0.01 * std::cos(60 * x.z), 0};
}

struct Detection {
  double seconds;
  int pairs;
};

// moved: m, standard deviation of each coordinate from turn to turn.
Detection time_detection(const Model& model, State state, int threads, double moved, int turns) {
  contact::ContactTerm term(model, Threads(threads));
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0, moved);
  const std::vector<Vec3> laid = state.x;
  const auto now = [threads] {
    return threads == 1 ? cpu_seconds()
                        : std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  Detection best{1e9, 0};
  for (int turn = 0; turn < turns; ++turn) {
    // Together to and fro, and each on its own.
    const Vec3 all = (turn % 2 == 0 ? 0.0 : moved > 1e-5 ? 10.0 : 1.0) * moved * Vec3{1, 1, 1};
    for (std::size_t i = 0; i < laid.size(); ++i)
      state.x[i] = laid[i] + all + 0.1 * Vec3{normal(random), normal(random), normal(random)};
    const double start = now();
    term.begin(state, {}, {dt, dt, Integrator::euler});
    best.seconds = std::min(best.seconds, now() - start);
    best.pairs = term.element_count();
  }
  return best;
}

constexpr double little = 1e-5, far = 1e-4;  // m

Detection of_hair(int hairs, int threads, double moved, int turns) {
  const Model model(hair(hairs));
  State state = model.initial_state();
  wave(state);
  return time_detection(model, state, threads, moved, turns);
}

}  // namespace

std::vector<Row> contact(const Yardstick& yardstick) {
  std::vector<Row> rows;
  {
    constexpr int n = 28;  // 2 n (n - 1) = 1512 segments
    const Model model(square_net(n));
    State state = model.initial_state();
    fold(state, n);
    for (const bool anew : {false, true}) {
      const Detection net = time_detection(model, state, 1, anew ? far : little, 200);
      rows.push_back({anew ? "detect_net_1512_anew" : "detect_net_1512", 1e3 * net.seconds, "ms", 0.8 * yardstick.slowness(),
                      "0.8 ms on a core with yardstick 25.1 ms"});
    }
  }
  for (const bool anew : {false, true})
    rows.push_back({anew ? "detect_hair_100000_on_two_anew" : "detect_hair_100000_on_two",
                    1e3 * of_hair(2000, 2, anew ? far : little, 30).seconds, "ms", 60 * yardstick.slowness(),
                    "60 ms on two cores with yardstick 25.1 ms"});
  // Slope of the line through the logarithms, on one thread.
  const std::vector<int> hairs{200, 400, 800, 1600, 3200};
  std::vector<double> x, y;
  for (const int count : hairs) {
    const double ms = 1e3 * of_hair(count, 1, little, 15).seconds;
    rows.push_back({fmt::format("detect_hair_{}", 50 * count), ms, "ms", 0, ""});
    x.push_back(std::log(50 * count));
    y.push_back(std::log(ms));
  }
  double mx = 0, my = 0, xy = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += x[i] / static_cast<double>(x.size());
    my += y[i] / static_cast<double>(x.size());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
  }
  rows.push_back({"detect_hair_exponent", xy / xx, "", 1.15, "near linear, 10,000 to 160,000 segments"});
  return rows;
}

}  // namespace writhe::bench
