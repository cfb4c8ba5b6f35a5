#include "output/csv.h"

#include <cmath>

#include "base/print_to.h"

namespace writhe::output {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string csv_header(std::span<const Column> columns) {
  std::string line;
  for (const Column& column : columns) line += (line.empty() ? "" : ",") + csv_cell(column.name());
  return line + "\n";
}

void append_csv(std::span<const double> values, std::string& line) {
  for (const double value : values) {
    if (!line.empty()) line += ',';
    print_to(line, "{}", value);  // shortest text that reads back to the same bits
  }
}

const Column* first_not_finite(std::span<const Column> columns, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) return &columns[i];
  return nullptr;
}

}  // namespace writhe::output
