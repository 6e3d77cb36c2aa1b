// SPDX-License-Identifier: Apache-2.0
//
// Walks the operations of programs and kernels and computes their values. One object evaluates one
// program, kernel or instance of a role; it belongs to one thread. Errors are diagnostics at the
// operation.

#pragma once

#include "compiler/evaluator/Evaluator.h"
#include "compiler/evaluator/Ring.h"
#include "compiler/evaluator/RoleRunner.h"
#include "compiler/evaluator/Value.h"
#include "compiler/tile/TileDialect.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>

namespace mlir::scf {
class ForOp;
class IfOp;
class WhileOp;
} // namespace mlir::scf

namespace tilewright::evaluator {

class Interpreter {
public:
  explicit Interpreter(const EvaluationOptions &options)
      : options_(options), roles_(std::make_shared<RoleRunner>()) {}

  /// Runs a body with its arguments bound to `arguments`.
  mlir::LogicalResult runFunction(mlir::FunctionOpInterface function,
                                  llvm::ArrayRef<Value> arguments);

  /// Workspace that `tile.buffer` has made so far, in order.
  llvm::ArrayRef<std::shared_ptr<Memory>> buffers() const { return buffers_; }

  /// Whether the error was an operation that the evaluator does not know.
  bool metUnknownOperation() const { return metUnknownOperation_; }

private:
  using Values = llvm::SmallVector<Value, 4>;

  // Interpreter.cpp: dispatch and control flow.
  /// Runs a block up to its terminator and returns the values that this hands on.
  mlir::FailureOr<Values> runBlock(mlir::Block &block, llvm::ArrayRef<Value> arguments);
  mlir::LogicalResult runOp(mlir::Operation *op);
  mlir::LogicalResult runConstant(mlir::Operation *op, mlir::Attribute attribute);
  mlir::LogicalResult runElementwise(mlir::Operation *op);
  mlir::LogicalResult runScfFor(mlir::scf::ForOp op);
  mlir::LogicalResult runScfIf(mlir::scf::IfOp op);
  mlir::LogicalResult runScfWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult runFor(tile::ForOp op);
  mlir::LogicalResult runForTiles(tile::ForTilesOp op);
  mlir::LogicalResult runSkippable(tile::SkippableOp op);
  mlir::LogicalResult reportUnknown(mlir::Operation *op);

  // ProgramOps.cpp: programs, views and schedules.
  mlir::LogicalResult runLaunch(tile::LaunchOp op);
  mlir::LogicalResult runBuffer(tile::BufferOp op);
  mlir::LogicalResult runRequire(tile::RequireOp op);
  mlir::LogicalResult runView(tile::ViewOp op);
  mlir::LogicalResult runRaster(tile::RasterOp op);
  mlir::LogicalResult runWorkList(tile::WorkListOp op);

  // MemoryOps.cpp: accesses to global memory.
  mlir::LogicalResult runLoad(tile::LoadOp op);
  Tile loadTile(const View &view, llvm::ArrayRef<int64_t> origin, llvm::ArrayRef<int64_t> shape,
                bool isUndefined) const;
  void storeTile(const Tile &tile, const View &view, llvm::ArrayRef<int64_t> origin, bool adds);
  mlir::LogicalResult runGather(tile::GatherOp op);
  mlir::LogicalResult runStore(tile::StoreOp op);
  mlir::LogicalResult runRead(tile::ReadOp op);
  mlir::LogicalResult runAtomicAdd(tile::AtomicAddOp op);
  mlir::LogicalResult runSemaphoreWait(tile::SemaphoreWaitOp op);
  mlir::LogicalResult runSemaphorePost(tile::SemaphorePostOp op);

  // ComputeOps.cpp: tile arithmetic.
  mlir::LogicalResult runDot(tile::DotOp op);
  mlir::LogicalResult runReduce(tile::ReduceOp op);
  mlir::LogicalResult runMap(tile::MapOp op);

  // ScheduledOps.cpp: roles, rings, copies and dots in flight.
  mlir::LogicalResult runRoles(tile::RolesOp op);
  mlir::LogicalResult runInstance(tile::RoleOp role, int64_t instance);
  mlir::LogicalResult runTurn(tile::TurnOp op);
  mlir::LogicalResult runTurnWait(tile::TurnWaitOp op);
  mlir::LogicalResult runTurnPass(tile::TurnPassOp op);
  mlir::LogicalResult runRing(tile::RingOp op);
  mlir::LogicalResult runAcquire(tile::AcquireOp op);
  mlir::LogicalResult runWait(tile::WaitOp op);
  mlir::LogicalResult runCommit(tile::CommitOp op);
  mlir::LogicalResult runRelease(tile::ReleaseOp op);
  mlir::LogicalResult runCopy(tile::CopyOp op);
  mlir::LogicalResult runCopyOut(tile::CopyOutOp op);
  mlir::LogicalResult runFragmentStore(tile::FragmentStoreOp op);
  mlir::LogicalResult runFragmentLoad(tile::FragmentLoadOp op);
  mlir::LogicalResult runScheduleRange(tile::ScheduleRangeOp op);
  mlir::LogicalResult runDecode(tile::DecodeOp op);
  mlir::LogicalResult runDotStart(tile::DotStartOp op);
  mlir::LogicalResult runDotWait(tile::DotWaitOp op);
  mlir::LogicalResult runDotRetire(tile::DotRetireOp op);
  /// Finishes the oldest dots until `outstanding` are in flight.
  mlir::LogicalResult retireDots(int64_t outstanding);
  mlir::LogicalResult finishDot(PendingDot &dot);
  std::shared_ptr<Ring> ringOf(mlir::Value value) const;
  SlotMemory &slotOf(mlir::Value slot) const;
  /// What a slot holds; an error at `op` if that is nothing.
  mlir::FailureOr<Tile> contentsOf(mlir::Operation *op, mlir::Value slot) const;
  mlir::LogicalResult setSlots(mlir::ResultRange results, const Ring::Stage &stage);

  /// Values of operands; their kinds follow from the verified types.
  const Value &valueOf(mlir::Value value) const;
  const Tile &tileOf(mlir::Value value) const { return std::get<Tile>(valueOf(value)); }
  const View &viewOf(mlir::Value value) const { return std::get<View>(valueOf(value)); }
  Number numberOf(mlir::Value value) const { return std::get<Number>(valueOf(value)); }
  int64_t intOf(mlir::Value value) const { return std::get<int64_t>(numberOf(value)); }
  llvm::SmallVector<int64_t, 4> intsOf(mlir::ValueRange range) const;
  Values valuesOf(mlir::ValueRange range) const;

  mlir::LogicalResult set(mlir::Value result, Value value);
  mlir::LogicalResult setAll(mlir::Operation *op, mlir::FailureOr<Values> values);

  EvaluationOptions options_;
  llvm::DenseMap<mlir::Value, Value> values_;
  std::vector<std::shared_ptr<Memory>> buffers_;
  /// For every running `tile.for` with ranges: the range that its counter is in.
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> currentRange_;
  std::shared_ptr<RoleRunner> roles_; ///< of the kernel and of all its roles
  int64_t instance_ = 0;              ///< of the role that this runs
  /// Dots that have been issued and not waited for, oldest first.
  std::deque<std::shared_ptr<PendingDot>> inFlight_;
  bool metUnknownOperation_ = false;
};

} // namespace tilewright::evaluator
