// The equations of equilibrium at a point of the path, and two ways to solve them.
//
// residual r(u, p) = gradient of the elastic energy - applied forces, over the unknowns u of all rods, at the point p = (load,
// time) of the path, which says where supports are and how large loads. Loads whose direction depends on the rod (followers,
// moments in space) are taken at u itself, and the tangent is then not symmetric. docs/theory/statics.md.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "assembly/assembly.h"
#include "assembly/coupling.h"
#include "assembly/scales.h"
#include "assembly/terms_of.h"
#include "linalg/general_factor.h"
#include "linalg/signed_factor.h"
#include "loads/drive.h"
#include "statics/limits.h"
#include "statics/parts.h"
#include "statics/pencil.h"
#include "writhe/model.h"
#include "writhe/state.h"
#include "writhe/statics.h"

namespace writhe::statics {

// Where on the path: what StaticPoint says of it.
struct Where {
  double load = 0;
  double time = 0;  // s
};

struct Residual {
  Eigen::VectorXd vector;  // N and N m; held coordinates included: there it is the force of the support
  assembly::Sums sums;
  double potential = 0;  // J: elastic energy less the work of the forces; means little where a load has no potential
  Judgement worst;
  bool met() const { return worst.force <= worst.limit; }
  // For one that rounding errors keep from falling further.
  bool nearly_met() const { return worst.force <= nearly * worst.limit; }
  // N: the one of the two that counts.
  double limit() const { return met() ? worst.limit : nearly * worst.limit; }
  static constexpr double nearly = 8;
  bool finite() const { return std::isfinite(worst.force) && std::isfinite(sums.energy) && std::isfinite(potential); }
};

enum class Outcome { converged, stalled, too_many, coarse, not_finite, stopped, blocked };

struct Solved {
  Outcome outcome = Outcome::converged;
  int iterations = 0;
  Residual residual;
  bool converged() const { return outcome == Outcome::converged; }
};

class Equilibrium {
 public:
  Equilibrium(const Model& model, double tolerance) : Equilibrium(model, tolerance, terms_of(model)) {}
  // With other terms than those of the model.
  Equilibrium(const Model& model, double tolerance, std::shared_ptr<Terms> terms);

  const assembly::Assembly& assembly() const { return m_assembly; }
  const Parts& parts() const { return m_parts; }
  // Unknowns that are held: by supports, and one for each neutral motion (docs/theory/statics.md, "Neutral motions").
  const Eigen::VectorXd& free() const { return m_free; }
  using NeutralDirections = std::function<std::vector<Eigen::SparseVector<double>>(const State&)>;
  void hold_neutral(const std::vector<int>& pins, NeutralDirections directions);
  // Called once an iteration; false stops it.
  using Watch = std::function<bool(const StaticIteration&)>;
  void watch(Watch watch) { m_watch = std::move(watch); }
  bool goes_on(const Where& where, const Solved& so_far);  // counts it
  int iterations() const { return m_iterations; }          // of all searches
  // Whether no load that acts there turns with the rod.
  bool has_potential(const Where& where) const;
  double length() const { return m_scales.length; }
  double softness() const;  // 1/s^2: size of the lowest eigenvalue of the rods, without loads

  // Moves supports and closing angles to where they are at `where`. False when terms do not allow that way.
  bool place(State& state, const Where& where);
  // to = from + scale * step, or less: nine tenths of what terms allow. Returns how much of it.
  double move(const State& from, const Eigen::VectorXd& step, double scale, State& to);
  Residual residual(const State& state, const Where& where);
  // Forces per unknown, N and N m: what the loads do at a state.
  Eigen::VectorXd loads(const State& state, const Where& where);
  // The gradient of the elastic energy, terms included.
  Eigen::VectorXd elastic(const State& state);
  // The same element by element, of the rods.
  void visit_elastic(const State& state, const std::function<void(const assembly::ElementForces&)>& visit) const {
    m_assembly.visit_gradients(state, m_material, visit);
  }
  bool has_terms() const { return !m_terms->empty(); }
  // The elements that terms have at a state, each at the states nearby that it allows: of each of these, or if it does nothing
  // there at the one on the opposite side, or if nothing is seen on either nearer by. An element that does nothing at the state
  // itself, neither pulls nor resists (a tether that is slack), is idle, whatever it does nearby. Blocks: -1 for what is
  // prescribed.
  struct TermVisitor {
    std::function<void(std::span<const int> blocks, const State& at, const Term::Value&)> acting;
    std::function<void(std::span<const int> blocks)> idle;
  };
  void visit_terms(const State& state, std::span<const State> nearby, std::span<const State> opposite, const TermVisitor& visit);

  // Assembles and factors the tangent at a state. False when it is singular.
  bool factorise(const State& state, const Where& where);
  // Whether the tangent that was assembled last is symmetric: no load turns with the rod.
  bool symmetric() const { return !m_turning; }
  // Number of negative eigenvalues of a symmetric tangent that was factored; -1: that failed, or it is not symmetric.
  int negative() const { return m_turning ? -1 : m_factor.negative(); }
  // The same without what rounding errors decide: of the symmetric tangent that was assembled last, at this state.
  // Nothing when it could not be factored.
  struct Signs {
    int negative = 0;
    int uncertain = 0;  // eigenvalues that rounding errors may have made negative, or not
  };
  std::optional<Signs> signs(const State& state) const;
  // Without a part along neutral motions.
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  // Factors tangent - eigenvalue * mass of the tangent that was assembled last.
  bool factorise_shifted(double eigenvalue);
  // The tangent that was assembled last, at this state, part by part, with the neutral motions that are held.
  std::vector<Pencil> pencils(const State& state) const;

  // Newton's method on the equations: finds the equilibrium near `state`, stable or not. The state is placed first.
  Solved correct(State& state, const Where& where, int max_iterations);
  // Lowers the potential until it is smallest. Not for directional loads.
  Solved minimise(State& state, const Where& where, int max_iterations);

  // Largest displacement (over the length) or turn of a step.
  double size_of(const Eigen::VectorXd& step) const;
  // Whether a step of Newton's method is so short that the next would hardly matter.
  bool is_accurate(const Eigen::VectorXd& step) const;
  // What leads from one state to the other.
  Eigen::VectorXd way(const State& from, const State& to) const;
  // Its size.
  double distance(const State& a, const State& b) const;
  // What leaves a rod no room: see assembly::crushed.
  std::string crushed(const State& state);

 private:
  const Loading& loading(const State& state, const Where& where) { return m_drive.at(m_model, state, where.time); }
  void begin_terms(const State& state);
  // Of visit_terms: an element that was not seen at one of the states nearby.
  struct Unseen {
    const Term* term = nullptr;
    int element = 0;
    std::size_t nearby = 0;
    std::array<double, 2> part{};  // safe, of the way there and the opposite one
    std::vector<int> blocks;
  };
  void visit_nearer(const State& state, std::span<const State> nearby, std::span<const State> opposite,
                    std::span<const Unseen> unseen, const TermVisitor& visit);
  double safe_part(const State& from, const State& to);  // see Term
  Eigen::VectorXd rounding(const State& state) const;
  void assemble_elastic(const State& state, double geometric = 1) { assemble_elastic(state, geometric, m_material); }
  void assemble_elastic(const State& state, double geometric, const assembly::ElementMaterial& material);
  void assemble(const State& state, const Where& where);
  void orient_neutral(const State& state);
  Eigen::VectorXd without_neutral(Eigen::VectorXd step) const;
  bool make_definite(const State& state, double& shift);
  std::vector<Vec3> stresses(const State& state) const;
  void add_stresses(const State& state, const Eigen::VectorXd& step, double part, std::vector<Vec3>& stresses) const;
  bool factorise_near(const State& state, double shift, const std::vector<Vec3>& stresses);
  bool descend(State& state, const Where& where, Solved& so_far, double shift);
  bool finish(State& state, const Where& where, Residual& at);

  // Where the tangent that was assembled last is, while its factors are those of `factorise`.
  class Factored {
   public:
    void set(const State& state, const Where& where, const Eigen::VectorXd& free);
    void forget() { m_there = false; }
    bool is(const State& state, const Where& where, const Eigen::VectorXd& free) const;

   private:
    bool m_there = false;
    std::vector<Vec3> m_x;
    std::vector<Quat> m_q;
    std::vector<double> m_closing;
    Where m_where;
    Eigen::VectorXd m_free;
  };

  const Model& m_model;
  Drive m_drive;
  assembly::Assembly m_assembly;
  assembly::Scales m_scales;
  std::shared_ptr<Terms> m_terms;
  Islands m_islands;
  assembly::Coupling m_coupling;
  std::vector<TermElement> m_elements;  // of all terms
  // Where terms began: what they are depends on nothing else.
  struct Begun {
    double time;
    std::vector<Vec3> x;
  };
  std::optional<Begun> m_begun;
  std::vector<assembly::TermStiffness> m_coupled;  // per block; empty without terms
  Parts m_parts;
  Limits m_limits;
  assembly::ElementMaterial m_material;
  linalg::BlockMatrix m_matrix;                          // Hessian of the elastic energy, terms included
  std::optional<Eigen::SparseMatrix<double>> m_turning;  // what loads that turn with the rod add to it
  Eigen::SparseMatrix<double> m_damping;                 // and what flows past the rods, to their velocities: N s/m
  linalg::SignedFactor m_factor;
  Factored m_factored;
  linalg::GeneralFactor m_unsymmetric;
  Eigen::VectorXd m_free;
  Eigen::VectorXd m_mass;    // per unknown: kg, kg m^2; 0 for free frames
  Eigen::VectorXd m_solved;  // per unknown: 1 where it is one of the factors
  NeutralDirections m_directions;
  std::vector<Eigen::SparseVector<double>> m_neutral;
  Watch m_watch;
  int m_iterations = 0;
};

}  // namespace writhe::statics
