// SPDX-License-Identifier: Apache-2.0
//
// What the opaque handles of tilewright.h are.
#pragma once

#include "runtime/engine/EngineCore.h"
#include "tilewright/tilewright.h"

#include <memory>

struct twEngine {
  std::unique_ptr<tilewright::EngineCore> core;
};

/// A kernel, and how the request that this handle stands for was answered. Kernels are shared
/// between handles.
struct twKernel {
  tilewright::KernelAnswer answer;

  [[nodiscard]] tilewright::GemmKernel &kernel() const { return *answer.kernel; }
};
