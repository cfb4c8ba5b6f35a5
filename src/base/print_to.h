// Text that grows by formatted pieces. fmt::format_to, given a string, compiles all of fmt's writers of numbers into each source
// that calls it, two seconds each time; here one source does.
#pragma once

#include <string>

#include <fmt/format.h>

namespace writhe {

void print_formatted_to(std::string& out, fmt::string_view format, fmt::format_args arguments);

template <class... Arguments>
void print_to(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_formatted_to(out, format, fmt::make_format_args(arguments...));
}

}  // namespace writhe
