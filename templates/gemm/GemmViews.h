// SPDX-License-Identifier: Apache-2.0
//
// Views of a GEMM's memory, made from the arguments of a kernel.

#pragma once

#include "templates/Epilogue.h"
#include "templates/TileBuilder.h"
#include "tilewright/Problem.h"

namespace tilewright {

/// What bulk copies ask of addresses and rows, bytes.
inline constexpr int64_t kTmaAlignment = 16;

/// D; `isBulk` if bulk copies write it.
TileValue outputView(TileBuilder &builder, const GemmProblem &problem,
                     const TileArguments &arguments, bool isBulk);

/// The workspace of sums over slices of K: slice by row by column, in fp32.
TileValue partialsView(TileBuilder &builder, int32_t slices, const TileArguments &arguments);

/// What the epilogue reads.
EpilogueOperands epilogueOperands(TileBuilder &builder, const GemmProblem &problem,
                                  const TileArguments &arguments);

} // namespace tilewright
