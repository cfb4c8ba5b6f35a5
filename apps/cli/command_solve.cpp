// writhe solve SCENE: equilibrium without time stepping, and whether it is stable.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "contact/thinning.h"
#include "interrupt.h"
#include "messages.h"
#include "output/checkpoint_file.h"
#include "output/frame_store.h"
#include "output/run_record.h"
#include "output/statics_path.h"
#include "output/statics_summary.h"
#include "output/statics_tables.h"
#include "output_folder.h"
#include "progress.h"
#include "scene_command.h"
#include "solve_text.h"
#include "writhe/statics.h"

namespace writhe::cli {

namespace {

struct SolveOptions : SceneOptions {
  std::string until;  // empty: when the last ramp or motion has ended
  std::string from;   // checkpoint to begin at, or its folder; empty: the rods as built
  int modes = 0;
  bool arclength = false, perturb = false;
};

std::vector<ShortOption> short_options(const SolveOptions& options) { return {{"--until", "time.until", options.until}}; }

Statics make_statics(const SolveOptions& options) {
  return with_scene(options, short_options(options), [&](Scene scene) {
    Model model(scene);
    if (!options.until.empty()) return Statics(std::move(model));
    scene.until = contact::last_change(model);  // over which strip.svg spreads its shapes; a bad one of the scene has been told
    return Statics(Model(std::move(scene)));
  });
}

StaticReport follow_path(Statics& statics, output::PathFile& path, const SolveOptions& options, const InterruptGuard& interrupt) {
  StatusLine line(!options.quiet);
  int points = 0;
  StaticOptions settings;
  settings.until = statics.model().scene().until;
  settings.near_state = !options.from.empty();
  settings.arclength = options.arclength;
  settings.perturb = options.perturb;
  settings.go_on = [&](const StaticPoint& point) {
    ++points;
    path.add({statics.model(), statics.state(), point, statics.energies(), statics.reactions()});
    return !interrupt.raised();
  };
  settings.iterating = [&](const StaticIteration& at) {
    if (line.due())
      line.draw(fmt::format("{}: point {}, iteration {}, residual {:.1e} N of {:.1e} N", where_on_path(at.load, at.time),
                            points + 1, at.iterations + 1, at.residual, at.residual_limit));
    return !interrupt.raised();
  };
  return statics.solve(settings);
}

// What there is to say of the last equilibrium, but for its modes.
output::StaticResult examine(const Statics& statics, StaticReport report) {
  output::StaticResult result;
  result.report = std::move(report);
  result.energies = statics.energies();
  result.overlaps = contact::ignored_overlaps(statics.model(), statics.state());
  if (result.report.points == 0) return result;
  result.stability = statics.stability();
  result.reactions = statics.reactions();
  return result;
}

void add_modes(const Statics& statics, int count, const InterruptGuard& interrupt, output::StaticResult& result) {
  if (!result.stability) return;
  const bool unstable = result.stability->balance == Balance::unstable;
  if (count == 0 && !unstable) return;
  try {
    std::vector<Mode> lowest =
        statics.modes(std::max({count, 1, result.stability->examined}), [&interrupt] { return !interrupt.raised(); });
    const auto slower = [](const Mode& a, const Mode& b) { return a.growth < b.growth; };
    const auto fastest = std::max_element(lowest.begin(), lowest.end(), slower);
    if (unstable && fastest != lowest.end() && fastest->growth > 0) result.fastest = *fastest;
    lowest.resize(std::min(lowest.size(), static_cast<std::size_t>(count)));
    result.modes = std::move(lowest);
  } catch (const Error& error) {
    result.modes_cause = error.what();  // the equilibrium is found, and written
  }
}

void print_failure(const Statics& statics, const StaticReport& report, const OutputFolder& folder) {
  const std::string where = where_on_path(report.load, report.time);
  if (report.status == StaticStatus::interrupted)
    tell("writhe: interrupted at {}\n", where);
  else
    tell("writhe: failed: {}\n", cause_of(statics.model(), report));
  const std::string what =
      report.points > 0 ? "the last equilibrium, at " + where : std::string("the initial state; no equilibrium was found");
  tell("writhe: outputs in {} hold {}\n", folder.path().string(), what);
}

// For `writhe render`: what was solved and, where no format has kept the path, its end.
void keep_end(const Statics& statics, const OutputFolder& folder, const SolveOptions& options) {
  output::write_run_record(folder.record(),
                           output::run_record(options.scene, Overrides(options.overrides, short_options(options)).texts()));
  std::error_code error;
  if (std::filesystem::exists(folder.frames(), error)) return;
  const State& state = statics.state();
  output::FrameStore store = output::FrameStore::create(folder.frames(), output::FrameStore::counts_of(state));
  store.append(state);
  store.flush();
}

void write_results(const Statics& statics, const output::StaticResult& result, const OutputFolder& folder, int modes) {
  const Model& model = statics.model();
  output::write_resultants(folder.resultants(), model, statics.state());
  if (modes > 0) output::write_modes(folder.modes(), model, statics.state(), result.modes);
  output::write_static_summary(folder.summary(), version_text(), cause_of(model, result.report), model, statics.state(), result);
}

ExitStatus solve_and_record(Statics& statics, const OutputFolder& folder, const SolveOptions& options) {
  const InterruptGuard interrupt(  // until the files are written
      "writhe: stopped at once; path.csv holds the equilibria that were found\n");
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::unique_ptr<Sink>> sinks = result_sinks(statics.model().scene(), folder);
  for (const std::unique_ptr<Sink>& sink : sinks) statics.add_sink(*sink);
  output::PathFile path(folder.static_path(), statics.model());
  output::StaticResult result = examine(statics, follow_path(statics, path, options, interrupt));
  const auto write = [&] {
    result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    write_results(statics, result, folder, options.modes);
  };
  path.close();
  keep_end(statics, folder, options);
  if (options.modes > 0) write();  // they may take long
  add_modes(statics, options.modes, interrupt, result);
  write();

  const bool converged = result.report.converged() && result.modes_cause.empty();
  tell_of_overlaps(statics.model(), result.overlaps);
  if (!result.report.converged()) print_failure(statics, result.report, folder);
  if (!result.modes_cause.empty()) tell("writhe: {}\n", result.modes_cause);
  if (options.json) print_file(folder.summary());
  if (!options.json && !options.quiet) {
    if (result.stability) print("{}", result_text(statics.model(), result));
    if (converged) print_files(folder);
  }
  return converged ? done : failed;
}

// What is wrong with a checkpoint, said of the option by which it came.
void restore(Statics& statics, const std::filesystem::path& file) {
  try {
    statics.restore(output::read_checkpoint(file), file.string());
  } catch (const Error& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems)
      if (problem.field == "--resume") problem.field = "--from";
    throw Error(std::move(problems));
  }
}

// The file of the checkpoint.
std::filesystem::path begin_from(Statics& statics, const SolveOptions& options) {
  std::filesystem::path file = options.from;
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) file = OutputFolder::checkpoint_in(file);
  restore(statics, file);
  const double time = statics.state().time, until = statics.model().scene().until;
  if (!options.until.empty() && until < time * (1 - 1e-12))
    throw Error("--from", file.string(),
                fmt::format("is at t = {:.6g} s, past the end of the path at {:.6g} s; give a later --until", time, until));
  return file;
}

ExitStatus solve(const SolveOptions& options) {
  Statics statics = make_statics(options);
  std::vector<std::filesystem::path> inputs = input_files(options.scene, statics.model().scene());
  if (!options.from.empty()) inputs.push_back(begin_from(statics, options));
  const OutputFolder folder(output_path(options), options.force ? OutputFolder::Use::replace : OutputFolder::Use::fresh_once,
                            inputs);
  if (options.from.empty()) tell_of_start(statics.model());
  try {
    return solve_and_record(statics, folder, options);
  } catch (const Error& error) {
    // The scene was good: what goes wrong from here on (a full disk) is a failed solve.
    tell("writhe: {}\n", error.what());
    return failed;
  }
}

}  // namespace

void add_solve(const Command& app, Action& chosen) {
  const auto options = std::make_shared<SolveOptions>();
  const Command command =
      app.add_subcommand("solve", "Find the equilibrium of a scene without time stepping, and whether it is stable");
  add_scene(command, *options);
  command.add_option("--modes", options->modes, "Also the K lowest frequencies and shapes of free vibration")
      .within(1, 10000)
      .type_name("K");
  command.add_flag("--arclength", options->arclength, "Go on beyond a limit point, where the load falls");
  command.add_flag("--perturb", options->perturb, "Leave an unstable equilibrium along its fastest growing motion");
  command
      .add_option("--until", options->until, "Follow supports and ramps to this time (default: until the last of them has ended)")
      .type_name("SECONDS");
  command
      .add_option("--from", options->from,
                  "Begin at the equilibrium near where a run ended: its folder, or a checkpoint.writhe of this scene")
      .type_name("RUN");
  add_output_options(command, *options);
  command.footer(
      "First the loads are put on, in steps of their own choice, unless --from says where to begin; then moving supports, "
      "closing angles and ramps are followed in\n"
      "time, from key to key. The rods are those of newton, whatever solver.method says. Writes summary.json, path.csv (load "
      "and\n"
      "reactions against displacement), resultants.csv (forces and moments along the rods), probes.csv, pictures and the "
      "formats\n"
      "of the scene.\n"
      "\n"
      "Examples:\n"
      "  writhe solve scenes/hanging.yaml\n"
      "  writhe solve scenes/cantilever.yaml --modes 5 --out out/modes\n"
      "  writhe solve scenes/column.yaml --perturb\n"
      "  writhe solve scenes/arch.yaml --arclength\n"
      "  writhe solve scenes/hanging.yaml --from out/hanging --out out/rest\n"
      "\n"
      "Exit status 1 when the path ends early: the loads drive a mechanism, the load reaches a limit point, or no step "
      "converges.\n"
      "The last equilibrium is written then, as it is after Ctrl-C.");
  command.callback([options, &chosen] { chosen = [options] { return solve(*options); }; });
}

}  // namespace writhe::cli
