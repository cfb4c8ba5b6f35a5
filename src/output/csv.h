// Tables as text: comma-separated values after RFC 4180, every number with all its digits.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output/sink_columns.h"
#include "writhe/vec.h"

namespace writhe::output {

// Quoted when it must be, quotes doubled.
std::string csv_cell(const std::string& text);

// The names of the columns, as a line.
std::string csv_header(std::span<const Column> columns);

// Adds the values as cells to a line that may have some already; not the end of the line.
void append_csv(std::span<const double> values, std::string& line);

// The first column whose value is not finite; null when all are.
const Column* first_not_finite(std::span<const Column> columns, std::span<const double> values);

inline void push(const Vec3& v, std::vector<double>& values) { values.insert(values.end(), {v.x, v.y, v.z}); }

}  // namespace writhe::output
