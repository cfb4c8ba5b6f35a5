#include "progress.h"

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "messages.h"

namespace writhe::cli {

namespace {
constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr int bar_width = 24;
constexpr const char* wipe_line = "\r\033[K";

std::string bar(double fraction) {
  const int full = static_cast<int>(fraction * bar_width);
  return std::string(full, '=') + std::string(bar_width - full, ' ');
}

// 3725 s -> "1:02:05", 65 s -> "1:05".
std::string clock_text(double seconds) {
  if (!(seconds < 360000)) return "days";
  const long s = std::lround(seconds);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}
}  // namespace

StatusLine::StatusLine(bool wanted) : m_shown(wanted && isatty(STDERR_FILENO) != 0) {}

StatusLine::~StatusLine() { wipe(); }

bool StatusLine::due() const { return m_shown && Clock::now() - m_drawn >= redraw_interval; }

void StatusLine::wipe() {
  if (m_shown) tell_text(wipe_line);
}

void StatusLine::draw(const std::string& text) {
  m_drawn = Clock::now();
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  tell("{}{}", wipe_line, known ? text.substr(0, size.ws_col - 1) : text);  // a longer one could not be wiped
}

Progress::Progress(double start, std::optional<double> until, bool wanted) : m_from(start), m_until(until), m_line(wanted) {}

void Progress::update(const StepReport& report) {
  ++m_steps;
  if (!m_line.due()) return;
  const double wall = std::chrono::duration<double>(StatusLine::Clock::now() - m_start).count();
  const double rate = static_cast<double>(m_steps) / wall;
  if (m_until && *m_until > m_from) {
    const double fraction = std::fmin(1, (report.time - m_from) / (*m_until - m_from));
    m_line.draw(fmt::format("[{}] {:3.0f}%  t = {:.4g} s  {:.0f} steps/s  {:.3g} x real time  ETA {}", bar(fraction),
                            100 * fraction, report.time, rate, (report.time - m_from) / wall,
                            clock_text(wall * (1 - fraction) / fraction)));
  } else {
    m_line.draw(fmt::format("settling: {} steps, t = {:.4g} s, fastest node {:.2e} m/s, {:.0f} steps/s", m_steps, report.time,
                            report.max_speed, rate));
  }
}

void TaskProgress::begin(const std::string& name) {
  m_name = name;
  update("");
}

void TaskProgress::update(const std::string& text) {
  if (!m_line.due()) return;
  const double wall = std::chrono::duration<double>(StatusLine::Clock::now() - m_start).count();
  const std::size_t left = m_tasks - m_done;
  const std::string eta = m_timed > 0 ? clock_text(wall / static_cast<double>(m_timed) * static_cast<double>(left)) : "?";
  m_line.draw(fmt::format("[{}] {}/{}  ETA {}  {} {}", bar(static_cast<double>(m_done) / static_cast<double>(m_tasks)), m_done,
                          m_tasks, eta, m_name, text));
}

void TaskProgress::end() {
  ++m_done;
  ++m_timed;
  m_line.wipe();
}

}  // namespace writhe::cli
