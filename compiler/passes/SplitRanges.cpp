// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/Passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tilewright {

#define GEN_PASS_DEF_TILESPLITRANGES
#include "compiler/passes/Passes.h.inc"

namespace {

/// Runs the region in place of its op, or hands its operand on where the region may be left out.
void resolveSkippable(tile::SkippableOp op, bool skip) {
  if (skip) {
    op.getResult().replaceAllUsesWith(op.getFallback());
  } else {
    Block &body = op.getBody().front();
    auto yield = cast<tile::YieldOp>(body.getTerminator());
    op.getResult().replaceAllUsesWith(yield.getValues().front());
    yield.erase();
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
  }
  op.erase();
}

bool skippedIn(tile::SkippableOp op, StringRef range) {
  return llvm::any_of(op.getRanges().getAsRange<StringAttr>(),
                      [&](StringAttr name) { return name.getValue() == range; });
}

/// Does or leaves out all skippable work of `root` as the range says.
void resolveSkippables(Operation *root, StringRef range) {
  SmallVector<tile::SkippableOp> skippables;
  root->walk([&](tile::SkippableOp op) { skippables.push_back(op); });
  for (tile::SkippableOp op : skippables)
    resolveSkippable(op, skippedIn(op, range));
}

/// Whether what the loop's body may skip is known with the loop: not if the ranges are those of a
/// loop around it.
bool decides(tile::ForOp loop) {
  return loop.getRangeNames() || !loop->getParentOfType<tile::ForOp>();
}

/// The loop's body from `lower` to `upper` as an scf.for, without what the range may skip.
scf::ForOp cloneRange(OpBuilder &builder, tile::ForOp loop, Value lower, Value upper,
                      ValueRange inits, StringRef range) {
  auto clone = scf::ForOp::create(builder, loop.getLoc(), lower, upper, loop.getStep(), inits);
  if (Attribute unroll = loop->getAttr("tw.unroll"))
    clone->setAttr("tw.unroll", unroll);
  clone.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), clone.getInductionVar());
  for (auto [from, to] : llvm::zip(loop.getIterArgs(), clone.getRegionIterArgs())) {
    to.setLoc(from.getLoc());
    mapping.map(from, to);
  }
  Block *body = clone.getBody();
  if (!body->empty())
    body->clear();
  OpBuilder inner = OpBuilder::atBlockEnd(body);
  for (Operation &op : loop.getBody().front().without_terminator())
    inner.clone(op, mapping);
  SmallVector<Value> yields;
  for (Value value : loop.getBody().front().getTerminator()->getOperands())
    yields.push_back(mapping.lookupOrDefault(value));
  scf::YieldOp::create(inner, loop.getLoc(), yields);
  if (decides(loop))
    resolveSkippables(clone, range);
  return clone;
}

struct SplitRanges : impl::TileSplitRangesBase<SplitRanges> {
  void runOnOperation() override {
    SmallVector<tile::ForOp> loops;
    getOperation().walk<WalkOrder::PostOrder>([&](tile::ForOp loop) { loops.push_back(loop); });
    for (tile::ForOp loop : loops) {
      if (loop.getOrder()) {
        loop.emitOpError() << "still has an order; tile-rotate runs before ranges are split";
        return signalPassFailure();
      }
      split(loop);
    }
    resolveSkippables(getOperation(), "");
  }

  static void split(tile::ForOp loop) {
    OpBuilder builder(loop);
    SmallVector<Value> values(loop.getInits());
    bool skips = false;
    loop.getBody().walk([&](tile::SkippableOp) { skips = true; });
    bool cut = loop.getRangeNames() && skips;
    if (!cut) {
      values = SmallVector<Value>(
          cloneRange(builder, loop, loop.getLower(), loop.getUpper(), values, "").getResults());
    } else {
      for (auto [index, name] : llvm::enumerate(loop.getRangeNames()->getAsRange<StringAttr>())) {
        Value lower = loop.getRangeBounds()[2 * index],
              upper = loop.getRangeBounds()[2 * index + 1];
        values = SmallVector<Value>(
            cloneRange(builder, loop, lower, upper, values, name.getValue()).getResults());
      }
    }
    loop.replaceAllUsesWith(values);
    loop.erase();
  }
};

} // namespace

} // namespace tilewright
