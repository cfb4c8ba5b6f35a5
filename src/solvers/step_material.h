// Stiffness and rest strains of the elements in one step: with internal damping they depend on the step, and what a loading adds
// to a strain is taken off its rest strain.
#pragma once

#include "elastic/increment.h"
#include "loads/loading.h"
#include "model/strain.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe {

class StepMaterial {
 public:
  StepMaterial(const Model& model, const State& state, const Loading& loading, double dt)
      : m_model(model), m_state(state), m_loading(loading), m_damped(model.scene().damping.internal, dt) {}

  // Neither damping nor added strains: the material is the model's own.
  bool plain() const { return !damped() && m_loading.segment_strain.empty(); }
  double factor() const { return m_damped.factor; }  // on every stiffness

  Vec3 segment_rest(int s) const {
    const Vec3 rest = damped() ? m_damped.rest(Vec3{}, strain::of_segment(m_model, m_state, s)) : Vec3{};
    return m_loading.segment_strain.empty() ? rest : rest - m_loading.segment_strain[s];
  }
  Vec3 joint_rest(int j) const {
    const Vec3& own = m_model.joints().strain_rest[j];
    const Vec3 rest = damped() ? m_damped.rest(own, strain::of_joint(m_model, m_state, j)) : own;
    return m_loading.joint_strain.empty() ? rest : rest - m_loading.joint_strain[j];
  }

 private:
  bool damped() const { return m_model.scene().damping.internal > 0; }

  const Model& m_model;
  const State& m_state;
  const Loading& m_loading;
  elastic::DampedStiffness m_damped;
};

}  // namespace writhe
