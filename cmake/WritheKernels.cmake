# Vector kernels (src/**/*_kernel.cpp), written once over writhe::WRITHE_ISA::Pack (src/math/pack.h). A native build compiles them
# once, with WRITHE_ISA left at `native`. A portable build defines WRITHE_PORTABLE_KERNELS and compiles them three times, with
# WRITHE_ISA base (plain x86-64), avx2 and avx512; the program chooses among the namespaces at run time. Kernels take plain
# pointers and include no containers, so that no inline function that other sources share is compiled for a machine that may not
# be there; a test looks at their symbols (tests/lint/check_kernel_symbols.py). They alone may fuse products and sums.
set(WRITHE_KERNEL_FLAGS_base "")
set(WRITHE_KERNEL_FLAGS_avx2 -march=x86-64-v3)
set(WRITHE_KERNEL_FLAGS_avx512 -march=x86-64-v4 -mprefer-vector-width=512)

# Adds the kernels to the library. In a portable build WRITHE_VECTOR_OBJECTS then lists those compiled for a vector unit.
function(writhe_add_kernels target)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${WRITHE_FUSED}" SKIP_PRECOMPILE_HEADERS ON)
  if(WRITHE_NATIVE OR NOT ARGN)
    target_sources(${target} PRIVATE ${ARGN})
    return()
  endif()
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    message(FATAL_ERROR "writhe: a portable build chooses among x86-64 kernels; on ${CMAKE_SYSTEM_PROCESSOR} use WRITHE_NATIVE=ON")
  endif()
  target_compile_definitions(${target} PRIVATE WRITHE_PORTABLE_KERNELS)
  set(objects "")
  foreach(isa base avx2 avx512)
    set(library writhe_kernels_${isa})
    add_library(${library} OBJECT ${ARGN})
    target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${library} PRIVATE WRITHE_PORTABLE_KERNELS WRITHE_ISA=${isa})
    target_compile_options(${library} PRIVATE ${WRITHE_KERNEL_FLAGS_${isa}})
    writhe_compile_options(${library})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${library}>)
    if(WRITHE_KERNEL_FLAGS_${isa})
      list(APPEND objects $<TARGET_OBJECTS:${library}>)
    endif()
  endforeach()
  set(WRITHE_VECTOR_OBJECTS ${objects} PARENT_SCOPE)
endfunction()
