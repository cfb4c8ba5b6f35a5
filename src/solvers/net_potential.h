// The incremental potential of a step (docs/theory/rod.md, "Time") of a net of rods or a ring: any graph, element by element.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "assembly/assembly.h"
#include "assembly/coupling.h"
#include "assembly/foresight.h"
#include "assembly/scales.h"
#include "solvers/part.h"
#include "solvers/part_set.h"
#include "solvers/step_material.h"

namespace writhe {

// Two states of the whole model, shared by all nets: each uses its own nodes and orientations.
struct NetStates {
  State trial;  // where the potential is evaluated
  State base;   // where a search starts
  State led;    // where the last search ended before what is prescribed was led on
  explicit NetStates(const Model& model) : trial(model.initial_state()), base(trial), led(trial) {}
};

class NetPotential {
 public:
  // joints: those of the rods.
  NetPotential(const Model& model, RodsAndJoints own, std::shared_ptr<NetStates> states, std::shared_ptr<Terms> terms);

  // The elements of terms that act on it from now on. True when the pattern of its matrix is another.
  bool couple(std::span<const TermElement> elements) { return m_coupling.set(m_assembly, elements); }
  // The same with a pattern of what touches alone, as find_hessian finds it: see Coupling::set_sparse.
  bool couple_sparse(std::span<const TermElement> elements) { return m_coupling.set_sparse(m_assembly, elements); }
  // The coefficients of this step. The trial point is the state at its start with prescribed things in their new places, or as
  // far on their way there as terms allow; all else may have flown on with them. Both arguments have to stay until the step is
  // solved.
  void load(const State& state, const Loading& loading, double dt);
  // Whether what is prescribed is in its place.
  bool has_led() const { return m_led == 1; }
  // Leads it on from where it is, at the trial point, as far as terms allow. False when that is hardly anywhere.
  bool lead();
  // Where prescribed things leave a rod no room at the trial point: which ones, and what to do; else empty.
  std::string crushed() const;
  // Why the trial point is not to be taken, although no force is left: see there. led: what is prescribed had to be.
  std::string refused(bool led) const;
  // Where it cannot get there: says so, and where.
  void report_blocked(StepReport& report) const;

  // Whether all that acts has a potential. If not, the energy is of what has, the gradient is complete.
  bool has_potential() const { return m_coupling.has_potential(); }
  // What has none, as forces at the trial point: N and N m.
  void find_forces(Eigen::VectorXd& forces) const;

  struct Value {
    assembly::Sums sums;          // its energy is the whole potential's
    assembly::Residual residual;  // what is left of the forces
    bool only_rounding = false;   // nothing else is left
  };
  // At the trial point; the gradient by what is free.
  Value evaluate(Eigen::VectorXd& gradient) const;

  struct NodeTerm {
    Sym3 matrix;         // N/m
    Vec3 force, x_prev;  // N, m
    int index, block;
  };
  struct SpinTerm {
    Vec3 inertia, momentum;  // kg m^2, kg m^2/s
    Quat q_prev;
    int index, block;
  };

  // Adds the Hessian of elements and terms to a matrix of the assembly's pattern. geometric: see Assembly.
  void add_hessian(double geometric, linalg::BlockMatrix& matrix) const;
  // Of terms at the trial point, for add_found_hessian. True when the pattern is another.
  bool find_hessian(double geometric);
  using Which = assembly::Coupling::Which;
  void add_found_hessian(double geometric, linalg::BlockMatrix& matrix, Which which = Which::all) const;
  // What the way from the base to the trial point may run into. True when the pattern is another.
  bool foresee(assembly::Foresight& foresight);
  // What inertia adds to it, at the trial point.
  void add_inertia(double geometric, linalg::BlockMatrix& matrix) const;
  Sym3 spin_hessian(const SpinTerm& spin, double geometric) const;
  // Of the way from the base to the trial point: see Coupling.
  double part_to_go() const { return m_coupling.part_to_go(m_states->base, m_states->trial); }

  const assembly::Assembly& assembly() const { return m_assembly; }
  const assembly::Coupling& coupling() const { return m_coupling; }
  const assembly::ElementMaterial& material() const { return m_damped; }  // in this step
  const std::vector<assembly::BlockScale>& blocks() const { return m_blocks; }
  const std::vector<NodeTerm>& nodes() const { return m_nodes; }
  const std::vector<SpinTerm>& spins() const { return m_spins; }  // of segments; frames have no inertia
  State& trial() const { return m_states->trial; }
  State& base() const { return m_states->base; }

  double length() const { return m_scales.length; }  // m: of the longest rod
  double inv_h() const { return m_inv_h; }           // 1/s
  double load_size() const { return m_load; }        // N: sum of the sizes of the applied forces
  double size() const { return m_reach; }            // m: largest coordinate, also of what terms are fixed to
  double rounding() const { return m_rounding; }     // N: forces below this are rounding errors
  double rounding_of(int block) const;               // N: what they make of the force, or moment over its lever, on a block

  // Where a link holds the rods far more stiffly than they hold themselves: what to do about it, as the end of a sentence.
  std::string remedy_of_stiff_links() const;

  void place(const Configuration& there);  // the trial point; to where store() left it
  void store(Configuration& next) const;
  void blame(int at, StepReport& report) const;  // a block

 private:
  void load_nodes(const State& state, const Loading& loading, double dt);
  void load_spins(const State& state, const Loading& loading, double dt);
  void load_material(const StepMaterial& material);
  void place_prescribed(double part);
  void place_led(double part, double follow);
  double part_to_lead(double end, double follow);
  void keep(const State& state, State& in) const;
  void place_start(double part, double flown);
  void start_led(double dt);
  double rounding_of(int block, double heaviest) const;
  bool finds_only_rounding(const Eigen::VectorXd& gradient) const;

  const Model* m_model;
  assembly::Assembly m_assembly;
  assembly::Coupling m_coupling;
  assembly::Scales m_scales;
  std::vector<double> m_levers;
  std::vector<assembly::BlockScale> m_blocks;
  assembly::ElementMaterial m_elastic, m_damped;
  std::shared_ptr<NetStates> m_states;
  std::vector<NodeTerm> m_nodes;
  std::vector<SpinTerm> m_spins;
  std::vector<assembly::TermStiffness> m_coupled;  // per block, in this step
  Eigen::VectorXd m_forces;                        // that have no potential, where the step starts
  const State* m_from = nullptr;                   // where what is prescribed is led from, and where to
  const Loading* m_to = nullptr;
  double m_led = 1;            // which part of that way it has come
  double m_led_before = -1;    // before it was led on the last time; -1: it was not yet
  double m_stride = 0;         // of it: how far it was led at once, at most
  double m_possible = 0;       // of it: how far it could have been when it was looked at last
  int m_blocked = -1;          // block at which it would pass what it may not; -1: none
  bool m_plain = true;         // the material of the last step was the model's own
  double m_damped_factor = 1;  // on every stiffness in this step
  double m_inv_h = 0, m_load = 0, m_size = 0, m_reach = 0, m_rounding = 0;
};

}  // namespace writhe
