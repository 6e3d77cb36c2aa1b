# SPDX-License-Identifier: Apache-2.0
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# tw_test(NAME <name> SOURCES <file>... [DEPS <room>...] [MLIR <library>...] [LIBS <target>...]
#         [LABELS <label>...] [TIMEOUT <seconds>])
#
# Makes a GoogleTest program; each of its cases is a ctest entry "<name>.<Suite>.<Case>" with the
# labels, "unit" if none are given. TIMEOUT is per case, 600 s if not given: sanitizers are slow.
function(tw_test)
  cmake_parse_arguments(test "" "NAME;TIMEOUT" "SOURCES;DEPS;MLIR;LIBS;LABELS" ${ARGN})
  tw_require_arguments(tw_test "${test_NAME}" "${test_UNPARSED_ARGUMENTS}")
  if(NOT test_LABELS)
    set(test_LABELS unit)
  endif()
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 600)
  endif()
  set(target test_${test_NAME})
  add_executable(${target} ${test_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
  tw_use_rooms(${target} PRIVATE ${test_DEPS})
  target_link_libraries(${target} PRIVATE tw_options ${test_LIBS} GTest::gtest_main)
  if("MLIR" IN_LIST ARGN)
    target_link_libraries(${target} PRIVATE tw_mlir ${test_MLIR})
    tw_precompile(${target} program)
  endif()
  # Tests find their inputs and the programs under test through these, from any working directory.
  target_compile_definitions(${target} PRIVATE
    "TW_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"" "TW_BINARY_DIR=\"${PROJECT_BINARY_DIR}\"")
  gtest_discover_tests(${target} TEST_PREFIX "${test_NAME}." DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "${test_LABELS}" TIMEOUT ${test_TIMEOUT})
  set_property(GLOBAL APPEND PROPERTY TW_TEST_TARGETS ${target})
endfunction()

# tw_check(NAME <name> COMMAND <command>... [LABELS <label>...]): a ctest entry that runs a command
# from the top of the source tree.
function(tw_check)
  cmake_parse_arguments(check "" "NAME" "COMMAND;LABELS" ${ARGN})
  tw_require_arguments(tw_check "${check_NAME}" "${check_UNPARSED_ARGUMENTS}")
  if(NOT check_LABELS)
    set(check_LABELS tree)
  endif()
  add_test(NAME ${check_NAME} COMMAND ${check_COMMAND} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${check_NAME} PROPERTIES LABELS "${check_LABELS}" TIMEOUT 120)
endfunction()
