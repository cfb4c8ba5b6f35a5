# Language level, warnings and target machine: one place for all targets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

if(WRITHE_NATIVE)
  message(STATUS "writhe: compiling for this machine (-march=native); WRITHE_NATIVE=OFF for a portable build")
else()
  message(STATUS "writhe: compiling for plain x86-64; vector kernels are chosen at run time")
endif()

function(writhe_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
                                           -fno-math-errno -fno-trapping-math)
  # No contraction beyond the expression: the same source gives the same bits in every translation unit of a build.
  if(WRITHE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(WRITHE_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
  if(WRITHE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${WRITHE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${WRITHE_SANITIZE})
  endif()
endfunction()
