// SPDX-License-Identifier: Apache-2.0
//
// CompileLog: what NVRTC and ptxas print, as data. It understands the words of 12.4 to 13.x.
// Thread-safety: a function without state.
#pragma once

#include "runtime/nvrtc/Resources.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct CompileLog {
  /// One entry per "Compiling entry function", without the parts that only the cubin tells.
  std::vector<KernelResources> kernels;
  std::vector<Advisory> advisories;
  /// The builtins library that NVRTC could not open; empty if it had no such trouble.
  std::string missingBuiltins;
  /// What ptxas says it took; 0 if it says nothing (12.4 to 12.8).
  double ptxasSeconds = 0;
};

/// Reads a program log. Lines that it does not know are skipped.
CompileLog parseCompileLog(std::string_view log);

} // namespace tilewright
