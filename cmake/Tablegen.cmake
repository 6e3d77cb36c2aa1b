# SPDX-License-Identifier: Apache-2.0
# tw_tablegen(<room> FILE <file.td>
#   [OPS <base>] [TYPES <base>] [ATTRS <base>] [ENUMS <base>] [DIALECT <base>]
#   [OP_INTERFACES <base>] [ATTR_INTERFACES <base>] [TYPE_INTERFACES <base>] [PASSES <base>]
#   [DIALECT_NAME <name>] [PASS_GROUP <name>])
#
# Runs mlir-tblgen on a file of the current folder for a room made before by tw_room. Each keyword
# writes <base>.h.inc and <base>.cpp.inc into the build tree at the room's own path, so that
# #include "compiler/tile/TileOps.h.inc" finds it. PASSES writes <base>.h.inc only.
#
#   tw_tablegen(tile FILE TileOps.td OPS TileOps TYPES TileTypes DIALECT TileDialect DIALECT_NAME tile)
function(tw_tablegen room)
  set(kinds OPS TYPES ATTRS ENUMS DIALECT OP_INTERFACES ATTR_INTERFACES TYPE_INTERFACES PASSES)
  cmake_parse_arguments(arg "" "FILE;DIALECT_NAME;PASS_GROUP;${kinds}" "" ${ARGN})
  tw_require_arguments(tw_tablegen "${arg_FILE}" "${arg_UNPARSED_ARGUMENTS}")

  set(generator_OPS op)
  set(generator_TYPES typedef)
  set(generator_ATTRS attrdef)
  set(generator_ENUMS enum)
  set(generator_DIALECT dialect)
  set(generator_OP_INTERFACES op-interface)
  set(generator_ATTR_INTERFACES attr-interface)
  set(generator_TYPE_INTERFACES type-interface)

  foreach(kind IN LISTS kinds)
    set(base "${arg_${kind}}")
    if(NOT base)
      continue()
    endif()
    if(kind STREQUAL "PASSES")
      tw_tablegen_output(${room} ${arg_FILE} ${base}.h.inc -gen-pass-decls -name=${arg_PASS_GROUP})
      continue()
    endif()
    set(dialect "")
    if(arg_DIALECT_NAME)
      if(kind STREQUAL "DIALECT")
        set(dialect -dialect=${arg_DIALECT_NAME})
      elseif(kind STREQUAL "TYPES")
        set(dialect -typedefs-dialect=${arg_DIALECT_NAME})
      elseif(kind STREQUAL "ATTRS")
        set(dialect -attrdefs-dialect=${arg_DIALECT_NAME})
      endif()
    endif()
    tw_tablegen_output(${room} ${arg_FILE} ${base}.h.inc -gen-${generator_${kind}}-decls ${dialect})
    tw_tablegen_output(${room} ${arg_FILE} ${base}.cpp.inc -gen-${generator_${kind}}-defs ${dialect})
  endforeach()
endfunction()

# One run of mlir-tblgen; the output joins the room's sources, so that it exists before any source of
# the room, or of a room that links it, is compiled.
function(tw_tablegen_output room file output)
  set(path "${CMAKE_CURRENT_BINARY_DIR}/${output}")
  add_custom_command(OUTPUT "${path}"
    COMMAND "${TW_MLIR_TBLGEN}" ${ARGN} "${CMAKE_CURRENT_SOURCE_DIR}/${file}"
      -I "${PROJECT_SOURCE_DIR}" -I "${CMAKE_CURRENT_SOURCE_DIR}" -I "${MLIR_INCLUDE_DIRS}"
      --write-if-changed -o "${path}" -d "${path}.d"
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${file}"
    DEPFILE "${path}.d"
    COMMENT "mlir-tblgen ${output}" VERBATIM)
  tw_room_target(target ${room})
  target_sources(${target} PRIVATE "${path}")
endfunction()
