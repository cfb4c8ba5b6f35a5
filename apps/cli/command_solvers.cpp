// writhe solvers: what each method is and supports.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "solvers/solver.h"
#include "text_table.h"

namespace writhe::cli {

namespace {

const char* yes_or_no(bool supported) { return supported ? "yes" : "no"; }

using Json = nlohmann::ordered_json;

Json exemptions_of(const std::vector<Exemption>& exemptions) {
  Json list = Json::array();
  for (const Exemption& e : exemptions) list.push_back({{"property", e.property}, {"reason", e.reason}});
  return list;
}

Json variants_of(const SolverInfo& info) {
  Json list = Json::array();
  for (const SolverVariant& v : info.variants)
    list.push_back({{"name", v.name},
                    {"key", v.key},
                    {"title", v.title},
                    {"chains", v.chains},
                    {"rings", v.rings},
                    {"nets", v.nets},
                    {"exemptions", exemptions_of(v.exemptions)}});
  return list;
}

ExitStatus print_json() {
  Json list = Json::array();
  for (const SolverInfo& s : solver_table()) {
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
                    {"exemptions", exemptions_of(s.exemptions)},
                    {"variants", variants_of(s)}});
  }
  fmt::print("{}\n", list.dump(2));
  return done;
}

void print_exemptions(const std::vector<Exemption>& exemptions, const char* indent) {
  for (const Exemption& e : exemptions) fmt::print("{}does not keep `{}`: {}\n", indent, e.property, e.reason);
}

// "open rods", "open rods and rings", ...
std::string scope(const SolverVariant& v) {
  std::string out;
  for (const auto& [holds, word] : {std::pair{v.chains, "open rods"}, {v.rings, "rings"}, {v.nets, "nets"}})
    if (holds) out += (out.empty() ? "" : ", ") + std::string(word);
  return out;
}

void print_variants(const SolverInfo& info) {
  for (const SolverVariant& v : info.variants) {
    fmt::print("  with `{}`: {}\n", v.key, v.title);
    const bool less = (info.chains && !v.chains) || (info.rings && !v.rings) || (info.nets && !v.nets);
    if (less) fmt::print("    for {} only\n", scope(v));
    print_exemptions(v.exemptions, "    ");
  }
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
    print_exemptions(s.exemptions, "  ");
    print_variants(s);
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
