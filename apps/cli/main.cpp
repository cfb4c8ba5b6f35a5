// The program `writhe`: reads the command line, runs one command, turns what goes wrong into a message and an exit status.
#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/names.h"
#include "base/version.h"
#include "commands.h"
#include "messages.h"
#include "writhe/error.h"

namespace {

using namespace writhe::cli;

void describe(const Command& app, Action& chosen) {
  app.require_subcommand();
  app.footer(
      "Examples:\n"
      "  writhe new rope.yaml                          start a commented scene\n"
      "  writhe run scenes/cantilever.yaml             simulate; results in out/cantilever\n"
      "  writhe solve scenes/hanging.yaml --modes 3    equilibrium, is it stable, frequencies; in out/hanging\n"
      "  writhe compare scenes/hanging.yaml            every method: its error and its cost\n"
      "  writhe render out/cantilever cord.stl         a mesh of its last state to print\n"
      "  writhe info scenes/cantilever.yaml            what the scene contains\n"
      "  writhe experiment run cantilever-gravity      reproduce a known result\n"
      "  writhe report                                 all known results on one page\n"
      "\n"
      "Exit status: 0 done, 1 the simulation or an experiment failed, 2 bad usage or a bad scene.");
  add_new(app, chosen);
  add_run(app, chosen);
  add_solve(app, chosen);
  add_compare(app, chosen);
  add_render(app, chosen);
  add_check(app, chosen);
  add_info(app, chosen);
  add_solvers(app, chosen);
  add_materials(app, chosen);
  add_experiment(app, chosen);
  add_report(app, chosen);
}

// The first word is the command; a slip there would otherwise only be called missing.
void check_command(const CommandLine& line, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::vector<std::string> names = line.commands();
  if (std::find(names.begin(), names.end(), argv[1]) == names.end())
    throw writhe::Error("", argv[1], "no such command; " + writhe::hint(argv[1], names, "commands"));
}

int run_program(int argc, char** argv) {
  // Its name also where it was called by another path.
  const CommandLine line("writhe", "Writhe simulates elastic rods.",
                         fmt::format("writhe {} ({})", writhe::version(), writhe::version_details()));
  Action chosen;
  describe(line.program(), chosen);
  if (argc < 2) {
    tell("{}", line.help());
    return bad_input;
  }
  check_command(line, argc, argv);
  if (const std::optional<bool> well = line.read(argc, argv)) return *well ? done : bad_input;
  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  secure_streams();
  try {
    const int status = run_program(argc, argv);
    const Printed printed = finish_printing();
    if (printed == Printed::all) return status;
    if (printed == Printed::not_all) tell("writhe: the results could not be printed; is the disk full?\n");
  } catch (const writhe::Error& error) {
    for (const writhe::Problem& problem : error.problems()) tell("{}\n", problem.text());
    return bad_input;
  } catch (const std::bad_alloc&) {
    tell("writhe: not enough memory for this scene; use fewer segments\n");
  } catch (const std::exception& error) {
    tell("writhe: unexpected failure: {}\n", error.what());
  }
  return failed;
}
