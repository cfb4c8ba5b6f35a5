# Scenes of the experiments and the schema travel inside the program, so that it runs from any folder.
function(writhe_embed target)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
       ${CMAKE_CURRENT_SOURCE_DIR}/experiments/*.yaml ${CMAKE_CURRENT_SOURCE_DIR}/experiments/*.json
       ${CMAKE_CURRENT_SOURCE_DIR}/docs/scene.schema.json)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/generated/embedded_files.inc)
  set(entries "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(APPEND entries "{\"${file}\", R\"writhe~(${text})writhe~\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "@entries@" @ONLY)
endfunction()
