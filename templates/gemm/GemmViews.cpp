// SPDX-License-Identifier: Apache-2.0
#include "templates/gemm/GemmViews.h"

#include "templates/gemm/Arguments.h"

namespace tilewright {

TileValue outputView(TileBuilder &builder, const GemmProblem &problem,
                     const TileArguments &arguments, bool isBulk) {
  int64_t align = isBulk ? kTmaAlignment : rowAlignment(problem.pitchD(), problem.d);
  return builder.view(arguments["d"], {arguments["m"], arguments["n"]}, {arguments["ldd"]}, align)
      .named("D");
}

TileValue partialsView(TileBuilder &builder, int32_t slices, const TileArguments &arguments) {
  return builder
      .view(arguments["partials"], {builder.constant(slices), arguments["m"], arguments["n"]},
            {arguments["lds"], arguments["ldp"]}, kTmaAlignment)
      .named("P");
}

EpilogueOperands epilogueOperands(TileBuilder &builder, const GemmProblem &problem,
                                  const TileArguments &arguments) {
  TileValue m = arguments["m"];
  TileValue n = arguments["n"];
  EpilogueOperands operands;
  if (problem.usesAlpha())
    operands.alpha = arguments["alpha"];
  if (problem.usesC()) {
    operands.beta = arguments["beta"];
    int64_t align = rowAlignment(problem.pitchC(), problem.typeC());
    operands.views["c"] =
        builder.view(arguments["c"], {m, n}, {arguments["ldc"]}, align).named("C");
  }

  auto viewOf = [&](const EpilogueOp &op) {
    DType type = op.operandType(problem.d);
    TileValue base = arguments[op.name()];
    if (op.operand() == EpilogueOperand::rowVector)
      return builder.view(base, {m}, {}, dtypeBytes(type));
    // NOTE: accumulators hold pairs of neighbouring columns, which one access reads together.
    if (op.operand() == EpilogueOperand::columnVector)
      return builder.view(base, {n}, {}, 2 * dtypeBytes(type));
    int64_t pitch = op.ld != 0 ? op.ld : problem.n;
    return builder.view(base, {m, n}, {arguments["ldr"]}, rowAlignment(pitch, type));
  };
  for (const EpilogueOp &op : problem.epilogue.ops())
    if (op.hasOperand())
      operands.views[op.name()] = viewOf(op).named(std::string(op.name()) + "_view");
  return operands;
}

} // namespace tilewright
