// SPDX-License-Identifier: Apache-2.0
//
// What this build is. The definitions are written at build time (cmake/Version.cmake). All
// functions are pure and safe to call from any thread.
#pragma once

#include <string_view>

namespace tilewright {

/// The semantic version, "0.1.0".
std::string_view versionString();

/// Twelve hex digits that are equal for two builds exactly when the sources that determine
/// generated kernels (and the MLIR version) are equal. Holds no date, no path and no commit.
std::string_view buildId();

/// The version of the MLIR that is linked in, "22.1.8".
std::string_view mlirVersion();

} // namespace tilewright
