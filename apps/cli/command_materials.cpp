// writhe materials: the materials that a scene may name without giving their numbers, and where the numbers come from.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "messages.h"
#include "model/material_presets.h"
#include "output/page.h"
#include "text_table.h"

namespace writhe::cli {

namespace {

using nlohmann::ordered_json;

ordered_json to_json(const MaterialPreset& preset) {
  const Material& m = preset.material;
  ordered_json out{{"name", m.name}, {"young", m.young}, {"density", m.density}};
  if (m.poisson) out["poisson"] = *m.poisson;
  if (m.shear) out["shear"] = *m.shear;
  out.update({{"what", preset.what}, {"source", preset.source}, {"note", preset.note}});
  return out;
}

ExitStatus print_json() {
  ordered_json list = ordered_json::array();
  for (const MaterialPreset& preset : material_presets()) list.push_back(to_json(preset));
  print("{}\n", output::text_of(list, 2));
  return done;
}

std::string given(const std::optional<double>& value) { return value ? fmt::format("{:g}", *value) : "-"; }

ExitStatus print_table() {
  std::vector<TableRow> rows{{"MATERIAL", "YOUNG Pa", "POISSON", "SHEAR Pa", "DENSITY kg/m^3", "STANDS FOR"}};
  for (const MaterialPreset& preset : material_presets()) {
    const Material& m = preset.material;
    rows.push_back({m.name, given(m.young), given(m.poisson), given(m.shear), given(m.density), preset.what});
  }
  print("{}", aligned(rows));
  for (const MaterialPreset& preset : material_presets()) {
    print("\n{}: {}\n", preset.material.name, preset.source);
    if (!preset.note.empty()) print("  {}\n", preset.note);
  }
  return done;
}

}  // namespace

void add_materials(const Command& app, Action& chosen) {
  const auto json = std::make_shared<bool>(false);
  const Command command = app.add_subcommand("materials", "List the materials that a scene may name, with their sources");
  command.add_flag("--json", *json, "Print the table as JSON on stdout");
  command.footer(
      "Examples, in a scene:\n"
      "  material: steel                                     for a rod\n"
      "  materials: {wire: {preset: steel, density: 7800}}   to start from it");
  command.callback([json, &chosen] { chosen = [json] { return *json ? print_json() : print_table(); }; });
}

}  // namespace writhe::cli
