// Pictures and plots that several experiments make the same way; the report shows them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "study/experiment.h"
#include "writhe/model.h"
#include "writhe/simulation.h"
#include "writhe/state.h"
#include "writhe/statics.h"

namespace writhe::experiments {

// ---- what a run or a path passes through ---------------------------------------------------------------------------------
// Gives every state, from the initial one on, to a function.
class Watch final : public Sink {
 public:
  using Look = std::function<void(const Model&, const State&)>;
  explicit Watch(Look look) : m_look(std::move(look)) {}
  void begin(const Model& model, const State& state) override { m_look(model, state); }
  void write(const Model& model, const State& state, const StepReport&) override { m_look(model, state); }
  void end(const Model&, const State&) override {}

 private:
  Look m_look;
};

// Keeps the first state at or after each of these times (s, in order).
class Snapshots final : public Sink {
 public:
  explicit Snapshots(std::vector<double> times) : m_times(std::move(times)) {}
  void begin(const Model&, const State& state) override { take(state); }
  void write(const Model&, const State& state, const StepReport&) override { take(state); }
  void end(const Model&, const State&) override {}
  void take(const State& state);
  const std::vector<State>& states() const { return m_states; }

 private:
  std::vector<double> m_times;
  std::vector<State> m_states;
};

// ---- drawings ------------------------------------------------------------------------------------------------------------
// What `writhe run` would draw of these states, coloured and seen as the scene of the model says, with several on top of each
// other or side by side.
void draw(study::Result& result, const std::string& title, const Model& model, std::span<const State> states);
void draw(study::Result& result, const std::string& title, const Model& model, const State& state);
void draw_side_by_side(study::Result& result, const std::string& title, const Model& model, std::span<const State> states);

// An equilibrium displaced along a mode, by this distance (m) where most.
State displaced(State state, const Mode& mode, double most);

// ---- plots ---------------------------------------------------------------------------------------------------------------
using Points = std::vector<std::pair<double, double>>;

study::Series line(std::string name, Points points);
study::Series marked_line(std::string name, Points points);
study::Series marks(std::string name, Points points);   // a reference, or single numbers
study::Series dashed(std::string name, Points points);  // a threshold, or a curve of theory

// Some of the points, evenly chosen, with the first and the last.
Points thinned(const Points& points, std::size_t most = 200);

// For a logarithmic axis: values at these times (s), without those below `least`, where a run has hardly begun or only rounding
// is left.
Points over_time(std::span<const double> times, std::span<const double> values, double least);

// A rod in the plane of gravity, over `unit`.
Points shape_xz(std::span<const Vec3> x, double unit = 1);

// To be filled with series; that of a shape has the same scale on both axes.
study::Plot empty_plot(const std::string& title, study::Axis x, study::Axis y);
study::Plot shape_plot(const std::string& title, const std::string& x, const std::string& y);

// An error over the number of segments, log-log, with the slope it is expected to have.
study::Plot error_plot(const std::string& title, const std::string& error, std::vector<study::Series> series, int order,
                       const std::string& resolution = "segments");

// One of its series: the points of these meshes.
study::Series over_meshes(std::string name, std::span<const int> segments, std::span<const double> errors);

}  // namespace writhe::experiments
