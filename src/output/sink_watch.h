// Watches whether rods go through each other or themselves, step by step: `writhe run --watch-topology`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/passing.h"
#include "output/summary_parts.h"
#include "writhe/simulation.h"

namespace writhe::output {

// The first of a step.
struct PassThrough {
  struct Side {
    int rod, node;  // the node that is nearest along the rod
  };
  Side a, b;
  double time = 0;        // s, as between the states
  std::int64_t step = 0;  // from 1, where the watch began
  Vec3 place{};           // m
};

class TopologyWatch : public Sink {
 public:
  void begin(const Model& model, const State& state) override;
  void write(const Model& model, const State& state, const StepReport& report) override;
  void end(const Model& /*model*/, const State& /*state*/) override {}

  const std::optional<PassThrough>& found() const { return m_found; }

 private:
  std::optional<measure::PassingCheck> m_check;
  std::vector<Vec3> m_before;
  double m_time_before = 0;  // s
  std::int64_t m_steps = 0;
  std::optional<PassThrough> m_found;
};

// "rope.node[3] went through cord.node[7] at t = 0.05 s, in step 50, at (0, 0, 0.1) m; ..." with what to try.
std::string text_of(const Model& model, const PassThrough& passed);
Json json_of(const Model& model, const PassThrough& passed);

}  // namespace writhe::output
