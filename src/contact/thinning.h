// What begins in each other, or touches exactly: it keeps the distance that it has, and by and by comes apart to what it should
// have. docs/theory/contact.md, "Beginnings".
//
// It goes by the model and the time alone, so that resumed runs have the same.
#pragma once

#include <vector>

#include "writhe/model.h"

namespace writhe::contact {

// m: added to the gap, where a way begins and where it ends.
struct Thinned {
  double from = 0, to = 0;
  double at(double part) const { return from + part * (to - from); }
};

class Thinning {
 public:
  // Of two rods, the first the lower one, or of one with itself (obstacle -1), or of a rod and an obstacle (other_rod -1).
  struct Between {
    int rod = 0, other_rod = -1, obstacle = -1;
    auto operator<=>(const Between&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 misreads it
  };

  static bool begins_too_near(double gap, double activation);  // m
  bool empty() const { return m_all.empty(); }
  double last() const;  // s: from then on all have their distance
  double of(const Between& between, double time) const;

  // What has the gap (m) where it begins: between rods of the radius (m), the thinner one's, and pressed below the activation
  // (m).
  void see(const Between& between, double gap, double activation, double radius);

 private:
  struct One {
    Between between;
    double least, rate;  // m: what is added at first; m/s: how fast it goes
  };
  std::vector<One> m_all;  // ascending
};

// s: when all that the scene leads has come to its end, and all that begins in each other has its distance.
double last_change(const Model& model);

}  // namespace writhe::contact
