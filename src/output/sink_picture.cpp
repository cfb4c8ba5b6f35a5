#include "output/sink_picture.h"

#include <span>
#include <stdexcept>

#include "base/bytes.h"
#include "output/sink_file.h"
#include "simulation/checkpoint.h"

namespace writhe::output {

static Schedule schedule(const Scene& scene, double start) {
  const int frames = scene.output.picture.frames;
  return {frames > 1 ? scene.until / (frames - 1) : scene.until, start, scene.dt};
}

void PictureSink::begin(const Model& model, const State& state) {
  const Scene& scene = model.scene();
  m_options = picture_options(scene);
  m_most = scene.output.picture.frames;
  m_shapes.assign(1, state);
  m_schedule = schedule(scene, state.time);
}

// The shapes of the strip so far.
std::string PictureSink::bookmark() {
  ByteWriter out;
  out.put(static_cast<std::uint64_t>(m_shapes.size()));
  for (const State& shape : m_shapes) save(shape, out);
  return out.bytes();
}

// A run that now goes on for longer shows fewer shapes of its beginning: those that still are due.
void PictureSink::resume(const Model& model, const State& state, const std::string& bookmark) {
  begin(model, state);
  ByteReader in(bookmark);
  std::vector<State> shapes(in.get_count(sizeof(double)));
  for (State& shape : shapes) {
    load(in, shape);
    if (!same_size(shape, state)) throw std::out_of_range("a shape of another size");
  }
  if (shapes.empty()) return;
  Schedule due = schedule(model.scene(), shapes.front().time);
  m_shapes.clear();
  for (State& shape : shapes)
    if (m_shapes.empty() || due.due(shape.time, model.scene().dt)) m_shapes.push_back(std::move(shape));
}

bool PictureSink::reads(const StepReport& report) const {
  return m_shapes.size() < static_cast<std::size_t>(m_most) && m_schedule.is_due(report.time, report.dt);
}

void PictureSink::write(const Model&, const State& state, const StepReport& report) {
  const bool wanted = m_shapes.size() < static_cast<std::size_t>(m_most);
  if (wanted && m_schedule.due(report.time, report.dt)) m_shapes.push_back(state);
}

void PictureSink::end(const Model& model, const State& state) {
  write_file(m_folder / "picture.svg", draw_svg(model, std::span(&state, 1), m_options));
  // A run that was interrupted, or went on, ends at none of the times.
  if (m_shapes.back().time < state.time) {
    if (m_most > 1 && m_shapes.size() == static_cast<std::size_t>(m_most)) m_shapes.pop_back();
    m_shapes.push_back(state);
  }
  if (m_shapes.size() > 1) write_file(m_folder / "strip.svg", draw_svg(model, m_shapes, m_options));
}

}  // namespace writhe::output
