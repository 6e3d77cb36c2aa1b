// SPDX-License-Identifier: Apache-2.0
//
// scf.for to EmitC. Upstream's pattern loses the names of counters and of carried values.
#include "compiler/passes/emission/Attributes.h"
#include "compiler/passes/emission/Conversion.h"

#include "compiler/sm90/Names.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;

// Carried values that take over another's old value are assigned before that one changes. In a
// cycle (a swap) any order will do: an old value is then kept in a variable of its own.
static SmallVector<unsigned> assignmentOrder(scf::ForOp loop) {
  // By index: which carried value the next one is a copy of, if any.
  SmallVector<std::optional<unsigned>> copies;
  for (Value value : loop.getYieldedValues()) {
    auto argument = dyn_cast<BlockArgument>(value);
    bool isCarried =
        argument && argument.getOwner() == loop.getBody() && argument.getArgNumber() > 0;
    copies.push_back(isCarried ? std::optional(argument.getArgNumber() - 1) : std::nullopt);
  }
  llvm::SetVector<unsigned> order;
  auto isPending = [&](unsigned index) {
    return !order.contains(index) && copies[index] && *copies[index] != index;
  };
  for (unsigned round = 0; round < copies.size(); ++round)
    for (unsigned index = 0; index < copies.size(); ++index) {
      bool isReadLater = false;
      for (unsigned other = 0; other < copies.size(); ++other)
        isReadLater |= other != index && isPending(other) && *copies[other] == index;
      if (isPending(index) && !isReadLater)
        order.insert(index);
    }
  for (unsigned index = 0; index < copies.size(); ++index)
    order.insert(index);
  return order.takeVector();
}

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
    SmallVector<unsigned> order = assignmentOrder(op);
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
    for (unsigned index : order)
      emitc::AssignOp::create(rewriter, plain, variables[index], next[index]);
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
