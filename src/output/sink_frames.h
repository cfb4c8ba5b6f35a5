// What the formats of shapes over time have in common: which states become frames, and how a resumed run goes on.
//
// Frames are the initial state, the first state at or after each multiple of output.frame_interval, and the last state. The last
// one, when it is no multiple's, belongs to the end of a run: a bookmark does not count it, so a run that is resumed takes it
// back and its files become those of a run that was never interrupted.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assembly/end_forces.h"
#include "contact/contacts.h"
#include "measure/node_fields.h"
#include "output/sink_schedule.h"
#include "writhe/simulation.h"

namespace writhe::output {

struct Frame {
  std::size_t index;  // from 0
  const State& state;
  std::span<const measure::NodeFields> rods;  // all values finite
};

class FrameSink : public Sink {
 public:
  // All throw Error when a file cannot be written or a value is not finite.
  void begin(const Model& model, const State& state) final;
  void write(const Model& model, const State& state, const StepReport& report) final;
  bool reads(const StepReport& report) const final { return m_schedule.is_due(report.time, report.dt); }
  void end(const Model& model, const State& state) final;
  std::string bookmark() final;
  void resume(const Model& model, const State& state, const std::string& bookmark) final;

 protected:
  // Makes ready for frames after the first `count`; whatever else an earlier run left is removed. Throws Error when one of those
  // is missing.
  virtual void open(const Model& model, const State& state, std::size_t count) = 0;
  virtual void put(const Model& model, const Frame& frame) = 0;
  // Frames of a run are there.
  virtual bool has_frames() const = 0;
  // Brings what spans the frames up to date: `times` (s) of all there are.
  virtual void update(std::span<const double> /*times*/) {}
  // The same once more, after the last frame.
  virtual void close(const Model& /*model*/, std::span<const double> times) { update(times); }

 private:
  void resume_from(const Model& model, const State& state, std::vector<double> times);
  void put_frame(const Model& model, const State& state);

  Schedule m_schedule;
  std::vector<double> m_times;  // s, of all frames
  bool m_end_extra = false;     // the last of them is there only because the run ended
  measure::SegmentJoints m_joints;
  std::optional<assembly::EndForces> m_forces;
  std::optional<contact::Contacts> m_contacts;  // where anything may touch
  std::vector<measure::NodeFields> m_rods;
};

// A folder with one file a frame: rods_000000.vtp, ...
class FrameFolder {
 public:
  // `extension` without its dot. Files are named STEM000000.EXTENSION.
  FrameFolder(std::filesystem::path folder, std::string extension, std::string stem = "rods_");

  std::filesystem::path path(std::size_t index) const;
  // Makes the folder and removes frames with a number of `count` or more; other files are left alone. Throws Error when one of
  // the first `count` is missing.
  void keep(std::size_t count) const;
  // Removes all frames, and the folder when nothing else is in it: it may be someone's own `obj`.
  void clear() const;
  bool has_frames() const { return std::filesystem::exists(path(0)); }

  // The file has the name of one.
  bool is_frame(const std::filesystem::path& file) const;

 private:
  bool is_own_folder() const;
  void remove_from(std::size_t count) const;

  std::filesystem::path m_folder;
  std::string m_extension, m_stem;
};

}  // namespace writhe::output
