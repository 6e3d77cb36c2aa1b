// SPDX-License-Identifier: Apache-2.0
//
// The second kernel of a GEMM that is split along K: adds up the slices.

#include "templates/gemm/GemmKernels.h"
#include "templates/gemm/GemmViews.h"

namespace tilewright {

void buildReductionKernel(const GemmBuild &build, llvm::StringRef name,
                          llvm::ArrayRef<TileParameter> parameters) {
  TileBuilder &builder = build.builder;
  const GemmProblem &problem = build.problem;
  constexpr int32_t kColumnsPerThread = 4; // 16 bytes of fp32
  constexpr int32_t kThreadColumns = ReductionTile::columns / kColumnsPerThread;
  auto layout = tile::BlockedAttr::get(builder.context(), ReductionTile::threads / kThreadColumns,
                                       kThreadColumns, kColumnsPerThread);
  mlir::RankedTensorType tileType =
      builder.tileOf({ReductionTile::rows, ReductionTile::columns}, DType::fp32, layout);

  KernelTraits traits;
  traits.threads = ReductionTile::threads;
  builder.kernel(name, parameters, traits, [&](const TileArguments &arguments) {
    TileValue d = outputView(builder, problem, arguments, /*isBulk=*/false);
    TileValue partials = partialsView(builder, build.config.split, arguments);
    EpilogueOperands operands = epilogueOperands(builder, problem, arguments);
    TileValue tiles =
        builder.raster({arguments["m"], arguments["n"]},
                       {ReductionTile::rows, ReductionTile::columns}, tile::Order::Row);
    builder.forTiles(tiles, {"m0", "n0"}, [&](llvm::ArrayRef<TileValue> at) {
      auto addSlice = [&](TileValue slice, TileValue sum) {
        return sum + builder.loadDirect(partials, {slice, at[0], at[1]}, tileType).named("partial");
      };
      TileValue begin = builder.constant(0);
      TileValue end = builder.constant(build.config.split);
      TileValue step = builder.constant(1);
      TileValue sum = builder.loop("slice", begin, end, step, builder.zero(tileType), addSlice);
      TileValue result =
          applyEpilogue(sum.named("acc"), problem.epilogue, operands, at[0], at[1], problem.d);
      builder.storeDirect(result, d, at);
    });
  });
}

} // namespace tilewright
