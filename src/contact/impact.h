// How fast what touches moves against each other when a step begins, for how stiffly it has to be kept apart.
// docs/theory/contact.md, "What is struck".
#pragma once

#include <span>
#include <vector>

#include "contact/span.h"
#include "model/obstacle_pose.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::contact {

class Impact {
 public:
  // Where an obstacle goes in a step.
  struct Way {
    Pose from, to;
  };

  explicit Impact(const Model& model);

  // dt: s, of the whole step; infinite: nothing moves.
  void see(const Spans& spans, const State& start, double dt, std::span<const Way> obstacles);
  // What a step saw, for those that look at its end. Nothing where nothing moves.
  void write(std::vector<double>& out) const;
  void read(std::span<const double> written);

  // N/m: force per length that stops, in a step or within the activation (m), whichever takes longer, a rod that meets another
  // or itself; that meets an obstacle.
  double press(int rod, int other_rod, double activation) const;
  double press_at(int rod, int obstacle, double activation) const;

 private:
  double stopping(double line_density, double speed, double activation) const;

  struct Rod {
    Vec3 mean{};              // m/s
    double spread = 0;        // m/s: of its nodes around that at most
    double line_density = 0;  // kg/m, of rest length
  };
  std::vector<Rod> m_rods;
  std::vector<double> m_at_obstacle;  // m/s: how fast a rod moves against an obstacle anywhere; rod by rod
  int m_obstacles = 0;
  double m_dt = 0;  // s; 0: nothing moves
};

}  // namespace writhe::contact
