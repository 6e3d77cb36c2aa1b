// SPDX-License-Identifier: Apache-2.0
//
// The analysis behind tile-fuse-maps: which elementwise ops of a kernel become one map, and what is
// repeated inside maps instead of being held in registers. A plan describes the kernel as it stood
// when the plan was made; it may be asked while new ops are added, not after old ones are erased.

#pragma once

#include "compiler/tile/TileDialect.h"

#include "llvm/ADT/SetVector.h"

namespace tilewright {

/// Ops of one block, of one shape and layout, that become one map at the place of the last of them.
struct MapCluster {
  llvm::SmallVector<mlir::Operation *> members; ///< in program order
  llvm::SmallVector<mlir::Value> results; ///< members' tiles that others need, in program order

  mlir::Operation *place() const { return members.back(); }
};

/// A tile that an op reads, and the dimension that it lacks where it is a vector read by a matrix
/// op.
struct TileUse {
  mlir::Value tile;
  std::optional<int64_t> lacks;
};

class FusionPlan {
public:
  explicit FusionPlan(tile::KernelOp kernel);

  /// The maps to make, in an order in which each comes after those whose results it reads.
  llvm::ArrayRef<MapCluster> clusters() const { return list; }

  /// Whether the map of `member` computes the tile of `use` itself, for each element that it needs.
  bool isInline(TileUse use, mlir::Operation *member);

  /// Whether `op` may be part of a map: tensor arithmetic, free tiles, maps that can be merged.
  static bool isMappable(mlir::Operation *op);

  /// The tiles that a mappable op reads, in operand order.
  static llvm::SmallVector<TileUse> tileUses(mlir::Operation *op);

private:
  struct Uses {
    llvm::SmallVector<mlir::Operation *> nodes;  ///< members of maps that do not repeat the tile
    llvm::SmallVector<mlir::Operation *> others; ///< everything else that needs it
  };

  void addNode(mlir::Operation *op);
  void demand(mlir::Value tile, mlir::Operation *user);
  void read(TileUse use, mlir::Operation *member);
  bool isFreeAt(mlir::Value tile, mlir::Operation *user);
  bool comesFromLoads(mlir::Value tile, bool justLoads);
  bool mayMove(const MapCluster &cluster, const MapCluster &target, llvm::ArrayRef<unsigned> joint);
  void place(mlir::Operation *op);
  void cluster();

  llvm::SetVector<mlir::Operation *> nodes;
  llvm::DenseMap<mlir::Value, Uses> uses;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Operation *>, bool> freeAt;
  llvm::DenseSet<std::pair<mlir::Value, mlir::Operation *>> seen;
  llvm::DenseMap<mlir::Value, bool> loadsBehind[2]; ///< answers of comesFromLoads
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  llvm::DenseMap<mlir::Operation *, unsigned> clusterOf;
  llvm::SmallVector<MapCluster> list;
};

} // namespace tilewright
