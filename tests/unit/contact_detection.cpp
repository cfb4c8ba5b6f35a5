// Which spans may touch in a step: what the search finds is what a look at all pairs finds, and nothing that touches is left out.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "contact/pair_search.h"
#include "contact/wall_search.h"
#include "contact_support.h"

using namespace writhe;
using namespace writhe::test;
using namespace writhe::contact;

namespace {

using Random = std::mt19937;
double number(Random& random, double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
Vec3 vector(Random& random, double size) {
  return {number(random, -size, size), number(random, -size, size), number(random, -size, size)};
}

// Of the kind that the seed says: rods of many sizes, rings, hairpins, a thick rod of short segments, a net.
struct Tangle {
  Model model;
  State state;
  ImplicitSolve solve{1e-2, 1e-2, Integrator::euler, {}};
  std::vector<Vec3> tried;

  explicit Tangle(unsigned seed) : Tangle(seed, Random(seed)) {}

 private:
  Tangle(unsigned seed, Random random) : model(scene(seed, random)), state(model.initial_state()) {
    const double size = number(random, 1, 4);
    for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod) lay_out(seed, rod, size, random);
    for (Vec3& v : state.v) v = vector(random, seed % 2 == 0 ? 0 : 20);
    solve.integrator = seed % 3 == 0 ? Integrator::midpoint : Integrator::euler;
    if (seed % 7 == 0) {
      tried = state.x;
      for (Vec3& x : tried) x += vector(random, 0.3);
      solve.tried = tried;
    }
  }

  static Scene scene(unsigned seed, Random& random) {
    std::vector<Hose> all;
    const int rods = seed % 5 == 3 ? 1 : 2 + static_cast<int>(random() % 8);
    for (int k = 0; k < rods; ++k) {
      Hose hose;
      hose.segments = 1 + static_cast<int>(random() % (seed % 5 == 3 ? 200 : 30));
      hose.radius = std::exp(number(random, -5, seed % 5 == 3 ? 0 : -1.5));
      hose.closed = seed % 5 == 1 && hose.segments > 3;
      hose.length = hose.segments * std::exp(number(random, -3, 0));
      if (!hose.closed && seed % 4 == 0) hose.taper = {{0, 1}, {1, number(random, 0.3, 3)}};
      all.push_back(hose);
    }
    Scene out = hoses(all);
    if (seed % 5 == 4) join(out, random);
    if (seed % 11 == 0) out.contact.self = false;
    if (seed % 13 == 0) {
      out.contact.between = Contact::Between::pairs;
      out.contact.pairs = {{"rod0", out.rods.back().name}};
      if (out.rods.size() == 1) {
        out.contact.between = Contact::Between::none;
        out.contact.pairs.clear();
      }
    }
    return out;
  }
  // Each rod begins on a node of the one before it.
  static void join(Scene& scene, Random& random) {
    for (std::size_t k = 1; k < scene.rods.size(); ++k) {
      const int node = 1 + static_cast<int>(random() % scene.rods[k - 1].segments);
      const auto& line = std::get<LineShape>(scene.rods[k - 1].centreline);
      const Vec3 at = line.from + (static_cast<double>(node) / scene.rods[k - 1].segments) * (line.to - line.from);
      auto& own = std::get<LineShape>(scene.rods[k].centreline);
      own = {at, at + Vec3{0, norm(own.to - own.from), 0}};
      Place place;
      place.rod = scene.rods[k - 1].name;
      place.kind = Place::Kind::node;
      place.node = node;
      scene.joints.push_back({"", {place, Place::parse(scene.rods[k].name + ".start")}});
    }
  }

  void lay_out(unsigned seed, int rod, double size, Random& random) {
    const RodRange& range = model.rods()[rod];
    const double length = range.length;
    const Vec3 at = vector(random, size), way = normalized(vector(random, 1) + Vec3{0, 0, 1e-3});
    const Vec3 across = any_orthogonal(way), third = cross(way, across);
    if (range.closed) {
      const double radius = length / (2 * pi);
      lay(model, state, rod,
          [&](double t) { return at + radius * (std::cos(2 * pi * t) * across + std::sin(2 * pi * t) * third); });
    } else if (seed % 5 == 2) {  // a hairpin
      const double wide = number(random, 0.01, 0.3);
      lay(model, state, rod,
          [&](double t) { return at + length * std::abs(t - 0.5) * way + wide * std::tanh(20 * (t - 0.5)) * across; });
    } else {  // a coil, or nearly straight
      const double turns = number(random, 0, 3), radius = number(random, 0, 0.2) * length;
      lay(model, state, rod, [&](double t) {
        const double angle = 2 * pi * turns * t;
        return at + t * length * way + radius * (std::cos(angle) * across + std::sin(angle) * third);
      });
    }
  }
};

// m: least distance of two segments, by the corners and by the inner minimum, each looked at.
double distance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto to_segment = [](const Vec3& p, const Vec3& from, const Vec3& to) {
    const Vec3 along = to - from;
    const double whole = dot(along, along);
    return norm(p - from - (whole > 0 ? std::clamp(dot(p - from, along) / whole, 0.0, 1.0) : 0.0) * along);
  };
  double least = std::min({to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)});
  const Vec3 u = b - a, v = d - c, n = cross(u, v), w = c - a;
  const double nn = dot(n, n);
  if (nn > 0) {
    const double s = dot(cross(w, v), n) / nn, t = dot(cross(w, u), n) / nn;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, std::abs(dot(w, n)) / std::sqrt(nn));
  }
  return least;
}

bool boxes_meet(const Sweep& a, const Sweep& b) {
  bool meet = true;
  for (int k = 0; k < 3; ++k) meet = meet && a.box[k] <= b.box[k + 3] && b.box[k] <= a.box[k + 3];
  return meet;
}
Vec3 from(const Sweep& sweep) { return {sweep.tube[0], sweep.tube[1], sweep.tube[2]}; }
Vec3 to(const Sweep& sweep) { return from(sweep) + Vec3{sweep.tube[3], sweep.tube[4], sweep.tube[5]}; }

using Indices = std::vector<std::pair<int, int>>;

Indices looked_for(const Rules& rules, const Reach& reach) {
  Indices out;
  const Spans& spans = rules.tubes();
  std::vector<Sweep> sweeps;
  for (int i = 0; i < spans.count(); ++i) sweeps.push_back(sweep_of(rules, reach, i));
  for (int i = 0; i < spans.count(); ++i)
    for (int j = i; j < spans.count(); ++j) {
      const Sweep &a = sweeps[i], &b = sweeps[j];
      if (!rules.rods_touch(spans[i].rod, spans[j].rod) || !boxes_meet(a, b)) continue;
      if (i != j && distance(from(a), to(a), from(b), to(b)) > a.tube[6] + b.tube[6]) continue;
      if (may_touch(spans[i], spans[j], rules.neighbourhood(spans[i].rod, spans[j].rod))) out.emplace_back(i, j);
    }
  return out;
}

Indices found(const Rules& rules, const std::vector<Pair>& pairs) {
  Indices out;
  for (const Pair& pair : pairs) out.emplace_back(pair.a - &rules.tubes()[0], pair.b - &rules.tubes()[0]);
  return out;
}

}  // namespace

TEST(ContactDetection, FindsWhatALookAtAllPairsFinds) {
  std::size_t all = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const Tangle tangle(seed);
    const Rules rules(tangle.model);
    Reach reach(tangle.model, rules);
    reach.begin(tangle.state, tangle.solve);
    const Indices expected = looked_for(rules, reach);
    for (const int threads : {1, 2}) {
      PairSearch search;
      std::vector<Pair> pairs;
      search.find(rules, reach, Threads(threads), pairs);
      ASSERT_EQ(found(rules, pairs), expected) << "seed " << seed;
    }
    all += expected.size();
  }
  EXPECT_GT(all, 100000U);
}

// Whatever the search has seen before: in a run that is resumed it has not. Steps so small that candidates are kept, and larger.
TEST(ContactDetection, DependsOnTheStartOfTheStepAlone) {
  long steps = 0, trees = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Tangle tangle(seed);
    const Rules rules(tangle.model);
    Reach reach(tangle.model, rules);
    PairSearch search;
    std::vector<Pair> pairs, fresh;
    Random random(seed);
    for (const double size : {0.0, 1e-4, 1e-4, 1e-3, 1e-3, 3e-3, 3e-3, 3e-3, 0.3, 1.0, 1e-3, 1e-4, 1e-4, 1e-4}) {
      for (Vec3& x : tangle.state.x) x += vector(random, size);
      reach.begin(tangle.state, tangle.solve);
      search.find(rules, reach, Threads(1), pairs);
      PairSearch().find(rules, reach, Threads(1), fresh);
      ASSERT_EQ(found(rules, pairs), found(rules, fresh)) << "seed " << seed;
      ASSERT_EQ(found(rules, pairs), looked_for(rules, reach)) << "seed " << seed;
      ++steps;
    }
    trees += search.trees();
  }
  EXPECT_GT(trees, steps / 10);
  EXPECT_LT(trees, steps * 8 / 10);
}

// Nodes anywhere where the term is content with them: whatever then presses is an element.
TEST(ContactDetection, NothingThatTouchesIsLeftOut) {
  int touching = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Tangle tangle(seed);
    const Rules rules(tangle.model);
    const Spans& spans = rules.tubes();
    if (spans.count() > 60) continue;
    Reach reach(tangle.model, rules);
    reach.begin(tangle.state, tangle.solve);
    PairSearch search;
    std::vector<Pair> pairs;
    search.find(rules, reach, Threads(1), pairs);
    const Indices listed = found(rules, pairs);
    Random random(seed);
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<Vec3> x = tangle.state.x;
      for (int node = 0; node < static_cast<int>(x.size()); ++node) {
        const Box& box = reach.box(node);
        for (int k = 0; k < 3; ++k) {  // often on its border
          const double t = std::clamp(number(random, -0.5, 1.5), 0.0, 1.0);
          component(x[node], k) = component(box.low, k) + t * (component(box.high, k) - component(box.low, k));
        }
      }
      for (int i = 0; i < spans.count(); ++i)
        for (int j = i; j < spans.count(); ++j) {
          if (!rules.rods_touch(spans[i].rod, spans[j].rod)) continue;
          const Pair pair =
              pair_of(spans[i], spans[j], rules.neighbourhood(spans[i].rod, spans[j].rod), rules.material(spans[i], spans[j]));
          const double activation = rules.activation(spans[i], spans[j]);
          if (!(smallest_gap(pair, {&x}, activation) < activation)) continue;
          ++touching;
          EXPECT_TRUE(std::binary_search(listed.begin(), listed.end(), std::make_pair(i, j)))
              << "seed " << seed << " " << i << " " << j;
        }
    }
  }
  EXPECT_GT(touching, 1000);
}

TEST(ContactDetection, FindsWhatALookAtAllSpansAndObstaclesFinds) {
  std::size_t all = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const Tangle tangle(seed);
    const Rules rules(tangle.model);
    const Spans& spans = rules.tubes();
    Reach reach(tangle.model, rules);
    reach.begin(tangle.state, tangle.solve);
    Random random(seed);
    MeshObstacle mesh;
    for (int k = 0; k < 12; ++k) mesh.points.push_back(vector(random, 3));
    for (int k = 0; k < 10; ++k) mesh.triangles.push_back({k, k + 1, k + 2});
    std::vector<ObstacleShape> shapes;
    for (const decltype(Obstacle::shape)& shape : std::initializer_list<decltype(Obstacle::shape)>{
             PlaneObstacle{vector(random, 3), vector(random, 1)}, SphereObstacle{vector(random, 3), number(random, 0.1, 2)},
             BoxObstacle{vector(random, 3), {1, 2, 0.5}, vector(random, 1), vector(random, 1)},
             CapsuleObstacle{vector(random, 3), vector(random, 3), 0.3}, mesh})
      shapes.emplace_back(Obstacle{"obstacle", shape, {}});
    std::vector<Passing> obstacles;
    for (const ObstacleShape& shape : shapes) {
      Passing passing{&shape, {}, {}, random() % 2 == 0};
      if (passing.moves) {
        passing.from = {about_axis(normalized(vector(random, 1)), number(random, 0, 3)), vector(random, 1)};
        passing.to = {about_axis(normalized(vector(random, 1)), number(random, 0, 3)), vector(random, 1)};
      }
      obstacles.push_back(passing);
    }
    std::vector<Box> boxes;
    for (int i = 0; i < spans.count(); ++i) boxes.push_back(reach.box_of(spans[i]));
    WallSearch search;
    std::vector<Wall> walls;
    std::vector<int> features;
    search.find(rules, boxes, obstacles, Threads(2), walls, features);
    std::size_t next = 0;
    for (int o = 0; o < 5; ++o)
      for (int i = 0; i < spans.count(); ++i) {
        Box box = boxes[i].grown(spans[i].largest_radius + rules.activation(spans[i]));
        if (obstacles[o].moves) box = seen_from(obstacles[o].from, obstacles[o].to, box);
        std::vector<int> expected;
        shapes[o].find(box, expected);
        if (expected.empty()) continue;
        ASSERT_LT(next, walls.size()) << "seed " << seed;
        const Wall& wall = walls[next++];
        ASSERT_EQ(wall.span, &spans[i]) << "seed " << seed;
        ASSERT_EQ(wall.obstacle, o);
        ASSERT_EQ(std::vector<int>(features.begin() + wall.first, features.begin() + wall.first + wall.feature_count), expected);
      }
    ASSERT_EQ(next, walls.size()) << "seed " << seed;
    all += next;
  }
  EXPECT_GT(all, 100000U);
}
