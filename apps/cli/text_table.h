// Columns of text, aligned for reading.
#pragma once

#include <string>
#include <vector>

namespace writhe::cli {

using TableRow = std::vector<std::string>;

// Rows with columns padded to their widest cell and two blanks between; the last column is not padded. The first row is the
// heading.
std::string aligned(const std::vector<TableRow>& rows);

}  // namespace writhe::cli
