// What the program says: results on standard output, messages on standard error. Neither can stop it. A message that nobody can
// receive (a full disk, a pipe that was closed) is lost, and that results were lost is seen at the end.
#pragma once

#include <string_view>

#include <fmt/format.h>

namespace writhe::cli {

// Before any file is opened: a stream that the program was started without gets a number that the next file would get, and
// what is said there would stand in that file. It leads nowhere from now on. A closed pipe is an error of the one who writes to
// it, not the end of the program.
void secure_streams();

// Results, to standard output.
void print_text(std::string_view text);
// Messages, to standard error, at once.
void tell_text(std::string_view text);

// Hands over what was printed. nobody_reads: its reader has had enough, as `head` has.
enum class Printed { all, not_all, nobody_reads };
Printed finish_printing();

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_text(fmt::vformat(format, fmt::make_format_args(arguments...)));
}

template <class... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  tell_text(fmt::vformat(format, fmt::make_format_args(arguments...)));
}

}  // namespace writhe::cli
