// The machine this runs on, in words for reports.
#pragma once

#include <string>

namespace writhe {

struct Machine {
  std::string processor;  // "AMD EPYC 7B13"
  int cores = 0;          // that this program may use
  double memory = 0;      // bytes
  std::string system;     // "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64"
};
// What the system does not tell is left empty or 0.
Machine this_machine();

}  // namespace writhe
