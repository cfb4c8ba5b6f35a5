#include "io/sink_probes.h"

#include <cerrno>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "writhe/error.h"

namespace writhe::io {

namespace {

// Someone who watches the file sees it grow, and a slow disk does not slow the run.
constexpr std::chrono::milliseconds flush_interval{250};

// RFC 4180: quoted when it must be, quotes doubled.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

}  // namespace

void ProbeSink::prepare(const Model& model, const State& state) {
  m_probes.emplace(model);
  m_columns = m_probes->columns();
  const std::vector<Column> whole = scene_columns();
  m_columns.insert(m_columns.end(), whole.begin(), whole.end());
  m_schedule = Schedule(model.scene().output.interval, state.time, model.scene().dt);
}

void ProbeSink::begin(const Model& model, const State& state) {
  prepare(model, state);
  errno = 0;
  m_file.reset(std::fopen(m_path.c_str(), "wb"));
  if (!m_file) throw_write_error(m_path, errno);
  put(header());
  write_row(model, state);
  flush();
}

void ProbeSink::write(const Model& model, const State& state, const StepReport& report) {
  if (!m_file || !m_schedule.due(state.time, report.dt)) return;
  write_row(model, state);
  if (std::chrono::steady_clock::now() - m_flushed >= flush_interval) flush();
}

void ProbeSink::end(const Model& model, const State& state) {
  if (!m_file) return;
  m_last_bookmark = bookmark();
  if (state.time != m_written) write_row(model, state);  // the run ended between two multiples of the interval
  flush();
  errno = 0;
  if (std::fclose(m_file.release()) != 0) throw_write_error(m_path, errno);
}

// How long the file is, and the time of its last row.
std::string ProbeSink::bookmark() {
  if (!m_file) return m_last_bookmark;  // the run has ended
  ByteWriter out;
  flush();
  out.put(static_cast<std::uint64_t>(std::ftell(m_file.get())));
  out.put(m_written);
  return out.bytes();
}

void ProbeSink::resume(const Model& model, const State& state, const std::string& bookmark) {
  prepare(model, state);
  std::uint64_t size = 0;
  ByteReader in(bookmark);
  in.get(size);
  in.get(m_written);
  m_file = reopen(m_path, size, header());
  flush();
}

std::string ProbeSink::header() const {
  std::string line = "time [s]";
  for (const Column& column : m_columns) line += "," + csv_cell(column.name());
  return line + "\n";
}

void ProbeSink::write_row(const Model& model, const State& state) {
  m_values.clear();
  m_probes->append(model, state, m_values);
  append_scene(model, state, m_values);

  m_line = fmt::format("{}", state.time);
  for (std::size_t i = 0; i < m_values.size(); ++i) {
    if (!std::isfinite(m_values[i])) {
      throw Error("output.probes", m_columns[i].name(), fmt::format("is not finite at t = {} s; try a smaller step", state.time));
    }
    fmt::format_to(std::back_inserter(m_line), ",{}", m_values[i]);  // shortest text that reads back to the same bits
  }
  put(m_line += "\n");
  m_written = state.time;
}

void ProbeSink::put(const std::string& line) {
  errno = 0;
  if (std::fwrite(line.data(), 1, line.size(), m_file.get()) != line.size()) throw_write_error(m_path, errno);
}

void ProbeSink::flush() {
  errno = 0;
  if (std::fflush(m_file.get()) != 0) throw_write_error(m_path, errno);
  m_flushed = std::chrono::steady_clock::now();
}

}  // namespace writhe::io
