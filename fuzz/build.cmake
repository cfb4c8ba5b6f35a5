# cmake -D SOURCE=folder -P build.cmake: the fuzzers, as `make fuzz` builds them. One step for ctest.
foreach(step "--preset;fuzz;--log-level=WARNING" "--build;--preset;fuzz")
  execute_process(COMMAND ${CMAKE_COMMAND} ${step} WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
