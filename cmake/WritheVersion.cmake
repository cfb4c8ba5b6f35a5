# What src/base/version.cpp says. The commit is looked up at every build; the file changes, and one source is compiled again,
# only when the answer does.
function(writhe_version target)
  set(output ${PROJECT_BINARY_DIR}/generated/version_info.inc)
  set(build "${CMAKE_BUILD_TYPE}, ${WRITHE_MACHINE}")
  if(WRITHE_SANITIZE)
    string(APPEND build ", -fsanitize=${WRITHE_SANITIZE}")
  endif()
  add_custom_target(${target}-version
                    COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D OUTPUT=${output} -D VERSION=${PROJECT_VERSION}
                            -D "BUILD=${build}" -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake
                    BYPRODUCTS ${output} VERBATIM COMMENT "Looking up the commit")
  add_dependencies(${target} ${target}-version)
endfunction()
