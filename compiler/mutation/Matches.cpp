// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilewright::mutation {

static constexpr int32_t kWarp = 32;
static constexpr int32_t kWarpgroup = 128;

Build::Build(Operation *op, bool isAfter)
    : OpBuilder(op->getContext()), loc(UnknownLoc::get(op->getContext())) {
  if (isAfter)
    setInsertionPointAfter(op);
  else
    setInsertionPoint(op);
}

Value Build::number(int32_t value) { return make<arith::ConstantIntOp>(getI32Type(), value); }

Value Build::truth(bool value) { return make<arith::ConstantIntOp>(getI1Type(), value); }

Value Build::compare(arith::CmpIPredicate how, Value a, int32_t b) {
  return make<arith::CmpIOp>(how, a, number(b));
}

Value Build::groupThread() {
  return make<arith::RemSIOp>(make<sm90::ThreadIdOp>(), number(kWarpgroup));
}

Value Build::groupWarp() { return make<arith::DivSIOp>(groupThread(), number(kWarp)); }

Value Build::groupWarpIs(int32_t warp) {
  return compare(arith::CmpIPredicate::eq, groupWarp(), warp);
}

Value Build::groupWarpIsNot(int32_t warp) {
  return compare(arith::CmpIPredicate::ne, groupWarp(), warp);
}

Value Build::laneIsNot(int32_t lane) {
  return compare(arith::CmpIPredicate::ne, make<sm90::LaneIdOp>(), lane);
}

sm90::ConstAttr number(Operation *op, int64_t value) {
  return sm90::ConstAttr::get(op->getContext(), value);
}

void drop(Operation *op) {
  scf::IfOp branch = branchOf(op);
  op->erase();
  if (branch && branch->getNumResults() == 0 && branch.getElseRegion().empty() &&
      llvm::hasSingleElement(*branch.thenBlock()))
    branch->erase();
}

void guard(Operation *op, Value condition) {
  Build build = Build::before(op);
  auto branch = build.make<scf::IfOp>(condition, /*withElseRegion=*/false);
  op->moveBefore(branch.thenBlock()->getTerminator());
}

void rewriteOperand(Operation *op, Value old, llvm::function_ref<Value(Build &, Value)> value) {
  Build build = Build::before(op);
  Value changed = value(build, old);
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == old) {
      operand.set(changed);
      return;
    }
}

Value arrayOf(Value barrier) {
  if (auto at = barrier.getDefiningOp<sm90::BarrierAtOp>())
    return at.getFirst();
  if (auto sum = barrier.getDefiningOp<arith::AddIOp>())
    return sum.getLhs();
  return {};
}

Value cursorOf(Value barrier) {
  auto at = barrier.getDefiningOp<sm90::BarrierAtOp>();
  return at ? at.getCursor() : Value();
}

bool isFull(Value barrier) {
  Value array = arrayOf(barrier);
  return array && llvm::any_of(array.getUsers(), [](Operation *user) {
           return isa<sm90::BarrierAtOp>(user) &&
                  llvm::any_of(user->getUsers(), llvm::IsaPred<sm90::MbarrierArriveExpectTxOp>);
         });
}

bool isEmpty(Value barrier) { return arrayOf(barrier) && !isFull(barrier); }

bool isFullWait(Operation *op) {
  auto wait = dyn_cast<sm90::MbarrierWaitParityOp>(op);
  return wait && isFull(wait.getBarrier());
}

bool isEmptyWait(Operation *op) {
  auto wait = dyn_cast<sm90::MbarrierWaitParityOp>(op);
  return wait && isEmpty(wait.getBarrier());
}

bool isRelease(Operation *op) {
  return (isa<sm90::MbarrierArriveOp>(op) && isEmpty(op->getOperand(0))) || isRemoteRelease(op);
}

bool isRemoteRelease(Operation *op) {
  return isa<sm90::MbarrierArriveRemoteOp>(op) && isEmpty(op->getOperand(0));
}

/// Whether what comes before in its block has left wgmmas under way.
static bool hasWork(Operation *wait) {
  for (Operation *op = wait->getPrevNode(); op; op = op->getPrevNode()) {
    if (isa<sm90::WgmmaWaitOp>(op))
      return cast<sm90::WgmmaWaitOp>(op).getOutstanding().getValue() > 0;
    if (isa<sm90::WgmmaCommitOp>(op))
      return true;
    if (!holds<sm90::WgmmaCommitOp>(op))
      continue;
    return !op->walk([](sm90::WgmmaWaitOp inner) {
                return inner.getOutstanding().getValue() == 0 ? WalkResult::interrupt()
                                                              : WalkResult::advance();
              }).wasInterrupted();
  }
  return false;
}

bool isAccumulatorWait(Operation *op) {
  auto wait = dyn_cast<sm90::WgmmaWaitOp>(op);
  return wait && wait.getAccumulator() && hasWork(op);
}

bool isGroupWait(Operation *op) {
  auto wait = dyn_cast<sm90::WgmmaWaitOp>(op);
  return wait && !wait.getAccumulator();
}

/// Whether a barrier follows on the wait: only then somebody writes where the stores read.
static bool precedesBarrier(Operation *op) {
  scf::IfOp branch = branchOf(op);
  return nextOf<sm90::BarrierSyncOp>(branch ? branch.getOperation() : op);
}

bool isStagingWait(Operation *op) {
  return isa<sm90::BulkWaitReadOp, sm90::BulkWaitOp>(op) && precedesBarrier(op);
}

bool isFinalBulkWait(Operation *op) {
  return isa<sm90::BulkWaitReadOp, sm90::BulkWaitOp>(op) && !precedesBarrier(op);
}

bool isStagingBarrier(Operation *op) {
  return isBarrierBeforeStaging(op) || isBarrierAfterStaging(op);
}

/// A barrier of one warpgroup; two of them meet for other reasons.
static bool isGroupBarrier(Operation *op) {
  auto sync = dyn_cast<sm90::BarrierSyncOp>(op);
  return sync && sync.getThreads().getValue() <= kWarpgroup;
}

bool isBarrierBeforeStaging(Operation *op) {
  return isGroupBarrier(op) && nextOf<sm90::FenceProxyAsyncSharedOp>(op);
}

bool isBarrierAfterStaging(Operation *op) {
  return isGroupBarrier(op) && previousOf<sm90::FenceProxyAsyncSharedOp>(op) &&
         !nextOf<sm90::FenceProxyAsyncSharedOp>(op);
}

bool isSliceLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && !loop->hasAttr("tw.unroll") && constantOf(loop.getUpperBound()) > 1 &&
         holds<sm90::LdGlobalPairOp>(op) && loop.getNumRegionIterArgs() == 0 &&
         !findInKernel(op, llvm::IsaPred<sm90::WgmmaCommitOp>);
}

Operation *findInKernel(Operation *op, llvm::function_ref<bool(Operation *)> test) {
  Operation *found = nullptr;
  kernelOf(op).walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (!test(inner))
      return WalkResult::advance();
    found = inner;
    return WalkResult::interrupt();
  });
  return found;
}

void forAllInKernel(Operation *op, llvm::function_ref<bool(Operation *)> test,
                    llvm::function_ref<void(Operation *)> change) {
  SmallVector<Operation *> all;
  kernelOf(op).walk([&](Operation *inner) {
    if (test(inner))
      all.push_back(inner);
  });
  llvm::for_each(all, change);
}

scf::IfOp branchOf(Operation *op) { return dyn_cast<scf::IfOp>(op->getParentOp()); }

Operation *ancestorIn(Block *block, Operation *op) { return block->findAncestorOpInBlock(*op); }

sm90::KernelOp kernelOf(Operation *op) {
  auto kernel = dyn_cast<sm90::KernelOp>(op);
  return kernel ? kernel : op->getParentOfType<sm90::KernelOp>();
}

int32_t clusterSize(Operation *op) {
  std::optional<ArrayRef<int32_t>> cluster = kernelOf(op).getCluster();
  int32_t size = 1;
  for (int32_t extent : cluster.value_or(ArrayRef<int32_t>()))
    size *= extent;
  return size;
}

int32_t consumers(Operation *op) {
  return static_cast<int32_t>(kernelOf(op).getThreads()) / kWarpgroup - 1;
}

int64_t constantOf(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (auto named = value.getDefiningOp<sm90::NamedConstantOp>())
    if (auto integer = dyn_cast<IntegerAttr>(named.getValue()))
      return integer.getInt();
  return -1;
}

} // namespace tilewright::mutation
