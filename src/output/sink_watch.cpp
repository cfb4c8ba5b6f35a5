#include "output/sink_watch.h"

#include <fmt/format.h>

namespace writhe::output {

namespace {

PassThrough::Side side_of(const Model& model, int segment, double along) {
  const int rod = model.segments().rod[segment];
  const RodRange& range = model.rods()[rod];
  const int node = segment - range.first_segment + (along < 0.5 ? 0 : 1);
  return {rod, range.closed && node == range.segment_count ? 0 : node};
}

std::string name_of(const Model& model, const PassThrough::Side& side) {
  return fmt::format("{}.node[{}]", model.rods()[side.rod].name, side.node);
}

}  // namespace

void TopologyWatch::begin(const Model& model, const State& state) {
  m_check.emplace(measure::edges_of(model));
  m_before.assign(state.x.begin(), state.x.begin() + model.node_count());
  m_time_before = state.time;
}

void TopologyWatch::write(const Model& model, const State& state, const StepReport&) {
  ++m_steps;
  if (m_found) return;
  const std::vector<measure::Passing>& passings = m_check->between(m_before, state.x);
  if (!passings.empty()) {
    const measure::Passing& first = passings.front();
    m_found = {side_of(model, first.edge_a, first.s_a), side_of(model, first.edge_b, first.s_b),
               m_time_before + first.t * (state.time - m_time_before), m_steps, first.place};
  }
  m_before.assign(state.x.begin(), state.x.begin() + model.node_count());
  m_time_before = state.time;
}

std::string text_of(const Model& model, const PassThrough& passed) {
  const Vec3& at = passed.place;
  const bool itself = passed.a.rod == passed.b.rod;
  return fmt::format(
      "{} went through {} at t = {:.6g} s, in step {}, at ({:.4g}, {:.4g}, {:.4g}) m; rods that are to stay apart need contact "
      "({}), and with it shorter steps (time.dt); without --watch-topology the run goes on",
      name_of(model, passed.a), name_of(model, passed.b), passed.time, passed.step, at.x, at.y, at.z,
      itself ? "contact.self" : "contact.between");
}

Json json_of(const Model& model, const PassThrough& passed) {
  return {{"time", passed.time},
          {"step", passed.step},
          {"places", {name_of(model, passed.a), name_of(model, passed.b)}},
          {"position", json_of(passed.place)}};
}

}  // namespace writhe::output
