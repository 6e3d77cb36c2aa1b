# SPDX-License-Identifier: Apache-2.0
# The room tw_version: what `tilewright --version` prints. The build id is a hash of the sources that
# determine generated code, so that equal ids mean equal kernels; it holds no date and no path.
set(TW_ID_FOLDERS include compiler templates runtime/nvrtc)
set(patterns "")
foreach(folder IN LISTS TW_ID_FOLDERS)
  foreach(kind h cpp td cuh)
    list(APPEND patterns "${PROJECT_SOURCE_DIR}/${folder}/*.${kind}")
  endforeach()
endforeach()
file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
list(SORT files)

list(JOIN files "\n" lines)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/support/version-files.txt" CONTENT "${lines}\n")

set(version_source "${PROJECT_BINARY_DIR}/support/Version.cpp")
add_custom_command(OUTPUT "${version_source}"
  COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${version_source}" "-DBASE=${PROJECT_SOURCE_DIR}"
    "-DLIST=${PROJECT_BINARY_DIR}/support/version-files.txt" "-DVERSION=${PROJECT_VERSION}"
    "-DMLIR=${LLVM_PACKAGE_VERSION}" -P "${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake"
  DEPENDS ${files} "${PROJECT_BINARY_DIR}/support/version-files.txt" "${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake"
  COMMENT "Hashing the sources for the build id" VERBATIM)
tw_room(NAME version SOURCES "${version_source}")
