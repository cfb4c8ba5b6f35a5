// writhe solvers: what each method is and supports.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/names.h"
#include "commands.h"
#include "messages.h"
#include "output/page.h"
#include "solvers/solver.h"
#include "text_table.h"

namespace writhe::cli {

namespace {

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
                    {"field", v.field},
                    {"value", v.value},
                    {"title", v.title},
                    {"features", v.features.names()},
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
                    {"features", s.features.names()},
                    {"notes", s.notes},
                    {"symmetry_tolerance", s.symmetry_tolerance},
                    {"exemptions", exemptions_of(s.exemptions)},
                    {"variants", variants_of(s)}});
  }
  print("{}\n", output::text_of(list, 2));
  return done;
}

void print_exemptions(const std::vector<Exemption>& exemptions, const char* indent) {
  for (const Exemption& e : exemptions) print("{}does not keep `{}`: {}\n", indent, e.property, e.reason);
}

void print_variants(const SolverInfo& info) {
  for (const SolverVariant& v : info.variants) {
    print("  with {}={}: {}\n", v.field, v.value, v.title);
    if (!v.features.has_all(info.features)) print("    for {} only\n", list_of(v.features.names()));
    print_exemptions(v.exemptions, "    ");
  }
}

// Methods and features, crosswise.
void print_matrix() {
  std::vector<TableRow> rows{{"METHOD"}};
  for (const FeatureInfo& feature : all_features()) rows[0].emplace_back(feature.name);
  rows[0].emplace_back("WHAT IT IS");
  for (const SolverInfo& s : solver_table()) {
    TableRow& row = rows.emplace_back(TableRow{s.name});
    for (const FeatureInfo& feature : all_features()) row.emplace_back(s.features.has(feature.feature) ? "yes" : "-");
    row.push_back(s.title);
  }
  print("{}\n", aligned(rows));
  for (const FeatureInfo& feature : all_features()) print("{}: {}\n", feature.name, feature.what);
}

ExitStatus print_table() {
  print_matrix();
  for (const SolverInfo& s : solver_table()) {
    print("\n{}: {}\n", s.name, s.source);
    print("  in time: {}\n", s.integrator);
    if (!s.notes.empty()) print("  {}\n", s.notes);
    print("  a scene moved, turned or mirrored gives the same to {:.0e} of the length\n", s.symmetry_tolerance);
    print_exemptions(s.exemptions, "  ");
    print_variants(s);
  }
  return done;
}

}  // namespace

void add_solvers(const Command& app, Action& chosen) {
  const auto json = std::make_shared<bool>(false);
  const Command command = app.add_subcommand("solvers", "List the methods and what each supports");
  command.add_flag("--json", *json, "Print the table as JSON on stdout");
  command.footer("Example:\n  writhe solvers --json");
  command.callback([json, &chosen] { chosen = [json] { return *json ? print_json() : print_table(); }; });
}

}  // namespace writhe::cli
