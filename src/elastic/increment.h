// The incremental potential of one implicit Euler step, element by element. docs/theory/rod.md, "Time".
//
// A step of size h minimises, over positions x and orientations q at its end,
//   sum nodes    1/2 y.D y - b.y                       y = x - x_prev
// + sum spins    1/2 w.J w - p.w                       w = 2/h Im(conj(q_prev) q)
// + sum elements l/2 (strain - rest).C (strain - rest)
// with the coefficients below, into which inertia, loads, drag and damping are folded. Every implicit method takes them from
// here.
#pragma once

#include "math/rotation.h"
#include "writhe/vec.h"

namespace writhe::elastic {

struct NodeQuadratic {
  Sym3 matrix;  // N/m
  Vec3 force;   // N
};

// mass kg, v m/s at the start, force N, drag N s/m with drag_force = drag * medium velocity, damping 1/s (mass-proportional).
inline NodeQuadratic node_quadratic(double mass, const Vec3& v, const Vec3& force, const Sym3& drag, const Vec3& drag_force,
                                    double damping, double h) {
  const double m = mass * (1 / h + damping) / h, d = 1 / h;
  return {{m + d * drag.xx, d * drag.xy, d * drag.xz, m + d * drag.yy, d * drag.yz, m + d * drag.zz},
          (mass / h) * v + force + drag_force};
}

struct SpinQuadratic {
  Vec3 inertia;   // kg m^2
  Vec3 momentum;  // kg m^2/s, body
};

// inertia kg m^2 about d1, d2, d3; w rad/s and moment N m at the start, body components.
//
// Free of moment, the angular momentum is constant in space, so in the turning body frame it turns back: J w_next = exp(-h w)(J
// w). Why not w - h J^-1 (w x J w) as the paper has it (PD Eq. 14): the explicit term grows by sqrt(1 + (h w)^2) a step for a
// spinning rod.
inline SpinQuadratic spin_quadratic(const Vec3& inertia, const Vec3& w, const Vec3& moment, double damping, double h) {
  return {(1 + h * damping) * inertia, rotate_back(exp_rotation(h * w), scale(inertia, w)) + h * moment};
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
