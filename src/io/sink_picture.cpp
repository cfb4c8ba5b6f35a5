#include "io/sink_picture.h"

#include <span>

#include "io/sink_file.h"

namespace writhe::io {

void PictureSink::begin(const Model& model, const State& state) {
  const Scene& scene = model.scene();
  m_options = picture_options(scene);
  m_most = scene.output.picture.frames;
  m_shapes.assign(1, state);
  m_schedule = Schedule(m_most > 1 ? scene.until / (m_most - 1) : scene.until, state.time, scene.dt);
}

void PictureSink::write(const Model&, const State& state, const StepReport& report) {
  const bool wanted = m_shapes.size() < static_cast<std::size_t>(m_most);
  if (wanted && m_schedule.due(state.time, report.dt)) m_shapes.push_back(state);
}

void PictureSink::end(const Model& model, const State& state) {
  write_file(m_folder / "picture.svg", draw_svg(model, std::span(&state, 1), m_options));
  // A run that was interrupted, or went on, ends at none of the times.
  if (m_shapes.back().time < state.time) m_shapes.push_back(state);
  if (m_shapes.size() > 1) write_file(m_folder / "strip.svg", draw_svg(model, m_shapes, m_options));
}

}  // namespace writhe::io
