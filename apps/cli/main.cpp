// The program `writhe`: reads the command line, runs one command, turns what goes wrong into a message and an exit status.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/names.h"
#include "base/version.h"
#include "commands.h"
#include "writhe/error.h"

namespace {

using namespace writhe::cli;

void describe(CLI::App& app, Action& chosen) {
  app.name("writhe");  // also where it was called by another path
  app.description("Writhe simulates elastic rods.");
  app.set_version_flag("--version", fmt::format("writhe {} ({})", writhe::version(), writhe::version_details()));
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
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
void check_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) == names.end())
    throw writhe::Error("", argv[1], "no such command; " + writhe::hint(argv[1], names, "commands"));
}

int run_program(int argc, char** argv) {
  CLI::App app;
  Action chosen;
  describe(app, chosen);
  if (argc < 2) {
    fmt::print(stderr, "{}", app.help());
    return bad_input;
  }
  check_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : bad_input;  // --help and --version are "errors" of status 0
  }
  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run_program(argc, argv);
    if (std::fflush(stdout) == 0) return status;
    fmt::print(stderr, "writhe: the results could not be printed; is the disk full?\n");
  } catch (const writhe::Error& error) {
    for (const writhe::Problem& problem : error.problems()) fmt::print(stderr, "{}\n", problem.text());
    return bad_input;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "writhe: not enough memory for this scene; use fewer segments\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "writhe: unexpected failure: {}\n", error.what());
  }
  return failed;
}
