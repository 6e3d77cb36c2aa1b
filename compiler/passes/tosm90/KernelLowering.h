// SPDX-License-Identifier: Apache-2.0
//
// The lowering of one scheduled tile.kernel to an sm90.kernel, as a walk over its ops in order.
// Register tiles become register arrays that are named by reference, so values map to records
// (RegisterTile, Pending, …) and not to other values; that is why this is a translator and not a
// set of conversion patterns.
//
//   Structure.cpp   kernel, prologue, which op is lowered where, scalars
//   Roles.cpp       role dispatch
//   ControlFlow.cpp loops and branches
//   Schedules.cpp   work units and their coordinates
//   Parameters.cpp  what the kernel takes, and how it follows from the tile kernel's arguments
//   Rings.cpp       cursors, acquire / wait / release, copies
//   Dots.cpp        wgmma
//   Elements.cpp    coordinates of a tile's elements, their places in memory
//   Maps.cpp        elementwise regions, reductions, stores of global memory
//   Fragments.cpp   register tiles to and from shared memory

#pragma once

#include "compiler/passes/Passes.h"
#include "compiler/sm90/Names.h"
#include "compiler/sm90/Sm90Ops.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace tilewright::tosm90 {

/// A register tile. An extract shows columns of a wider tile: element i of a wave lies at
/// `columnOffset` + i.
struct RegisterTile {
  mlir::RankedTensorType type;
  /// The elements as f32. Those of a 16-bit tile are not rounded yet: packing and storing does it.
  mlir::Value frag;
  /// The elements of a 16-bit tile in pairs, and widened again; null until something asks for them.
  mlir::Value packed, rounded;
  /// First register of the extract within a wave (i32), null for a whole tile.
  mlir::Value columnOffset;
  /// Registers of one wave in `frag`.
  int64_t registersPerWave = 0;
};

/// An accumulator in flight; `accumulate` (i1) is false until the first dot has written it.
struct Pending {
  mlir::RankedTensorType type;
  mlir::Value frag;
  mlir::Value accumulate;
};

/// A place in shared memory.
struct Slot {
  mlir::RankedTensorType type;
  mlir::Value address;
};

/// A ring's addresses in the kernel at hand.
struct Ring {
  tile::RingOp op;
  llvm::SmallVector<mlir::Value> slots; ///< address of stage 0 of each slot
  llvm::SmallVector<std::string> slotNames;
  mlir::Value full, empty; ///< address of stage 0's barriers; null for private rings
  std::string name;        ///< as in "AbStages"
};

/// A parameter of the sm90 kernel.
struct Parameter {
  mlir::Value value;
  mlir::DictionaryAttr contract;
};

/// Where the threads of the role at hand stand.
struct RoleContext {
  mlir::Value warpgroup;   ///< index within the warpgroups that share a tile
  mlir::Value instance;    ///< index among the warpgroups that take tiles of their own; else null
  mlir::Value warpInGroup; ///< 0 … 3
  mlir::Value lane;
  mlir::Value thread;        ///< index within the role, or within the instance
  mlir::Value threadInGroup; ///< index within the warpgroup, or within the warp of a role of warps
  mlir::Value leader; ///< i1: the thread of each warpgroup that issues its stores; null if none are
  int64_t firstBarrier = 1; ///< named barrier of warpgroup 0; the others' follow
  int64_t warpgroups = 0;   ///< that share a tile; 0 in a role of warps
  int64_t threads = 0;      ///< of the role, or of the instance
  bool elected = false;     ///< the role is one elected lane
  /// Index of the warpgroup within the role.
  mlir::Value group() const { return instance ? instance : warpgroup; }
};

struct CounterSum;

class KernelLowering {
public:
  explicit KernelLowering(tile::KernelOp kernel);

  /// Builds the sm90 kernel before the tile kernel. Diagnostics stand at the op that has no
  /// lowering.
  mlir::FailureOr<sm90::KernelOp> run();

private:
  using Value = mlir::Value;
  using Operation = mlir::Operation;
  using LogicalResult = mlir::LogicalResult;

  // Structure.cpp
  void emitPrologue();
  void emitEpilogue();
  LogicalResult lowerKernelLevel();
  LogicalResult lowerBlock(mlir::Block &block);
  LogicalResult lowerOp(Operation *op);
  LogicalResult lowerScalar(Operation *op);

  // Roles.cpp
  LogicalResult emitRoles(tile::RolesOp roles);
  LogicalResult emitRole(tile::RoleOp role);
  void enterRole(Operation *body, int64_t firstThread, int64_t threads, bool warpgroups,
                 int64_t instances = 1);
  void enterInstance(tile::RoleAttr attr);
  void beginTurns(llvm::StringRef roleName);
  LogicalResult lowerTurnWait(tile::TurnWaitOp op);
  LogicalResult lowerTurnPass(tile::TurnPassOp op);
  LogicalResult checkHolds(Operation *op, mlir::RankedTensorType tile);

  // ControlFlow.cpp
  LogicalResult lowerFor(mlir::scf::ForOp loop);
  LogicalResult lowerIf(mlir::scf::IfOp branch);

  // Schedules.cpp
  LogicalResult lowerScheduleRange(tile::ScheduleRangeOp op);
  LogicalResult lowerDecode(tile::DecodeOp op);
  std::string nameOfExtent(tile::RasterOp raster, int64_t dim);
  Value scheduleUnits(tile::RasterOp raster, llvm::SmallVectorImpl<Value> &tilesPerDim);

  // Parameters.cpp
  LogicalResult declareParameters();
  void finishParameters();
  void addParameter(mlir::Type type, llvm::StringRef name, mlir::DictionaryAttr contract,
                    Value key);
  Value tensorMap(tile::ViewOp view, llvm::ArrayRef<int64_t> box, int64_t swizzle);
  mlir::Attribute expression(Value value);
  std::string nameOfView(tile::ViewOp view);

  // Rings.cpp
  void declareRings();
  void initBarriers();
  LogicalResult lowerAcquire(tile::AcquireOp op);
  LogicalResult lowerWait(tile::WaitOp op);
  LogicalResult lowerRelease(tile::ReleaseOp op);
  LogicalResult lowerCommit(tile::CommitOp op);
  LogicalResult lowerCopy(tile::CopyOp op);
  LogicalResult lowerCopyOut(tile::CopyOutOp op);
  void bindSlots(Ring &ring, Value cursor, mlir::ValueRange slots);
  Value barrierAt(Value base, Value cursor);
  void waitForStores(int64_t outstanding);
  void syncWarpgroup();
  void emitOnce(llvm::function_ref<void()> body);
  Value peerRank(int64_t axis, Value place);
  int64_t emptyArrivals(tile::RingOp ring);
  int64_t ringFanOut(tile::RingOp ring);
  bool readByThreads(tile::RingOp ring);

  // Dots.cpp
  Pending pendingOf(Value value);
  LogicalResult lowerDotStart(tile::DotStartOp op);
  LogicalResult lowerDotWait(tile::DotWaitOp op);
  LogicalResult lowerDotRetire(tile::DotRetireOp op);

  // Maps.cpp
  LogicalResult checkMap(tile::MapOp op);
  LogicalResult lowerMap(tile::MapOp op);
  LogicalResult lowerReduce(tile::ReduceOp op);
  LogicalResult lowerDirectStore(tile::StoreOp op);

  // Counters.cpp
  Value valueOf(const CounterSum &sum);

  // Elements.cpp
  struct ElementIndex {
    Value reg;                   ///< register index within the tile (i32)
    Value row, column;           ///< coordinates within the tile
    Value rowSlice, columnSlice; ///< register of a row or column vector
  };
  ElementIndex elementAt(mlir::RankedTensorType tile, Value reg);
  Value readElement(const RegisterTile &tile, const ElementIndex &at, mlir::RankedTensorType shape);
  Value elementOffset(tile::ViewOp view, mlir::ValueRange coords);
  Value inBounds(tile::ViewOp view, mlir::ValueRange coords, mlir::ValueRange sizes);
  Value pairCount(tile::ViewOp view, mlir::ValueRange coords);

  // Fragments.cpp
  LogicalResult lowerExtract(tile::ExtractOp op);
  LogicalResult lowerFragmentStore(tile::FragmentStoreOp op);
  Value packedOf(RegisterTile &tile);
  Value roundedOf(RegisterTile &tile);
  /// The record of a tile that has been lowered; stays where it is.
  RegisterTile &tileOf(Value value) { return *tiles.find(value)->second; }
  void bindTile(Value value, Value frag);
  bool isVisible(Value emitted);
  Value newFrag(int64_t size, mlir::Type element, llvm::StringRef name);
  int64_t fragRegisters(mlir::RankedTensorType type);
  int64_t wavesOf(mlir::RankedTensorType type);

  // Small emitters.
  Value i32(int64_t value);
  Value i64(int64_t value);
  Value f32(double value);
  Value named(llvm::StringRef name, int64_t value);
  sm90::ConstAttr constant(int64_t value);
  sm90::ConstAttr constant(llvm::StringRef name, int64_t value);
  bool claimName(llvm::StringRef name, int64_t value);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value rem(Value a, Value b);
  Value ceilDiv(Value a, Value b);
  Value add(Value a, int64_t b) { return add(a, i32(b)); }
  Value mul(Value a, int64_t b) { return mul(a, i32(b)); }
  Value div(Value a, int64_t b);
  Value rem(Value a, int64_t b);
  Value compare(mlir::arith::CmpIPredicate predicate, Value a, Value b);
  Value both(Value a, Value b);
  Value widen(Value value); ///< i32 -> i64
  Value scalar(Value value) { return scalars.lookupOrDefault(value); }
  /// Gives `value` a name in the text, unless it has one already.
  Value as(llvm::StringRef name, Value value);
  /// An op of the sm90 dialect at the current place.
  template <typename Op, typename... Args>
  Op emit(Args &&...args) {
    return Op::create(b, loc, std::forward<Args>(args)...);
  }
  /// `if (condition) { body() }`
  void emitIf(Value condition, llvm::function_ref<void()> body);
  /// `for (i = 0; i < count; ++i) body(i)`, unrolled by the device compiler.
  void emitUnrolled(int64_t count, llvm::StringRef name, llvm::function_ref<void(Value)> body);

  tile::KernelOp kernel;
  sm90::KernelOp result;
  mlir::OpBuilder b;
  mlir::Location loc;

  mlir::IRMapping scalars; ///< scalars, cursors and kernel arguments
  /// By pointer: references to records outlive the map's growth.
  llvm::DenseMap<Value, std::unique_ptr<RegisterTile>> tiles;
  llvm::DenseMap<Value, Pending> pendings;
  llvm::DenseMap<Value, Slot> slots;
  llvm::MapVector<Value, Ring> rings;
  llvm::MapVector<mlir::Attribute, Parameter> maps; ///< tensor maps by (view, box, swizzle)
  llvm::MapVector<Value, Parameter> arguments;      ///< by the tile kernel's argument
  llvm::DenseMap<Value, int64_t> viewIds;
  llvm::StringMap<int64_t> constantNames;
  Value smem, warp;
  RoleContext role;
};

/// Largest power of two, up to 8, that is known to divide a scalar: what tile sizes, loop steps and
/// constants make of it.
int64_t divisorOf(mlir::Value value);

/// Whether registers 2i and 2i + 1 of a tile, or of a vector along the columns, are neighbours in a
/// row, the first in an even column.
bool holdsColumnPairs(mlir::RankedTensorType tile);

/// Whether an access of two neighbours in a row of a view, the first at `evenOffset` (null: 0) plus
/// an even column, is aligned to its size.
bool pairIsAligned(tile::ViewOp view, mlir::Value evenOffset);

} // namespace tilewright::tosm90
