// The commands of the program. Each add_* registers one with its options and, when the user chose it, sets what to do.
#pragma once

#include <functional>

#include "command_line.h"

namespace writhe::cli {

// Exit status, as documented for users.
enum ExitStatus { done = 0, failed = 1, bad_input = 2 };

using Action = std::function<ExitStatus()>;

void add_new(const Command& app, Action& chosen);
void add_run(const Command& app, Action& chosen);
void add_solve(const Command& app, Action& chosen);
void add_compare(const Command& app, Action& chosen);
void add_render(const Command& app, Action& chosen);
void add_check(const Command& app, Action& chosen);
void add_info(const Command& app, Action& chosen);
void add_solvers(const Command& app, Action& chosen);
void add_materials(const Command& app, Action& chosen);
void add_experiment(const Command& app, Action& chosen);
void add_report(const Command& app, Action& chosen);

}  // namespace writhe::cli
