// What `writhe solve` tells on the terminal.
#pragma once

#include <string>

#include "output/statics_summary.h"
#include "writhe/statics.h"

namespace writhe::cli {

// "load 40%", "t = 0.3 s"; "all loads" at time 0.
std::string where_on_path(double load, double time);

// Why it failed, with rod, node and remedy; empty when it did not.
std::string cause_of(const Model& model, const StaticReport& report);

// Status, stability, crossings, residual, energies, reactions and modes.
std::string result_text(const Model& model, const output::StaticResult& result);

}  // namespace writhe::cli
