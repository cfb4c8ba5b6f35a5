// writhe run SCENE: simulate and write the results.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/version.h"
#include "commands.h"
#include "interrupt.h"
#include "io/checkpoint_file.h"
#include "io/sink_formats.h"
#include "io/sink_picture.h"
#include "io/sink_probes.h"
#include "io/sink_summary.h"
#include "output_folder.h"
#include "progress.h"
#include "writhe/load.h"
#include "writhe/simulation.h"

namespace writhe::cli {

namespace {

constexpr const char* settled = "settled";

struct RunOptions {
  std::string scene;
  std::string solver, until, dt;  // empty: as the scene says
  std::vector<std::string> overrides;
  int threads = 0;
  std::string out;                    // empty: out/<scene name>
  std::optional<std::string> resume;  // empty: the checkpoint of the output folder, if it has one
  bool force = false, json = false, quiet = false;
};

// What a run came to.
struct Outcome {
  io::SummarySink::Outcome kind = io::SummarySink::Outcome::finished;
  StepReport last;
  long steps = 0;
  double simulated = 0;  // s
  double wall_seconds = 0;
};

bool until_settled(const RunOptions& options) { return options.until == settled; }

// An option that stands for a value of the scene.
struct ShortOption {
  const char* option;
  const char* key;
  const std::string& value;
};

std::vector<ShortOption> short_options(const RunOptions& options) {
  static const std::string none;
  return {{"--solver", "solver.method", options.solver},
          {"--dt", "time.dt", options.dt},
          {"--until", "time.until", until_settled(options) ? none : options.until}};
}

// A problem with an option is told of the option, not of the --set it stands for.
Simulation make_simulation(const RunOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  std::map<std::string, std::string> told_as;
  for (const auto& [option, key, value] : short_options(options)) {
    if (value.empty()) continue;
    overrides.push_back(fmt::format("{}={}", key, value));
    told_as["--set " + overrides.back()] = fmt::format("{} {}", option, value);
  }
  try {
    return Simulation(Model(load_scene(options.scene, overrides)), {options.threads});
  } catch (const Error& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) {
      const auto option = told_as.find(problem.where.file);
      if (option != told_as.end()) problem.where.file = option->second;
    }
    throw Error(std::move(problems));
  }
}

std::filesystem::path output_path(const RunOptions& options) {
  if (!options.out.empty()) return options.out;
  if (options.resume && !options.resume->empty()) {
    const std::filesystem::path origin = *options.resume;
    std::error_code error;
    return std::filesystem::is_directory(origin, error) ? origin : origin.has_parent_path() ? origin.parent_path() : ".";
  }
  return std::filesystem::path("out") / std::filesystem::path(options.scene).stem();
}

// The checkpoint to go on from.
struct Origin {
  std::filesystem::path file;
  std::string bytes;
  bool same_folder = false;  // the files of that run are continued
};

std::optional<Origin> origin_of(const RunOptions& options) {
  if (!options.resume) return std::nullopt;
  const std::filesystem::path own = OutputFolder::checkpoint_in(output_path(options));
  std::error_code error;
  const bool none = std::filesystem::symlink_status(own, error).type() == std::filesystem::file_type::not_found;
  if (options.resume->empty() && none) return std::nullopt;  // nothing yet: from the start
  Origin origin;
  origin.file = options.resume->empty() ? own : std::filesystem::path(*options.resume);
  if (std::filesystem::is_directory(origin.file, error)) origin.file = OutputFolder::checkpoint_in(origin.file);
  origin.bytes = io::read_checkpoint(origin.file);
  origin.same_folder = std::filesystem::equivalent(origin.file, own, error) && !error;
  return origin;
}

OutputFolder::Use use_of(const RunOptions& options, const std::optional<Origin>& origin) {
  if (origin && origin->same_folder) return OutputFolder::Use::keep;
  if (options.force) return OutputFolder::Use::replace;
  return options.resume && options.resume->empty() ? OutputFolder::Use::fresh_to_resume : OutputFolder::Use::fresh;
}

Outcome simulate(Simulation& simulation, io::CheckpointFile& checkpoint, const RunOptions& options,
                 const InterruptGuard& interrupt) {
  const double until = simulation.model().scene().until;
  Outcome outcome;
  Progress progress(simulation.state().time, until_settled(options) ? std::nullopt : std::optional(until), !options.quiet);
  const auto go_on = [&](const StepReport& report) {
    ++outcome.steps;
    progress.update(report);
    checkpoint.update(simulation);
    return !interrupt.raised();
  };
  const auto start = std::chrono::steady_clock::now();
  const double time_start = simulation.state().time;
  outcome.last = until_settled(options) ? simulation.settle({}, go_on) : simulation.run(until, go_on);
  outcome.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.simulated = simulation.state().time - time_start;
  const bool arrived = until_settled(options) ? simulation.at_rest() : !(outcome.last.time < until);
  if (!outcome.last.accepted())
    outcome.kind = io::SummarySink::Outcome::failed;
  else if (interrupt.raised() && !arrived)
    outcome.kind = io::SummarySink::Outcome::interrupted;
  return outcome;
}

// "rope.node[12]: cause", as far as the place is known: written as a scene would name it.
std::string where_and_why(const Model& model, const StepReport& report) {
  if (report.rod < 0) return report.cause;
  const std::string& rod = model.rods()[report.rod].name;
  return report.node < 0 ? fmt::format("{}: {}", rod, report.cause)
                         : fmt::format("{}.node[{}]: {}", rod, report.node, report.cause);
}

std::string cause_of(const Outcome& outcome, const Model& model) {
  switch (outcome.kind) {
    case io::SummarySink::Outcome::failed:
      return fmt::format("step of {:.6g} s at t = {:.6g} s: {}", outcome.last.dt, outcome.last.time,
                         where_and_why(model, outcome.last));
    case io::SummarySink::Outcome::interrupted:
      return "stopped by a signal";
    default:
      return {};
  }
}

// The cause says what to try.
void print_failure(const Outcome& outcome, const Simulation& simulation, const OutputFolder& folder) {
  const double time = simulation.state().time;
  if (outcome.kind == io::SummarySink::Outcome::interrupted) {
    fmt::print(stderr, "writhe: interrupted at t = {:.6g} s; outputs in {} are complete up to there, --resume goes on\n", time,
               folder.path().string());
    return;
  }
  const Model& model = simulation.model();
  fmt::print(stderr, "writhe: failed: {}\n", cause_of(outcome, model));
  if (!model.scene().adaptive && outcome.last.cause.find("time.dt") != std::string::npos)
    fmt::print(stderr, "writhe: time.adaptive: true takes shorter steps where they are needed\n");
  fmt::print(stderr,
             "writhe: outputs in {} are complete up to t = {:.6g} s; checkpoint.writhe holds that state, --resume goes on "
             "from it\n",
             folder.path().string(), time);
}

void print_results(const Outcome& outcome, const Simulation& simulation, const OutputFolder& folder, const RunOptions& options) {
  const double time = simulation.state().time;
  if (until_settled(options)) {
    fmt::print("at rest after {} steps in {:.3g} s\n", outcome.steps, outcome.wall_seconds);
  } else {
    fmt::print("t = {:.6g} s after {} steps in {:.3g} s ({:.3g} times real time)\n", time, outcome.steps, outcome.wall_seconds,
               outcome.simulated / outcome.wall_seconds);
  }
  fmt::print("{}: {}\n", folder.path().string(), fmt::join(folder.files(), " "));
}

void print_origin(const Simulation& simulation, const Origin& origin, const OutputFolder& folder) {
  fmt::print(stderr, "writhe: goes on at t = {:.6g} s from {}\n", simulation.state().time, origin.file.string());
  if (!origin.same_folder) return;
  const std::vector<std::string>& wanted = simulation.model().scene().output.formats;
  for (const std::string& format : format_names()) {
    if (std::find(wanted.begin(), wanted.end(), format) != wanted.end() || !folder.has_format(format)) continue;
    fmt::print(stderr, "writhe: output.formats: {} is in the folder and not in this run; its files end here\n", format);
  }
}

// Going back in time would leave results that no run has.
void check_end(const Simulation& simulation, const Origin& origin, const RunOptions& options) {
  const double time = simulation.state().time, until = simulation.model().scene().until;
  if (until_settled(options) || until >= time * (1 - 1e-12)) return;
  throw Error("--resume", origin.file.string(),
              fmt::format("is at t = {:.6g} s, past the end of the run at {:.6g} s; give a later --until", time, until));
}

void print_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::fwrite(text.data(), 1, text.size(), stdout);
}

ExitStatus run_and_record(Simulation& simulation, const OutputFolder& folder, bool continues, const RunOptions& options) {
  const InterruptGuard interrupt;  // until the files are written
  io::CheckpointFile checkpoint(folder.checkpoint(), simulation.model().scene().output.checkpoint);
  if (!continues) checkpoint.write(simulation);  // the first file of a run: where it is missing, there is none to go on from
  io::ProbeSink probes(folder.probes());
  io::SummarySink summary(folder.summary(), fmt::format("{} ({})", version(), version_details()));
  io::PictureSink picture(folder.path());
  const std::vector<std::unique_ptr<Sink>> formats = io::format_sinks(simulation.model().scene(), folder.path());
  simulation.add_sink(probes);
  simulation.add_sink(summary);
  simulation.add_sink(picture);
  for (const std::unique_ptr<Sink>& format : formats) simulation.add_sink(*format);

  const Outcome outcome = simulate(simulation, checkpoint, options, interrupt);
  checkpoint.write(simulation);
  summary.set_outcome(outcome.kind, cause_of(outcome, simulation.model()));
  simulation.finish();

  const bool finished = outcome.kind == io::SummarySink::Outcome::finished;
  if (!finished) print_failure(outcome, simulation, folder);
  if (options.json) print_file(folder.summary());
  if (finished && !options.json && !options.quiet) print_results(outcome, simulation, folder, options);
  return finished ? done : failed;
}

ExitStatus run(const RunOptions& options) {
  Simulation simulation = make_simulation(options);
  const std::optional<Origin> origin = origin_of(options);
  if (origin) {
    simulation.restore(origin->bytes, origin->file.string(), origin->same_folder);
    check_end(simulation, *origin, options);
  }
  const OutputFolder folder(output_path(options), use_of(options, origin));
  if (origin && !options.quiet) print_origin(simulation, *origin, folder);
  try {
    return run_and_record(simulation, folder, origin && origin->same_folder, options);
  } catch (const Error& error) {
    // The scene was good: what goes wrong from here on (a full disk) is a failed run.
    fmt::print(stderr, "writhe: {}\n", error.what());
    return failed;
  }
}

}  // namespace

void add_run(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Simulate a scene and write summary.json, probes.csv, pictures and a checkpoint");
  command->add_option("SCENE", options->scene, "Scene file (YAML or JSON)")->required();
  command->add_option("--solver", options->solver, "Method, see `writhe solvers` (sets solver.method)")->type_name("METHOD");
  command->add_option("--until", options->until, "Simulated time to stop at, or `settled` to run until at rest (sets time.until)")
      ->type_name("SECONDS");
  command->add_option("--dt", options->dt, "Time step (sets time.dt)")->type_name("SECONDS");
  command->add_option("--set", options->overrides, "Override any value of the scene (repeatable)")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option("--threads", options->threads, "Threads; 0 means all cores. The result does not depend on it")
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  command->add_option("--out", options->out, "Folder for the results (default out/<scene name>)")->type_name("DIR");
  command
      ->add_option(
          "--resume", options->resume,
          "Go on from a checkpoint.writhe (or the folder that has one); without FILE from that of the output folder, or from "
          "the start when there is none yet")
      ->type_name("[FILE]")
      ->expected(0, 1);
  command->add_flag("--force", options->force, "Replace the results of an earlier run in that folder");
  command->add_flag("--json", options->json, "Print the summary as JSON on stdout");
  command->add_flag("--quiet", options->quiet, "No progress bar and no closing lines");
  command->footer(
      "Examples:\n"
      "  writhe run scenes/cantilever.yaml\n"
      "  writhe run scenes/cantilever.yaml --until settled --out out/rest\n"
      "  writhe run scenes/cantilever.yaml --dt 5e-4 --set rods.cord.segments=200 --force\n"
      "  writhe run scenes/cantilever.yaml --until 10 --resume\n"
      "\n"
      "Ctrl-C stops after the current step and leaves complete results up to there; --resume goes on with the same bits.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace writhe::cli
