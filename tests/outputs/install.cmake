# Installs the packages of package-lock.json into WORK; when they are there already, without a network.
#   cmake -D SOURCE=tests/outputs -D WORK=folder -D NPM=npm -P install.cmake
file(SHA256 ${SOURCE}/package-lock.json wanted)
set(stamp ${WORK}/node_modules/.installed)
if(EXISTS ${stamp})
  file(READ ${stamp} installed)
  if(installed STREQUAL wanted)
    message("the packages are there")
    return()
  endif()
endif()
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${WORK})
execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline WORKING_DIRECTORY ${WORK}
                RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "npm could not install the readers of tests/outputs/package.json; the first time it needs a network")
endif()
file(WRITE ${stamp} ${wanted})
