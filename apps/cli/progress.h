// One line on the terminal that says how far a computation is.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "writhe/step_report.h"

namespace writhe::cli {

class StatusLine {
 public:
  using Clock = std::chrono::steady_clock;

  // Draws only when `wanted` and stderr is a terminal.
  explicit StatusLine(bool wanted);
  ~StatusLine();  // wipes the line
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether it is time to draw again.
  bool due() const;
  void draw(const std::string& text);
  void wipe();  // so that other text can follow

 private:
  bool m_shown;
  Clock::time_point m_drawn = Clock::now();
};

// Of a run.
class Progress {
 public:
  // `start` and `until` in s of simulated time; `until` is absent when the end is not known.
  Progress(double start, std::optional<double> until, bool wanted);
  void update(const StepReport& report);

 private:
  double m_from;
  std::optional<double> m_until;
  StatusLine m_line;
  long m_steps = 0;
  StatusLine::Clock::time_point m_start = StatusLine::Clock::now();
};

// Of several tasks of which each says what it does.
class TaskProgress {
 public:
  TaskProgress(std::size_t tasks, bool wanted) : m_tasks(tasks), m_line(wanted) {}
  void begin(const std::string& name);
  void update(const std::string& text);  // of the present task
  void end();
  void skip() { ++m_done; }  // one that was done before

 private:
  std::size_t m_tasks, m_done = 0;
  long m_timed = 0;  // tasks done now
  std::string m_name;
  StatusLine m_line;
  StatusLine::Clock::time_point m_start = StatusLine::Clock::now();
};

}  // namespace writhe::cli
