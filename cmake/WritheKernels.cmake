# Vector kernels (src/**/*_kernel.cpp). Each is written once over the register type of Highway's static target, in a namespace
# named after that target. A native build compiles it once; a portable build compiles it for plain x86-64, AVX2 and AVX-512,
# and src/base/cpu.h chooses at run time. Kernels take plain pointers and include no containers, so that no inline function of the
# standard library is compiled for a machine that may not be there.
set(WRITHE_KERNEL_FLAGS_AVX2 -mavx2 -mfma -mbmi -mbmi2 -mf16c -maes -mpclmul)
set(WRITHE_KERNEL_FLAGS_AVX512 ${WRITHE_KERNEL_FLAGS_AVX2} -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)

function(writhe_add_kernels target)
  if(WRITHE_NATIVE)
    target_sources(${target} PRIVATE ${ARGN})
    return()
  endif()
  target_compile_definitions(${target} PRIVATE WRITHE_PORTABLE_KERNELS)
  foreach(isa BASE AVX2 AVX512)
    set(library writhe_kernels_${isa})
    add_library(${library} OBJECT ${ARGN})
    target_include_directories(${library} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR}/src)
    target_compile_options(${library} PRIVATE ${WRITHE_KERNEL_FLAGS_${isa}})
    writhe_compile_options(${library})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${library}>)
  endforeach()
endfunction()
