// A term of the incremental potential: what acts beside elements, inertia and the loads that a step knows when it starts, and may
// couple rods that are otherwise apart. docs/theory/coupling.md.
//
// A term is a list of elements, each of which acts on a few nodes and orientations. It is told when a step begins and then says
// what it may act on until the step ends; components that it couples are solved together (src/solvers/islands.h). Elements are
// evaluated one by one, by several threads at once but never the same element by two.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "elastic/barrier.h"
#include "terms/dof.h"
#include "writhe/scene.h"
#include "writhe/state.h"

namespace writhe {

// Which Hessian is asked for.
enum class Curvature {
  exact,
  convex,  // positive semidefinite: what makes it indefinite left out
  above,   // no less than the exact one, at this point and any other that the step may reach: for a metric that is kept (pd)
};

// What a step asks to be solved.
struct ImplicitSolve {
  double time = 0;                            // s, where it ends
  double dt = 0;                              // s, its length; infinite in statics
  Integrator integrator = Integrator::euler;  // midpoint: it ends in the middle of the step
  // m, per node: where the step ended when it was tried before, farther than terms had seen (Term::has_seen); empty at first.
  std::span<const Vec3> tried{};
};

class Term {
 public:
  static constexpr int most_dofs = 12;
  static constexpr int most_pairs = most_dofs * (most_dofs + 1) / 2;

  virtual ~Term() = default;

  // A step begins: finds the elements, from what is given here and nothing else, so that a resumed run finds the same ones in the
  // same order. remembered: what `remember` left at the end of the step before; empty at first.
  virtual void begin(const State& start, std::span<const double> remembered, const ImplicitSolve& solve) = 0;
  // The step was accepted: what the next one has to know, for State::memory.
  virtual void remember(const State& /*end*/, std::vector<double>& /*memory*/) const {}

  // Whether the term has looked at all that is passed on the way to where the step ends (m, per node). If not, the step begins
  // again, and is told where it went (ImplicitSolve::tried).
  virtual bool has_seen(const std::vector<Vec3>& /*end*/) const { return true; }

  // Whether elements and their dofs are the same in every step, so that time spent on a good order of elimination pays.
  virtual bool couples_the_same() const { return false; }

  // ---- from begin to begin ---------------------------------------------------------------------------------------------
  virtual int element_count() const = 0;
  // What an element acts on, each once; at most most_dofs.
  virtual std::span<const Dof> dofs(int element) const = 0;
  // N/m: how stiffly it resists its nodes at most, for judging what rounding errors make of forces.
  virtual double stiffness(int element) const = 0;
  // m: the largest coordinate that its force is made of besides those of its nodes, for the same.
  virtual double coordinate(int /*element*/) const { return 0; }
  // Whether its forces are the gradient of an energy. Where they are not (followers, friction) `energy` below is 0, `gradient` is
  // less the forces, `hessian` a symmetric part of its derivative that the method may build on, or 0, and `circulation` the rest.
  virtual bool has_potential() const { return true; }
  // False: `hessian` is always 0.
  virtual bool has_hessian() const { return true; }

  // False: at this state the element does nothing, neither by its value nor by its Hessian. Quicker to tell than either.
  virtual bool may_act(int /*element*/, const State& /*at*/) const { return true; }
  struct Value {
    double energy = 0;           // J
    double force = 0;            // N: size of the force it exerts
    Vec3 gradient[most_dofs]{};  // of the energy by each dof: N, or N m in body components
  };
  virtual Value value(int element, const State& at) const = 0;
  // Blocks of all pairs of dofs (i, j), j <= i, row by row: that of (i, j) is pairs[i (i + 1) / 2 + j].
  virtual void hessian(int element, const State& at, Curvature curvature, std::span<Mat3> pairs) const = 0;
  // Without a potential: the derivative of the gradient less `hessian` (exact). Of n dofs, block (i, j), by the unknowns of j, is
  // blocks[i n + j].
  virtual void circulation(int /*element*/, const State& /*at*/, std::span<Mat3> /*blocks*/) const {}

  // Whether safe_part may be less than 1.
  virtual bool guards() const { return false; }
  // The longest part of the way from one state to another, along straight lines and even turns, that may be gone: 1, or less
  // where the element would be passed. Never 0 from a state that it allows.
  virtual double safe_part(int /*element*/, const State& /*from*/, const State& /*to*/) const { return 1; }

  // A point at which an element that guards keeps things apart: an energy of weight times the barrier on a gap, which changes
  // with the element's dofs i, all positions, by c_i n.
  struct Gap {
    static constexpr int most_dofs = 6;
    double gap = 0, weight = 0;  // m; m: length that it stands for
    elastic::BarrierMaterial material;
    Vec3 normal{};
    std::array<double, most_dofs> coefficient{};
  };
  // Adds those of its points that press where the way begins, or may be reached by a way as long as this one and are so near that
  // their gaps may be said to change in a straight way.
  virtual void find_gaps(int /*element*/, const State& /*from*/, const State& /*to*/, std::vector<Gap>& /*gaps*/) const {}

  // Whether it would be passed if all nodes went straight from the start of the step (m, per node) to its end. Safe parts are
  // those of the way that the method goes to find the end, which may lead round what a straight one goes through.
  virtual bool is_passed(int /*element*/, const std::vector<Vec3>& /*start*/, const std::vector<Vec3>& /*end*/) const {
    return false;
  }

  // Midpoint rule: whether the end of a step, the mirror image of a middle that is safe, is so as well.
  virtual bool ends_safely(int element, const State& start, const State& end) const {
    return safe_part(element, start, end) == 1;
  }

  // What the term itself leads (an obstacle that moves) is, for this element, that part of its way where a way begins of which
  // safe_part is asked, and that part where it ends and in all else. When a step begins: 0 and 1.
  virtual void lead(int /*element*/, double /*from*/, double /*to*/) {}

  // What keeps apart what must not meet, for telling what is in whose way.
  struct Meeting {
    int rod = -1, other_rod = -1, obstacle = -1;  // one of the last two is -1; all are, where it is nothing of the kind
    int own = 0;                                  // so many of the dofs, the first ones, are of the first rod
    double left = 1;                              // of the gap at which it begins to press
  };
  virtual Meeting meeting(int /*element*/, const State& /*at*/) const { return {}; }

  // How many times as long as at rest what the element acts on is: the points at which it guards lie so much farther apart.
  virtual double drawn(int /*element*/, const State& /*at*/) const { return 1; }

  // Midpoint rule: the force in the middle becomes the mean over the step, so that no energy is lost or won
  // (docs/theory/coupling.md). Known by repetition only: returns by how much the force changed, N.
  virtual double take_mean(int /*element*/, const State& /*start*/, const State& /*middle*/, const State& /*end*/) { return 0; }
};

}  // namespace writhe
