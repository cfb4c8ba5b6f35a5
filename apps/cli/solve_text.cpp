#include "solve_text.h"

#include <vector>

#include <fmt/format.h>

#include "model/labels.h"
#include "scene_command.h"
#include "text_table.h"

namespace writhe::cli {

namespace {

std::string plural(int count, const char* word) { return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s"); }

std::string negative_text(int count) { return plural(count, "negative eigenvalue"); }

std::string balance_text(const output::StaticResult& result) {
  const Stability& stability = *result.stability;
  std::string text(output::text_of(stability.balance));
  // loads that turn with the rod: there may be more
  const std::string examined =
      stability.examined > 0 ? fmt::format(" of the {} lowest eigenvalues", stability.examined) : std::string();
  if (stability.balance != Balance::unstable) return text + (examined.empty() ? "" : " by" + examined.substr(3));
  text += stability.examined > 0 ? fmt::format(", {}{}", stability.negative, examined) : ", " + negative_text(stability.negative);
  if (!result.fastest) return text;
  if (result.fastest->frequency > 0) text += fmt::format(", flutters at {:.4g} Hz", result.fastest->frequency);
  return text + fmt::format(", grows as exp({:.4g} t/s)", result.fastest->growth);
}

// growing: loads turn with the rod, and eigenvalues that are not positive may be complex
std::string crossing_text(const Crossing& crossing, bool growing) {
  const char* what = crossing.before == 0               ? "becomes unstable"
                     : crossing.after == 0              ? "becomes stable again"
                     : crossing.after > crossing.before ? "becomes more unstable"
                                                        : "becomes less unstable";
  const std::string eigenvalues = growing ? plural(crossing.after, "growing eigenvalue") : negative_text(crossing.after);
  const std::string count = crossing.after > 0 ? ", " + eigenvalues : "";
  return fmt::format("{} at {}{}", what, where_on_path(crossing.load, crossing.time), count);
}

std::string cell(double value) { return fmt::format("{:.5g}", value); }

std::string reactions_table(const Model& model, const std::vector<Reaction>& reactions) {
  const std::vector<std::string> names = support_labels(model.scene());
  std::vector<TableRow> rows{{"REACTION", "Fx N", "Fy N", "Fz N", "Mx N m", "My N m", "Mz N m"}};
  for (const Reaction& r : reactions) {
    rows.push_back({names[r.support], cell(r.force.x), cell(r.force.y), cell(r.force.z)});
    if (model.supports()[r.support].frame < 0) continue;
    for (const double value : {r.moment.x, r.moment.y, r.moment.z}) rows.back().push_back(cell(value));
  }
  return aligned(rows);
}

std::string modes_table(const std::vector<Mode>& modes) {
  std::vector<TableRow> rows{{"MODE", "FREQUENCY Hz", "PERIOD s", "GROWTH 1/s"}};
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double rate = modes[i].growth;
    const bool swings = modes[i].frequency > 0;
    rows.push_back({std::to_string(i + 1), swings ? cell(modes[i].frequency) : "-", swings ? cell(1 / modes[i].frequency) : "-",
                    rate != 0 ? cell(rate) : "-"});
  }
  return aligned(rows);
}

}  // namespace

std::string where_on_path(double load, double time) {
  if (time > 0) return load == 1 ? fmt::format("t = {:.6g} s", time) : fmt::format("t = {:.6g} s, load {:.6g}", time, load);
  return load == 1 ? "full load" : fmt::format("load {:.6g}", load);
}

std::string cause_of(const Model& model, const StaticReport& report) {
  if (report.converged()) return {};
  if (report.status == StaticStatus::interrupted) return "stopped by a signal";
  return where_and_why(model, report.rod, report.node, report.cause);
}

std::string result_text(const Model& model, const output::StaticResult& result) {
  const StaticReport& report = result.report;
  if (!result.stability) return "no equilibrium was found\n";
  std::string out = fmt::format("equilibrium at {}: {}\n", where_on_path(report.load, report.time), balance_text(result));
  for (const std::string& motion : result.stability->neutral) out += fmt::format("  neutral: {}\n", motion);
  constexpr std::size_t most = 8;
  const std::size_t shown = report.crossings.size() <= most ? report.crossings.size() : most / 2;
  for (std::size_t i = 0; i < shown; ++i)
    out += fmt::format("  {}\n", crossing_text(report.crossings[i], result.stability->examined > 0));
  if (shown < report.crossings.size()) out += fmt::format("  {} more in summary.json\n", report.crossings.size() - shown);
  if (report.jumps > 0)
    out += fmt::format("  jumped {}: nothing was in equilibrium near the path\n", plural(report.jumps, "time"));
  if (report.perturbed > 0) out += fmt::format("  left an unstable equilibrium {}\n", plural(report.perturbed, "time"));
  out += fmt::format("{}, {}, {:.3g} s, residual {:.2e} N (limit {:.2e} N)\n", plural(report.points, "point"),
                     plural(report.iterations, "iteration"), result.wall_seconds, report.residual, report.residual_limit);
  const Energies& energies = result.energies;
  out += fmt::format("energies: stretch and shear {:.5g} J, bend and twist {:.5g} J, gravity {:.5g} J", energies.stretch_shear,
                     energies.bend_twist, energies.gravity);
  out += model.links().empty() ? "\n" : fmt::format(", links {:.5g} J\n", energies.links);
  if (!result.reactions.empty()) out += "\n" + reactions_table(model, result.reactions);
  if (!result.modes.empty()) out += "\n" + modes_table(result.modes);
  return out + "\n";
}

}  // namespace writhe::cli
