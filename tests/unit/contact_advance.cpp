// Nothing is passed: how far a pair of spans may go, against the time at which they are known to meet.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "contact_support.h"

using namespace writhe;
using namespace writhe::test;
using namespace writhe::contact;

namespace {

using Random = std::mt19937_64;
double number(Random& random, double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
Vec3 vector(Random& random, double size) {
  return {number(random, -size, size), number(random, -size, size), number(random, -size, size)};
}

// A straight span of three nodes, a to a + 4 way, that runs from a + way to a + 3 way; and where its nodes go.
struct Moving {
  std::array<Vec3, 3> from, to;
  Vec3 at(double s, double t) const {  // s in [0, 1] along the span, t the part of the way
    const double u = (0.5 + s) / 2;    // along the nodes, which are even
    return (1 - t) * (from[0] + u * (from[2] - from[0])) + t * (to[0] + u * (to[2] - to[0]));
  }
};

// Of 1 m and two more of their own size, r 0.2 m: six nodes of two rods of two segments, of which the middle spans are looked at.
struct Two {
  static constexpr double radius = 0.2;
  Model model{hoses({{2, 2, radius}, {2, 2, radius}})};
  Spans spans{model};
  Neighbourhood strangers;
  Pair pair = pair_of(spans[1], spans[4], strangers, {0.01, 1});
  std::vector<Vec3> from = std::vector<Vec3>(6), to = std::vector<Vec3>(6);

  double safe(const Moving& a, const Moving& b) {
    for (int k = 0; k < 3; ++k) {
      from[model.node_of(0, k)] = a.from[k];
      to[model.node_of(0, k)] = a.to[k];
      from[model.node_of(1, k)] = b.from[k];
      to[model.node_of(1, k)] = b.to[k];
    }
    return safe_part(pair, {&from}, {&to});
  }
  double gap(double part) {
    std::vector<Vec3> x(6);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = from[i] + part * (to[i] - from[i]);
    return smallest_gap(pair, {&x}, 1e3);
  }
};

// Lines through `place` at the time of the crossing, where they lie at s of their length, before it and after it each as far as
// both ends move on their own, evenly.
Moving through(const Vec3& place, double s, double time, double speed, Random& random) {
  const Vec3 way = normalized(vector(random, 1) + Vec3{0, 0, 1e-3});
  const double first = 0.5 + s;  // of 2 m, from the first node to the place
  const Vec3 ends[2] = {place - first * way, place + (2 - first) * way};
  const Vec3 velocity = vector(random, speed);
  Moving out;
  for (const int e : {0, 1}) {
    const Vec3 v = velocity + vector(random, 0.5 * speed);
    out.from[2 * e] = ends[e] - time * v;
    out.to[2 * e] = ends[e] + (1 - time) * v;
  }
  out.from[1] = 0.5 * (out.from[0] + out.from[2]);
  out.to[1] = 0.5 * (out.to[0] + out.to[2]);
  return out;
}

}  // namespace

// Both move, turn and stretch; at a known time their centrelines cross at a known place. Surfaces meet before. A million pairs in
// all.
class ContactCrossing : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Quarter, ContactCrossing, testing::Range(1, 5));
TEST_P(ContactCrossing, IsNeverReached) {
  Two two;
  Random random(GetParam());
  int apart = 0;
  for (int k = 0; k < 250000; ++k) {
    const Vec3 place = vector(random, 1);
    const double time = number(random, 0, 1), speed = std::exp(number(random, 0, 5));
    const Moving a = through(place, number(random, 0, 1), time, speed, random),
                 b = through(place, number(random, 0, 1), time, speed, random);
    const double safe = two.safe(a, b);
    ASSERT_LT(safe, time) << k;
    apart += safe > 0;
  }
  EXPECT_GT(apart, 125000);  // the others overlap as they begin
}

// What is left of the gap is open, and no more than a fifth of it. Straight spans that come evenly at each other, and meet inside
// both. Points an eighth of the radius apart stand for a span: where two cross between them, they meet r/16 off on both, and up
// to (r/16)^2/(2 r) = 0.002 r too late.
TEST(ContactAdvance, StopsShortOfContactAndNotFarFromIt) {
  Two two;
  Random random(2);
  int met = 0;
  for (int k = 0; k < 20000; ++k) {
    // Straight spans that do not turn: their lines come together evenly, and meet inside both.
    const Vec3 n = normalized(vector(random, 1) + Vec3{1e-3, 0, 0}), e = any_orthogonal(n), f = cross(n, e);
    const double angle = number(random, 0.1, 3), turn = number(random, 0, 3);
    const Vec3 u = std::cos(turn) * e + std::sin(turn) * f, v = std::cos(turn + angle) * e + std::sin(turn + angle) * f;
    const double gap = std::exp(number(random, -8, 1)), beyond = number(random, 0.1, 3), height = 2 * Two::radius + gap;
    const Vec3 common = vector(random, 3), move = (-gap - beyond * Two::radius) * n;
    Moving a, b;
    for (int i = 0; i < 3; ++i) {
      a.from[i] = (i - 1.0) * u;
      a.to[i] = a.from[i] + common;
      b.from[i] = (i - 1.0) * v + height * n;
      b.to[i] = b.from[i] + move + common;
    }
    const double safe = two.safe(a, b);
    ASSERT_LE(safe * norm(move), gap + 0.002 * Two::radius) << k;
    ASSERT_GT(two.gap(safe), 0) << k;
    ASSERT_LE(two.gap(safe), 0.2 * two.gap(0) * (1 + 1e-9)) << k;
    ++met;
  }
  EXPECT_EQ(met, 20000);
}

TEST(ContactAdvance, GoesAllTheWayWhereNothingIsInIt) {
  Two two;
  Random random(3);
  for (int k = 0; k < 2000; ++k) {
    Moving a, b;
    const Vec3 common = vector(random, 100);  // both fly along, far
    for (int i = 0; i < 3; ++i) {
      a.from[i] = {i - 1.0, 0, 0};
      b.from[i] = {0, i - 1.0, 2 * Two::radius + 0.1};
      a.to[i] = a.from[i] + common;
      b.to[i] = b.from[i] + common + Vec3{number(random, -1, 1), 0, number(random, -0.02, 0.1)};
    }
    EXPECT_EQ(two.safe(a, b), 1) << k;
  }
}

// The end of a rod, past which another comes down: analytic where it touches; beyond that it may stop where the gap is a fifth of
// what it was, and must not where it never is.
TEST(ContactAdvance, KnowsTheEndsOfRods) {
  const Model model(hoses({{1, 1, 0.2}, {1, 1, 0.2}}));
  const Spans spans(model);
  const Neighbourhood strangers;
  for (const double off : {0.0, 0.3, 0.39, 0.41, 0.5, 0.6, 0.7}) {
    std::vector<Vec3> from{{0, 0, 0}, {1, 0, 0}, {1 + off, -0.5, 1}, {1 + off, 0.5, 1}}, to = from;
    to[2].z = to[3].z = -1;
    double safe = 1;
    for (const int i : {0, 1})
      for (const int j : {2, 3})
        safe = std::min(safe, safe_part(pair_of(spans[i], spans[j], strangers, {0.01, 1}), {&from}, {&to}));
    const auto gap = [&](double part) { return std::sqrt(off * off + (1 - 2 * part) * (1 - 2 * part)) - 0.4; };
    if (off < 0.4) {
      EXPECT_GT(gap(safe), 0) << off;
    }
    if (gap(0.5) < 0.19 * gap(0)) {
      EXPECT_LE(gap(safe), 0.2 * gap(0)) << off;
      EXPECT_LT(safe, 0.5) << off;
    } else {
      EXPECT_EQ(safe, 1) << off;
    }
  }
}
