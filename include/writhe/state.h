// What a step changes. Nothing else does change while a simulation runs.
#pragma once

#include <cstddef>
#include <vector>

#include "writhe/vec.h"

namespace writhe {

// Room for bodies: a rigid body will be one more point in x and v, after the nodes, and one more orientation in q and w, after
// the frames. So terms can act on it, and files, copies and hashes have it, by what is there. Whoever goes over rods goes by the
// counts of the model, not by the sizes of these arrays.
struct State {
  double time = 0;      // s
  std::vector<Vec3> x;  // per node: position, m, space
  std::vector<Vec3> v;  // per node: velocity, m/s, space
  // Per orientation, segments first, then frames (Model::orientation_count()). Signs are kept continuous along a
  // rod and over time: q and -q are one orientation, but two different twists of a joint.
  std::vector<Quat> q;  // unit quaternion, body to space
  std::vector<Vec3> w;  // angular velocity, rad/s, body components
  // Per rod: how far a ring's closing angle has been driven, rad, not reduced; 0 for open rods.
  std::vector<double> closing;
  // What terms carry from step to step (src/terms/term.h), of each of them any number; missing where there is nothing.
  std::vector<std::vector<double>> memory;

  void resize(std::size_t nodes, std::size_t orientations, std::size_t rods) {
    x.resize(nodes);
    v.resize(nodes);
    q.resize(orientations);
    w.resize(orientations);
    closing.resize(rods);
  }

  // work(field) of the arrays whose sizes the model decides; of all fields. In the order in which files have them. Of several
  // states: work(field of the first, the same of the second, ...).
  template <class Work, class... States>
  static void visit_arrays(const Work& work, States&... states) {
    work(states.x...);
    work(states.v...);
    work(states.q...);
    work(states.w...);
    work(states.closing...);
  }
  template <class Work, class... States>
  static void visit(const Work& work, States&... states) {
    work(states.time...);
    visit_arrays(work, states...);
    work(states.memory...);
  }
};

}  // namespace writhe
