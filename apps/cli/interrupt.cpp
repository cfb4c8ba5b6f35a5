#include "interrupt.h"

#include <cstring>
#include <ctime>

#include <unistd.h>

#include "commands.h"

namespace writhe::cli {

namespace {

constexpr timespec time_to_stop{1, 500'000'000};  // s, ns: two seconds from the signal to the end, with some to spare

// A signal handler has no other way to speak to the program.
volatile std::sig_atomic_t signal_raised = 0;
const char* volatile words_at_the_end = "";
volatile bool has_timer = false;
timer_t timer_to_end{};

// Functions that a handler may call only (signal-safety(7)).
extern "C" void note_signal(int) {
  signal_raised = 1;
  itimerspec once{};
  once.it_value = time_to_stop;
  if (has_timer) timer_settime(timer_to_end, 0, &once, nullptr);
}

extern "C" void end_at_once(int) {
  const char* words = words_at_the_end;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words, std::strlen(words));
  _exit(failed);
}

}  // namespace

InterruptGuard::InterruptGuard(const char* last_words) {
  signal_raised = 0;
  words_at_the_end = last_words;
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = end_at_once;
  sigaction(SIGALRM, &action, &m_before_alarm);
  has_timer = timer_create(CLOCK_MONOTONIC, nullptr, &timer_to_end) == 0;  // SIGALRM when it is over
  action.sa_handler = note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, &m_before_int);
  sigaction(SIGTERM, &action, &m_before_term);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &m_before_int, nullptr);
  sigaction(SIGTERM, &m_before_term, nullptr);
  if (has_timer) timer_delete(timer_to_end);
  has_timer = false;
  sigaction(SIGALRM, &m_before_alarm, nullptr);
}

bool InterruptGuard::raised() const { return signal_raised != 0; }

}  // namespace writhe::cli
