// USD as text: rods.usda, one BasisCurves a rod with time samples. docs/outputs.md lists the attributes.
//
// USD keeps the samples of each attribute together, so that the file can be composed only when all frames are known: until then
// they are in frames.bin, which stays.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/frame_store.h"
#include "io/sink_frames.h"

namespace writhe::io {

class UsdSink : public FrameSink {
 public:
  // `folder` exists.
  explicit UsdSink(const std::filesystem::path& folder) : m_stage(folder / "rods.usda"), m_frames(folder / "frames.bin") {}

  std::string name() const override { return "usd"; }

 protected:
  void open(const Model& model, const State& state, std::size_t count) override;
  void put(const Model& model, const Frame& frame) override;
  bool has_frames() const override { return std::filesystem::exists(m_frames); }
  void update(std::span<const double> times) override;
  void close(const Model& model, std::span<const double> times) override;

 private:
  std::filesystem::path m_stage, m_frames;
  std::optional<FrameStore> m_store;
};

}  // namespace writhe::io
