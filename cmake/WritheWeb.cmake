# The pages of web/, each built by Vite into one HTML file: sets ${out} to PATH=FILE for writhe_embed, for each of them.
#
# Packages are installed once, into web/node_modules, and again when the lock changes: then the network is needed, and else not.
option(WRITHE_WEB "Build the pages that the program writes (needs Node.js and npm; without them no --html)" ON)

function(writhe_web out)
  set(${out} "" PARENT_SCOPE)
  if(NOT WRITHE_WEB)
    return()
  endif()
  find_program(WRITHE_NPM npm)
  if(NOT WRITHE_NPM)
    message(FATAL_ERROR "npm is missing: install nodejs and npm (scripts/setup build), or give -D WRITHE_WEB=OFF to do without the pages")
  endif()
  set(web ${PROJECT_SOURCE_DIR}/web)
  set(installed ${web}/node_modules/.writhe-installed)
  add_custom_command(OUTPUT ${installed}
                     COMMAND ${WRITHE_NPM} ci --no-audit --no-fund --loglevel=error
                     COMMAND ${CMAKE_COMMAND} -E touch ${installed}
                     DEPENDS ${web}/package.json ${web}/package-lock.json ${web}/.npmrc WORKING_DIRECTORY ${web} VERBATIM
                     COMMENT "Installing the packages of the pages (npm)")
  set(pages replay report compare)
  set(sources "")
  set(files "")
  set(embedded "")
  foreach(page IN LISTS pages)
    file(GLOB_RECURSE own CONFIGURE_DEPENDS ${web}/${page}/*)
    list(APPEND sources ${own})
    list(APPEND files ${PROJECT_BINARY_DIR}/web/${page}.html)
    list(APPEND embedded web/${page}.html=${PROJECT_BINARY_DIR}/web/${page}.html)
  endforeach()
  file(GLOB_RECURSE shared CONFIGURE_DEPENDS ${web}/common/*)
  file(GLOB tools CONFIGURE_DEPENDS ${web}/*.json ${web}/*.ts ${web}/*.mjs)
  add_custom_command(OUTPUT ${files}
                     COMMAND ${WRITHE_NPM} run --silent build -- ${PROJECT_BINARY_DIR}/web
                     DEPENDS ${installed} ${sources} ${shared} ${tools} WORKING_DIRECTORY ${web} VERBATIM
                     COMMENT "Building the pages (Vite)")
  set(${out} ${embedded} PARENT_SCOPE)
endfunction()
