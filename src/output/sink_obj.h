// Wavefront OBJ lines: obj/rods_000000.obj, ... one file a frame.
#pragma once

#include <filesystem>
#include <string>

#include "output/sink_frames.h"

namespace writhe::output {

class ObjSink : public FrameSink {
 public:
  // `folder` exists. Vertices have the colour of the scene's output.picture.color, if it names a field.
  explicit ObjSink(const std::filesystem::path& folder) : m_frames(frames_in(folder)) {}
  static FrameFolder frames_in(const std::filesystem::path& folder) { return {folder / "obj", "obj"}; }

  std::string name() const override { return "obj"; }

 protected:
  void open(const Model& model, const State& state, std::size_t count) override;
  void put(const Model& model, const Frame& frame) override;
  bool has_frames() const override { return m_frames.has_frames(); }

 private:
  FrameFolder m_frames;
  measure::Field m_color = measure::Field::none;
};

}  // namespace writhe::output
