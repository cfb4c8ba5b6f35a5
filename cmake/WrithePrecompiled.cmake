# Headers of others that most sources include, parsed once for a target. writhe_precompile(TARGET [HEADER...]): the usual ones and
# these. None of ours, so that a changed one rebuilds who includes it and no more; and not nlohmann/json.hpp, which costs half a
# second in each source that does not use it. CONTRIBUTING.md has numbers.
#
# Sources include all they use nevertheless: clang-tidy (scripts/lint), the fuzzers and a debug build read them without.
function(writhe_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <cstdio> <filesystem> <functional> <limits> <map>
                            <memory> <numeric> <optional> <span> <stdexcept> <string> <string_view> <utility> <variant> <vector>
                            <fmt/format.h> ${ARGN})
  writhe_precompiled_warnings(${target})
endfunction()

# The same headers, of a target with the same options.
function(writhe_precompile_like target other)
  target_precompile_headers(${target} REUSE_FROM ${other})
  writhe_precompiled_warnings(${target})
endfunction()

# g++ 12 forgets of a precompiled header that it was the system's, and then shows what its optimiser guesses wrongly of std::string
# (GCC bug 105651 and its like).
function(writhe_precompiled_warnings target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()

# Sources of TARGET that match a REGEX are compiled several at once, as one: what they include alike is parsed once for all of them. They
# must not give one name to two things, not even in unnamed namespaces; the compiler tells. Only where little is computed: a name that
# meets another there must not be able to change a number. A build for a debugger has each source alone (WRITHE_JOINED).
function(writhe_join_sources target)
  get_target_property(sources ${target} SOURCES)
  set(alone ${sources})
  foreach(regex ${ARGN})
    list(FILTER alone EXCLUDE REGEX ${regex})
  endforeach()
  set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${WRITHE_JOINED} UNITY_BUILD_BATCH_SIZE 6)
endfunction()
