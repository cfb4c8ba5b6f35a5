// The parts of a model, each solved on its own, on any number of threads with the same result.
#pragma once

#include <memory>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "base/parallel.h"
#include "solvers/part.h"

namespace writhe {

class PartSet {
 public:
  // threads: 0 is as many as the machine has; more than it has are allowed.
  PartSet(const Model& model, int threads);

  void add(std::unique_ptr<Part> part) { m_parts.push_back(std::move(part)); }

  // work(part, i) of every part; their reports as one. Parts share nothing, so the result does not depend on who does which.
  template <class Work>
  StepReport for_each(const Work& work) {
    m_reports.resize(m_parts.size());
    run([&](int i) { m_reports[i] = work(*m_parts[i], i); });
    return report();
  }
  // A step of implicit Euler: the end of it by every part, the rates that lead there from the start.
  StepReport step_euler(State& state, const Loading& loading, double dt);

 private:
  template <class Work>
  void run(const Work& work) {
    const int count = static_cast<int>(m_parts.size());
    if (count == 1)
      work(0);
    else
      parallel_for(m_arena, count, work);
  }
  StepReport report() const;

  std::vector<std::unique_ptr<Part>> m_parts;
  std::vector<StepReport> m_reports;
  Configuration m_next;                       // at the end of the step
  oneapi::tbb::global_control m_parallelism;  // more threads than cores are allowed when asked for
  oneapi::tbb::task_arena m_arena;
};

// The joints of each rod: interior ones and those to frames at its ends.
std::vector<std::vector<int>> joints_by_rod(const Model& model);
// And of all rods of a component.
std::vector<int> joints_of(const Component& component, const std::vector<std::vector<int>>& by_rod);

}  // namespace writhe
