// All experiments and what they show of the papers, as the data of a page and as a table for the docs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "study/catalogue.h"
#include "study/experiment.h"

namespace writhe::study {

// What a report says besides its results; docs/outputs.md documents the fields.
struct ReportHeading {
  nlohmann::ordered_json program, machine, libraries;
  std::string started, finished;  // UTC, 2026-11-16T09:00:00Z; finished empty: not yet
  bool slow = false;              // slow experiments were asked for
};

// One entry of to_illustrated_json for each experiment that was run. What was not run is in the report too, as such.
nlohmann::ordered_json report_json(const ReportHeading& heading, const std::vector<Paper>& papers,
                                   const std::vector<Experiment>& experiments,
                                   const std::vector<nlohmann::ordered_json>& results);

// docs/validation.md: every figure and table of the papers and every exact answer, with command, numbers and state. Without times
// and machine, so that it changes only when a result does.
std::string validation_markdown(const nlohmann::ordered_json& report);

// The expectations of a result that come closest to their bounds, at most `count`: "sag_d50_m -0.3979 (-0.3979 +- 0.001)".
std::vector<std::string> closest_expectations(const nlohmann::ordered_json& experiment, std::size_t count);

}  // namespace writhe::study
