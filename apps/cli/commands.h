// The commands of the program. Each add_* registers one with its options and, when the user chose it, sets what to do.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace writhe::cli {

// Exit status, as documented for users.
enum ExitStatus { done = 0, failed = 1, bad_input = 2 };

using Action = std::function<ExitStatus()>;

void add_new(CLI::App& app, Action& chosen);
void add_run(CLI::App& app, Action& chosen);
void add_solve(CLI::App& app, Action& chosen);
void add_compare(CLI::App& app, Action& chosen);
void add_render(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_info(CLI::App& app, Action& chosen);
void add_solvers(CLI::App& app, Action& chosen);
void add_materials(CLI::App& app, Action& chosen);
void add_experiment(CLI::App& app, Action& chosen);
void add_report(CLI::App& app, Action& chosen);

}  // namespace writhe::cli
