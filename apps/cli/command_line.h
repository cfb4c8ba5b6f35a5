// The command line as the commands state it. Behind it is CLI11, which only command_line.cpp sees: a command that included its
// headers took ten seconds to compile instead of two.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace writhe::cli {

// One option or argument of a command. Each call says something more about it; a value that does not fit ends the program
// before any command runs.
class Option {
 public:
  explicit Option(CLI::Option* option) : m_option(option) {}

  const Option& required() const;
  const Option& description(const std::string& text) const;
  const Option& type_name(const std::string& name) const;  // in the help, for the value
  const Option& shows_default() const;
  const Option& within(int least, int most) const;
  const Option& within(double least, double most) const;
  const Option& positive() const;
  const Option& one_of(const std::vector<std::string>& values) const;
  const Option& value_may_be_left_out() const;
  const Option& one_value_each_time() const;  // of an option that may be repeated

 private:
  CLI::Option* m_option;
};

// A command, or the program itself. Values are written to while the command line is read, and have to live until then.
class Command {
 public:
  explicit Command(CLI::App* app) : m_app(app) {}

  Command add_subcommand(const std::string& name, const std::string& description) const;
  void require_subcommand() const;

  Option add_option(const std::string& name, std::string& value, const std::string& description) const;
  Option add_option(const std::string& name, std::vector<std::string>& values, const std::string& description) const;
  Option add_option(const std::string& name, std::optional<std::string>& value, const std::string& description) const;
  Option add_option(const std::string& name, int& value, const std::string& description) const;
  Option add_option(const std::string& name, double& value, const std::string& description) const;
  Option add_option(const std::string& name, std::optional<double>& value, const std::string& description) const;
  Option add_flag(const std::string& name, bool& value, const std::string& description) const;
  Option get_option(const std::string& name) const;

  void footer(const std::string& text) const;
  void callback(std::function<void()> chosen) const;  // when the user has chosen the command

 private:
  CLI::App* m_app;
};

// The command line of the whole program.
class CommandLine {
 public:
  // version: what --version prints.
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command program() const { return Command(m_app.get()); }
  std::vector<std::string> commands() const;
  std::string help() const;

  // Calls back the command that was chosen. When there is none to run, what there is to say has been said, and this is whether
  // all is well (--help, --version) or not.
  std::optional<bool> read(int argc, char** argv) const;

 private:
  std::unique_ptr<CLI::App> m_app;
};

}  // namespace writhe::cli
