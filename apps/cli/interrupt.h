// Ctrl-C and SIGTERM while something is computed: a wish to stop, granted after the current step.
#pragma once

#include <csignal>

namespace writhe::cli {

// Catches the signals while it lives. A second one ends the program at once, and so does the first where the wish is not granted
// in time: whoever sends SIGTERM sends SIGKILL before long, and files that were finished stay good.
class InterruptGuard {
 public:
  // last_words: lasts as long as this; what is told when the time is over, a line.
  explicit InterruptGuard(const char* last_words);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool raised() const;

 private:
  struct sigaction m_before_int {};
  struct sigaction m_before_term {};
  struct sigaction m_before_alarm {};
};

}  // namespace writhe::cli
