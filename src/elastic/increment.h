// The incremental potential of one implicit Euler step, element by element. docs/theory/rod.md, "Time".
//
// A step of size h minimises, over positions x and orientations q at its end,
//   sum nodes    1/2 y.D y - b.y                       y = x - x_prev
// + sum spins    1/2 w.J w - p.w                       w = 2/h Im(conj(q_prev) q)
// + sum elements l/2 (strain - rest).C (strain - rest)
// with the coefficients below, into which inertia, loads, drag and damping are folded. Every implicit method takes them from
// here.
#pragma once

#include "math/exp_rotation.h"
#include "writhe/vec.h"

namespace writhe::elastic {

// What a node without drag has on the diagonal of its matrix, N/m, and the part of its force that its velocity makes.
template <class T>
WRITHE_FN T bare_node_matrix(const T& mass, const T& damping, const T& inv_h) {
  return mass * (inv_h + damping) * inv_h;
}
template <class T>
WRITHE_FN TVec3<T> node_momentum_force(const T& mass, const TVec3<T>& v, const T& inv_h) {
  return (mass * inv_h) * v;
}

struct NodeQuadratic {
  Sym3 matrix;  // N/m
  Vec3 force;   // N
};

// mass kg, v m/s at the start, force N, drag N s/m with drag_force = drag * medium velocity, damping 1/s (mass-proportional).
inline NodeQuadratic node_quadratic(double mass, const Vec3& v, const Vec3& force, const Sym3& drag, const Vec3& drag_force,
                                    double damping, double h) {
  const double d = 1 / h, m = bare_node_matrix(mass, damping, d);
  return {{m + d * drag.xx, d * drag.xy, d * drag.xz, m + d * drag.yy, d * drag.yz, m + d * drag.zz},
          node_momentum_force(mass, v, d) + force + drag_force};
}

template <class T>
struct SpinQuadratic {
  TVec3<T> inertia;   // kg m^2
  TVec3<T> momentum;  // kg m^2/s, body
};

// inertia kg m^2 about d1, d2, d3; w rad/s and moment N m at the start, body components.
//
// Free of moment, the angular momentum is constant in space, so in the turning body frame it turns back: J w_next = exp(-h w)(J
// w). Why not w - h J^-1 (w x J w) as the paper has it (PD Eq. 14): the explicit term grows by sqrt(1 + (h w)^2) a step for a
// spinning rod.
template <class T>
WRITHE_FN SpinQuadratic<T> spin_quadratic(const TVec3<T>& inertia, const TVec3<T>& w, const TVec3<T>& moment, const T& damping,
                                          const T& h) {
  return {(T(1.0) + h * damping) * inertia, rotate_back(exp_rotation(h * w), scale(inertia, w)) + h * moment};
}

// Strain-rate damping with the retardation time tau (s): adds tau/(2h) C |strain - strain_prev|^2, which is the elastic energy
// with another stiffness and another rest strain. Rigid motion does not change strains and is left alone.
struct DampedStiffness {
  double factor;  // on the stiffness
  double pull;    // rest strain = rest + pull (strain_prev - rest)
  DampedStiffness(double tau, double h) : factor(1 + tau / h), pull(tau / (h + tau)) {}
  Vec3 rest(const Vec3& rest_strain, const Vec3& strain_prev) const { return rest_strain + pull * (strain_prev - rest_strain); }
};

}  // namespace writhe::elastic
