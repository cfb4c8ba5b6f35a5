#include "base/print_to.h"

#include <iterator>

namespace writhe {

void print_formatted_to(std::string& out, fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(out), format, arguments);
}

}  // namespace writhe
