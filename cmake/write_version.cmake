# cmake -D ROOT=folder -D OUTPUT=file -D VERSION=x.y.z -D BUILD=text -P write_version.cmake
set(commit "")
if(EXISTS "${ROOT}/.git")  # not the repository of a folder above, when this is an unpacked archive
  execute_process(COMMAND git describe --always --dirty=+changes --abbrev=10 --exclude=* WORKING_DIRECTORY "${ROOT}"
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    set(commit "")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
constexpr char version_text[] = "@VERSION@";
constexpr char commit_text[] = "@commit@";
constexpr char build_text[] = "@BUILD@";
]])
