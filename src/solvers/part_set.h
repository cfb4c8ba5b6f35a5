// The parts of a model, each solved on its own, on any number of threads with the same result; what terms couple in a step is
// solved as islands instead.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "solvers/islands.h"
#include "solvers/part.h"
#include "solvers/stage_watch.h"

namespace writhe {

// What is solved in one go in a step.
struct Piece {
  Part* part = nullptr;
  std::span<const int> components;        // of the model
  std::span<const TermElement> elements;  // of terms, of an island
};

class PartSet {
 public:
  // Makes the part that solves any set of components together. light: it is one component, and what acts on it has neither a
  // potential nor a Hessian in this step.
  using MakeIsland = std::function<std::unique_ptr<Part>(std::span<const int> components, bool light)>;

  PartSet(const Model& model, std::shared_ptr<Terms> terms, const Threads& threads, MakeIsland make_island);

  // components: those it solves, side by side and not together.
  void add(std::unique_ptr<Part> part, std::vector<int> components);

  // A step begins, from `state` to where `loading` is taken, dt later: which pieces it has.
  void begin(const State& state, const Loading& loading, double dt, Integrator integrator = Integrator::euler);
  // A whole step, from `begin` on, and once more where it went farther than terms had looked. solve: all of it, once begun; it
  // leaves in `end` (m, per node) where it ends.
  template <class Solve>
  StepReport step(const State& state, const Loading& loading, double dt, Integrator integrator, const Solve& solve) {
    m_tried.clear();
    for (int looks = 1;; ++looks) {
      begin(state, loading, dt, integrator);
      const std::vector<Vec3>* end = nullptr;
      StepReport report = solve(end);
      if (!report.accepted()) return report;
      if (m_islands.terms().have_seen(*end)) return look_for_passed(state.x, *end, std::move(report));
      if (looks == most_looks) return went_too_far(report);
      m_tried = *end;
    }
  }
  // work(piece) of every piece; their reports as one. Pieces share nothing, so the result does not depend on who does which.
  template <class Work>
  StepReport for_each(const Work& work) {
    m_reports.resize(m_pieces.size());
    m_threads.for_each(static_cast<int>(m_pieces.size()), [&](int i) { m_reports[i] = work(m_pieces[i]); });
    return report();
  }
  // See Part.
  void listen(const Stop& stop);
  // The step is accepted: terms remember what they have to.
  void end(State& state) const { m_islands.terms().remember(state); }

  // A whole step of implicit Euler: its end by every piece, and the rates that lead there from the start.
  StepReport step_euler(State& state, const Loading& loading, double dt, StageWatch& watch);

 private:
  static constexpr int most_looks = 12;
  static StepReport went_too_far(StepReport report);
  StepReport look_for_passed(const std::vector<Vec3>& start, const std::vector<Vec3>& end, StepReport report) const;

  struct Own {
    std::unique_ptr<Part> part;
    std::vector<int> components;
    bool light = false;
  };

  void find_pieces();
  bool is_light(const Islands::Island& island) const;
  void renew_island_parts();
  StepReport report() const;
  void take_next(State& state, double inv_h) const;  // and the rates that lead there

  MakeIsland m_make_island;
  Islands m_islands;
  std::vector<Own> m_own;
  std::vector<Own> m_island_parts;  // in the order of Islands::all
  std::vector<Piece> m_pieces;
  std::vector<StepReport> m_reports;
  Configuration m_next;       // at the end of the step
  std::vector<Vec3> m_tried;  // m, where it ended, farther than terms had looked; empty: not yet
  int m_segments;             // of the model
  const Stop* m_stop = nullptr;
  Threads m_threads;
};

// The joints of each rod: interior ones and those to frames at its ends.
std::vector<std::vector<int>> joints_by_rod(const Model& model);
// And of all rods of some components.
struct RodsAndJoints {
  std::vector<int> rods, joints;
};
RodsAndJoints rods_and_joints(const Model& model, std::span<const int> components, const std::vector<std::vector<int>>& by_rod);

}  // namespace writhe
