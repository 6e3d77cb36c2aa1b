// SPDX-License-Identifier: Apache-2.0
//
// What test_gpu does to record the vectors of tests/vectors anew.
#pragma once

#include <string>

namespace tilewright {

/// The first argument that makes test_gpu do it; the second is the file.
inline constexpr const char *kRecordVectorsFlag = "--record-vectors";

/// Runs every vector and writes the results; the exit code, with reasons on stderr.
int recordVectors(const std::string &file);

} // namespace tilewright
