#include "output/sink_frames.h"

#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "output/file_replacement.h"
#include "output/sink_file.h"
#include "writhe/error.h"

namespace writhe::output {

namespace fs = std::filesystem;

namespace {

// The number in the name of a frame file; empty for any other file.
std::optional<std::size_t> frame_number(const std::string& name, const std::string& file_stem, const std::string& extension) {
  const std::string suffix = "." + extension;
  if (!name.starts_with(file_stem) || !name.ends_with(suffix)) return std::nullopt;
  const char* first = name.data() + file_stem.size();
  const char* last = name.data() + name.size() - suffix.size();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc{} || end != last) return std::nullopt;
  return number;
}

}  // namespace

// ---- FrameSink -------------------------------------------------------------------------------------------------------
void FrameSink::begin(const Model& model, const State& state) {
  resume_from(model, state, {});
  put_frame(model, state);
}

void FrameSink::resume(const Model& model, const State& state, const std::string& bookmark) {
  if (bookmark.empty()) {
    if (!has_frames()) return begin(model, state);
    throw Error(
        "output.formats", name(),
        "this folder has frames of an earlier part of the run, and would get a gap; resume into another folder with --out");
  }
  std::vector<double> times;
  try {
    ByteReader(bookmark).get(times);
  } catch (const std::out_of_range&) {
    throw Error("output.formats", name(), "its place in the checkpoint cannot be read; resume from another one or begin anew");
  }
  resume_from(model, state, std::move(times));
  update(m_times);
}

void FrameSink::resume_from(const Model& model, const State& state, std::vector<double> times) {
  m_joints = measure::segment_joints(model);
  m_forces.emplace(model);
  if (contact::Contacts::any(model)) m_contacts.emplace(model);
  m_rods.resize(model.rods().size());
  m_schedule = Schedule(model.scene().output.frame_interval, state.time, model.scene().dt);
  m_times = std::move(times);
  m_end_extra = false;
  open(model, state, m_times.size());
}

void FrameSink::write(const Model& model, const State& state, const StepReport& report) {
  if (m_schedule.due(state.time, report.dt)) put_frame(model, state);
}

void FrameSink::end(const Model& model, const State& state) {
  m_end_extra = m_times.empty() || m_times.back() != state.time;
  if (m_end_extra) put_frame(model, state);
  close(model, m_times);
}

std::string FrameSink::bookmark() {
  update(m_times);
  ByteWriter writer;
  writer.put(std::vector<double>(m_times.begin(), m_times.end() - (m_end_extra ? 1 : 0)));
  return writer.bytes();
}

void FrameSink::put_frame(const Model& model, const State& state) {
  m_forces->update(state);
  if (m_contacts) m_contacts->read(state);
  for (std::size_t rod = 0; rod < m_rods.size(); ++rod) {
    measure::node_fields(model, state, m_joints, static_cast<int>(rod), m_rods[rod], &m_forces->ends(),
                         m_contacts ? &*m_contacts : nullptr);
    const std::string_view bad = measure::not_finite(m_rods[rod]);
    if (bad.empty()) continue;
    throw Error("output.formats", fmt::format("{} of {}", bad, model.rods()[rod].name),
                fmt::format("is not finite at t = {} s; try a smaller step", state.time));
  }
  put(model, {m_times.size(), state, m_rods});
  m_times.push_back(state.time);
}

// ---- FrameFolder -----------------------------------------------------------------------------------------------------
FrameFolder::FrameFolder(fs::path folder, std::string extension, std::string stem)
    : m_folder(std::move(folder)), m_extension(std::move(extension)), m_stem(std::move(stem)) {}

fs::path FrameFolder::path(std::size_t index) const { return m_folder / fmt::format("{}{:06}.{}", m_stem, index, m_extension); }

// A frame that was being written when a run was killed still has its temporary name.
void FrameFolder::remove_from(std::size_t count) const {
  std::error_code error;
  std::vector<fs::path> surplus;
  for (const fs::directory_entry& entry : fs::directory_iterator(m_folder, error)) {
    const std::string name = entry.path().filename().string();
    const std::optional<std::size_t> number = frame_number(name, m_stem, m_extension);
    if ((number && *number >= count) || frame_number(name, m_stem, m_extension + std::string(temporary_ending)))
      surplus.push_back(entry.path());
  }
  for (const fs::path& file : surplus) {
    if (!fs::remove(file, error) && error) throw_write_error(file, error.value());
  }
  if (error) throw_write_error(m_folder, error.value());
}

// Through a link, frames would be removed and written in someone else's folder.
bool FrameFolder::is_own_folder() const {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(m_folder, error));
}

void FrameFolder::keep(std::size_t count) const {
  std::error_code error;
  fs::create_directories(m_folder, error);
  if (!error && !is_own_folder()) throw_write_error(m_folder, "it is a symbolic link");
  if (error) throw_write_error(m_folder, error.value());
  remove_from(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (fs::exists(path(i), error) && fs::file_size(path(i), error) > 0) continue;
    throw Error("output.formats", path(i).string(),
                "is missing or empty, and the checkpoint counts on it; resume into another folder with --out");
  }
}

bool FrameFolder::is_frame(const fs::path& file) const {
  return file.parent_path() == m_folder && frame_number(file.filename().string(), m_stem, m_extension);
}

void FrameFolder::clear() const {
  std::error_code error;
  if (!is_own_folder()) return;
  remove_from(0);
  fs::remove(m_folder, error);  // refused where something else is in it
}

}  // namespace writhe::output
