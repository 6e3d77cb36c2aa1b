// SPDX-License-Identifier: Apache-2.0
//
// What the families share: what an operation is in its kernel, and small rewrites. None of this
// looks at names in the text; a barrier is full or empty by who arrives there.

#pragma once

#include "compiler/mutation/Families.h"
#include "compiler/sm90/Sm90Ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tilewright::mutation {

using mlir::Operation;
using mlir::Value;

/// Builds small expressions at a place.
class Build : public mlir::OpBuilder {
public:
  static Build before(Operation *op) { return Build(op, false); }
  static Build after(Operation *op) { return Build(op, true); }

  template <class OpType, class... Arguments>
  OpType make(Arguments &&...arguments) {
    return OpType::create(*this, loc, std::forward<Arguments>(arguments)...);
  }
  Value number(int32_t value);
  Value truth(bool value);
  Value add(Value a, Value b) { return make<mlir::arith::AddIOp>(a, b); }
  Value add(Value a, int32_t b) { return add(a, number(b)); }
  Value compare(mlir::arith::CmpIPredicate how, Value a, int32_t b);
  Value both(Value a, Value b) { return make<mlir::arith::AndIOp>(a, b); }
  /// Thread of the warpgroup, 0 to 127; warp of the warpgroup, 0 to 3.
  Value groupThread();
  Value groupWarp();
  /// `condition`s that hold for all but some.
  Value groupWarpIs(int32_t warp);
  Value groupWarpIsNot(int32_t warp);
  Value laneIsNot(int32_t lane);

private:
  Build(Operation *op, bool isAfter);
  mlir::Location loc;
};

/// A number without a name, as its ops hold it.
sm90::ConstAttr number(Operation *op, int64_t value);

/// Erases an operation without results, with the branch around it if that is all it holds.
void drop(Operation *op);
/// Runs `op` only where `condition`, made just before it, holds.
void guard(Operation *op, Value condition);
/// Sets operand `index` of `op` to what `value` makes of it, just before `op`.
void rewriteOperand(Operation *op, Value old, llvm::function_ref<Value(Build &, Value)> value);

/// The array of mbarriers that `barrier` is one of: the first operand of its barrier_at, or of the
/// sum that an initialising loop makes. Null if it is something else.
Value arrayOf(Value barrier);
/// The cursor that picks it, or null.
Value cursorOf(Value barrier);
/// Whether bytes are announced on the barriers of that array: whoever waits there waits for data.
bool isFull(Value barrier);
/// The others: whoever waits there waits for room.
bool isEmpty(Value barrier);

bool isFullWait(Operation *op);
bool isEmptyWait(Operation *op);
/// An arrival that gives a stage back, and those of them that another CTA may get.
bool isRelease(Operation *op);
bool isRemoteRelease(Operation *op);
/// A wait for an accumulator that nothing has waited for before, and one that only frees what older
/// groups read.
bool isAccumulatorWait(Operation *op);
bool isGroupWait(Operation *op);
/// A wait for bulk stores inside the loop over tiles, and the one after it.
bool isStagingWait(Operation *op);
bool isFinalBulkWait(Operation *op);
/// A named barrier within a warpgroup, before or after the staging is written.
bool isStagingBarrier(Operation *op);
bool isBarrierBeforeStaging(Operation *op);
bool isBarrierAfterStaging(Operation *op);

/// The loop of a reduction over the slices of K.
bool isSliceLoop(Operation *op);

/// The first op of the type after, or before, `op` in its block; null if there is none.
template <class... OpTypes>
Operation *nextOf(Operation *op) {
  for (op = op->getNextNode(); op; op = op->getNextNode())
    if (mlir::isa<OpTypes...>(op))
      return op;
  return nullptr;
}
template <class... OpTypes>
Operation *previousOf(Operation *op) {
  for (op = op->getPrevNode(); op; op = op->getPrevNode())
    if (mlir::isa<OpTypes...>(op))
      return op;
  return nullptr;
}
/// Whether an op of the type stands in `op`, at any depth.
template <class... OpTypes>
bool holds(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return mlir::isa<OpTypes...>(inner) ? mlir::WalkResult::interrupt()
                                            : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}
/// The first op of the type in the kernel of `op` for which `test` holds, or null.
Operation *findInKernel(Operation *op, llvm::function_ref<bool(Operation *)> test);
/// Calls `change` on all ops of the kernel of `op` for which `test` holds.
void forAllInKernel(Operation *op, llvm::function_ref<bool(Operation *)> test,
                    llvm::function_ref<void(Operation *)> change);

/// The op that directly holds `op`, if it is a branch.
mlir::scf::IfOp branchOf(Operation *op);
/// The op that stands in `block` and holds `op`, or is it; null if there is none.
Operation *ancestorIn(mlir::Block *block, Operation *op);
sm90::KernelOp kernelOf(Operation *op);
/// CTAs of a cluster of the kernel of `op`.
int32_t clusterSize(Operation *op);
/// Warpgroups that take part in a role which all of them run together.
int32_t consumers(Operation *op);
/// The value of a constant, or -1.
int64_t constantOf(Value value);

} // namespace tilewright::mutation
