// Edges that go through each other, against crossings that were built, linking numbers, and all pairs.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "measure/gauss.h"
#include "measure/passing.h"
#include "support/random_curves.h"

using namespace writhe;
using namespace writhe::test;
using measure::Edge;
using measure::MovingEdge;
using measure::Passing;

namespace {

// A random edge that moves at random, and where a point of it is at some time.
struct Thrown {
  Vec3 p0, p1, v0, v1;
  explicit Thrown(Random& random) : p0(random.vector()), p1(random.vector()), v0(random.vector()), v1(random.vector()) {}
  Vec3 at(double t, double s) const { return (1 - s) * (p0 + t * v0) + s * (p1 + t * v1); }
  MovingEdge edge() const { return {p0, p1, p0 + v0, p1 + v1}; }
};

std::vector<Passing> crossings(const MovingEdge& a, const MovingEdge& b) {
  std::vector<Passing> found;
  measure::crossings_of(a, b, {0, 1, 0, 0, 0, {0, 0, 0}}, found);
  return found;
}

bool is_near(const Passing& p, double t, double s_a, double s_b) {
  return std::abs(p.t - t) < 1e-6 && std::abs(p.s_a - s_a) < 1e-6 && std::abs(p.s_b - s_b) < 1e-6;
}

std::vector<Edge> chain(int first, int nodes, bool closed = false) {
  std::vector<Edge> out;
  for (int i = 0; i + 1 < nodes; ++i) out.push_back({first + i, first + i + 1});
  if (closed) out.push_back({first + nodes - 1, first});
  return out;
}

// Straight rods of some nodes each, one after the other.
struct Rods {
  std::vector<Edge> edges;
  std::vector<Vec3> x;
  void add(const Vec3& from, const Vec3& to, int nodes) {
    for (const Edge& edge : chain(static_cast<int>(x.size()), nodes)) edges.push_back(edge);
    for (int i = 0; i < nodes; ++i) x.push_back(from + (static_cast<double>(i) / (nodes - 1)) * (to - from));
  }
  // The nodes from `first` on moved by this.
  std::vector<Vec3> moved(std::size_t first, const Vec3& by) const {
    std::vector<Vec3> out = x;
    for (std::size_t i = first; i < out.size(); ++i) out[i] += by;
    return out;
  }
  std::size_t passings(const std::vector<Vec3>& to) const { return measure::passed_through(edges, x, to).size(); }
};

}  // namespace

TEST(Passing, NoneThatWasBuiltIsMissed) {
  Random random(1);
  double lost = 0;
  for (int i = 0; i < 200000; ++i) {
    const double t = random.between(0.001, 0.999), s_a = random.between(0.001, 0.999), s_b = random.between(0.001, 0.999);
    const Thrown a(random);
    Thrown b(random);
    const Vec3 shift = a.at(t, s_a) - b.at(t, s_b);
    b.p0 += shift;
    b.p1 += shift;
    const std::vector<Passing> found = crossings(a.edge(), b.edge());
    if (std::none_of(found.begin(), found.end(), [&](const Passing& p) { return is_near(p, t, s_a, s_b); })) ++lost;
    for (const Passing& p : found) {
      ASSERT_LT(norm(a.at(p.t, p.s_a) - b.at(p.t, p.s_b)), 1e-6) << "they are apart there";
      ASSERT_LT(norm(a.at(p.t, p.s_a) - p.place), 1e-12);
    }
  }
  EXPECT_EQ(lost, 0);
}

TEST(Passing, NoneIsFoundBeyondTheEdgesOrTheStep) {
  Random random(2);
  for (int i = 0; i < 100000; ++i) {
    // The lines cross at one point and time, outside of an edge or the step.
    double at[3];
    for (double& value : at) value = random.between(0, 1);
    const int beyond = i % 3;
    at[beyond] = random.between(0, 1) < 0.5 ? -random.between(1e-3, 1) : 1 + random.between(1e-3, 1);
    const Thrown a(random);
    Thrown b(random);
    const Vec3 shift = a.at(at[0], at[1]) - b.at(at[0], at[2]);
    b.p0 += shift;
    b.p1 += shift;
    for (const Passing& p : crossings(a.edge(), b.edge())) EXPECT_FALSE(is_near(p, at[0], at[1], at[2]));
  }
}

// Each crossing of two rings changes their linking number by one.
TEST(Passing, CountsAreAsOddAsTheChangeOfLink) {
  Random random(3);
  int odd = 0;
  for (int i = 0; i < 2000; ++i) {
    constexpr int n = 7;
    std::vector<Vec3> from, to;
    for (int k = 0; k < 2 * n; ++k) {
      from.push_back(random.vector());
      to.push_back(from.back() + 0.7 * random.vector());
    }
    std::vector<Edge> edges = chain(0, n, true);
    for (const Edge& edge : chain(n, n, true)) edges.push_back(edge);
    const auto link = [&](const std::vector<Vec3>& x) {
      return measure::linking_number({{x.begin(), x.begin() + n}, true}, {{x.begin() + n, x.end()}, true});
    };
    int between = 0;
    for (const Passing& p : measure::passed_through(edges, from, to)) between += p.edge_a < n && p.edge_b >= n ? 1 : 0;
    EXPECT_EQ((between - link(from) + link(to)) % 2, 0);
    odd += between % 2;
  }
  EXPECT_GT(odd, 300) << "the test looks at nothing";
}

TEST(Passing, TheSearchFindsWhatAllPairsHave) {
  std::size_t total = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    std::vector<Vec3> from, to;
    std::vector<Edge> edges;
    const Vec3 flight = 5.0 * random.vector();
    for (int rod = 0; rod < 12; ++rod) {
      for (const Edge& edge : chain(static_cast<int>(from.size()), 10)) edges.push_back(edge);
      Vec3 p = random.vector();
      for (int k = 0; k < 10; ++k, p += 0.3 * random.vector()) {
        from.push_back(p);
        to.push_back(p + flight + 0.2 * random.vector());
      }
    }
    std::vector<Passing> all;
    const auto moving = [&](int e) {
      const auto [p, q] = edges[e];
      return MovingEdge{from[p], from[q], to[p], to[q], p % 10 == 0, q % 10 == 9};
    };
    for (int a = 0; a < static_cast<int>(edges.size()); ++a)
      for (int b = a + 1; b < static_cast<int>(edges.size()); ++b)
        if (edges[a].node1 != edges[b].node0) measure::crossings_of(moving(a), moving(b), {a, b, 0, 0, 0, {0, 0, 0}}, all);
    const std::vector<Passing> found = measure::passed_through(edges, from, to);
    ASSERT_EQ(found.size(), all.size());
    total += all.size();
    for (const Passing& p : all)
      EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Passing& q) {
        return p.edge_a == q.edge_a && p.edge_b == q.edge_b && p.t == q.t && p.s_a == q.s_a;
      }));
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](const Passing& p, const Passing& q) { return p.t < q.t; }));
  }
  EXPECT_GT(total, 1000u);
}

TEST(Passing, WhatIsFoundDependsOnTheTwoStatesAlone) {
  Random random(5);
  std::vector<Edge> edges;
  std::vector<Vec3> x;
  for (int rod = 0; rod < 20; ++rod) {
    for (const Edge& edge : chain(static_cast<int>(x.size()), 8)) edges.push_back(edge);
    Vec3 p = random.vector();
    for (int k = 0; k < 8; ++k, p += 0.3 * random.vector()) x.push_back(p);
  }
  measure::PassingCheck check(edges);
  std::size_t total = 0;
  for (int step = 0; step < 100; ++step) {
    std::vector<Vec3> to = x;
    for (Vec3& p : to) p += 0.05 * random.vector();
    const std::vector<Passing> fresh = measure::passed_through(edges, x, to);
    const std::vector<Passing>& kept = check.between(x, to);
    ASSERT_EQ(kept.size(), fresh.size());
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      EXPECT_EQ(kept[i].t, fresh[i].t);
      EXPECT_EQ(kept[i].edge_a, fresh[i].edge_a);
    }
    total += fresh.size();
    x = std::move(to);
  }
  EXPECT_GT(total, 50u);
}

TEST(Passing, WhatIsNotFiniteIsNoCrossing) {
  Rods rods;
  for (int i = 0; i < 30; ++i) rods.add({0, 0.1 * i, 0}, {1, 0.1 * i, 0.2}, 20);
  std::vector<Vec3> to = rods.x;
  for (std::size_t i = 0; i < to.size(); i += 3) to[i].y = std::nan("");
  EXPECT_EQ(rods.passings(to), 0u);
}

TEST(Passing, OfRodsThatCrossAtARightAngle) {
  Rods rods;
  rods.add({-0.9, 0, 0}, {1.1, 0, 0}, 5);
  rods.add({0, -0.8, 0.1}, {0, 1.2, 0.1}, 4);
  const std::vector<Passing> found = measure::passed_through(rods.edges, rods.x, rods.moved(5, {0, 0, -0.4}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].edge_a, 1);
  EXPECT_EQ(found[0].edge_b, 5);
  EXPECT_NEAR(found[0].t, 0.25, 1e-12);
  EXPECT_NEAR(norm(found[0].place), 0, 1e-12);
  EXPECT_EQ(rods.passings(rods.moved(5, {0, 0, -0.09})), 0u) << "not there yet";
  EXPECT_EQ(rods.passings(rods.moved(5, {9, 0, -0.4})), 0u) << "round the end";
  EXPECT_EQ(rods.passings(rods.moved(0, {9, 8, -7})), 0u) << "all together";
  EXPECT_EQ(rods.passings(rods.moved(5, {4.4, 0, -0.4})), 0u) << "over the very end";
  EXPECT_EQ(rods.passings(rods.moved(5, {2, 0, -0.4})), 1u) << "over a node";
}

TEST(Passing, OfParallelAndFlatOnes) {
  Rods rods;
  rods.add({0, 0, 0}, {1, 0, 0}, 5);
  rods.add({0.1, 0.1, 0}, {1.1, 0.1, 0}, 4);
  EXPECT_GT(rods.passings(rods.moved(5, {0, -0.2, 0})), 0u) << "side by side through each other";
  EXPECT_EQ(rods.passings(rods.moved(5, {0, 0.2, 0})), 0u);
  EXPECT_EQ(rods.passings(rods.moved(5, {2, -0.2, 0})), 0u) << "past the end, in the plane";
  EXPECT_EQ(rods.passings(rods.moved(5, {2, 0, 0})), 0u) << "along each other";
  Rods flat;
  flat.add({0, 0, 0}, {1, 0, 0}, 5);
  flat.add({0.4, 0.1, 0}, {0.6, 0.7, 0}, 4);
  EXPECT_GT(flat.passings(flat.moved(5, {0, -0.2, 0})), 0u) << "an end runs into a rod, in the plane";
  EXPECT_EQ(flat.passings(flat.moved(5, {-1, -0.2, 0})), 0u);
}

// Where a step ends in the very moment of contact, it is seen once: by that step or the next.
TEST(Passing, NothingGetsLostBetweenSteps) {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const Quat q = i == 0 ? Quat{1, 0, 0, 0} : random.rotation();
    const bool parallel = i % 2 == 0;
    Rods rods;
    rods.add(rotate(q, {-0.9, 0, 0}), rotate(q, {1.1, 0, 0}), 5);
    rods.add(rotate(q, parallel ? Vec3{-0.8, 0, 0.1} : Vec3{0, -0.8, 0.1}),
             rotate(q, parallel ? Vec3{1.2, 0, 0.1} : Vec3{0, 1.2, 0.1}), 4);
    measure::PassingCheck check(rods.edges);
    std::vector<Vec3> before = rods.x;
    std::size_t found = 0;
    for (int step = 1; step <= 4; ++step) {  // the contact is at step 2
      std::vector<Vec3> now = rods.moved(5, rotate(q, {0, 0, -0.05 * step}));
      found += check.between(before, now).size();
      before = std::move(now);
    }
    EXPECT_GE(found, 1u) << i;
    EXPECT_TRUE(parallel || found == 1) << i;
  }
}

TEST(Passing, TurningBesideEachOtherIsNone) {
  // Two edges in parallel planes, one turning through the direction of the other.
  const MovingEdge a{{-1, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {1, 0, 0}}, b{{-1, -1, 0.1}, {1, 1, 0.1}, {-1, 1, 0.1}, {1, -1, 0.1}};
  EXPECT_TRUE(crossings(a, b).empty());
}

TEST(Passing, InTheMomentInWhichTheyAreParallel) {
  const MovingEdge a{{-1, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {1, 0, 0}}, b{{-1, -1, 0.1}, {1, 1, 0.1}, {-1, 1, -0.1}, {1, -1, -0.1}};
  const std::vector<Passing> found = crossings(a, b);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].t, 0.5, 1e-7);
  EXPECT_NEAR(found[0].s_a, 0.5, 1e-7);
}

TEST(Passing, TwiceInAStepIsFoundTwice) {
  // An edge whose ends swap heights: seen against an edge across, it goes through at one end's side and comes back at none.
  const MovingEdge a{{-1, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {1, 0, 0}};
  // The volume is w . (u x v) with w z = 0.5 - 2 t, v y = 1 - 2 t: both change sign, at 1/4 crossing, at 1/2 parallel and apart.
  const MovingEdge b{{0, -0.5, 0.5}, {0.3, 0.5, 0.5}, {0, 0.5, -1.5}, {0.3, -0.5, -1.5}};
  const std::vector<Passing> found = crossings(a, b);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].t, 0.25, 1e-12);
}

TEST(Passing, EdgesThatShareANodeAndNothingAtAll) {
  EXPECT_TRUE(measure::passed_through({}, {}, {}).empty());
  const std::vector<Vec3> from{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, to{{0, 0, 0}, {1, 0, 0}, {-1, -1, 0}};
  EXPECT_TRUE(measure::passed_through(chain(0, 3), from, to).empty());
}
