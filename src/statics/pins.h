// Which unknowns are held so that neutral motions are taken out.
#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "statics/candidate_set.h"
#include "statics/clusters.h"
#include "writhe/state.h"

namespace writhe::statics {

// A neutral motion of a cluster.
struct Motion {
  std::size_t cluster = 0;       // number
  Eigen::VectorXd coefficients;  // of the components of that
  Eigen::Index first = 0;        // candidate that it has, of those of all components
  int pin = -1;                  // unknown that is held for it
};

class Pins {
 public:
  Pins(const State& state, const Eigen::VectorXd& free, std::size_t parts) : m_state(state), m_free(free), m_held(parts) {}

  // Those of the motions that are independent, in this state, of each other and of what was held before, with their pins. Of a
  // cluster; first all that are not tied.
  std::vector<Motion> hold(std::vector<Motion> motions, const CandidateSet& set, const Cluster& cluster);

 private:
  // The motions of one component that are held. Rows: its unknowns that are free.
  struct Held {
    Eigen::MatrixXd basis;  // orthonormal
    std::vector<Eigen::Index> pins;
  };
  const State& m_state;
  const Eigen::VectorXd& m_free;  // per unknown: 0 where a support holds it
  std::vector<Held> m_held;       // per component
};

}  // namespace writhe::statics
