#include "output/sink_probes.h"

#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "output/csv.h"
#include "writhe/error.h"

namespace writhe::output {

void ProbeSink::prepare(const Model& model, const State& state) {
  m_probes.emplace(model);
  m_columns = {{"", "time", "s"}};
  for (const std::vector<Column>& columns : {m_probes->columns(), scene_columns(model)})
    m_columns.insert(m_columns.end(), columns.begin(), columns.end());
  m_schedule = Schedule(model.scene().output.interval, state.time, model.scene().dt);
}

void ProbeSink::begin(const Model& model, const State& state) {
  prepare(model, state);
  m_file = GrowingFile(m_path, csv_header(m_columns));
  write_row(model, state);
  m_file.flush();
}

bool ProbeSink::reads(const StepReport& report) const { return m_file.is_open() && m_schedule.is_due(report.time, report.dt); }

void ProbeSink::write(const Model& model, const State& state, const StepReport& report) {
  if (!m_file.is_open() || !m_schedule.due(state.time, report.dt)) return;
  write_row(model, state);
  m_file.flush_now_and_then();
}

void ProbeSink::end(const Model& model, const State& state) {
  if (!m_file.is_open()) return;
  m_last_bookmark = bookmark();
  if (state.time != m_written) write_row(model, state);  // the run ended between two multiples of the interval
  m_file.close();
}

// How long the file is, and the time of its last row.
std::string ProbeSink::bookmark() {
  if (!m_file.is_open()) return m_last_bookmark;  // the run has ended
  ByteWriter out;
  out.put(m_file.size());
  out.put(m_written);
  return out.bytes();
}

void ProbeSink::resume(const Model& model, const State& state, const std::string& bookmark) {
  prepare(model, state);
  std::uint64_t size = 0;
  ByteReader in(bookmark);
  in.get(size);
  in.get(m_written);
  m_file = GrowingFile(m_path, size, csv_header(m_columns));
}

void ProbeSink::write_row(const Model& model, const State& state) {
  m_values = {state.time};
  m_probes->append(model, state, m_values);
  append_scene(model, state, m_values);
  if (const Column* bad = first_not_finite(m_columns, m_values))
    throw Error("output.probes", bad->name(), fmt::format("is not finite at t = {} s; try a smaller step", state.time));
  m_line.clear();
  append_csv(m_values, m_line);
  m_file.put(m_line += "\n");
  m_written = state.time;
}

}  // namespace writhe::output
