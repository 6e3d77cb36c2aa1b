// SPDX-License-Identifier: Apache-2.0
//
// Writes what one role does, in scheduled form, from the part of the kernel that it needs: loads
// become copies or waits, staged stores go through their ring, loops carry the cursors.

#pragma once

#include "compiler/passes/CountedLoop.h"
#include "compiler/passes/RoleSlice.h"

#include "llvm/ADT/MapVector.h"

namespace tilewright {

class RoleCloner {
public:
  /// Ops are created where `builder` stands; both live as long as the cloner.
  RoleCloner(mlir::OpBuilder &builder, const RoleSlice &slice) : builder(builder), slice(slice) {}

  /// Clones what the slice holds of the kernel's body. Diagnostics stand at the program's ops.
  mlir::LogicalResult run(tile::KernelOp kernel);

private:
  using Block = mlir::Block;
  using LogicalResult = mlir::LogicalResult;
  using Operation = mlir::Operation;
  using Value = mlir::Value;

  /// Where the role stands in a ring. The stage of a reader's group is passed (`advance` pending)
  /// as late as possible: what releases it stands before.
  struct Cursor {
    Value at;
    bool passed = false;
  };
  /// The loads of one stage: the i-th fills the i-th slot.
  struct Stage {
    mlir::SmallVector<tile::LoadOp> loads;
    mlir::SmallVector<Value> slots;
  };
  /// In a role of several instances: the token of their main loops, and between which ops of the
  /// loop over tiles an instance holds it.
  struct Turn {
    Value token;
    Operation *first = nullptr, *last = nullptr;
  };
  using Cursors = llvm::SmallMapVector<Operation *, Cursor, 4>;

  LogicalResult cloneBlock(Block &block);
  LogicalResult cloneOp(Operation *op);
  LogicalResult cloneLoad(tile::LoadOp load);
  LogicalResult cloneStagedStore(tile::StoreOp store);
  LogicalResult cloneTiles(tile::ForTilesOp loop);
  LogicalResult divideTiles(tile::ForTilesOp loop, int64_t instances, Value &first, Value &step);
  void takeTurns(tile::ForTilesOp loop);
  void skip(tile::RingOp ring, Value stages);
  LogicalResult cloneLoop(CountedLoop loop);
  LogicalResult cloneIf(mlir::scf::IfOp branch);
  LogicalResult cloneBranch(mlir::scf::IfOp branch, bool otherwise, mlir::scf::IfOp created,
                            mlir::ArrayRef<unsigned> kept);
  LogicalResult cloneSkippable(tile::SkippableOp skippable);
  LogicalResult clonePlain(Operation *op);

  LogicalResult groupLoads(Block &block);
  static mlir::Location cursorLoc(tile::RingOp ring);
  Value cursorOf(tile::RingOp ring);
  void advance(tile::RingOp ring);
  mlir::SmallVector<Value> cursorsFor(mlir::ArrayRef<tile::RingOp> rings);
  void setCursors(mlir::ArrayRef<tile::RingOp> rings, mlir::ValueRange values);
  mlir::FailureOr<Value> inRegisters(mlir::Operation *op, Value value);
  mlir::FailureOr<Value> carry(Operation *op, Value value);

  mlir::OpBuilder &builder;
  const RoleSlice &slice;
  mlir::IRMapping map;
  Turn turn;
  /// For each ring that several instances read: the stages that the others take between two tiles
  /// of an instance.
  llvm::SmallMapVector<Operation *, Value, 4> skipped;
  Cursors cursors;
  mlir::DenseMap<Operation *, std::pair<std::shared_ptr<Stage>, unsigned>> stages;
};

} // namespace tilewright
