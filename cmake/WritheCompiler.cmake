# Language level, warnings and target machine: one place for all targets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

if(WRITHE_NATIVE)
  set(WRITHE_MACHINE native)
  message(NOTICE "writhe: compiling for this machine (-march=native); WRITHE_NATIVE=OFF for a portable build")
else()
  set(WRITHE_MACHINE portable)
  message(NOTICE "writhe: compiling for the plain architecture; vector kernels are chosen at run time")
endif()

# ccache stops the build where its folder cannot be written, so it is tried once before it is trusted.
if(WRITHE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(WRITHE_CCACHE_PROGRAM ccache)
  mark_as_advanced(WRITHE_CCACHE_PROGRAM)
  if(WRITHE_CCACHE_PROGRAM)
    # What includes a precompiled header is cached only where that is asked for.
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${WRITHE_CCACHE_PROGRAM})
    set(probe ${PROJECT_BINARY_DIR}/CMakeFiles/ccache_probe)
    file(WRITE ${probe}.cpp "int probe() { return 0; }\n")
    execute_process(COMMAND ${launcher} ${CMAKE_CXX_COMPILER} -c ${probe}.cpp -o ${probe}.o
                    RESULT_VARIABLE probe_status OUTPUT_QUIET ERROR_QUIET)
    if(probe_status EQUAL 0)
      set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
    else()
      message(STATUS "writhe: ccache is installed but does not work here; compiling without it")
    endif()
  endif()
endif()

# How Highway is used (src/math/pack.h): each source is compiled for one target, the best that the flags allow.
# - AVX3_DL adds nothing for doubles, and Highway 1.0.3 does not compile when it is the best target (-march=native on recent
#   Xeons and Ryzens), so AVX3 is the name of AVX-512 everywhere.
# - The kernels use neither AES nor carry-less products; without this, a compiler flag set without them falls back to SSSE3.
set(WRITHE_HIGHWAY_DEFINITIONS HWY_DISABLED_TARGETS=HWY_AVX3_DL HWY_DISABLE_PCLMUL_AES)

# Warnings that g++ derives from what its optimiser happens to see differ with flags and sanitizers: shown, but no errors.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(WRITHE_GUESSED_WARNINGS -Wno-error=array-bounds -Wno-error=dangling-pointer -Wno-error=free-nonheap-object
                              -Wno-error=stringop-overflow -Wno-error=stringop-overread -Wno-error=use-after-free)
endif()

# A product and a sum are fused to one operation nowhere but in the vector kernels (cmake/WritheKernels.cmake): a formula then
# gives the same bits wherever it is inlined, and a shape built twice is the same shape. Without the second flag, g++ 12 fuses
# neighbouring components in spite of the first (vfmaddsub).
set(WRITHE_UNFUSED -ffp-contract=off -fno-tree-slp-vectorize)
set(WRITHE_FUSED -ffp-contract=fast -ftree-slp-vectorize)
function(writhe_compile_options target)
  target_compile_definitions(${target} PRIVATE ${WRITHE_HIGHWAY_DEFINITIONS})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
                                           -fno-math-errno -fno-trapping-math ${WRITHE_UNFUSED})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 is wrong about "text" + std::string (GCC bug 105651) and about its own AVX-512 intrinsics (GCC bug 105593).
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-maybe-uninitialized)
  endif()
  if(WRITHE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-uninitialized)  # the same bug, as sanitized code shows it
  endif()
  if(WRITHE_WERROR)
    target_compile_options(${target} PRIVATE -Werror ${WRITHE_GUESSED_WARNINGS})
  endif()
  if(WRITHE_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
  if(WRITHE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${WRITHE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${WRITHE_SANITIZE})
  endif()
endfunction()
