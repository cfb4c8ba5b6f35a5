#include "browser.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/open_file.h"
#include "output/sink_file.h"
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
  // A group of its own, to be ended with all that it starts; a closed pipe is not ignored there as it is here.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  pid_t child = -1;
  const int status = posix_spawn(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) throw Error(key, command[0], "cannot be started (" + std::generic_category().message(status) + ")");
  return child;
}

enum class Ending { by_itself, stopped, too_late };

Ending wait_for(pid_t child, std::chrono::seconds time, const std::function<bool()>& go_on) {
  const auto end = std::chrono::steady_clock::now() + time;
  Ending ending = Ending::too_late;
  while (std::chrono::steady_clock::now() < end && ending == Ending::too_late) {
    if (waitpid(child, nullptr, WNOHANG) != 0) return Ending::by_itself;
    if (!go_on()) ending = Ending::stopped;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);
  return ending;
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

bool take_screenshot(const fs::path& browser, const std::string& address, const fs::path& png, PictureSize size,
                     const std::function<bool()>& go_on) {
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
                                   fmt::format("--window-size={},{}", size.width, size.height),
                                   "--screenshot=" + made.string()};
  if (geteuid() == 0) command.emplace_back("--no-sandbox");  // it refuses to run as root otherwise
  command.push_back(address);
  const Ending ending = wait_for(start(command), std::chrono::seconds(60), go_on);
  if (ending == Ending::stopped) return false;
  if (ending == Ending::too_late)
    throw Error(key, browser.string(), "took longer than a minute; try a smaller --width, or a run with fewer frames");
  std::string reason, picture;
  const FilePointer file = open_to_read(made, reason);
  if (!file || !read_rest(file.get(), std::numeric_limits<std::size_t>::max(), picture))
    throw Error(key, browser.string(), "left no picture; does it open " + address + "?");
  output::write_file(png, picture);
  return true;
}

}  // namespace writhe::cli
