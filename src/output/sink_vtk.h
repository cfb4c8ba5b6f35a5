// VTK PolyData: vtk/rods_000000.vtp, ... one file a frame, and rods.pvd, which gives their times. docs/outputs.md lists the
// arrays.
#pragma once

#include <filesystem>
#include <string>

#include "output/sink_frames.h"

namespace writhe::output {

class VtkSink : public FrameSink {
 public:
  // `folder` exists.
  explicit VtkSink(const std::filesystem::path& folder) : m_collection(folder / "rods.pvd"), m_frames(frames_in(folder)) {}
  static FrameFolder frames_in(const std::filesystem::path& folder) { return {folder / "vtk", "vtp"}; }

  std::string name() const override { return "vtk"; }

 protected:
  void open(const Model& model, const State& state, std::size_t count) override;
  void put(const Model& model, const Frame& frame) override;
  bool has_frames() const override { return m_frames.has_frames(); }
  // Writing the list at every frame would take quadratic time.
  void update(std::span<const double> times) override;

 private:
  std::filesystem::path m_collection;
  FrameFolder m_frames;
};

}  // namespace writhe::output
