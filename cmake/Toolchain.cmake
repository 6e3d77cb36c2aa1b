# SPDX-License-Identifier: Apache-2.0
# Compiler, linker and warning settings shared by every room, carried by the target `tw_options`.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

find_program(TW_CCACHE ccache)
if(TW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What ccache asks for where precompiled headers are used (its manual, "Precompiled headers").
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${TW_CCACHE}")
endif()

add_library(tw_options INTERFACE)
target_include_directories(tw_options INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
# Generated code counts as a system header: mlir-tblgen's output is not free of warnings.
target_include_directories(tw_options SYSTEM INTERFACE "${PROJECT_BINARY_DIR}")
# Sections let the linker drop what a program does not use: most of MLIR.
target_compile_options(tw_options INTERFACE
  -Wall -Wextra -ffunction-sections -fdata-sections -fvisibility-inlines-hidden
  # Paths in messages and assertions are relative, so that a build does not depend on where it stands.
  "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
target_link_options(tw_options INTERFACE -Wl,--gc-sections -Wl,--as-needed)
if(TW_WARNINGS_AS_ERRORS)
  target_compile_options(tw_options INTERFACE -Werror)
endif()

find_program(TW_LLD ld.lld)
if(TW_LLD)
  target_link_options(tw_options INTERFACE -fuse-ld=lld)
endif()

if(TW_SANITIZE)
  # Left out are the checks that AddressSanitizer covers (null) or that double the compile time of
  # generated op classes for little (vptr, object-size).
  target_compile_options(tw_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize=null,vptr,object-size -fno-sanitize-recover=undefined)
  target_link_options(tw_options INTERFACE -fsanitize=address,undefined)
else()
  # An installed program needs no C++ runtime of its own on the target machine.
  target_link_options(tw_options INTERFACE -static-libstdc++ -static-libgcc)
endif()

# The public headers: std only, usable without anything else of this repository.
add_library(tw_include INTERFACE)
target_include_directories(tw_include INTERFACE "${PROJECT_SOURCE_DIR}/include")
target_compile_features(tw_include INTERFACE cxx_std_20)
