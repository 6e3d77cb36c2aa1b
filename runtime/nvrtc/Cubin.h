// SPDX-License-Identifier: Apache-2.0
//
// Cubin: the few facts that we read from the ELF file that NVRTC makes.
// Thread-safety: a function without state.
#pragma once

#include "tilewright/Status.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// A kernel (or an uninlined device function) of a cubin.
struct CubinKernel {
  std::string name;
  /// Its machine code, a view into the cubin.
  std::string_view code;
};

/// The kernels, in the order of the file. internal if `cubin` is no well-formed 64-bit ELF file:
/// every offset is checked, so that a damaged file is an error and no crash.
Expected<std::vector<CubinKernel>> readCubin(std::string_view cubin);

} // namespace tilewright
