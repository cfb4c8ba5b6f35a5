#include "apart.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace writhe::bench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Row, name, measured, unit, bar, bar_text)

namespace {

using nlohmann::json;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// {"rows": [...]} or {"error": "..."}
std::string answer(const std::function<std::vector<Row>()>& work) try {
  return json{{"rows", work()}}.dump();
} catch (const std::exception& error) {
  return json{{"error", error.what()}}.dump();
}

bool write_all(int pipe, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(pipe, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return true;
}

std::string read_all(int pipe) {
  std::string text;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t count = read(pipe, part.data(), part.size());
    if (count == 0) return text;
    if (count < 0 && errno != EINTR) fail("read from a benchmark");
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::vector<Row> run_apart(const std::function<std::vector<Row>()>& work) {
  std::fflush(nullptr);  // or both would write what is buffered
  std::array<int, 2> ends;
  if (pipe(ends.data()) != 0) fail("pipe");
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    close(ends[0]);
    _exit(write_all(ends[1], answer(work)) ? 0 : 1);
  }
  close(ends[1]);
  const std::string text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("wait for a benchmark");
  if (WIFSIGNALED(status)) throw std::runtime_error(fmt::format("a benchmark was ended by signal {}", WTERMSIG(status)));
  const json read = json::parse(text);
  if (read.contains("error")) throw std::runtime_error(read["error"].get<std::string>());
  return read.at("rows").get<std::vector<Row>>();
}

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024e-6 * static_cast<double>(usage.ru_maxrss);  // given in KiB
}

}  // namespace writhe::bench
