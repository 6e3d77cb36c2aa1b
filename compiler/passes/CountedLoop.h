// SPDX-License-Identifier: Apache-2.0
//
// tile.for and scf.for seen alike: bounds, counter, loop-carried values. A view on an operation, as
// cheap to copy as the operation's pointer and invalid once that is erased.

#pragma once

#include "compiler/tile/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tilewright {

class CountedLoop {
public:
  /// The loop that `op` is; false in a condition if it is none (also for null).
  explicit CountedLoop(mlir::Operation *op)
      : loop(mlir::isa_and_nonnull<tile::ForOp, mlir::scf::ForOp>(op) ? op : nullptr) {}
  explicit operator bool() const { return loop; }
  mlir::Operation *getOperation() const { return loop; }
  mlir::Operation *operator->() const { return loop; }

  mlir::Value lower() const { return loop->getOperand(0); }
  mlir::Value upper() const { return loop->getOperand(1); }
  mlir::Value step() const { return loop->getOperand(2); }
  mlir::Block &body() const { return loop->getRegion(0).front(); }
  mlir::Value counter() const { return body().getArgument(0); }

  /// The i-th loop-carried value: what it starts from, in the body, what the body hands on, at the
  /// end.
  unsigned carried() const { return loop->getNumResults(); }
  mlir::OpOperand &init(unsigned i) const;
  mlir::BlockArgument argument(unsigned i) const { return body().getArgument(i + 1); }
  mlir::OpOperand &yielded(unsigned i) const { return body().getTerminator()->getOpOperand(i); }
  mlir::OpResult result(unsigned i) const { return loop->getResult(i); }

private:
  mlir::Operation *loop;
};

/// A loop of the kind and with the attributes of `like`, its bounds taken through `map`, with an
/// empty body that has its arguments and no terminator. A turn is not copied: it belongs to an
/// order.
CountedLoop createLoopLike(mlir::OpBuilder &builder, CountedLoop like, mlir::IRMapping &map,
                           mlir::ValueRange inits);

/// Ends the body of `loop` with a yield of `values`.
void createYield(mlir::OpBuilder &builder, CountedLoop loop, mlir::ValueRange values);

/// Replaces `loop` by one that carries another value at `position`, starting from `init`; `yielded`
/// says, given the value in the body, what the next iteration gets.
CountedLoop insertCarried(CountedLoop loop, unsigned position, mlir::Value init,
                          llvm::function_ref<mlir::Value(mlir::BlockArgument)> yielded);

} // namespace tilewright
