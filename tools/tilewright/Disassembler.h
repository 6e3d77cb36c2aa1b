// SPDX-License-Identifier: Apache-2.0
//
// Machine code as text, by NVIDIA's nvdisasm. It comes with the CUDA toolkit, and is needed for
// nothing else. Thread-safety: functions without state.

#pragma once

#include "support/Env.h"
#include "tilewright/Status.h"

#include <string>

namespace tilewright::cli {

/// The nvdisasm of CUDA_HOME, of PATH, or of /usr/local/cuda; unavailable says how to get one.
Expected<std::string> findDisassembler(const Env &env);

/// The SASS of a cubin. Writes it to a temporary file, since nvdisasm reads nothing else.
Expected<std::string> disassemble(const Env &env, const std::string &cubin);

} // namespace tilewright::cli
