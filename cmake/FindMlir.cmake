# SPDX-License-Identifier: Apache-2.0
# MLIR 22.1, linked statically. Packages of a distribution build MLIR's archives against the LLVM
# shared library: their imported targets name it. Each of those edges is turned to the few archives of
# LLVM that the parts we use need, so that no program of ours loads libLLVM or libMLIR.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR 22.1 REQUIRED CONFIG)

add_library(tw_llvm INTERFACE)
target_link_libraries(tw_llvm INTERFACE LLVMRemarks LLVMSupport LLVMDemangle)
foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
  if(TARGET ${target})
    get_target_property(edges ${target} INTERFACE_LINK_LIBRARIES)
    if(edges)
      list(TRANSFORM edges REPLACE "^LLVM$" tw_llvm)
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${edges}")
    endif()
  endif()
endforeach()

# What a source that includes MLIR headers needs: they are system headers (no warnings from them).
add_library(tw_mlir INTERFACE)
target_include_directories(tw_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(tw_mlir INTERFACE ${definitions})
find_program(TW_MLIR_TBLGEN mlir-tblgen HINTS "${LLVM_TOOLS_BINARY_DIR}" REQUIRED)
