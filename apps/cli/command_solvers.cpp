// writhe solvers: what each method is and supports.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "solvers/solver.h"
#include "text_table.h"

namespace writhe::cli {

namespace {

const char* yes_or_no(bool supported) { return supported ? "yes" : "no"; }

ExitStatus print_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SolverInfo& s : solver_table()) {
    nlohmann::ordered_json exemptions = nlohmann::ordered_json::array();
    for (const Exemption& e : s.exemptions) exemptions.push_back({{"property", e.property}, {"reason", e.reason}});
    list.push_back({{"name", s.name},
                    {"title", s.title},
                    {"source", s.source},
                    {"integrator", s.integrator},
                    {"order", s.order},
                    {"chains", s.chains},
                    {"rings", s.rings},
                    {"nets", s.nets},
                    {"notes", s.notes},
                    {"symmetry_tolerance", s.symmetry_tolerance},
                    {"exemptions", exemptions}});
  }
  fmt::print("{}\n", list.dump(2));
  return done;
}

ExitStatus print_table() {
  std::vector<TableRow> rows{{"METHOD", "CHAINS", "RINGS", "NETS", "INTEGRATOR", "WHAT IT IS"}};
  for (const SolverInfo& s : solver_table()) {
    rows.push_back({s.name, yes_or_no(s.chains), yes_or_no(s.rings), yes_or_no(s.nets), s.integrator, s.title});
  }
  fmt::print("{}", aligned(rows));
  for (const SolverInfo& s : solver_table()) {
    fmt::print("\n{}: {}\n", s.name, s.source);
    if (!s.notes.empty()) fmt::print("  {}\n", s.notes);
    fmt::print("  a scene moved, turned or mirrored gives the same to {:.0e} of the length\n", s.symmetry_tolerance);
    for (const Exemption& e : s.exemptions) fmt::print("  does not keep `{}`: {}\n", e.property, e.reason);
  }
  return done;
}

}  // namespace

void add_solvers(CLI::App& app, Action& chosen) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("solvers", "List the methods and what each supports");
  command->add_flag("--json", *json, "Print the table as JSON on stdout");
  command->footer("Example:\n  writhe solvers --json");
  command->callback([json, &chosen] { chosen = [json] { return *json ? print_json() : print_table(); }; });
}

}  // namespace writhe::cli
