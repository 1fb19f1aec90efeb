# embed_resources(<target> <directory>)
#
# Compiles every <directory>/<model>/<name>.csv into <target>, which finds them with embedded_files() of
# "data/embedded.h". The C++ file is written at build time, again whenever a table is changed, added or removed.
function(embed_resources target directory)
  file(GLOB files CONFIGURE_DEPENDS ${directory}/*/*.csv)
  if(NOT files)
    message(FATAL_ERROR "embed_resources: no table in ${directory}/*/*.csv")
  endif()

  # the list is a dependency of its own: a removed file changes nothing else
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_resources.txt)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_resources.cpp)
  list(JOIN files "\n" lines)
  file(CONFIGURE OUTPUT ${list} CONTENT "@lines@\n" @ONLY)

  set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D list=${list} -D output=${output} -P ${script}
    DEPENDS ${files} ${list} ${script}
    COMMENT "Embedding the tables of ${directory}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# Run as a script: bytes as an array of characters, which has no limit of length and needs no delimiter.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(STRINGS ${list} files ENCODING UTF-8)
  set(arrays "")
  set(entries "")
  set(number 0)
  foreach(file IN LISTS files)
    file(READ "${file}" bytes HEX)
    if(bytes STREQUAL "")
      message(FATAL_ERROR "${file} is empty")
    endif()
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(REGEX REPLACE "0a'," "0a',\n" bytes "${bytes}")
    cmake_path(GET file FILENAME name)
    cmake_path(GET file PARENT_PATH parent)
    cmake_path(GET parent FILENAME model)
    string(APPEND arrays "constexpr char file${number}[] = {\n${bytes}};\n")
    string(APPEND entries "    {\"${model}\", \"${name}\", {file${number}, sizeof file${number}}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(WRITE ${output} "#include \"data/embedded.h\"

namespace spondyl::data {
namespace {
${arrays}
constexpr EmbeddedFile files[] = {
${entries}};
}  // namespace

std::span<const EmbeddedFile> embedded_files() { return files; }

}  // namespace spondyl::data
")
endif()
