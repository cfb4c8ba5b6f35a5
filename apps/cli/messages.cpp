#include "messages.h"

#include <csignal>
#include <cstdio>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace writhe::cli {

void secure_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // The lowest number that is free is this one. A folder cannot be written to either.
    if (open("/dev/null", O_RDWR) < 0) open("/", O_RDONLY | O_DIRECTORY);
  }
  std::signal(SIGPIPE, SIG_IGN);
}

void print_text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void tell_text(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

Printed finish_printing() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return Printed::all;
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0 ? Printed::nobody_reads : Printed::not_all;
}

}  // namespace writhe::cli
