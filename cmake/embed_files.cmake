# cmake -D ROOT=folder -D LIST=file -D OUTPUT=file -P embed_files.cmake
# Writes every file named in LIST (a path below ROOT a line) to OUTPUT as {"path", R"delimiter(text)delimiter"}, entries.
file(STRINGS ${LIST} names)
set(entries "")
foreach(name IN LISTS names)
  file(READ "${ROOT}/${name}" text)
  # A delimiter that the text does not contain.
  set(delimiter writhe)
  string(FIND "${text}" ")${delimiter}\"" found)
  while(NOT found EQUAL -1)
    string(APPEND delimiter "_")
    string(LENGTH "${delimiter}" length)
    if(length GREATER 16)  # the language's limit
      message(FATAL_ERROR "${name}: contains every delimiter tried for a raw string literal")
    endif()
    string(FIND "${text}" ")${delimiter}\"" found)
  endwhile()
  string(APPEND entries "{\"${name}\", R\"${delimiter}(${text})${delimiter}\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${entries}")
