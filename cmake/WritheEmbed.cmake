# Scenes of the experiments, templates of scenes, the schema and the pages of web/ travel inside the program, so that it runs from any folder
# (src/base/embedded.h). writhe_embed(TARGET [PATH=FILE...]): those, and files that are made while building, under another path. They are written as string literals while building: a changed file costs one small compilation and no new configuration.
function(writhe_embed target)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       ${PROJECT_SOURCE_DIR}/experiments/*.yaml ${PROJECT_SOURCE_DIR}/experiments/*.json
       ${PROJECT_SOURCE_DIR}/templates/*.yaml ${PROJECT_SOURCE_DIR}/docs/scene.schema.json)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake)
  set(list ${PROJECT_BINARY_DIR}/generated/embedded_files.txt)
  set(output ${PROJECT_BINARY_DIR}/generated/embedded_files.inc)
  set(inputs "")
  foreach(file IN LISTS files)
    list(APPEND inputs ${PROJECT_SOURCE_DIR}/${file})
  endforeach()
  foreach(made IN LISTS ARGN)
    string(REGEX REPLACE "^[^=]+=" "" file ${made})
    list(APPEND inputs ${file})
  endforeach()
  list(APPEND files ${ARGN})
  list(JOIN files "\n" names)
  file(CONFIGURE OUTPUT ${list} CONTENT "${names}\n" @ONLY)  # written only when it changes
  add_custom_command(OUTPUT ${output}
                     COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D LIST=${list} -D OUTPUT=${output} -P ${script}
                     DEPENDS ${inputs} ${list} ${script} VERBATIM
                     COMMENT "Embedding scenes, schema and pages")
  add_custom_target(${target}-embedded DEPENDS ${output})
  add_dependencies(${target} ${target}-embedded)
endfunction()
