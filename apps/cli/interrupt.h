// Ctrl-C and SIGTERM while a simulation runs: a wish to stop, granted after the current step.
#pragma once

#include <csignal>

namespace writhe::cli {

// Catches the signals while it lives. A second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool raised() const;

 private:
  struct sigaction m_before_int {};
  struct sigaction m_before_term {};
};

}  // namespace writhe::cli
