// Which parts of rods count against each other: against the rule itself, point by point along the arc.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "contact_support.h"

using namespace writhe;
using namespace writhe::test;
using namespace writhe::contact;

namespace {

// m: least of all ways from one to the other along the rods.
double way(const Neighbourhood& near, bool first, double here, double there) {
  const auto apart = [](double a, double b, double around) {
    double least = std::abs(a - b);
    if (around > 0)
      for (const int turns : {-2, -1, 1, 2}) least = std::min(least, std::abs(a - b + turns * around));
    return least;
  };
  double least = near.same ? apart(here, there, near.around_a) : 1e300;
  for (const Meeting& meeting : near.meetings) {
    const double a = first ? here : there, b = first ? there : here;
    least = std::min(least, apart(a, meeting.at_a, near.around_a) + apart(b, meeting.at_b, near.around_b));
  }
  return least;
}

// Every point of a against every point of b.
void look_at(const Span& a, const Span& b, const Neighbourhood& near, bool first) {
  constexpr int steps = 40;
  constexpr double rounding = 1e-9;
  bool any = false;
  for (int i = 0; i <= steps; ++i) {
    const double here = a.arc(static_cast<double>(i) / steps);
    const Parts parts = parts_of(b, here, near, first);
    double last = 0;
    for (const Interval& part : parts.all()) {
      EXPECT_LE(last, part.from);
      EXPECT_LE(part.from, part.to);
      last = part.to;
      // A part ends where it is cut or where the rod does, and else goes on in the next span.
      const bool cut_from = std::abs(way(near, first, here, b.arc(part.from)) - near.reach) < rounding;
      const bool cut_to = std::abs(way(near, first, here, b.arc(part.to)) - near.reach) < rounding;
      EXPECT_EQ(part.ends_from, cut_from || (part.from == 0 && b.kind == Span::Kind::start)) << here << " " << b.start;
      EXPECT_EQ(part.ends_to, cut_to || (part.to == 1 && b.kind == Span::Kind::end)) << here << " " << b.start;
    }
    any = any || !parts.empty();
    for (int k = 0; k <= 4 * steps; ++k) {
      const double u = static_cast<double>(k) / (4 * steps), far = way(near, first, here, b.arc(u)) - near.reach;
      if (std::abs(far) < rounding) continue;
      const bool counts = std::any_of(parts.all().begin(), parts.all().end(),
                                      [&](const Interval& part) { return u >= part.from && u <= part.to; });
      EXPECT_EQ(counts, far > 0) << here << " against " << b.arc(u);
    }
  }
  if (any) {
    EXPECT_TRUE(first ? may_touch(a, b, near) : may_touch(b, a, near));
  }
}

void look_at_all(const Scene& scene) {
  const Model model(scene);
  const Rules rules(model);
  const Spans& spans = rules.spans();
  for (int i = 0; i < spans.count(); ++i)
    for (int j = i; j < spans.count(); ++j) {
      const Neighbourhood& near = rules.neighbourhood(spans[i].rod, spans[j].rod);
      look_at(spans[i], spans[j], near, true);
      look_at(spans[j], spans[i], near, false);
    }
}

Scene joined(const Hose& a, int node, const Hose& b, int other) {
  Scene scene = hoses({a, b});
  const double part = static_cast<double>(node) / a.segments, turn = 2 * pi * part, radius = a.length / (2 * pi);
  const Vec3 at = a.closed ? radius * Vec3{std::cos(turn), std::sin(turn), 0} : Vec3{part * a.length, 0, 0};
  auto& line = std::get<LineShape>(scene.rods[1].centreline);
  const Vec3 along = (1.0 / b.segments) * (line.to - line.from);
  line = {at - static_cast<double>(other) * along, at + static_cast<double>(b.segments - other) * along};
  const auto place = [](const std::string& rod, int k) { return Place::parse(rod + ".node[" + std::to_string(k) + "]"); };
  scene.joints.push_back({"", {place("rod0", node), place("rod1", other)}});
  return scene;
}

}  // namespace

TEST(ContactZones, OfAnOpenRodAreWhatIsFartherThanPiRadii) {
  look_at_all(hoses({{12, 12, 1}}));   // reach of three segments
  look_at_all(hoses({{6, 60, 0.7}}));  // less than a segment: both sides of a span's own point
  look_at_all(hoses({{1, 10, 0.5}}));
  look_at_all(hoses({{20, 3, 0.5}}));
  look_at_all(hoses({{9, 9, 0.5, false, {{0, 1}, {1, 2}}}}));
}

TEST(ContactZones, OfARingGoBothWaysRound) {
  look_at_all(hoses({{14, 14, 1, true}}));
  look_at_all(hoses({{8, 6.5, 1, true}}));  // little is left on the far side
  look_at_all(hoses({{8, 6, 1, true}}));    // nothing
  look_at_all(hoses({{4, 40, 1, true}}));
}

// Uneven segments: the arc length along a span is no multiple of its parameter.
TEST(ContactZones, KnowArcLengthOnUnevenSpans) {
  Scene scene = hoses({{6, 30, 0.8}});
  scene.rods[0].centreline = PolylineShape{{{0, 0, 0}, {1, 0, 0}, {1, 6, 0}, {3, 6, 0}, {3, 6, 9}, {3, 14, 9}}};
  scene.rods[0].segments = 5;
  look_at_all(scene);
}

TEST(ContactZones, GoThroughJoints) {
  look_at_all(joined({10, 10, 0.5}, 4, {8, 8, 0.8}, 0));
  look_at_all(joined({10, 10, 0.5}, 10, {8, 8, 0.8}, 5));
  look_at_all(joined({3, 30, 0.5}, 1, {3, 30, 0.5}, 2));
}

// Also past the place where a ring begins.
TEST(ContactZones, GoThroughJointsOfRings) {
  look_at_all(joined({14, 14, 0.7, true}, 0, {8, 8, 0.7}, 0));
  look_at_all(joined({14, 14, 0.7, true}, 13, {8, 8, 0.7}, 3));
}

// What the mesh is does not matter: of a rod in half as long segments the same arc lengths count.
TEST(ContactZones, PairsAllOfWhichIsNearAreNotLookedAt) {
  const Model model(joined({20, 20, 2}, 10, {20, 20, 2}, 0));
  const Rules rules(model);
  const Spans& spans = rules.spans();
  int left_out = 0;
  for (int i = 0; i < spans.count(); ++i)
    for (int j = i; j < spans.count(); ++j) {
      const Neighbourhood& near = rules.neighbourhood(spans[i].rod, spans[j].rod);
      if (may_touch(spans[i], spans[j], near)) continue;
      ++left_out;
      for (int k = 0; k <= 20; ++k) EXPECT_TRUE(parts_of(spans[j], spans[i].arc(k / 20.0), near, true).empty()) << i << " " << j;
    }
  EXPECT_GT(left_out, 200);
}
