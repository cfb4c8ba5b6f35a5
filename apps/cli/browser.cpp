#include "browser.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temporary_folder.h"
#include "writhe/error.h"

namespace writhe::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* key = "Chromium";

pid_t start(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})  // it chats about missing buses and drivers
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int status = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) throw Error(key, command[0], "cannot be started (" + std::generic_category().message(status) + ")");
  return child;
}

// False when it was still running at the end of that time.
bool ends_within(pid_t child, std::chrono::seconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    if (waitpid(child, nullptr, WNOHANG) != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return false;
}

}  // namespace

fs::path find_browser() {
  if (const char* chosen = std::getenv("CHROMIUM"); chosen && *chosen) return chosen;
  const char* path = std::getenv("PATH");
  std::error_code error;
  for (const char* name : {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}) {
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
      if (fs::exists(fs::path(folder) / name, error)) return fs::path(folder) / name;
  }
  throw Error(key, "",
              "a .png needs it, and there is none on the PATH; install the package chromium, or set CHROMIUM to the program");
}

void take_screenshot(const fs::path& browser, const std::string& address, const fs::path& png, int width, int height) {
  const TemporaryFolder own;
  const fs::path made = own / "picture.png";
  std::vector<std::string> command{browser.string(),
                                   "--headless",
                                   "--hide-scrollbars",
                                   "--no-first-run",
                                   "--disable-sync",
                                   "--disable-background-networking",
                                   "--disable-component-update",
                                   "--enable-unsafe-swiftshader",  // where there is no graphics card
                                   "--virtual-time-budget=60000",  // ms: the page unpacks its frames first
                                   "--user-data-dir=" + (own / "profile").string(),
                                   fmt::format("--window-size={},{}", width, height),
                                   "--screenshot=" + made.string()};
  if (geteuid() == 0) command.emplace_back("--no-sandbox");  // it refuses to run as root otherwise
  command.push_back(address);
  if (!ends_within(start(command), std::chrono::seconds(60)))
    throw Error(key, browser.string(), "took longer than a minute; try a smaller --width, or a run with fewer frames");
  std::error_code error;
  if (!fs::exists(made, error)) throw Error(key, browser.string(), "left no picture; does it open " + address + "?");
  fs::copy_file(made, png, fs::copy_options::overwrite_existing, error);
  if (error) throw Error("FILE", png.string(), "cannot be written (" + error.message() + ")");
}

}  // namespace writhe::cli
