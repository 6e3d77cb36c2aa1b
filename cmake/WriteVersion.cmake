# SPDX-License-Identifier: Apache-2.0
# cmake -P script of Version.cmake: writes Version.cpp from the hash of the files in LIST.
file(STRINGS "${LIST}" files)
set(digest "mlir ${MLIR}\n")
foreach(file IN LISTS files)
  file(SHA256 "${file}" hash)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${BASE}" OUTPUT_VARIABLE name)
  string(APPEND digest "${name} ${hash}\n")
endforeach()
string(SHA256 id "${digest}")
string(SUBSTRING "${id}" 0 12 id)

set(text "// Written by cmake/WriteVersion.cmake.
#include \"support/Version.h\"

std::string_view tilewright::versionString() { return \"${VERSION}\"; }
std::string_view tilewright::buildId() { return \"${id}\"; }
std::string_view tilewright::mlirVersion() { return \"${MLIR}\"; }
")
file(WRITE "${OUTPUT}" "${text}")
