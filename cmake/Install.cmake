# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: the library with its headers and a package for find_package, and the
# command line. The folder can be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/tilewright")

install(TARGETS tilewright_shared EXPORT tilewrightTargets COMPONENT library
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tilewright" COMPONENT library
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(EXPORT tilewrightTargets NAMESPACE tilewright:: DESTINATION "${package}" COMPONENT library)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tilewrightConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/tilewrightConfig.cmake" INSTALL_DESTINATION "${package}")
# While the major version is 0 a new minor version may break programs.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tilewrightConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tilewrightConfig.cmake"
  "${PROJECT_BINARY_DIR}/tilewrightConfigVersion.cmake" DESTINATION "${package}" COMPONENT library)
install(TARGETS tilewright RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
