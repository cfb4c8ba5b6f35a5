// writhe run SCENE: simulate and write the results.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/open_file.h"
#include "commands.h"
#include "interrupt.h"
#include "messages.h"
#include "model/extent.h"
#include "model/format_names.h"
#include "output/checkpoint_file.h"
#include "output/replay.h"
#include "output/run_record.h"
#include "output/sink_summary.h"
#include "output/sink_watch.h"
#include "output/statics_tables.h"
#include "output_folder.h"
#include "progress.h"
#include "scene_command.h"
#include "text_table.h"
#include "writhe/simulation.h"

namespace writhe::cli {

namespace {

struct RunOptions : SceneOptions {
  std::string solver, until, dt;  // empty: as the scene says
  int threads = 0;
  std::optional<std::string> resume;  // empty: the checkpoint of the output folder, if it has one
  std::optional<std::string> html;    // file of the page that plays the run
  bool timings = false;
  bool watch_topology = false;
};

// What a run came to.
struct Outcome {
  output::SummarySink::Outcome kind = output::SummarySink::Outcome::finished;
  StepReport last;
  long steps = 0, unconverged = 0;
  double left_over = -1, drift = -1;  // m, largest of a step; -1: not told
  std::optional<RestError> rest;      // where it came to rest
  std::optional<output::PassThrough> passed;
  double simulated = 0;  // s
  double wall_seconds = 0;
  StageTimes stages;  // of all steps; zeros without --timings
};

std::vector<ShortOption> short_options(const RunOptions& options) {
  return {{"--solver", "solver.method", options.solver},
          {"--dt", "time.dt", options.dt},
          {"--until", "time.until", until_settled(options.until) ? "" : options.until}};
}

Simulation make_simulation(const RunOptions& options) {
  return with_scene(options, short_options(options), [&](Scene scene) {
    std::vector<std::string>& formats = scene.output.formats;
    if (options.html && std::find(formats.begin(), formats.end(), "html") == formats.end()) formats.emplace_back("html");
    return Simulation(Model(std::move(scene)), {options.threads, options.timings});
  });
}

std::filesystem::path run_path(const RunOptions& options) {
  if (!options.out.empty() || !options.resume || options.resume->empty()) return output_path(options);
  const std::filesystem::path origin = *options.resume;
  std::error_code error;
  return std::filesystem::is_directory(origin, error) ? origin : origin.has_parent_path() ? origin.parent_path() : ".";
}

// The checkpoint to go on from.
struct Origin {
  std::filesystem::path file;
  std::string bytes;
  bool same_folder = false;  // the files of that run are continued
};

std::optional<Origin> origin_of(const RunOptions& options) {
  if (!options.resume) return std::nullopt;
  const std::filesystem::path own = OutputFolder::checkpoint_in(run_path(options));
  std::error_code error;
  const bool none = std::filesystem::symlink_status(own, error).type() == std::filesystem::file_type::not_found;
  if (options.resume->empty() && none) return std::nullopt;  // nothing yet: from the start
  Origin origin;
  origin.file = options.resume->empty() ? own : std::filesystem::path(*options.resume);
  if (std::filesystem::is_directory(origin.file, error)) origin.file = OutputFolder::checkpoint_in(origin.file);
  origin.bytes = output::read_checkpoint(origin.file);
  origin.same_folder = std::filesystem::equivalent(origin.file, own, error) && !error;
  return origin;
}

// A page of that name was written by the part of the run that this one goes on from.
bool continues_page(const std::filesystem::path& page, const std::optional<Origin>& origin) {
  if (!origin || !origin->same_folder) return false;
  std::error_code error;
  const std::filesystem::path record = OutputFolder::record_in(origin->file.parent_path());
  if (!std::filesystem::exists(record, error)) return false;
  return output::read_run_record(record).page == std::filesystem::absolute(page).lexically_normal();
}

// Before anything is simulated.
void check_page(const RunOptions& options, const std::optional<Origin>& origin,
                const std::vector<std::filesystem::path>& inputs) {
  if (!options.html) return;
  output::check_replay_page();
  const std::filesystem::path page = *options.html;
  const std::filesystem::path folder = page.has_parent_path() ? page.parent_path() : ".";
  std::error_code error;
  const auto refuse = [&](const std::string& message) { throw Error("--html", page.string(), message); };
  if (!page.has_filename() || std::filesystem::is_directory(page, error)) refuse("is a folder; name a file, such as run.html");
  if (!std::filesystem::is_directory(folder, error)) refuse("its folder does not exist; make it, or choose another one");
  const bool there = std::filesystem::symlink_status(page, error).type() != std::filesystem::file_type::not_found;
  for (const std::filesystem::path& input : inputs)
    if (there && std::filesystem::equivalent(page, input, error)) refuse("is what this run reads; choose another name");
  if (there && !options.force && !continues_page(page, origin))
    refuse("exists; choose another name, or add --force to replace it");
  if (const std::string reason = why_no_file_here(page); !reason.empty()) refuse(reason + "; choose another name");
}

OutputFolder::Use use_of(const RunOptions& options, const std::optional<Origin>& origin) {
  if (origin && origin->same_folder) return OutputFolder::Use::keep;
  if (options.force) return OutputFolder::Use::replace;
  return options.resume && options.resume->empty() ? OutputFolder::Use::fresh_to_resume : OutputFolder::Use::fresh;
}

Outcome simulate(Simulation& simulation, output::CheckpointFile& checkpoint, const RunOptions& options,
                 const InterruptGuard& interrupt, const output::TopologyWatch& watch) {
  const double until = simulation.model().scene().until;
  Outcome outcome;
  Progress progress(simulation.state().time, until_settled(options.until) ? std::nullopt : std::optional(until), !options.quiet);
  const auto go_on = [&](const StepReport& report) {
    ++outcome.steps;
    outcome.stages += report.stages;
    if (!report.converged) ++outcome.unconverged;
    outcome.left_over = std::max(outcome.left_over, report.left_over.value_or(-1));
    outcome.drift = std::max(outcome.drift, report.drift.value_or(-1));
    progress.update(report);
    checkpoint.update(simulation);
    return !interrupt.raised() && !watch.found();
  };
  const auto start = std::chrono::steady_clock::now();
  const double time_start = simulation.state().time;
  outcome.last = until_settled(options.until) ? simulation.settle({}, go_on) : simulation.run(until, go_on);
  outcome.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.simulated = simulation.state().time - time_start;
  if (!outcome.last.accepted()) outcome.stages += outcome.last.stages;
  const bool arrived = until_settled(options.until) ? simulation.at_rest() : !(outcome.last.time < until);
  outcome.passed = watch.found();
  const bool in_a_step = outcome.last.status == StepStatus::stopped;
  if ((!outcome.last.accepted() && !in_a_step) || outcome.passed)
    outcome.kind = output::SummarySink::Outcome::failed;
  else if (interrupt.raised() && !arrived)
    outcome.kind = output::SummarySink::Outcome::interrupted;
  if (until_settled(options.until) && simulation.at_rest()) outcome.rest = simulation.error_at_rest();
  return outcome;
}

std::string cause_of_end(const Outcome& outcome, const Model& model) {
  switch (outcome.kind) {
    case output::SummarySink::Outcome::failed:
      if (outcome.passed) return text_of(model, *outcome.passed);
      return fmt::format("step of {:.6g} s at t = {:.6g} s: {}", outcome.last.dt, outcome.last.time,
                         where_and_why(model, outcome.last.rod, outcome.last.node, outcome.last.cause));
    case output::SummarySink::Outcome::interrupted:
      return "stopped by a signal";
    default:
      return {};
  }
}

// The cause says what to try.
void print_failure(const Outcome& outcome, const Simulation& simulation, const OutputFolder& folder) {
  const double time = simulation.state().time;
  if (outcome.kind == output::SummarySink::Outcome::interrupted) {
    tell("writhe: interrupted at t = {:.6g} s; outputs in {} are complete up to there, --resume goes on\n", time,
         folder.path().string());
    return;
  }
  const Model& model = simulation.model();
  tell("writhe: failed: {}\n", cause_of_end(outcome, model));
  if (!model.scene().halves_steps() && !outcome.last.shorter_helps && outcome.last.cause.find("time.dt") != std::string::npos)
    tell("writhe: time.adaptive: true takes shorter steps where they are needed\n");
  tell(
      "writhe: outputs in {} are complete up to t = {:.6g} s; checkpoint.writhe holds that state, --resume goes on "
      "from it\n",
      folder.path().string(), time);
}

// What steps of bounded cost leave over. Iterations that ran out matter where they show.
void print_left_over(const Outcome& outcome, const Model& model) {
  constexpr double shows = 3e-4;  // of the length: a third of what would, since such an estimate may be that much too small
  const std::string used_up = outcome.unconverged == 0
                                  ? std::string()
                                  : fmt::format("{} of them used up solver.pd.iterations ({}) before they met solver.tolerance",
                                                outcome.unconverged, model.scene().solver.pd.iterations);
  if (outcome.drift < 0) {
    if (!used_up.empty()) print("{}; more iterations or shorter steps leave less over\n", used_up);
    return;
  }
  const double part = outcome.drift / longest_rod(model);
  if (!used_up.empty())
    print("{}; the largest may be off by {:.2g} m, the motion by {:.2g} m in all\n", used_up, outcome.left_over, outcome.drift);
  if (part > shows)
    tell(
        "writhe: the motion may be off by about {:.2g} m, {:.2g} % of the rod's length, because of what steps of pd leave over; "
        "{}\n",
        outcome.drift, 100 * part,
        used_up.empty() ? "take a smaller solver.tolerance" : "take more solver.pd.iterations, or shorter steps");
}

void print_rest(const RestError& rest) {
  if (!rest.metres)
    print("how far the equilibrium is cannot be told: {}\n", rest.cause);
  else if (rest.unstable > 0)
    print("the equilibrium, {:.2g} m away, is not stable: {} from there; a small push will show where it goes\n", *rest.metres,
          rest.unstable == 1 ? "a motion grows" : fmt::format("{} motions grow", rest.unstable));
  else
    print("the equilibrium is {:.2g} m away, as forces and stiffness tell\n", *rest.metres);
}

void print_results(const Outcome& outcome, const Simulation& simulation, const OutputFolder& folder, const RunOptions& options) {
  const double time = simulation.state().time;
  if (until_settled(options.until)) {
    print("at rest after {} steps in {:.3g} s\n", outcome.steps, outcome.wall_seconds);
  } else {
    print("t = {:.6g} s after {} steps in {:.3g} s ({:.3g} times real time)\n", time, outcome.steps, outcome.wall_seconds,
          outcome.simulated / outcome.wall_seconds);
  }
  if (outcome.rest) print_rest(*outcome.rest);
  if (!until_settled(options.until)) print_left_over(outcome, simulation.model());
  print_files(folder);
  std::error_code error;
  if (options.html)
    print("{}: plays the run in a browser ({:.2g} MB)\n", *options.html,
          1e-6 * static_cast<double>(std::filesystem::file_size(*options.html, error)));
}

// Where the time of the steps went. A run of no steps has nothing to tell.
void print_timings(const Outcome& outcome) {
  if (outcome.steps == 0) return;
  std::vector<TableRow> rows = {{"stage", "of the time", "us a step"}};
  const auto add = [&](const char* name, double seconds) {
    rows.push_back({name, fmt::format("{:5.1f} %", 100 * seconds / outcome.wall_seconds),
                    fmt::format("{:.3g}", 1e6 * seconds / static_cast<double>(outcome.steps))});
  };
  double rest = outcome.wall_seconds;
  StageTimes::visit(
      [&](const char* name, double seconds) {
        add(name, seconds);
        rest -= seconds;
      },
      outcome.stages);
  add("besides", rest);
  print("{}", aligned(rows));
}

void print_origin(const Simulation& simulation, const Origin& origin, const OutputFolder& folder) {
  tell("writhe: goes on at t = {:.6g} s from {}\n", simulation.state().time, origin.file.string());
  if (!origin.same_folder) return;
  const std::vector<std::string>& wanted = simulation.model().scene().output.formats;
  for (const std::string& format : format_names()) {
    if (std::find(wanted.begin(), wanted.end(), format) != wanted.end() || !folder.has_format(format)) continue;
    tell("writhe: output.formats: {} is in the folder and not in this run; its files end here\n", format);
  }
}

// Going back in time would leave results that no run has.
void check_end(const Simulation& simulation, const Origin& origin, const RunOptions& options) {
  const double time = simulation.state().time, until = simulation.model().scene().until;
  if (until_settled(options.until) || until >= time * (1 - 1e-12)) return;
  throw Error("--resume", origin.file.string(),
              fmt::format("is at t = {:.6g} s, past the end of the run at {:.6g} s; give a later --until", time, until));
}

ExitStatus run_and_record(Simulation& simulation, const OutputFolder& folder, bool continues, const RunOptions& options) {
  const InterruptGuard interrupt(  // until the files are written
      "writhe: stopped at once; --resume goes on from the last checkpoint.writhe, and puts right what is not complete\n");
  output::CheckpointFile checkpoint(folder.checkpoint(), simulation.model().scene().output.checkpoint);
  if (!continues) checkpoint.write(simulation);  // the first file of a run: where it is missing, there is none to go on from
  const std::vector<std::string> overrides = Overrides(options.overrides, short_options(options)).texts();
  output::write_run_record(folder.record(), output::run_record(options.scene, overrides, options.html.value_or("")));
  output::SummarySink summary(folder.summary(), version_text());
  const std::vector<std::unique_ptr<Sink>> sinks = result_sinks(simulation.model().scene(), folder, options.html.value_or(""));
  for (const std::unique_ptr<Sink>& sink : sinks) simulation.add_sink(*sink);
  simulation.add_sink(summary);
  output::TopologyWatch watch;
  if (options.watch_topology) simulation.add_sink(watch);

  simulation.stop_when([&interrupt] { return interrupt.raised(); });
  Outcome outcome = simulate(simulation, checkpoint, options, interrupt, watch);
  if (outcome.passed) {
    outcome.passed->step = summary.steps();  // those of the runs before it too
    summary.set_pass_through(*outcome.passed);
  }
  checkpoint.write(simulation);
  summary.set_outcome(outcome.kind, cause_of_end(outcome, simulation.model()));
  if (options.timings) summary.set_stages(outcome.stages);
  if (outcome.rest) summary.set_rest(*outcome.rest);
  // First, and again with all others: what they still have to write may take longer than a run that is stopped is given.
  if (outcome.kind != output::SummarySink::Outcome::finished) summary.end(simulation.model(), simulation.state());
  simulation.finish();
  output::write_resultants(folder.resultants(), simulation.model(), simulation.state());

  const bool finished = outcome.kind == output::SummarySink::Outcome::finished;
  tell_of_overlaps(simulation.model(), summary.overlaps());
  if (!finished) print_failure(outcome, simulation, folder);
  if (options.json) print_file(folder.summary());
  if (finished && !options.json && !options.quiet) print_results(outcome, simulation, folder, options);
  if (options.timings && !options.json && !options.quiet) print_timings(outcome);
  return finished ? done : failed;
}

ExitStatus run(const RunOptions& options) {
  check_until(options.until);
  Simulation simulation = make_simulation(options);
  const std::optional<Origin> origin = origin_of(options);
  std::vector<std::filesystem::path> inputs = input_files(options.scene, simulation.model().scene());
  if (origin && !origin->same_folder) inputs.push_back(origin->file);
  check_page(options, origin, inputs);
  if (origin) {
    simulation.restore(origin->bytes, origin->file.string(), origin->same_folder);
    check_end(simulation, *origin, options);
  }
  const OutputFolder folder(run_path(options), use_of(options, origin), inputs);
  if (origin && !options.quiet) print_origin(simulation, *origin, folder);
  if (!origin) tell_of_start(simulation.model());
  try {
    return run_and_record(simulation, folder, origin && origin->same_folder, options);
  } catch (const Error& error) {
    // The scene was good: what goes wrong from here on (a full disk) is a failed run.
    tell("writhe: {}\n", error.what());
    return failed;
  }
}

}  // namespace

void add_run(const Command& app, Action& chosen) {
  const auto options = std::make_shared<RunOptions>();
  const Command command =
      app.add_subcommand("run", "Simulate a scene and write summary.json, probes.csv, pictures and a checkpoint");
  add_scene(command, *options);
  command.add_option("--solver", options->solver, "Method, see `writhe solvers` (sets solver.method)").type_name("METHOD");
  command.add_option("--until", options->until, "Simulated time to stop at, or `settled` to run until at rest (sets time.until)")
      .type_name("SECONDS");
  command.add_option("--dt", options->dt, "Time step (sets time.dt)").type_name("SECONDS");
  command.add_option("--threads", options->threads, "Threads; 0 means all cores. The result does not depend on it")
      .within(0, 4096)
      .type_name("N");
  command
      .add_option(
          "--resume", options->resume,
          "Go on from a checkpoint.writhe (or the folder that has one); without FILE from that of the output folder, or from "
          "the start when there is none yet")
      .type_name("[FILE]")
      .value_may_be_left_out();
  command.add_option("--html", options->html, "Also write a page that plays the run in any browser, in one file")
      .type_name("FILE");
  command.add_flag("--timings", options->timings, "Also tell which stages of the steps took how long");
  command.add_flag("--watch-topology", options->watch_topology,
                   "Stop where a rod goes through another or itself, and tell when and where");
  add_output_options(command, *options);
  command.footer(
      "Examples:\n"
      "  writhe run scenes/cantilever.yaml\n"
      "  writhe run scenes/spring.yaml --html spring.html\n"
      "  writhe run scenes/cantilever.yaml --until settled --out out/rest\n"
      "  writhe run scenes/cantilever.yaml --dt 5e-4 --set rods.cord.segments=200 --force\n"
      "  writhe run scenes/cantilever.yaml --until 10 --resume\n"
      "\n"
      "Ctrl-C stops after the current step and leaves complete results up to there; --resume goes on with the same bits.");
  command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace writhe::cli
