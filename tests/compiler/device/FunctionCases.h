// SPDX-License-Identifier: Apache-2.0
//
// One case per function of the device library: how it is called, and what PTX it has to become.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace tilewright {

struct FunctionCase {
  /// Name of the test: the function's, with what the case adds.
  std::string name;
  /// Headers to include, beside shared and warp.
  std::vector<std::string> headers;
  /// Body of the kernel; see kernelText.
  std::string body;
  /// What the PTX contains: regular expressions, blanks squeezed to one.
  std::vector<std::string> expected;
  /// What it doesn't contain.
  std::vector<std::string> forbidden = {};

  /// How GoogleTest shows it.
  friend std::ostream &operator<<(std::ostream &out, const FunctionCase &test) {
    return out << test.name;
  }
};

/// All cases but those of wgmma_ss and wgmma_rs, which WgmmaTest.cpp makes.
std::vector<FunctionCase> functionCases();

/// Those among them of barriers, fences, and memory.
std::vector<FunctionCase> memoryCases();

} // namespace tilewright
