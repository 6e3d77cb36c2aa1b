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

# MLIR's headers cost about 4 s per source; precompiled, a third of that. Only headers that never change
# are in it. Presets ci and release do without, so that a missing #include is found. The compiler takes
# precompiled headers only where its own options agree, so there are two: for rooms and for programs.
if(TW_PRECOMPILE)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cpp" CONTENT "")
  foreach(user room program)
    add_library(tw_precompiled_${user} STATIC "${PROJECT_BINARY_DIR}/precompiled.cpp")
    target_link_libraries(tw_precompiled_${user} PRIVATE tw_options tw_mlir)
    target_compile_options(tw_precompiled_${user} PRIVATE -fpch-preprocess)
    target_precompile_headers(tw_precompiled_${user} PRIVATE
      <mlir/Bytecode/BytecodeOpInterface.h>
      <mlir/Dialect/Arith/IR/Arith.h>
      <mlir/Dialect/Func/IR/FuncOps.h>
      <mlir/Dialect/SCF/IR/SCF.h>
      <mlir/IR/Builders.h>
      <mlir/IR/BuiltinOps.h>
      <mlir/IR/DialectImplementation.h>
      <mlir/IR/OpImplementation.h>
      <mlir/IR/PatternMatch.h>
      <mlir/Interfaces/InferTypeOpInterface.h>
      <mlir/Interfaces/SideEffectInterfaces.h>
      <mlir/Pass/Pass.h>
      <mlir/Transforms/DialectConversion.h>
      <llvm/ADT/TypeSwitch.h>)
  endforeach()
  target_compile_options(tw_precompiled_room PRIVATE -fno-exceptions)
  set_target_properties(tw_precompiled_program PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(tw_precompiled_program PRIVATE -fPIE)
endif()

# tw_precompile(<target> room|program): lets a target that includes MLIR use the precompiled headers.
function(tw_precompile target user)
  if(TW_PRECOMPILE)
    target_compile_options(${target} PRIVATE -fpch-preprocess -Winvalid-pch)
    target_precompile_headers(${target} REUSE_FROM tw_precompiled_${user})
  endif()
endfunction()
