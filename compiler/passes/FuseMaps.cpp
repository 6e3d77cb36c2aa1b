// SPDX-License-Identifier: Apache-2.0
//
// Writes the maps that FusionPlan decides on: per-element scalar code in place of tile arithmetic.

#include "compiler/passes/Elementwise.h"
#include "compiler/passes/FusionPlan.h"
#include "compiler/passes/Passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilewright::tile;

namespace tilewright {

#define GEN_PASS_DEF_TILEFUSEMAPS
#include "compiler/passes/Passes.h.inc"

namespace {

/// An element of a tile: one coordinate for each of the tile's dimensions.
using Element = SmallVector<Value, 2>;

/// Maps made so far: the tiles that they replace.
using Replacements = DenseMap<Value, Value>;

/// Writes the region of one map.
class MapWriter {
public:
  MapWriter(FusionPlan &plan, const MapCluster &cluster, const Replacements &replaced)
      : plan(plan), cluster(cluster), replaced(replaced), builder(cluster.place()->getContext()) {}

  /// Creates the map before the cluster's place.
  FailureOr<MapOp> write();

private:
  FailureOr<Value> compute(Operation *op, Operation *member, const Element &element);
  FailureOr<Value> operand(TileUse use, Operation *member, const Element &element);
  FailureOr<Value> input(TileUse use, Operation *member);
  FailureOr<Value> merge(MapOp map, Operation *member, const Element &element);
  Value add(Value offset, Value coordinate);

  FusionPlan &plan;
  const MapCluster &cluster;
  const Replacements &replaced;
  OpBuilder builder;
  Block *body = nullptr;
  SmallVector<Value> inputs;
  /// Elements at hand, by tile and first coordinate (a vector is read along one dimension or the
  /// other).
  DenseMap<std::pair<Value, Value>, Value> known;
  DenseMap<std::pair<Value, Value>, Value> sums;
};

Location named(StringRef name, Location loc) {
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

FailureOr<MapOp> MapWriter::write() {
  Location loc = cluster.place()->getLoc();
  Region region;
  body = &region.emplaceBlock();
  builder.setInsertionPointToEnd(body);
  Element element;
  bool isMatrix = cast<RankedTensorType>(cluster.results.front().getType()).getRank() == 2;
  element.push_back(body->addArgument(builder.getI32Type(), named("row", loc)));
  if (isMatrix)
    element.push_back(body->addArgument(builder.getI32Type(), named("col", loc)));

  for (Operation *member : cluster.members) {
    FailureOr<Value> value = compute(member, member, element);
    if (failed(value))
      return failure();
    known[{member->getResult(0), element.front()}] = *value;
  }
  SmallVector<Value> yields;
  for (Value result : cluster.results)
    yields.push_back(known[{result, element.front()}]);
  YieldOp::create(builder, loc, yields);

  builder.setInsertionPoint(cluster.place());
  auto map = MapOp::create(builder, loc, TypeRange(ValueRange(cluster.results)), inputs);
  map.getBody().takeBody(region);
  return map;
}

Value MapWriter::add(Value offset, Value coordinate) {
  Value &sum = sums[{offset, coordinate}];
  if (!sum)
    sum = arith::AddIOp::create(builder, offset.getLoc(), offset, coordinate);
  return sum;
}

/// The element of `op`'s tile, computed in the region.
FailureOr<Value> MapWriter::compute(Operation *op, Operation *member, const Element &element) {
  Type type = cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = cast<SplatElementsAttr>(constant.getValue()).getSplatValue<TypedAttr>();
    return arith::ConstantOp::create(builder, op->getLoc(), value).getResult();
  }
  if (isa<ZeroOp>(op))
    return arith::ConstantOp::create(builder, op->getLoc(), builder.getZeroAttr(type)).getResult();
  if (auto splat = dyn_cast<SplatOp>(op))
    return splat.getValue();
  if (auto coordinate = dyn_cast<CoordOp>(op)) {
    Value index = element[coordinate.getDim()];
    return coordinate.getOffset() ? add(coordinate.getOffset(), index) : index;
  }
  if (auto load = dyn_cast<LoadOp>(op)) {
    SmallVector<Value> coordinates(load.getCoords());
    for (auto [coordinate, index] :
         llvm::zip(llvm::drop_begin(coordinates, coordinates.size() - element.size()), element))
      coordinate = add(coordinate, index);
    return ReadOp::create(builder, op->getLoc(), type, load.getView(), coordinates).getResult();
  }
  if (auto map = dyn_cast<MapOp>(op))
    return merge(map, member, element);

  IRMapping mapping;
  for (TileUse use : FusionPlan::tileUses(op)) {
    FailureOr<Value> value = operand(use, member, element);
    if (failed(value))
      return failure();
    mapping.map(use.tile, *value);
  }
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return mapping.lookup(broadcast.getValue());
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(type);
  return clone->getResult(0);
}

/// Copies the region of a map of the text.
FailureOr<Value> MapWriter::merge(MapOp map, Operation *member, const Element &element) {
  IRMapping mapping;
  Block &source = map.getBody().front();
  for (auto [use, argument] : llvm::zip(FusionPlan::tileUses(map), source.getArguments())) {
    FailureOr<Value> value = operand(use, member, element);
    if (failed(value))
      return failure();
    mapping.map(argument, *value);
  }
  for (auto [argument, index] : llvm::zip(source.getArguments().take_back(element.size()), element))
    mapping.map(argument, index);
  for (Operation &op : source.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(source.getTerminator()->getOperand(0));
}

/// The element of a tile that `member`, or what it repeats, reads at `element`.
FailureOr<Value> MapWriter::operand(TileUse use, Operation *member, const Element &element) {
  Element at = element;
  if (use.lacks)
    at.erase(at.begin() + *use.lacks);
  if (Value value = known.lookup({use.tile, at.front()}))
    return value;
  FailureOr<Value> value = plan.isInline(use, member)
                               ? compute(use.tile.getDefiningOp(), member, at)
                               : input(use, member);
  if (succeeded(value))
    known[{use.tile, at.front()}] = *value;
  return value;
}

/// An element of a register tile that the map is given.
FailureOr<Value> MapWriter::input(TileUse use, Operation *member) {
  Value tile = replaced.lookup(use.tile) ? replaced.lookup(use.tile) : use.tile;
  auto type = cast<RankedTensorType>(tile.getType());
  auto slice = dyn_cast_or_null<SliceAttr>(type.getEncoding());
  if (use.lacks && (!slice || slice.getDim() != *use.lacks))
    return member->emitOpError() << "reads a vector " << type
                                 << " whose layout does not say along which dimension; "
                                    "run tile-infer-layouts first";
  inputs.push_back(tile);
  return Value(body->insertArgument(static_cast<unsigned>(inputs.size()) - 1, type.getElementType(),
                                    tile.getLoc()));
}

//===-- The pass
//---------------------------------------------------------------------------------===//

/// Whether the cluster is a map already, with nothing to take in.
bool isDone(FusionPlan &plan, const MapCluster &cluster) {
  Operation *op = cluster.place();
  return cluster.members.size() == 1 && isa<MapOp>(op) &&
         llvm::none_of(FusionPlan::tileUses(op),
                       [&](TileUse use) { return plan.isInline(use, op); });
}

LogicalResult checkConstants(KernelOp kernel) {
  WalkResult result =
      kernel.walk([](arith::ConstantOp constant) -> WalkResult {
        if (!isa<RankedTensorType>(constant.getType()) || isFreeTile(constant))
          return WalkResult::advance();
        return constant.emitOpError()
               << "holds several values; a constant tile has one value everywhere, "
                  "load tables from a view";
      });
  return failure(result.wasInterrupted());
}

struct FuseMaps : impl::TileFuseMapsBase<FuseMaps> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(checkConstants(kernel)))
      return signalPassFailure();
    FusionPlan plan(kernel);
    Replacements replaced;
    SetVector<Operation *> kept;
    for (const MapCluster &cluster : plan.clusters()) {
      if (isDone(plan, cluster)) {
        kept.insert(cluster.place());
        continue;
      }
      FailureOr<MapOp> map = MapWriter(plan, cluster, replaced).write();
      if (failed(map))
        return signalPassFailure();
      kept.insert(*map);
      for (auto [old, result] : llvm::zip(cluster.results, map->getResults()))
        replaced[old] = result;
    }
    // What is fused dies with its last user: only ops outside maps, and maps that stayed, read
    // results.
    kernel.walk([&](Operation *op) {
      if (FusionPlan::isMappable(op) && !kept.contains(op))
        return;
      for (OpOperand &operand : op->getOpOperands())
        if (Value result = replaced.lookup(operand.get()))
          operand.set(result);
    });
    eraseDeadTiles(kernel);
  }
};

} // namespace

} // namespace tilewright
