// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/FusionPlan.h"

#include "compiler/passes/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilewright::tile;

namespace tilewright {

/// Whether the text's own map can be merged with others: one result, all inputs register tiles
/// whose place in the result is known.
static bool isMergeable(MapOp map) {
  if (map.getNumResults() != 1)
    return false;
  int64_t rank = cast<RankedTensorType>(map.getResultTypes().front()).getRank();
  return llvm::all_of(map.getIns().getTypes(), [&](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile && (isa_and_nonnull<SliceAttr>(tile.getEncoding()) || tile.getRank() == rank);
  });
}

bool FusionPlan::isMappable(Operation *op) {
  if (auto map = dyn_cast_or_null<MapOp>(op))
    return isMergeable(map);
  return op && (isElementwise(op) || isFreeTile(op));
}

SmallVector<TileUse> FusionPlan::tileUses(Operation *op) {
  SmallVector<TileUse> result;
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  for (Value operand : op->getOperands()) {
    auto tile = dyn_cast<RankedTensorType>(operand.getType());
    if (!tile)
      continue;
    TileUse &use = result.emplace_back(TileUse{operand, std::nullopt});
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      use.lacks = broadcast.getDim();
    else if (tile.getRank() < rank)
      use.lacks = cast<SliceAttr>(tile.getEncoding()).getDim();
  }
  return result;
}

FusionPlan::FusionPlan(KernelOp kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { order[op] = order.size(); });
  kernel.walk([&](Operation *op) {
    if (isMappable(op))
      return;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        demand(operand, op);
  });
  cluster();
}

//===-- What must be a register tile
//-------------------------------------------------------------===//

/// The map of `op` gets `op` as a member.
void FusionPlan::addNode(Operation *op) {
  if (nodes.insert(op))
    for (TileUse use : tileUses(op))
      read(use, op);
}

/// `tile` must exist outside the maps of its users.
void FusionPlan::demand(Value tile, Operation *user) {
  Operation *maker = tile.getDefiningOp();
  // NOTE: a zero costs nothing where an accumulator or a loop starts with it, so it stays a zero.
  if (!(isMappable(maker) || isHeld(maker)) || isa<ZeroOp>(maker))
    return;
  uses[tile].others.push_back(user);
  addNode(maker);
}

/// `member`, which is part of a map, reads a tile.
void FusionPlan::read(TileUse use, Operation *member) {
  if (!seen.insert({use.tile, member}).second)
    return;
  Operation *maker = use.tile.getDefiningOp();
  if (isInline(use, member)) {
    for (TileUse inner : tileUses(maker))
      read(inner, member);
  } else if (use.lacks && isDirectLoad(maker) && llvm::all_of(maker->getUsers(), isMappable)) {
    // A vector along the rows is held, in a map that only reads it.
    uses[use.tile].others.push_back(member);
    addNode(maker);
  } else if (use.lacks || !isMappable(maker) || maker->getBlock() != member->getBlock()) {
    demand(use.tile, member);
  } else {
    uses[use.tile].nodes.push_back(member);
    addNode(maker);
  }
}

/// Whether a load is among what the tile is computed from; `justLoads`: nothing but loads and free
/// tiles.
bool FusionPlan::comesFromLoads(Value tile, bool justLoads) {
  Operation *maker = tile.getDefiningOp();
  if (isDirectLoad(maker))
    return true;
  if (!isMappable(maker) || isa<MapOp>(maker))
    return false;
  auto [entry, isNew] = loadsBehind[justLoads].try_emplace(tile, false);
  if (!isNew)
    return entry->second;
  auto fromLoads = [&](TileUse use) { return comesFromLoads(use.tile, justLoads); };
  SmallVector<TileUse> reads = tileUses(maker);
  bool result = justLoads ? llvm::all_of(reads, fromLoads) : llvm::any_of(reads, fromLoads);
  return loadsBehind[justLoads][tile] = result;
}

/// Vectors along the columns are repeated for each row if they come from memory: a thread holds few
/// rows and many columns. Vectors along the rows are one or two registers a thread, so they are
/// held.
bool FusionPlan::isInline(TileUse use, Operation *member) {
  if (!isFreeAt(use.tile, member))
    return false;
  return !use.lacks || *use.lacks == 0 || !comesFromLoads(use.tile, /*justLoads=*/false);
}

/// Whether the tile can be computed again for each element at `user`, for the price of the
/// element's loads and cheap arithmetic.
bool FusionPlan::isFreeAt(Value tile, Operation *user) {
  Operation *maker = tile.getDefiningOp();
  if (isFreeTile(maker))
    return true;
  auto [entry, isNew] = freeAt.try_emplace({tile, user}, false);
  if (!isNew)
    return entry->second;
  bool result = false;
  if (isDirectLoad(maker))
    result = llvm::all_of(tile.getUsers(), isMappable) && !entersLoop(maker, user) &&
             !findBarrier(maker, user, Barrier::GlobalWrite);
  else if (maker && isCheapElementwise(maker))
    result = llvm::all_of(tileUses(maker), [&](TileUse use) { return isFreeAt(use.tile, user); });
  return freeAt[{tile, user}] = result;
}

//===-- Which ops become one map
//-----------------------------------------------------------------===//

static bool sameShape(Operation *a, Operation *b) {
  auto first = cast<RankedTensorType>(a->getResult(0).getType());
  auto second = cast<RankedTensorType>(b->getResult(0).getType());
  return first.getShape() == second.getShape() && first.getEncoding() == second.getEncoding();
}

/// Whether the work of `cluster` may be done where `target` stands, later in the same block.
/// `joint` lists all clusters that will stand there.
bool FusionPlan::mayMove(const MapCluster &cluster, const MapCluster &target,
                         ArrayRef<unsigned> joint) {
  Operation *place = target.place();
  Block *block = place->getBlock();
  for (Operation *member : cluster.members) {
    if (member->getBlock() != block || !sameShape(member, place))
      return false;
    // Work on register tiles keeps its place among waits and barriers: it is there to overlap with
    // something.
    Barrier barrier = comesFromLoads(member->getResult(0), /*justLoads=*/true)
                          ? Barrier::GlobalWrite
                          : Barrier::AnyWrite;
    if (findBarrier(member, place, barrier))
      return false;
    const Uses &needs = uses[member->getResult(0)];
    for (Operation *user : needs.others)
      if (order[block->findAncestorOpInBlock(*user)] < order[place])
        return false;
    for (Operation *user : needs.nodes)
      if (unsigned index = clusterOf[user];
          !llvm::is_contained(joint, index) && order[list[index].place()] < order[place])
        return false;
  }
  return true;
}

/// Makes `op` a member of the cluster that reads its tile, or of one of its own.
void FusionPlan::place(Operation *op) {
  SmallVector<unsigned> readers;
  for (Operation *user : uses[op->getResult(0)].nodes)
    if (unsigned index = clusterOf[user]; !llvm::is_contained(readers, index))
      readers.push_back(index);
  llvm::sort(readers, [&](unsigned a, unsigned b) {
    return order[list[a].place()] < order[list[b].place()];
  });
  bool joins = !readers.empty() && mayMove({{op}, {}}, list[readers.back()], readers);
  for (unsigned reader : ArrayRef(readers).drop_back(joins))
    joins = joins && mayMove(list[reader], list[readers.back()], readers);
  if (!joins) {
    clusterOf[op] = list.size();
    list.push_back({{op}, {}});
    return;
  }
  MapCluster &target = list[readers.back()];
  for (unsigned reader : ArrayRef(readers).drop_back()) {
    target.members.append(list[reader].members);
    list[reader].members.clear();
  }
  target.members.push_back(op);
  llvm::sort(target.members, [&](Operation *a, Operation *b) { return order[a] < order[b]; });
  for (Operation *member : target.members)
    clusterOf[member] = readers.back();
}

void FusionPlan::cluster() {
  SmallVector<Operation *> sorted(nodes.getArrayRef());
  llvm::sort(sorted, [&](Operation *a, Operation *b) { return order[a] > order[b]; });
  for (Operation *op : sorted)
    place(op);
  for (auto [index, cluster] : llvm::enumerate(list))
    for (Operation *member : cluster.members) {
      const Uses &needs = uses[member->getResult(0)];
      auto isElsewhere = [&](Operation *user) { return clusterOf[user] != index; };
      if (!needs.others.empty() || llvm::any_of(needs.nodes, isElsewhere))
        cluster.results.push_back(member->getResult(0));
    }
  llvm::erase_if(list, [](const MapCluster &cluster) { return cluster.members.empty(); });
  llvm::sort(list, [&](const MapCluster &a, const MapCluster &b) {
    return order[a.place()] < order[b.place()];
  });
}

} // namespace tilewright
