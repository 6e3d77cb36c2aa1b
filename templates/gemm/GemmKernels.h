// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a GEMM, for Gemm.cpp, which makes the program around them.

#pragma once

#include "templates/TileBuilder.h"
#include "templates/gemm/Space.h"

#include <vector>

namespace tilewright {

/// What the kernels are built from. References outlive the building.
struct GemmBuild {
  TileBuilder &builder;
  const GemmProblem &problem;
  const GemmConfig &config;
  const GemmDerived &derived;
};

/// One kernel for everything: D = epilogue(A·Bᵀ).
void buildGemmKernel(const GemmBuild &build, llvm::StringRef name,
                     llvm::ArrayRef<TileParameter> parameters);

/// partials[s] = A·Bᵀ over slice s of K, of k_slice columns; rows are ldp elements apart. Slices
/// past the end of K sum to zero.
void buildPartialKernel(const GemmBuild &build, llvm::StringRef name,
                        llvm::ArrayRef<TileParameter> parameters);

/// Rows and columns of a tile of the reduction, which its CTAs share out.
struct ReductionTile {
  static constexpr int32_t rows = 8;
  static constexpr int32_t columns = 128;
  /// Threads of a CTA, one row of the tile for each 32.
  static constexpr int32_t threads = 128;
  /// CTAs that an SM is given at most.
  static constexpr int32_t ctasPerSm = 8;
};

/// D = epilogue(the sum of partials[s] over s, in order).
void buildReductionKernel(const GemmBuild &build, llvm::StringRef name,
                          llvm::ArrayRef<TileParameter> parameters);

} // namespace tilewright
