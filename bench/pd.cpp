// Method `pd`: what an iteration costs, for one rod and for many, that the time is linear, and what it takes to follow a motion.
// bench/README.md. All on one thread, CPU time.
#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "harness.h"
#include "rubber.h"
#include "timed_steps.h"
#include "writhe/writhe.h"

namespace writhe::bench {

namespace {

constexpr double never_met = 1e-15;  // a tolerance; only a step that finds nothing but rounding ends early

void use_pd(Scene& scene, int iterations) {
  scene.solver.method = "pd";
  scene.solver.pd.iterations = iterations;
  scene.solver.tolerance = never_met;
}

// ---- what an iteration costs --------------------------------------------------------------------------------------
Scene falling_rods(int rods, int segments, int iterations) {
  Scene scene = bench::falling_rods(rods, segments);
  use_pd(scene, iterations);
  return scene;
}

void add_single_rods(std::vector<Row>& rows, const Yardstick& yardstick) {
  const std::vector<double> times = time_steps("pd", {falling_rods(1, 50, 10), falling_rods(1, 10, 10)},
                                               {.steps = 2000, .runs = 10, .steps_a_reading = 10, .only_full = true});
  rows.push_back({"pd_n50_it10", times[0], "us/step", 15 * yardstick.slowness(),
                  "15 us on a core with yardstick 25.1 ms; the paper: 5700 us, Stable Cosserat Rods: 37 us"});
  rows.push_back({"pd_n10_it10", times[1], "us/step", 4 * yardstick.slowness(), "4 us on a core with yardstick 25.1 ms"});
}

void add_many_rods(std::vector<Row>& rows, const Yardstick& yardstick) {
  const Scene hair = falling_rods(200, 20, 5);
  Scene plain = hair;
  plain.solver.pd.acceleration = Acceleration::none;
  const std::vector<double> times = time_steps("pd", {hair, plain}, {.steps = 500, .only_full = true});
  rows.push_back({"pd_200x20_it5", times[0], "us/step", 250 * yardstick.slowness(),
                  "250 us on a core with yardstick 25.1 ms; Stable Cosserat Rods, 4 iterations: 1220 us"});
  rows.push_back({"pd_200x20_it5_plain", times[1], "us/step", 0, ""});
}

// ---- linear time --------------------------------------------------------------------------------------------------
// A thousand segments fit into the caches near the core, ten thousand into the last one, a hundred thousand into none. Five
// iterations: on the finest mesh nothing is left but rounding after seven.
void add_long_rods(std::vector<Row>& rows) {
  const std::vector<int> sizes = {1'000, 10'000, 100'000, 200'000};
  std::vector<Scene> scenes;
  scenes.reserve(sizes.size());
  for (const int segments : sizes) scenes.push_back(falling_rods(1, segments, 5));
  const std::vector<double> times = time_steps("pd", scenes, {.steps = 20, .only_full = true});
  for (std::size_t i = 0; i < sizes.size(); ++i)
    rows.push_back({fmt::format("pd_n{}_it5_a_segment", sizes[i]), times[i] / sizes[i], "us/step", 0, ""});
  rows.push_back({"pd_n100000_over_n10000", times[2] / times[1], "", 11, "linear time: at most 11 times N = 10,000"});
  rows.push_back(
      {"pd_n200000_over_n100000", times[3] / times[2], "", 2.2, "linear time where no cache holds the rod: 2 and a tenth"});
}

// ---- time to 0.1 % ------------------------------------------------------------------------------------------------
constexpr int middle = 50, steps = 1000;  // 1 s
constexpr double allowed = 1e-3;          // m, of a rod of 1 m

// A rod of 100 segments between two pins, one of which is carried from a distance of 1 to 0.5 m in 1 s: r 3 mm, nu 0.5,
// rho 1300 kg/m^3, dt 1 ms.
Scene rod_to_follow(int young_mpa) {
  Scene scene = carried_rod(2 * middle, 0.5);
  scene.materials.front().young = 1e6 * young_mpa;
  scene.dt = 1e-3;
  return scene;
}

Scene by_newton(int young_mpa, double tolerance) {
  Scene scene = rod_to_follow(young_mpa);
  scene.solver.tolerance = tolerance;
  return scene;
}

Scene by_pd(int young_mpa, Metric metric, int iterations) {
  Scene scene = rod_to_follow(young_mpa);
  use_pd(scene, iterations);
  scene.solver.pd.metric = metric;
  return scene;
}

// Where the middle is after each step, m; ends where `go_on` returns false.
void follow(const Scene& scene, const std::function<bool(std::size_t step, const Vec3& place)>& go_on) {
  Simulation simulation{Model(scene), {.threads = 1}};
  for (std::size_t k = 0; k < steps; ++k) {
    const StepReport report = simulation.step(scene.dt);
    if (!report.accepted()) throw std::runtime_error("pd: " + report.cause);
    if (!go_on(k, simulation.state().x[middle])) return;
  }
}

using Path = std::vector<Vec3>;
Path path(const Scene& scene) {
  Path out;
  follow(scene, [&](std::size_t, const Vec3& place) {
    out.push_back(place);
    return true;
  });
  return out;
}

// m: the largest distance from the reference, not followed further than where it is more than `enough`.
double deviation(const Scene& scene, const Path& reference, double enough = std::numeric_limits<double>::infinity()) {
  double largest = 0;
  follow(scene, [&](std::size_t k, const Vec3& place) {
    largest = std::max(largest, norm(place - reference[k]));
    return largest <= enough;
  });
  return largest;
}

// The first of five numbers in a row with which the middle stays where it should: the deviation does not fall evenly, and with
// one number alone it may be small by luck.
int iterations_needed(int young_mpa, Metric metric, const Path& reference) {
  constexpr int most = 200, in_a_row = 5;
  for (int n = 1, good = 0; n <= most; ++n) {
    good = deviation(by_pd(young_mpa, metric, n), reference, allowed) <= allowed ? good + 1 : 0;
    if (good == in_a_row) return n - in_a_row + 1;
  }
  throw std::runtime_error(fmt::format("pd: {} iterations do not follow a rod of {} MPa", most, young_mpa));
}

struct Follower {
  Scene scene;
  std::string name;
  Row further;  // what its time goes with
};

Follower pd_follower(int young_mpa, const char* label, Metric metric, const Path& reference) {
  const int iterations = iterations_needed(young_mpa, metric, reference);
  const std::string name = fmt::format("pd_to_1e-3_e{}_{}", young_mpa, label);
  return {by_pd(young_mpa, metric, iterations), name, {name + "_iterations", static_cast<double>(iterations), "", 0, ""}};
}

Follower newton_follower(int young_mpa, const char* label, double tolerance, const Path& reference) {
  const Scene scene = by_newton(young_mpa, tolerance);
  const std::string name = fmt::format("pd_to_1e-3_e{}_newton_{}", young_mpa, label);
  return {scene, name, {name + "_deviation", 100 * deviation(scene, reference), "%", 0, ""}};
}

// Both metrics at all stiffnesses show from where on the refreshed one is worth its cost; at the ends, what is chosen, and
// `newton`.
void add_carried_rods(std::vector<Row>& rows) {
  std::vector<Follower> followers;
  for (const int young_mpa : {1, 3, 10, 30, 100}) {
    const Path reference = path(by_newton(young_mpa, 1e-10));
    followers.push_back(pd_follower(young_mpa, "constant", Metric::constant, reference));
    followers.push_back(pd_follower(young_mpa, "refreshed", Metric::refreshed, reference));
    if (young_mpa != 1 && young_mpa != 100) continue;
    followers.push_back(pd_follower(young_mpa, "auto", Metric::automatic, reference));
    followers.push_back(newton_follower(young_mpa, "1e-2", 1e-2, reference));
    followers.push_back(newton_follower(young_mpa, "1e-6", 1e-6, reference));
  }
  std::vector<Scene> scenes;
  scenes.reserve(followers.size());
  for (const Follower& follower : followers) scenes.push_back(follower.scene);
  const std::vector<double> times = time_steps("pd", scenes, {.steps = steps});
  for (std::size_t i = 0; i < followers.size(); ++i) {
    rows.push_back({followers[i].name, times[i], "us/step", 0, ""});
    rows.push_back(followers[i].further);
  }
}

}  // namespace

std::vector<Row> pd(const Yardstick& yardstick) {
  std::vector<Row> rows;
  add_single_rods(rows, yardstick);
  add_many_rods(rows, yardstick);
  add_long_rods(rows);
  add_carried_rods(rows);
  return rows;
}

}  // namespace writhe::bench
