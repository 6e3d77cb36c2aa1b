// SPDX-License-Identifier: Apache-2.0
//
// scf.for to EmitC. Upstream's pattern loses the names of counters and of carried values.
#include "compiler/passes/emission/Attributes.h"
#include "compiler/passes/emission/Conversion.h"

#include "compiler/sm90/Names.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilewright;

namespace {

// A carried value becomes a variable: initialised before the loop, read at the top of the body,
// assigned at its end, read again behind the loop.
struct ConvertFor : OpConversionPattern<scf::ForOp> {
  // Wins over the upstream pattern.
  ConvertFor(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(scf::ForOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getUnsignedCmp())
      return rewriter.notifyMatchFailure(op, "integers are signed");
    Location plain = sm90::withoutName(op.getLoc());
    Location counter = op.getInductionVar().getLoc();
    SmallVector<Value> variables;
    for (auto [init, argument] : llvm::zip_equal(adaptor.getInitArgs(), op.getRegionIterArgs())) {
      Type type = init.getType();
      if (isa<emitc::ArrayType>(type))
        return rewriter.notifyMatchFailure(op, "register arrays are not carried by loops");
      StringRef name = sm90::nameOf(argument.getLoc());
      if (name.empty() && op.getNumResults() == 1)
        name = sm90::nameOf(op.getLoc());
      Location loc = name.empty() ? plain : sm90::withName(plain, name);
      variables.push_back(emitc::VariableOp::create(rewriter, loc, emitc::LValueType::get(type),
                                                    emitc::OpaqueAttr::get(getContext(), "")));
      emitc::AssignOp::create(rewriter, plain, variables.back(), init);
    }

    auto loop = emitc::ForOp::create(rewriter, plain, adaptor.getLowerBound(),
                                     adaptor.getUpperBound(), adaptor.getStep());
    loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    loop.getInductionVar().setLoc(counter);

    if (failed(rewriter.convertRegionTypes(&op.getRegion(), *getTypeConverter())))
      return failure();
    Block *body = loop.getBody();
    rewriter.setInsertionPointToStart(body);
    SmallVector<Value> arguments{loop.getInductionVar()};
    for (Value variable : variables)
      arguments.push_back(read(rewriter, plain, variable));
    auto yield = cast<scf::YieldOp>(op.getBody()->getTerminator());
    rewriter.inlineBlockBefore(op.getBody(), body->getTerminator(), arguments);

    rewriter.setInsertionPoint(yield);
    SmallVector<Value> next;
    if (failed(rewriter.getRemappedValues(yield.getOperands(), next)))
      return failure();
    for (auto [variable, value] : llvm::zip_equal(variables, next))
      emitc::AssignOp::create(rewriter, plain, variable, value);
    rewriter.eraseOp(yield);

    rewriter.setInsertionPointAfter(loop);
    SmallVector<Value> results;
    for (Value variable : variables)
      results.push_back(read(rewriter, plain, variable));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static Value read(OpBuilder &builder, Location loc, Value variable) {
    Type type = cast<emitc::LValueType>(variable.getType()).getValueType();
    return emitc::LoadOp::create(builder, loc, type, variable);
  }
};

} // namespace

void emission::populateLoopPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertFor>(converter, patterns.getContext());
}
