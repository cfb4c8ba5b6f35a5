// writhe report: all experiments as one page, kept result by result so that it can be stopped and gone on with.
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/open_file.h"
#include "commands.h"
#include "interrupt.h"
#include "messages.h"
#include "output/page.h"
#include "output/sink_file.h"
#include "output_folder.h"
#include "progress.h"
#include "study/experiment_json.h"
#include "study/provenance.h"
#include "study/registry.h"
#include "study/report.h"
#include "writhe/error.h"

namespace writhe::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using study::Experiment;

struct ReportOptions {
  std::vector<std::string> names;  // empty: all
  std::string out = "out/report";
  bool slow = false, force = false, quiet = false;
};

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// The results of a folder: a file for each experiment, with the program it is of and a sum over it.
class Results {
 public:
  // With `force` what an earlier report left is removed, and nothing else.
  Results(const OutputFolder& folder, const std::vector<Experiment>& known, bool force) : m_folder(folder.path() / "results") {
    std::error_code error;
    fs::create_directories(m_folder, error);
    if (error) throw Error("--out", m_folder.string(), "cannot be made (" + error.message() + "); choose another folder");
    if (!fs::is_directory(fs::symlink_status(m_folder, error)))
      throw Error("--out", m_folder.string(), "is a link, and leads out of the folder; choose another folder");
    for (const Experiment& experiment : known) {
      if (force)
        remove(file_of(experiment.name));
      else
        check_same_program(experiment.name, folder.path());
    }
    for (const fs::path& file : {folder.report(), folder.report_page(), folder.validation()}) {
      if (force)
        remove(file);
      else if (fs::exists(fs::symlink_status(file, error)) && !is_report(folder.report()))
        throw Error("--out", file.string(), "is not of a report; choose another folder, or add --force to replace it");
    }
  }

  // Nothing when it is missing or damaged.
  std::optional<ordered_json> find(const std::string& name) const {
    const std::optional<ordered_json> file = read(name);
    return file ? std::optional<ordered_json>(file->at("result")) : std::nullopt;
  }

  void keep(const std::string& name, const ordered_json& result) const {
    const std::string text = output::text_of(result, -1);
    output::write_file(
        file_of(name),
        output::text_of({{"build", study::build_id()}, {"sum", study::checksum(text)}, {"result", result}}, -1) + "\n");
  }

 private:
  fs::path file_of(const std::string& name) const { return m_folder / (name + ".json"); }

  static void remove(const fs::path& file) {
    std::error_code error;
    fs::remove(file, error);
    if (error) throw Error("--out", file.string(), "cannot be removed (" + error.message() + "); choose another folder");
  }

  // Discarded, as nlohmann's parser has it, where there is no JSON to read.
  static ordered_json parsed(const fs::path& path) {
    std::string reason, text;
    const FilePointer file = open_to_read(path, reason);
    if (!file || !read_rest(file.get(), std::numeric_limits<std::size_t>::max(), text)) return ordered_json::value_t::discarded;
    return ordered_json::parse(text, nullptr, false);
  }

  // Written first: where the others are, it is.
  static bool is_report(const fs::path& file) {
    const ordered_json report = parsed(file);
    return report.is_object() && report.contains("program") && report.contains("machine") && report.contains("libraries");
  }

  std::optional<ordered_json> read(const std::string& name) const {
    ordered_json file = parsed(file_of(name));
    if (!file.is_object() || !file.contains("build") || !file.contains("sum") || !file.contains("result")) return std::nullopt;
    const ordered_json& result = file.at("result");
    if (file.at("sum") != study::checksum(output::text_of(result, -1)) || result.at("name") != name) return std::nullopt;
    return file;
  }

  // Numbers of two programs on one page would belong to neither.
  void check_same_program(const std::string& name, const fs::path& folder) const {
    const std::optional<ordered_json> file = read(name);
    if (!file || file->at("build") == study::build_id()) return;
    throw Error("--out", folder.string(),
                "holds results of another program or another state of it; choose another folder, or add --force to begin anew");
  }

  fs::path m_folder;
};

// Where the report stands.
class Report {
 public:
  explicit Report(const ReportOptions& options)
      : m_folder(options.out, OutputFolder::Use::keep),
        m_experiments(study::all_experiments()),
        m_papers(study::all_papers()),
        m_results(m_folder, m_experiments, options.force) {
    m_heading = {study::program_json(), study::machine_json(), study::libraries_json(), utc_now(), "", options.slow};
    for (const Experiment& experiment : m_experiments)
      if (std::optional<ordered_json> result = m_results.find(experiment.name)) m_done.push_back(std::move(*result));
    write();  // what stands there from now on is of this program
  }

  bool has(const std::string& name) const {
    for (const ordered_json& result : m_done)
      if (result.at("name") == name) return true;
    return false;
  }

  void add(const Experiment& experiment, const study::Result& result) {
    m_done.push_back(to_illustrated_json(experiment, result));
    m_results.keep(experiment.name, m_done.back());
    write();  // a page of what there is so far, whatever comes
  }

  void finish() {
    m_heading.finished = utc_now();
    write();
  }

  // Of these experiments.
  std::vector<std::string> failures(const std::vector<Experiment>& among) const {
    std::vector<std::string> out;
    for (const ordered_json& result : m_done) {
      const auto asked = [&](const Experiment& experiment) { return result.at("name") == experiment.name; };
      if (!result.at("passed") && std::any_of(among.begin(), among.end(), asked)) out.push_back(result.at("name"));
    }
    return out;
  }
  const OutputFolder& folder() const { return m_folder; }

 private:
  void write() const {
    const ordered_json report = study::report_json(m_heading, m_papers, m_experiments, m_done);
    output::write_file(m_folder.report(), output::text_of(report, 1) + "\n");
    output::write_page("report", report, m_folder.report_page());
    output::write_file(m_folder.validation(), study::validation_markdown(report));
  }

  OutputFolder m_folder;
  std::vector<Experiment> m_experiments;
  std::vector<study::Paper> m_papers;
  Results m_results;
  study::ReportHeading m_heading;
  std::vector<ordered_json> m_done;
};

void print_result(const Experiment& experiment, const study::Result& result) {
  print("{:<22} {}  {:7.1f} s\n", experiment.name, result.passed() ? "passed" : "FAILED", result.seconds);
  finish_printing();  // the next one may take long
}

// Those that are not there yet; false when it was stopped.
bool run_missing(Report& report, const std::vector<Experiment>& chosen, const ReportOptions& options) {
  const InterruptGuard interrupt("writhe: stopped at once; what was finished is kept, the same command goes on\n");
  TaskProgress progress(chosen.size(), !options.quiet);
  for (const Experiment& experiment : chosen) {
    if (report.has(experiment.name)) {
      progress.skip();
      continue;
    }
    if (interrupt.raised()) return false;
    progress.begin(experiment.name);
    study::Context context;
    context.progress = [&](const std::string& text) { progress.update(interrupt.raised() ? "stops" : text); };
    const study::Result result = study::run_experiment(experiment, context);
    report.add(experiment, result);
    progress.end();
    if (!options.quiet) print_result(experiment, result);
  }
  return true;
}

ExitStatus make_report(const ReportOptions& options) {
  output::page("report", "report");
  const std::vector<std::string> names = options.names.empty() ? std::vector<std::string>{"all"} : options.names;
  const std::vector<Experiment> chosen = study::choose_experiments(study::all_experiments(), names, options.slow);
  Report report(options);
  std::size_t kept = 0;
  for (const Experiment& experiment : chosen) kept += report.has(experiment.name) ? 1 : 0;
  if (kept > 0 && !options.quiet)
    tell("writhe: {} of {} results are there already and are kept; --force computes them anew\n", kept, chosen.size());
  if (!run_missing(report, chosen, options)) {
    tell("writhe: stopped; {} has what was finished, the same command goes on\n", report.folder().path().string());
    return failed;
  }
  report.finish();
  const std::vector<std::string> failures = report.failures(chosen);
  if (!options.quiet) print("{}: open it in a browser\n", report.folder().report_page().string());
  if (!failures.empty()) tell("writhe: not passed: {}\n", fmt::join(failures, ", "));
  return failures.empty() ? done : failed;
}

}  // namespace

void add_report(const Command& app, Action& chosen) {
  const auto options = std::make_shared<ReportOptions>();
  const Command command = app.add_subcommand("report", "Run the experiments and show them on one page, by paper and figure");
  command.add_option("NAME", options->names, "Names from `writhe experiment list` (default: all)");
  command.add_flag("--slow", options->slow, "Also run experiments that take minutes");
  command.add_option("--out", options->out, "Folder for the page and the results (default out/report)").type_name("DIR");
  command.add_flag("--force", options->force, "Begin anew, whatever results the folder has");
  command.add_flag("-q,--quiet", options->quiet, "No progress line and no lines for experiments that passed");
  command.footer(
      "Leaves report.html, report.json and validation.md (a table for the docs). Every result is kept as soon as it is there:\n"
      "after Ctrl-C, or to add the slow ones later, the same command goes on.\n"
      "\n"
      "Exit status 1 when an experiment did not pass.");
  command.callback([options, &chosen] { chosen = [options] { return make_report(*options); }; });
}

}  // namespace writhe::cli
