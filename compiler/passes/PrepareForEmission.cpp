// SPDX-License-Identifier: Apache-2.0
//
// Pass emitc-prepare: decides how EmitC is printed, so that the printer (compiler/EmitCuda.h) does
// not. The steps are in compiler/passes/emission/Steps.h.
#include "compiler/passes/Passes.h"
#include "compiler/passes/emission/Attributes.h"
#include "compiler/passes/emission/Steps.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

using namespace mlir;

namespace tilewright {
#define GEN_PASS_DEF_EMITCPREPARE
#include "compiler/passes/Passes.h.inc"
} // namespace tilewright

using namespace tilewright;

// Text may carry comments and pragmas; whatever else it says, an op should.
static LogicalResult checkVerbatim(emitc::VerbatimOp op) {
  StringRef text = op.getValue();
  if (op.getFmtArgs().empty() && !text.contains('\n') &&
      (text.starts_with("//") || text.starts_with("#pragma unroll")))
    return success();
  return op.emitOpError() << "expected a one-line comment or `#pragma unroll`, found \"" << text
                          << "\": say it with an op";
}

// The directive on a loop becomes the pragma before it.
static LogicalResult placePragma(emitc::ForOp loop) {
  Attribute directive = loop->getDiscardableAttr(emission::kUnroll);
  if (!directive)
    return success();
  std::string text = "#pragma unroll";
  if (auto factor = dyn_cast<IntegerAttr>(directive); factor && factor.getInt() >= 1)
    text += " " + std::to_string(factor.getInt());
  else if (!isa<UnitAttr>(directive))
    return loop.emitOpError() << "expected " << emission::kUnroll
                              << " to be a unit or a positive integer, found " << directive;
  OpBuilder builder(loop);
  emitc::VerbatimOp::create(builder, loop.getLoc(), text);
  loop->removeDiscardableAttr(emission::kUnroll);
  return success();
}

namespace {

struct PrepareForEmission : tilewright::impl::EmitcPrepareBase<PrepareForEmission> {
  void runOnOperation() override {
    WalkResult checked = getOperation().walk([](Operation *op) {
      if (auto verbatim = dyn_cast<emitc::VerbatimOp>(op))
        return WalkResult(checkVerbatim(verbatim));
      if (auto loop = dyn_cast<emitc::ForOp>(op))
        return WalkResult(placePragma(loop));
      return WalkResult::advance();
    });
    if (checked.wasInterrupted())
      return signalPassFailure();
    for (auto function : getOperation().getOps<emitc::FuncOp>()) {
      if (function.isExternal())
        continue;
      emission::eraseUnusedValues(function);
      emission::simplifyVariables(function);
      emission::foldExpressions(function);
      emission::nameValues(function);
    }
  }
};

} // namespace
