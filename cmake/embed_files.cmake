# cmake -D ROOT=folder -D LIST=file -D OUTPUT=file -P embed_files.cmake
# Writes every file named in LIST to OUTPUT as {"path", R"delimiter(text)delimiter"sv}, entries. A line of LIST is a path below ROOT, or
# PATH=FILE for a FILE that is made while building.
file(STRINGS ${LIST} names)
set(entries "")
foreach(name IN LISTS names)
  set(source "${ROOT}/${name}")
  if(name MATCHES "^([^=]+)=(.+)$")
    set(name "${CMAKE_MATCH_1}")
    set(source "${CMAKE_MATCH_2}")
  endif()
  file(READ "${source}" text)
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
  string(APPEND entries "{\"${name}\", R\"${delimiter}(${text})${delimiter}\"sv},\n")
endforeach()
file(WRITE "${OUTPUT}" "${entries}")
