# SPDX-License-Identifier: Apache-2.0
# tw_embed_files(<room> OUTPUT <base> FUNCTION <name> BASE <folder> FILES <file>...)
#
# Turns files into a table name -> text that is compiled into a room made before by tw_room. Writes
# <base>.h and <base>.cpp into the build tree at the room's own path; the header declares
#
#   namespace tilewright { std::span<const std::pair<std::string_view, std::string_view>> <name>(); }
#
# sorted by name, which is the file's path relative to BASE ("tilewright/mbarrier.cuh"). The same
# file is the script that does it (cmake -P): no other language at build time, no dates, no paths.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(TW_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")
  function(tw_embed_files room)
    cmake_parse_arguments(arg "" "OUTPUT;FUNCTION;BASE" "FILES" ${ARGN})
    tw_require_arguments(tw_embed_files "${arg_OUTPUT}" "${arg_UNPARSED_ARGUMENTS}")
    cmake_path(ABSOLUTE_PATH arg_BASE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    set(files "")
    foreach(file IN LISTS arg_FILES)
      cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
      list(APPEND files "${file}")
    endforeach()
    list(SORT files)
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE folder)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${arg_OUTPUT}")
    add_custom_command(OUTPUT "${output}.h" "${output}.cpp"
      COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DINCLUDE=${folder}/${arg_OUTPUT}.h"
        "-DFUNCTION=${arg_FUNCTION}" "-DBASE=${arg_BASE}" "-DFILES=$<JOIN:${files},|>"
        -P "${TW_EMBED_SCRIPT}"
      DEPENDS ${files} "${TW_EMBED_SCRIPT}"
      COMMENT "Embedding ${arg_OUTPUT}" VERBATIM)
    tw_room_target(target ${room})
    target_sources(${target} PRIVATE "${output}.h" "${output}.cpp")
  endfunction()
  return()
endif()

string(REPLACE "|" ";" FILES "${FILES}")
set(entries "")
list(LENGTH FILES count)
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${BASE}" OUTPUT_VARIABLE name)
  string(FIND "${text}" ")tilewright\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${name} holds the text )tilewright\", which ends an embedded file: change it there")
  endif()
  string(APPEND entries "    {\"${name}\", R\"tilewright(${text})tilewright\"},\n")
endforeach()
set(type "std::pair<std::string_view, std::string_view>")
file(WRITE "${OUTPUT}.h" "// Written by cmake/EmbedFiles.cmake.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace tilewright {

/// The embedded files as (name, text), sorted by name.
std::span<const ${type}> ${FUNCTION}();

} // namespace tilewright
")
file(WRITE "${OUTPUT}.cpp" "// Written by cmake/EmbedFiles.cmake.
#include \"${INCLUDE}\"

static constexpr ${type} kFiles[] = {
${entries}};

std::span<const ${type}> tilewright::${FUNCTION}() { return kFiles; }
")
