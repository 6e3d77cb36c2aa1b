// SPDX-License-Identifier: Apache-2.0
//
// Layouts spread from anchors over the ops of a kernel until nothing changes. Each op states how
// the layouts of its tiles hang together (`visit`); what is free to repeat takes the layout of each
// of its uses and is cloned where two uses differ.

#include "compiler/passes/AccumulatorLayout.h"
#include "compiler/passes/Elementwise.h"
#include "compiler/passes/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::tile;

namespace tilewright {

#define GEN_PASS_DEF_TILEINFERLAYOUTS
#include "compiler/passes/Passes.h.inc"

namespace {

/// Where a layout is wanted: a value that an op or block makes, or one operand of an op.
struct Place {
  Place(Value value) : value(value) {}
  Place(OpOperand &use) : value(use.get()), use(&use) {}

  Value value;
  OpOperand *use = nullptr;
};

/// A layout and the op that it comes from.
struct Known {
  Attribute layout;
  Operation *anchor = nullptr;

  explicit operator bool() const { return bool(layout); }
};

RankedTensorType registerTile(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return tile && !isa_and_nonnull<SmemAttr>(tile.getEncoding()) ? tile : RankedTensorType();
}

/// Whether each use of the op's tile may have a layout of its own: the op is repeated for it. A
/// broadcast is as free as the vector that it repeats.
bool followsItsUses(Operation *op) {
  if (!isFreeTile(op) && !isDirectLoad(op))
    return false;
  RankedTensorType tile = registerTile(op->getResult(0));
  auto broadcast = dyn_cast<BroadcastOp>(op);
  return tile && !tile.getEncoding() &&
         (!broadcast || followsItsUses(broadcast.getValue().getDefiningOp()));
}

class Inference {
public:
  explicit Inference(KernelOp kernel) : kernel(kernel) {}

  LogicalResult run() {
    if (failed(placeAnchors()))
      return failure();
    kernel.walk([&](Operation *op) { revisit(op); });
    for (size_t next = 0; next < queue.size(); ++next) {
      pending.erase(queue[next]);
      if (failed(visit(queue[next])))
        return failure();
    }
    return changeTypes();
  }

private:
  LogicalResult placeAnchors();
  LogicalResult visit(Operation *op);
  LogicalResult visitMap(MapOp map);
  LogicalResult visitDot(DotOp dot);
  LogicalResult changeTypes();

  Known known(Place place) const {
    bool isOpen = place.use && followsItsUses(place.value.getDefiningOp());
    return isOpen ? Known() : layouts.lookup(place.value);
  }
  void revisit(Operation *op) {
    if (pending.insert(op).second)
      queue.push_back(op);
  }
  void assign(Value value, Known layout);
  LogicalResult require(Operation *op, Place place, Known layout);
  LogicalResult unify(Operation *op, ArrayRef<Place> places);
  LogicalResult slice(Operation *op, Place matrix, Place vector, int64_t dim);
  LogicalResult conflict(Operation *op, Known first, Known second);

  KernelOp kernel;
  DenseMap<Value, Known> layouts;
  DenseMap<std::pair<Operation *, Attribute>, Operation *> clones;
  /// Ops to visit, in turn; `pending` are those that still wait in it.
  SmallVector<Operation *> queue;
  DenseSet<Operation *> pending;
};

//===-- Anchors
//----------------------------------------------------------------------------------===//

LogicalResult Inference::placeAnchors() {
  auto anchor = [&](Value value, Operation *op) {
    if (RankedTensorType tile = registerTile(value); tile && tile.getEncoding())
      layouts[value] = {tile.getEncoding(), op};
  };
  kernel.walk([&](Operation *op) {
    for (Value result : op->getResults())
      anchor(result, op);
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        anchor(argument, op);
  });
  WalkResult result = kernel.walk([&](DotOp dot) -> WalkResult {
    if (dot.getKind() != DotKind::Wgmma || dot.getType().getEncoding())
      return WalkResult::advance();
    FailureOr<AccAttr> layout = impliedAccumulator(dot);
    if (failed(layout))
      return WalkResult::interrupt();
    assign(dot.getResult(), {*layout, dot});
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===-- Propagation
//------------------------------------------------------------------------------===//

void Inference::assign(Value value, Known layout) {
  layouts[value] = layout;
  if (Operation *op = value.getDefiningOp())
    revisit(op);
  else
    revisit(cast<BlockArgument>(value).getOwner()->getParentOp());
  for (Operation *user : value.getUsers())
    revisit(user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user);
}

LogicalResult Inference::conflict(Operation *op, Known first, Known second) {
  InFlightDiagnostic error = op->emitOpError()
                             << "meets two layouts: " << first.layout << " from '"
                             << first.anchor->getName() << "' and " << second.layout << " from '"
                             << second.anchor->getName()
                             << "'; one of them must change, a tile has one layout";
  error.attachNote(first.anchor->getLoc()) << first.layout << " comes from here";
  error.attachNote(second.anchor->getLoc()) << second.layout << " comes from here";
  return error;
}

LogicalResult Inference::require(Operation *op, Place place, Known layout) {
  if (!registerTile(place.value))
    return success();
  Known present = layouts.lookup(place.value);
  if (!present) {
    assign(place.value, layout);
    return success();
  }
  if (present.layout == layout.layout)
    return success();
  Operation *maker = place.value.getDefiningOp();
  if (!place.use || !maker || !followsItsUses(maker))
    return conflict(op, present, layout);
  Operation *&clone = clones[{maker, layout.layout}];
  if (!clone) {
    clone = OpBuilder(maker->getContext()).clone(*maker);
    maker->getBlock()->getOperations().insertAfter(maker->getIterator(), clone);
    assign(clone->getResult(0), layout);
  }
  place.use->set(clone->getResult(0));
  return success();
}

/// All places have one layout.
LogicalResult Inference::unify(Operation *op, ArrayRef<Place> places) {
  Known common;
  for (const Place &place : places)
    if (!common)
      common = known(place);
  if (!common)
    return success();
  for (const Place &place : places)
    if (failed(require(op, place, common)))
      return failure();
  return success();
}

/// The vector's layout is the matrix's with dimension `dim` removed.
LogicalResult Inference::slice(Operation *op, Place matrix, Place vector, int64_t dim) {
  if (Known layout = known(matrix)) {
    if (!isa<AccAttr, BlockedAttr>(layout.layout))
      return op->emitOpError() << "cannot slice " << layout.layout
                               << "; vectors are slices of #tile.acc or #tile.blocked";
    layout.layout = SliceAttr::get(op->getContext(), dim, layout.layout);
    return require(op, vector, layout);
  }
  Known layout = known(vector);
  if (!layout)
    return success();
  auto slice = dyn_cast<SliceAttr>(layout.layout);
  if (!slice || slice.getDim() != dim) {
    InFlightDiagnostic error = op->emitOpError()
                               << "needs a vector without dimension " << dim << ", found layout "
                               << layout.layout << " from '" << layout.anchor->getName() << "'";
    error.attachNote(layout.anchor->getLoc()) << layout.layout << " comes from here";
    return error;
  }
  return require(op, matrix, {slice.getParent(), layout.anchor});
}

LogicalResult Inference::visitDot(DotOp dot) {
  SmallVector<Place> places{Place(dot.getAccMutable()), Place(dot.getResult())};
  if (dot.getKind() == DotKind::Wgmma && registerTile(dot.getA()))
    places.push_back(dot.getAMutable());
  if (failed(unify(dot, places)))
    return failure();
  if (!dot.getScaleA())
    return success();
  return failure(failed(slice(dot, dot.getResult(), *dot.getScaleAMutable().begin(), 1)) ||
                 failed(slice(dot, dot.getResult(), *dot.getScaleBMutable().begin(), 0)));
}

LogicalResult Inference::visitMap(MapOp map) {
  SmallVector<Place> places(map.getResults());
  int64_t rank = cast<RankedTensorType>(map.getResultTypes().front()).getRank();
  for (OpOperand &input : map.getInsMutable())
    if (auto tile = registerTile(input.get()); tile && tile.getRank() == rank)
      places.push_back(input);
  if (failed(unify(map, places)))
    return failure();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(map.getResultTypes().front()).getShape();
  for (OpOperand &input : map.getInsMutable()) {
    RankedTensorType tile = registerTile(input.get());
    if (!tile || tile.getRank() == rank || tile.getEncoding())
      continue;
    if (shape[0] == shape[1])
      return map.emitOpError() << "input " << input.getOperandNumber() << " of type " << tile
                               << " may be a row or a column of a square tile; write its layout";
    if (failed(slice(map, map.getResults().front(), input, tile.getDimSize(0) == shape[0])))
      return failure();
  }
  return success();
}

SmallVector<SmallVector<Place>> zipPlaces(MutableArrayRef<OpOperand> inits, ValueRange arguments,
                                          MutableArrayRef<OpOperand> yields, ValueRange results) {
  SmallVector<SmallVector<Place>> groups;
  for (auto [index, result] : llvm::enumerate(results)) {
    SmallVector<Place> &group = groups.emplace_back();
    if (!inits.empty())
      group.push_back(inits[index]);
    if (!arguments.empty())
      group.push_back(arguments[index]);
    group.push_back(yields[index]);
    group.push_back(result);
  }
  return groups;
}

/// The operands of a region's terminator, which its op returns.
MutableArrayRef<OpOperand> yieldsOf(Region &region) {
  return region.front().getTerminator()->getOpOperands();
}

LogicalResult Inference::visit(Operation *op) {
  auto unifyAll = [&](const SmallVector<SmallVector<Place>> &groups) {
    for (const SmallVector<Place> &group : groups)
      if (registerTile(group.back().value) && failed(unify(op, group)))
        return failure();
    return success();
  };
  if (isElementwise(op) || isa<ExtractOp, ReduceFinishOp>(op)) {
    SmallVector<Place> places(op->getResults());
    for (OpOperand &operand : op->getOpOperands())
      if (registerTile(operand.get()))
        places.push_back(operand);
    return unify(op, places);
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](BroadcastOp cast) {
        return slice(op, cast.getResult(), cast.getValueMutable(), cast.getDim());
      })
      .Case([&](ReduceOp reduce) {
        return slice(op, reduce.getValueMutable(), reduce.getResult(), reduce.getDim());
      })
      .Case([&](GatherOp gather) {
        return registerTile(gather.getResult())
                   ? slice(op, gather.getResult(), gather.getRowsMutable(), 1)
                   : success();
      })
      .Case([&](DotOp dot) { return visitDot(dot); })
      .Case([&](MapOp map) { return visitMap(map); })
      .Case([&](tile::ForOp loop) {
        return unifyAll(zipPlaces(MutableArrayRef<OpOperand>(loop.getInitsMutable()),
                                  loop.getIterArgs(), yieldsOf(loop.getBody()), loop.getResults()));
      })
      .Case([&](scf::ForOp loop) {
        return unifyAll(zipPlaces(loop.getInitArgsMutable(), loop.getRegionIterArgs(),
                                  yieldsOf(loop.getRegion()), loop.getResults()));
      })
      .Case([&](scf::IfOp branch) {
        if (branch.getNumResults() == 0)
          return success();
        for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
          if (failed(unifyAll(zipPlaces({}, {}, yieldsOf(*region), branch.getResults()))))
            return failure();
        return success();
      })
      .Case([&](StepOp step) {
        return unifyAll(zipPlaces({}, {}, yieldsOf(step.getBody()), step.getResults()));
      })
      .Case([&](SkippableOp part) {
        return unifyAll(
            zipPlaces(part.getFallbackMutable(), {}, yieldsOf(part.getBody()), part->getResults()));
      })
      .Default(success());
}

//===-- Result
//-----------------------------------------------------------------------------------===//

LogicalResult Inference::changeTypes() {
  auto change = [&](Value value, Operation *op) -> LogicalResult {
    RankedTensorType tile = registerTile(value);
    if (!tile || tile.getEncoding())
      return success();
    Known layout = layouts.lookup(value);
    if (!layout)
      return op->emitOpError()
             << "makes a tile " << tile
             << " that no layout reaches: nothing connects it with a "
                "tensor-core dot or with a type that states one; write its layout";
    auto emitError = [&] {
      return op->emitOpError() << "takes its layout from '" << layout.anchor->getName() << "': ";
    };
    if (failed(cast<VerifiableTensorEncoding>(layout.layout)
                   .verifyEncoding(tile.getShape(), tile.getElementType(), emitError)))
      return failure();
    auto constant = dyn_cast<arith::ConstantOp>(op);
    auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
    if (constant && !elements)
      return constant.emitOpError()
             << "is a constant tile of elements that are listed otherwise than "
                "by dense<…>; write dense<…>";
    value.setType(withLayout(tile, layout.layout));
    if (constant)
      constant.setValueAttr(elements.reshape(cast<ShapedType>(value.getType())));
    return success();
  };
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    for (Value value : op->getResults())
      if (failed(change(value, op)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (failed(change(argument, op)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

struct InferLayouts : impl::TileInferLayoutsBase<InferLayouts> {
  void runOnOperation() override {
    eraseDeadTiles(getOperation());
    if (failed(Inference(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace

} // namespace tilewright
