// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/CountedLoop.h"

using namespace mlir;

namespace tilewright {

OpOperand &CountedLoop::init(unsigned i) const {
  if (auto tileLoop = dyn_cast<tile::ForOp>(loop))
    return tileLoop.getInitsMutable()[i];
  return cast<scf::ForOp>(loop).getInitsMutable()[i];
}

/// Creates the loop with a body block that holds nothing at all.
static Operation *createEmptyLoop(OpBuilder &builder, CountedLoop like, IRMapping &map,
                                  ValueRange inits) {
  Value lower = map.lookupOrDefault(like.lower()), upper = map.lookupOrDefault(like.upper());
  Value step = map.lookupOrDefault(like.step());
  if (auto loop = dyn_cast<tile::ForOp>(like.getOperation())) {
    SmallVector<Value> bounds;
    for (Value bound : loop.getRangeBounds())
      bounds.push_back(map.lookupOrDefault(bound));
    auto created =
        tile::ForOp::create(builder, loop.getLoc(), inits.getTypes(), lower, upper, step, bounds,
                            inits, Value(), loop.getRangeNamesAttr(), ArrayAttr());
    created->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    return created;
  }
  auto created = scf::ForOp::create(builder, like->getLoc(), lower, upper, step, inits);
  created->setAttrs(like->getAttrDictionary());
  created.getRegion().front().erase();
  return created;
}

CountedLoop createLoopLike(OpBuilder &builder, CountedLoop like, IRMapping &map, ValueRange inits) {
  Operation *created = createEmptyLoop(builder, like, map, inits);
  Block &block = created->getRegion(0).emplaceBlock();
  block.addArgument(like.counter().getType(), like.counter().getLoc());
  for (Value init : inits)
    block.addArgument(init.getType(), init.getLoc());
  return CountedLoop(created);
}

void createYield(OpBuilder &builder, CountedLoop loop, ValueRange values) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&loop.body());
  if (isa<tile::ForOp>(loop.getOperation()))
    tile::YieldOp::create(builder, loop->getLoc(), values);
  else
    scf::YieldOp::create(builder, loop->getLoc(), values);
}

CountedLoop insertCarried(CountedLoop loop, unsigned position, Value init,
                          function_ref<Value(BlockArgument)> yielded) {
  SmallVector<Value> inits;
  for (unsigned i = 0; i < loop.carried(); ++i)
    inits.push_back(loop.init(i).get());
  inits.insert(inits.begin() + position, init);
  OpBuilder builder(loop.getOperation());
  IRMapping same;
  Operation *created = createEmptyLoop(builder, loop, same, inits);
  created->getRegion(0).takeBody(loop->getRegion(0));
  Block &body = created->getRegion(0).front();
  BlockArgument argument = body.insertArgument(position + 1, init.getType(), init.getLoc());
  body.getTerminator()->insertOperands(position, yielded(argument));
  for (unsigned i = 0; i < loop.carried(); ++i)
    loop.result(i).replaceAllUsesWith(created->getResult(i < position ? i : i + 1));
  loop->erase();
  return CountedLoop(created);
}

} // namespace tilewright
