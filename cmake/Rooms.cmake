# SPDX-License-Identifier: Apache-2.0
# Rooms: the folders at the top of the repository, each a static library.

# tw_room(NAME <suffix> [SOURCES <file>...] [DEPS <room>...] [MLIR <MLIR library>...] [LIBS <target>...])
#
# Makes the static library tw_<suffix>. DEPS are other rooms by suffix. MLIR lists MLIR's libraries by
# their own names (MLIRArithDialect, ...); a room that has the keyword sees MLIR's headers and is
# compiled without exceptions, as MLIR itself is. LIBS are any other targets, linked privately.
function(tw_room)
  cmake_parse_arguments(room "" "NAME" "SOURCES;DEPS;MLIR;LIBS" ${ARGN})
  tw_require_arguments(tw_room "${room_NAME}" "${room_UNPARSED_ARGUMENTS}")
  set(target tw_${room_NAME})
  if(room_SOURCES)
    add_library(${target} STATIC ${room_SOURCES})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  tw_use_rooms(${target} ${scope} ${room_DEPS})
  target_link_libraries(${target} ${scope} tw_options)
  if("MLIR" IN_LIST ARGN)
    target_link_libraries(${target} ${scope} tw_mlir ${room_MLIR})
    if(room_SOURCES)
      target_compile_options(${target} PRIVATE -fno-exceptions)
      tw_precompile(${target} room)
    endif()
  endif()
  if(room_LIBS)
    if(room_SOURCES)
      target_link_libraries(${target} PRIVATE ${room_LIBS})
    else()
      target_link_libraries(${target} INTERFACE ${room_LIBS})
    endif()
  endif()
endfunction()

# tw_program(NAME <program> SOURCES <file>... [DEPS <room>...] [MLIR <library>...] [LIBS <target>...])
#
# Makes the program build/<preset>/bin/<program>.
function(tw_program)
  cmake_parse_arguments(program "" "NAME" "SOURCES;DEPS;MLIR;LIBS" ${ARGN})
  tw_require_arguments(tw_program "${program_NAME}" "${program_UNPARSED_ARGUMENTS}")
  add_executable(${program_NAME} ${program_SOURCES})
  tw_use_rooms(${program_NAME} PRIVATE ${program_DEPS})
  target_link_libraries(${program_NAME} PRIVATE tw_options ${program_LIBS})
  if("MLIR" IN_LIST ARGN)
    target_link_libraries(${program_NAME} PRIVATE tw_mlir ${program_MLIR})
    tw_precompile(${program_NAME} program)
  endif()
endfunction()

# tw_add_rooms(<folder>...): adds each folder that has a CMakeLists.txt; a folder without one stands
# for its direct subfolders that do.
function(tw_add_rooms)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt")
      add_subdirectory("${PROJECT_SOURCE_DIR}/${folder}" "${PROJECT_BINARY_DIR}/${folder}")
    elseif(NOT folder STREQUAL "compiler")
      file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*/CMakeLists.txt")
      foreach(file IN LISTS files)
        cmake_path(GET file PARENT_PATH subfolder)
        cmake_path(RELATIVE_PATH subfolder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
        add_subdirectory("${PROJECT_SOURCE_DIR}/${subfolder}" "${PROJECT_BINARY_DIR}/${subfolder}")
      endforeach()
    endif()
  endforeach()
endfunction()

# tw_finish_rooms(): checks that every DEPS was a room.
function(tw_finish_rooms)
  get_property(uses GLOBAL PROPERTY TW_ROOM_USES)
  foreach(use IN LISTS uses)
    string(REGEX MATCH "^([^>]+)>(.+)$" match "${use}")
    if(NOT TARGET ${CMAKE_MATCH_2})
      message(WARNING "${CMAKE_MATCH_1} lists the room ${CMAKE_MATCH_2} in DEPS, but no tw_room makes it")
    endif()
  endforeach()
endfunction()

# tw_use_rooms(<target> <scope> <room>...): links rooms by suffix ("tile") or target ("tw_tile").
function(tw_use_rooms target scope)
  foreach(dep IN LISTS ARGN)
    tw_room_target(dep ${dep})
    target_link_libraries(${target} ${scope} ${dep})
    set_property(GLOBAL APPEND PROPERTY TW_ROOM_USES "${target}>${dep}")
  endforeach()
endfunction()

# tw_room_target(<variable> <room>): the target of a room named by suffix or by target.
function(tw_room_target variable room)
  string(REGEX REPLACE "^tw_" "" suffix "${room}")
  set(${variable} tw_${suffix} PARENT_SCOPE)
endfunction()

function(tw_require_arguments function name unparsed)
  if(NOT name OR unparsed)
    message(FATAL_ERROR "${function}: expected NAME and known keywords, found NAME '${name}' and '${unparsed}'")
  endif()
endfunction()
