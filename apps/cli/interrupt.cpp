#include "interrupt.h"

namespace writhe::cli {

namespace {
// A signal handler has no other way to speak to the program.
volatile std::sig_atomic_t signal_raised = 0;

extern "C" void note_signal(int) { signal_raised = 1; }
}  // namespace

InterruptGuard::InterruptGuard() {
  signal_raised = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, &m_before_int);
  sigaction(SIGTERM, &action, &m_before_term);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &m_before_int, nullptr);
  sigaction(SIGTERM, &m_before_term, nullptr);
}

bool InterruptGuard::raised() const { return signal_raised != 0; }

}  // namespace writhe::cli
