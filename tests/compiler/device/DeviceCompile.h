// SPDX-License-Identifier: Apache-2.0
//
// For the tests of the device library: kernel text through NVRTC and through the system's compiler.
#pragma once

#include "runtime/nvrtc/Nvrtc.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tilewright {

/// Compiles with the embedded headers; a failure fails the test and yields an empty output.
NvrtcOutput compileDevice(const std::string &text, const std::vector<std::string> &options = {});

/// The version that compileDevice uses; 0.0 if there is none.
NvrtcVersion deviceCompilerVersion();

/// Whether `text` passes the host's compiler against the host headers; its messages if not.
testing::AssertionResult compilesOnHost(const std::string &text);

/// An `extern "C"` kernel "k" with the headers ("mbarrier", "wgmma_n64") and the body. In scope:
/// smem, i (thread), n (a size), map, and f, u, b, h (pointers to float, int32_t, bf16, half).
std::string kernelText(const std::vector<std::string> &headers, const std::string &body);

/// The text of a file of Inputs.
std::string readInput(const std::string &name);

} // namespace tilewright
