// VTK PolyData: vtk/rods_000000.vtp, ... one file a frame, and rods.pvd, which gives their times. docs/outputs.md lists the
// arrays. Where there are obstacles, vtk/obstacles_000000.vtp, ... have these as they stand in each frame, or one for all
// where none of them moves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "output/obstacle_surface.h"
#include "output/sink_frames.h"

namespace writhe::output {

class VtkSink : public FrameSink {
 public:
  // `folder` exists.
  explicit VtkSink(const std::filesystem::path& folder)
      : m_collection(folder / "rods.pvd"), m_frames(frames_in(folder)), m_obstacles(obstacles_in(folder)) {}
  static FrameFolder frames_in(const std::filesystem::path& folder) { return {folder / "vtk", "vtp"}; }
  static FrameFolder obstacles_in(const std::filesystem::path& folder) { return {folder / "vtk", "vtp", "obstacles_"}; }

  std::string name() const override { return "vtk"; }

 protected:
  void open(const Model& model, const State& state, std::size_t count) override;
  void put(const Model& model, const Frame& frame) override;
  bool has_frames() const override { return m_frames.has_frames(); }
  // Writing the list at every frame would take quadratic time.
  void update(std::span<const double> times) override;

 private:
  std::filesystem::path m_collection;
  void put_obstacles(const Model& model, const Frame& frame);

  FrameFolder m_frames, m_obstacles;
  std::vector<ObstacleSurface> m_surfaces;  // of all obstacles
  bool m_obstacles_move = false;
};

}  // namespace writhe::output
