// How far a step is from the motion it approximates, estimated from the states at its ends; for steps that are as long as a
// tolerance allows (Scene::step_tolerance).
#pragma once

#include <vector>

#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe {

class StepError {
 public:
  struct Estimate {
    double error = 0;  // in node positions, over the length of the longest rod
    int node = 0;      // where it is largest
  };
  // euler: x_next - x - h (v + v_next)/2, which is h^2/2 of the acceleration. midpoint: h^3/12 of the third derivative, from the
  // mean accelerations of this step and the one before; before the first a rod is taken to be without acceleration, so that a
  // load that sets in at once counts as what it is. What is prescribed has no error.
  Estimate of(const Model& model, const State& before, const State& after, double dt, Integrator integrator) const;
  // After a step that is kept.
  void remember(const State& before, const State& after, double dt);

  // A step of twice the length would still be within the tolerance, with a margin.
  static bool allows_longer(double error, double tolerance, Integrator integrator);

  template <class Bytes>
  void save(Bytes& out) const {
    out.put(m_dt);
    out.put(m_acceleration);
  }
  template <class Bytes>
  void load(Bytes& in) {
    in.get(m_dt);
    in.get(m_acceleration);
  }
  // What a file may say.
  bool valid() const;
  bool fits(const State& state) const { return m_acceleration.empty() || m_acceleration.size() == state.x.size(); }

 private:
  double m_dt = 0;                   // s, of the step before; 0: there was none
  std::vector<Vec3> m_acceleration;  // m/s^2 per node, mean over that step
};

}  // namespace writhe
