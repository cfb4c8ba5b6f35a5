// picture.svg: the last state. strip.svg: the motion.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "output/sink_schedule.h"
#include "output/svg_picture.h"
#include "writhe/simulation.h"

namespace writhe::output {

class PictureSink : public Sink {
 public:
  // `folder` exists. View, colour and the number of shapes come from the scene's output.picture.
  explicit PictureSink(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  // Throws Error for a view or colour that is not known, before anything is simulated.
  void begin(const Model& model, const State& state) override;
  // Keeps the first state at or after each of the equally spaced times of [0, until].
  void write(const Model& model, const State& state, const StepReport& report) override;
  bool reads(const StepReport& report) const override;
  // Throws Error when a file cannot be written.
  void end(const Model& model, const State& state) override;

  std::string name() const override { return "picture"; }
  std::string bookmark() override;
  void resume(const Model& model, const State& state, const std::string& bookmark) override;

 private:
  std::filesystem::path m_folder;
  PictureOptions m_options;
  std::vector<State> m_shapes;
  Schedule m_schedule;
  int m_most = 1;
};

}  // namespace writhe::output
