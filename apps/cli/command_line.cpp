#include "command_line.h"

#include <utility>

#include <CLI/CLI.hpp>

namespace writhe::cli {

// ---- an option ---------------------------------------------------------------------------------------------------------------

const Option& Option::required() const {
  m_option->required();
  return *this;
}

const Option& Option::description(const std::string& text) const {
  m_option->description(text);
  return *this;
}

const Option& Option::type_name(const std::string& name) const {
  m_option->type_name(name);
  return *this;
}

const Option& Option::shows_default() const {
  m_option->capture_default_str();
  return *this;
}

const Option& Option::within(int least, int most) const {
  m_option->check(CLI::Range(least, most));
  return *this;
}

const Option& Option::within(double least, double most) const {
  m_option->check(CLI::Range(least, most));
  return *this;
}

const Option& Option::positive() const {
  m_option->check(CLI::PositiveNumber);
  return *this;
}

const Option& Option::one_of(const std::vector<std::string>& values) const {
  m_option->check(CLI::IsMember(values));
  return *this;
}

const Option& Option::value_may_be_left_out() const {
  m_option->expected(0, 1);
  return *this;
}

const Option& Option::one_value_each_time() const {
  m_option->allow_extra_args(false);
  return *this;
}

// ---- a command ---------------------------------------------------------------------------------------------------------------

Command Command::add_subcommand(const std::string& name, const std::string& description) const {
  return Command(m_app->add_subcommand(name, description));
}

void Command::require_subcommand() const { m_app->require_subcommand(1); }

Option Command::add_option(const std::string& name, std::string& value, const std::string& description) const {
  return Option(m_app->add_option(name, value, description));
}

Option Command::add_option(const std::string& name, std::vector<std::string>& values, const std::string& description) const {
  return Option(m_app->add_option(name, values, description));
}

Option Command::add_option(const std::string& name, std::optional<std::string>& value, const std::string& description) const {
  return Option(m_app->add_option(name, value, description));
}

Option Command::add_option(const std::string& name, int& value, const std::string& description) const {
  return Option(m_app->add_option(name, value, description));
}

Option Command::add_option(const std::string& name, double& value, const std::string& description) const {
  return Option(m_app->add_option(name, value, description));
}

Option Command::add_option(const std::string& name, std::optional<double>& value, const std::string& description) const {
  return Option(m_app->add_option(name, value, description));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& description) const {
  return Option(m_app->add_flag(name, value, description));
}

Option Command::get_option(const std::string& name) const { return Option(m_app->get_option(name)); }

void Command::footer(const std::string& text) const { m_app->footer(text); }

void Command::callback(std::function<void()> chosen) const { m_app->callback(std::move(chosen)); }

// ---- the program -------------------------------------------------------------------------------------------------------------

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& version)
    : m_app(std::make_unique<CLI::App>(description, name)) {
  m_app->set_version_flag("--version", version);
  m_app->failure_message(CLI::FailureMessage::simple);
}

CommandLine::~CommandLine() = default;

std::vector<std::string> CommandLine::commands() const {
  std::vector<std::string> names;
  for (const CLI::App* command : m_app->get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::string CommandLine::help() const { return m_app->help(); }

std::optional<bool> CommandLine::read(int argc, char** argv) const {
  try {
    m_app->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return m_app->exit(error) == 0;  // --help and --version are "errors" of status 0
  }
  return std::nullopt;
}

}  // namespace writhe::cli
