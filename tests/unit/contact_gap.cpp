// Where the tube around a rod's curve is nearest to a ball: against dense sampling, each place once wherever it lies.
#include <gtest/gtest.h>

#include "contact_support.h"

using namespace writhe;
using namespace writhe::test;
using namespace writhe::contact;

namespace {

// The curve by its definition: the quadratic B-spline of the nodes, evaluated by de Boor's corner cutting; at u in [0, 1] of a
// span.
Vec3 on_curve(const Span& span, const Points& x, double u) {
  const auto mix = [](const Vec3& a, const Vec3& b, double t) { return (1 - t) * a + t * b; };
  if (span.kind == Span::Kind::start) return mix(x.a, mix(x.a, x.b, 0.5), u);
  if (span.kind == Span::Kind::end) return mix(mix(x.a, x.b, 0.5), x.b, u);
  const Vec3 from = mix(x.a, x.b, 0.5), to = mix(x.b, x.c, 0.5);
  return mix(mix(from, x.b, u), mix(x.b, to, u), u);
}

// A rod that turns by up to `bend` (rad) at each node, thicker in its middle.
struct Bent {
  Model model;
  State state;
  Spans spans;

  Bent(unsigned seed, double bend, bool closed)
      : model(hoses({{7, 7, 0.2, closed, closed ? std::vector<std::pair<double, double>>{} : taper()}})),
        state(model.initial_state()),
        spans(model) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Vec3 way{1, 0, 0}, at{};
    for (int k = 0; k < static_cast<int>(state.x.size()); ++k) {
      state.x[k] = at;
      const Vec3 other = normalized(Vec3{normal(random), normal(random), normal(random)});
      const double turn = bend * std::uniform_real_distribution<double>(0, 1)(random);
      way = normalized(std::cos(turn) * way + std::sin(turn) * normalized(cross(way, other)));
      at += way;
    }
  }
  static std::vector<std::pair<double, double>> taper() { return {{0, 1}, {0.5, 1.4}, {1, 0.6}}; }
};

struct Dip {
  double u, gap;  // u along the whole rod, a span each
};

// Local minima of samples, and ends of an open rod that are lower than what is next to them.
std::vector<Dip> sampled(const Bent& bent, const Vec3& p, bool closed) {
  constexpr int parts = 4000;
  std::vector<double> gap;
  for (int s = 0; s < bent.spans.count(); ++s) {
    const Tube tube = tube_of(bent.spans[s], {&bent.state.x});
    for (int i = 0; i < parts; ++i) {
      const double u = static_cast<double>(i) / parts;
      gap.push_back(norm(p - on_curve(bent.spans[s], tube.x, u)) - tube.radius_at(u));
    }
  }
  if (!closed) {
    const Tube tube = tube_of(bent.spans[bent.spans.count() - 1], {&bent.state.x});
    gap.push_back(norm(p - tube.x.b) - tube.radius_at(1));
  }
  std::vector<Dip> out;
  const auto count = static_cast<int>(gap.size());
  for (int i = 0; i < count; ++i) {
    const bool falls = i == 0 && !closed ? true : gap[i] < gap[(i + count - 1) % count];
    const bool rises = i == count - 1 && !closed ? true : gap[i] <= gap[(i + 1) % count];
    if (falls && rises) out.push_back({static_cast<double>(i) / parts, gap[i]});
  }
  return out;
}

std::vector<Dip> found(const Bent& bent, const Vec3& p) {
  std::vector<Dip> out;
  for (int s = 0; s < bent.spans.count(); ++s) {
    const Tube tube = tube_of(bent.spans[s], {&bent.state.x});
    const Parts parts(bent.spans[s]);
    for (const Interval& part : parts.all())
      visit_nearest(tube, part, p, 0, [&](const Nearest& at) { out.push_back({s + at.u, at.gap}); });
  }
  return out;
}

}  // namespace

TEST(ContactGap, TheCurveIsTheSplineOfTheNodes) {
  const Bent bent(1, 2, false);
  for (int s = 0; s < bent.spans.count(); ++s) {
    const Tube tube = tube_of(bent.spans[s], {&bent.state.x});
    for (const double u : {0.0, 0.2, 0.5, 0.9, 1.0}) EXPECT_LE(norm(tube.at(u) - on_curve(bent.spans[s], tube.x, u)), 1e-15);
    if (s > 0) {  // goes on where the last one ends
      const Tube last = tube_of(bent.spans[s - 1], {&bent.state.x});
      EXPECT_LE(norm(tube.at(0) - last.at(1)), 1e-15);
      EXPECT_NEAR(tube.radius_at(0), last.radius_at(1), 1e-16);
      EXPECT_NEAR(bent.spans[s].start, bent.spans[s - 1].arc(1), 1e-15);
    }
  }
}

TEST(ContactGap, SlopeAndBendAreItsDerivatives) {
  const Bent bent(2, 2, false);
  const Vec3 p{1.3, 0.7, -0.4};
  constexpr double h = 1e-5;
  for (int s = 0; s < bent.spans.count(); ++s) {
    const Tube tube = tube_of(bent.spans[s], {&bent.state.x});
    const auto gap = [&](double u) { return norm(p - tube.at(u)) - tube.radius_at(u); };
    for (const double u : {0.1, 0.4, 0.8}) {
      const GapSlope at = gap_slope(tube, p, u);
      EXPECT_NEAR(at.slope, (gap(u + h) - gap(u - h)) / (2 * h), 1e-9);
      EXPECT_NEAR(at.bend, (gap_slope(tube, p, u + h).slope - gap_slope(tube, p, u - h).slope) / (2 * h), 1e-8);
    }
    for (const bool last : {false, true}) {  // a positive multiple, of the curve's own side
      const GapSlope at = gap_slope(tube, p, last ? 1 : 0);
      EXPECT_GT(at.slope * slope_at_knot(tube, p, last), 0) << s;
    }
  }
}

// Also where the rod bends more tightly than the point is far from it, and has two places on one span.
TEST(ContactGap, EveryPlaceThatIsNearestIsFoundOnce) {
  int seen = 0, pairs = 0;
  for (unsigned seed = 0; seed < 200; ++seed)
    for (const double bend : {0.5, 2.6})
      for (const bool closed : {false, true}) {
        const Bent bent(seed, bend, closed);
        std::mt19937 random(seed + 1000);
        std::uniform_real_distribution<double> part(0, 1), off(-0.6, 0.6);
        for (int k = 0; k < 5; ++k) {
          const Span& span = bent.spans[static_cast<int>(part(random) * bent.spans.count())];
          const Vec3 p = tube_of(span, {&bent.state.x}).at(part(random)) + Vec3{off(random), off(random), off(random)};
          const std::vector<Dip> expected = sampled(bent, p, closed), got = found(bent, p);
          ASSERT_EQ(got.size(), expected.size()) << "seed " << seed << " bend " << bend;
          for (std::size_t i = 0; i < got.size(); ++i) {
            EXPECT_NEAR(got[i].u, expected[i].u, 2e-3) << seed;
            EXPECT_LE(got[i].gap, expected[i].gap + 1e-14);
            EXPECT_NEAR(got[i].gap, expected[i].gap, 1e-5);  // of points 0.6 mm from the curve, samples lie 0.1 mm off
            ++seen;
            if (i > 0 && std::floor(got[i].u) == std::floor(got[i - 1].u)) ++pairs;
          }
        }
      }
  EXPECT_GT(seen, 5000);
  EXPECT_GT(pairs, 20) << "no span has two";
}

// A point opposite a hairpin of one span, right on its symmetry: the apex is the farthest place of the two legs between.
TEST(ContactGap, APointInTheCrookOfABendIsNearestToBothLegs) {
  const Model model(hoses({{2, 20, 0.5}}));
  State state = model.initial_state();
  state.x[0] = {-10, -2, 0};
  state.x[1] = {0, 0, 0};
  state.x[2] = {-10, 2, 0};
  const Spans spans(model);
  const Tube tube = tube_of(spans[1], {&state.x});
  std::vector<Nearest> places;
  visit_nearest(tube, Interval{}, {-3, 0, 0}, 0.5, [&](const Nearest& at) { places.push_back(at); });
  ASSERT_EQ(places.size(), 2U);
  EXPECT_NEAR(places[0].u, 1 - places[1].u, 1e-12);
  EXPECT_LT(places[0].gap, norm(Vec3{-3, 0, 0} - tube.at(0.5)) - 1);
}
