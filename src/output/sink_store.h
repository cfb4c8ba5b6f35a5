// frames.bin, and what can be composed of it only when all frames are known: a USD stage, which keeps the samples of each
// attribute together; a page that plays the run, which has to know how far everything goes. frames.bin stays.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/frame_store.h"
#include "output/sink_frames.h"

namespace writhe::output {

class StoreSink : public FrameSink {
 public:
  using Compose = std::function<void(const Model& model, FrameStore& store)>;

  // `folder` exists.
  StoreSink(const std::filesystem::path& folder, std::vector<Compose> results)
      : m_frames(folder / "frames.bin"), m_results(std::move(results)) {}

  std::string name() const override { return "frames"; }

 protected:
  void open(const Model& model, const State& state, std::size_t count) override;
  void put(const Model& model, const Frame& frame) override;
  bool has_frames() const override { return std::filesystem::exists(m_frames); }
  void update(std::span<const double> times) override;
  void close(const Model& model, std::span<const double> times) override;

 private:
  std::filesystem::path m_frames;
  std::vector<Compose> m_results;
  std::optional<FrameStore> m_store;
};

}  // namespace writhe::output
