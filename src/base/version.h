// Which Writhe this is.
#pragma once

#include <string>

namespace writhe {

// As in 0.1.0.
const char* version();
// Commit (with +changes when files differed from it; left out when built outside a repository), compiler, kind of build, and
// whether it was compiled for the machine that built it (native) or for any (portable): "0123456789, g++ 12.2.0, Release,
// native".
std::string version_details();

}  // namespace writhe
