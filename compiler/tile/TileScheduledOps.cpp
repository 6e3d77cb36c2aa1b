// SPDX-License-Identifier: Apache-2.0
//
// The scheduled form: text of rings and verifiers.

#include "compiler/tile/TileDialect.h"

using namespace mlir;

namespace tilewright::tile {

//===-- Rings --------------------------------------------------------------------------------===//

// "ab" from @load to @mma [full threads] [multicast 0] : !tile.ring<…>   or   "st" private @mma :
// !tile.ring<…>
ParseResult RingOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  FlatSymbolRefAttr producer, consumer;
  Type type;
  if (parser.parseAttribute(name))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("private"))) {
    if (parser.parseAttribute(producer))
      return failure();
    consumer = producer;
  } else if (parser.parseKeyword("from") || parser.parseAttribute(producer) ||
             parser.parseKeyword("to") || parser.parseAttribute(consumer)) {
    return failure();
  }
  FullBy full = FullBy::Tma;
  if (succeeded(parser.parseOptionalKeyword("full"))) {
    std::string text;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeywordOrString(&text))
      return failure();
    std::optional<FullBy> kind = symbolizeFullBy(text);
    if (!kind)
      return parser.emitError(loc) << "full is tma or threads, found " << text;
    full = *kind;
  }
  if (succeeded(parser.parseOptionalKeyword("multicast"))) {
    int64_t axis = 0;
    if (parser.parseInteger(axis))
      return failure();
    result.addAttribute(getMulticastAttrName(result.name),
                        parser.getBuilder().getI64IntegerAttr(axis));
  }
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type))
    return failure();
  result.addAttribute(getNameAttrName(result.name), name);
  result.addAttribute(getProducerAttrName(result.name), producer);
  result.addAttribute(getConsumerAttrName(result.name), consumer);
  result.addAttribute(getFullAttrName(result.name), FullByAttr::get(parser.getContext(), full));
  result.addTypes(type);
  return success();
}

void RingOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getNameAttr();
  if (isPrivate())
    printer << " private " << getProducerAttr();
  else
    printer << " from " << getProducerAttr() << " to " << getConsumerAttr();
  if (getFull() != FullBy::Tma)
    printer << " full " << stringifyFullBy(getFull());
  if (getMulticast())
    printer << " multicast " << *getMulticast();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getNameAttrName(), getProducerAttrName(), getConsumerAttrName(),
                                 getFullAttrName(), getMulticastAttrName()});
  printer << " : " << getType();
}

LogicalResult RingOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel)
    return emitOpError() << "stands in a tile.kernel";
  for (StringRef role : {getProducer(), getConsumer()})
    if (!kernel.findRole(role))
      return emitOpError() << "the kernel has no role @" << role;
  if (getMulticast() && (*getMulticast() > 1 || kernel.getCluster()[*getMulticast()] < 2))
    return emitOpError() << "multicast names a cluster axis of at least two CTAs, found axis "
                         << *getMulticast();
  return success();
}

template <typename Op>
static LogicalResult verifySlots(Op op, bool producer) {
  ArrayRef<Type> tiles = op.getRing().getType().getTiles();
  if (op.getSlots().size() != tiles.size())
    return op.emitOpError() << "a stage of " << op.getRing().getType() << " has " << tiles.size()
                            << " slots, found " << op.getSlots().size();
  for (auto [slot, tile] : llvm::zip(op.getSlots(), tiles))
    if (cast<SlotType>(slot.getType()).getTile() != tile)
      return op.emitOpError() << "expected a slot of " << tile << ", found " << slot.getType();
  auto ring = op.getRing().template getDefiningOp<RingOp>();
  auto role = op->template getParentOfType<RoleOp>();
  StringRef owner = !ring ? StringRef() : producer ? ring.getProducer() : ring.getConsumer();
  if (ring && role && role.getRole() != owner)
    return op.emitOpError() << "ring \"" << ring.getName() << "\" is "
                            << (producer ? "produced" : "consumed") << " by @" << owner
                            << ", not by @" << role.getRole();
  return success();
}
LogicalResult AcquireOp::verify() { return verifySlots(*this, /*producer=*/true); }
LogicalResult WaitOp::verify() { return verifySlots(*this, /*producer=*/false); }

//===-- Roles and schedules ------------------------------------------------------------------===//

LogicalResult RolesOp::verifyRegions() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  SmallVector<StringRef> seen;
  for (Operation &op : getBody().front().without_terminator()) {
    auto role = dyn_cast<RoleOp>(op);
    if (!role)
      return op.emitOpError() << "only tile.role stands in tile.roles";
    if (llvm::is_contained(seen, role.getRole()))
      return role.emitOpError() << "role @" << role.getRole() << " has a body already";
    seen.push_back(role.getRole());
  }
  if (kernel && kernel.getRolesAttr())
    for (RoleAttr role : kernel.getRolesAttr().getAsRange<RoleAttr>())
      if (!llvm::is_contained(seen, role.getName()))
        return emitOpError() << "role @" << role.getName() << " has no body";
  return success();
}

LogicalResult InstanceOp::verify() {
  auto role = (*this)->getParentOfType<RoleOp>();
  auto kernel = (*this)->getParentOfType<KernelOp>();
  RoleAttr attr = role && kernel ? kernel.findRole(role.getRole()) : RoleAttr();
  if (!attr || attr.getSplit() != Split::Tiles)
    return emitOpError() << "stands in a role with split = tiles, whose warpgroups are instances";
  return success();
}

LogicalResult RoleOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel || !kernel.findRole(getRole()))
    return emitOpError() << "the kernel has no role @" << getRole();
  // Register tiles belong to the threads that made them.
  WalkResult result = getBody().walk([&](Operation *op) -> WalkResult {
    for (Value operand : op->getOperands())
      // While a text is parsed, what is used before it is defined has no region yet.
      if (Region *region = operand.getParentRegion();
          region && isa<RankedTensorType, PendingType, CursorType, SlotType>(operand.getType()) &&
          !getBody().isAncestor(region))
        return op->emitOpError() << "uses " << operand.getType() << " from outside role @"
                                 << getRole() << "; only scalars and handles enter a role";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult DecodeOp::verify() {
  if (static_cast<int64_t>(getCoords().size()) != getSchedule().getType().getRank())
    return emitOpError() << "a schedule of rank " << getSchedule().getType().getRank()
                         << " has as many coordinates, found " << getCoords().size();
  return success();
}

//===-- Copies -------------------------------------------------------------------------------===//

static LogicalResult verifyCopy(Operation *op, ViewType view, size_t coords,
                                RankedTensorType tile) {
  if (static_cast<int64_t>(coords) != view.getRank())
    return op->emitOpError() << "a view of rank " << view.getRank()
                             << " takes as many coordinates, found " << coords;
  if (tile.getElementType() != view.getElementType())
    return op->emitOpError() << "the view holds " << view.getElementType() << ", the slot "
                             << tile.getElementType();
  if (view.getAlign() < 16)
    return op->emitOpError() << "asynchronous copies need a view with align = 16 or more, found "
                             << view.getAlign();
  if (!sharedLayoutOf(tile).swizzleMode())
    return op->emitOpError() << "the slot's layout " << tile.getEncoding()
                             << " is none that TMA can move";
  return success();
}

LogicalResult CopyOp::verify() {
  if (getMulticast()) {
    auto ring = getRing().getDefiningOp<RingOp>();
    if (ring && ring.getMulticast() != getMulticast())
      return emitOpError()
             << "multicast along axis " << *getMulticast() << " into ring \"" << ring.getName()
             << "\", whose releases do not reach that axis; state multicast on the ring";
  }
  return verifyCopy(*this, getView().getType(), getCoords().size(), getSlot().getType().getTile());
}
LogicalResult CopyOutOp::verify() {
  return verifyCopy(*this, getView().getType(), getCoords().size(), getSlot().getType().getTile());
}

LogicalResult FragmentStoreOp::verify() {
  RankedTensorType value = getValue().getType(), tile = getSlot().getType().getTile();
  SmallVector<int64_t> shape(tile.getShape());
  if (getTranspose())
    std::reverse(shape.begin(), shape.end());
  if (value.getShape() != ArrayRef<int64_t>(shape) ||
      value.getElementType() != tile.getElementType())
    return emitOpError() << "writes " << value << " into a slot of " << tile;
  return success();
}
LogicalResult FragmentLoadOp::verify() {
  RankedTensorType tile = getSlot().getType().getTile();
  if (getType().getShape() != tile.getShape() ||
      getType().getElementType() != tile.getElementType())
    return emitOpError() << "reads a slot of " << tile << " as " << getType();
  return success();
}
LogicalResult RebindOp::verify() {
  int64_t from = sharedLayoutOf(getSlot().getType().getTile()).sizeBytes();
  int64_t to = sharedLayoutOf(getType().getTile()).sizeBytes();
  if (to > from)
    return emitOpError() << "the new layout needs " << to << " bytes, the slot has " << from;
  return success();
}

//===-- Dots ---------------------------------------------------------------------------------===//

LogicalResult DotStartOp::verify() {
  RankedTensorType a = tileOf(getA().getType()), b = tileOf(getB().getType()),
                   acc = tileOf(getAcc().getType());
  if (!isa<SlotType>(getA().getType()) &&
      (getTransA() || !isa_and_nonnull<AccAttr, OperandAttr>(a.getEncoding())))
    return emitOpError() << "a register operand is K-major in #tile.acc or #tile.operand, found "
                         << a;
  if (a.getRank() != 2 || b.getRank() != 2 || acc.getRank() != 2)
    return emitOpError() << "operands and accumulator are two-dimensional";
  int64_t m = a.getDimSize(getTransA() ? 1 : 0), ka = a.getDimSize(getTransA() ? 0 : 1);
  int64_t kb = b.getDimSize(getTransB() ? 1 : 0), n = b.getDimSize(getTransB() ? 0 : 1);
  if (ka != kb)
    return emitOpError() << "a has " << ka << " columns of k, b has " << kb;
  if (acc.getDimSize(0) != m || acc.getDimSize(1) != n)
    return emitOpError() << "the product is " << m << "x" << n << ", the accumulator is " << acc;
  if (!isa_and_nonnull<AccAttr>(acc.getEncoding()))
    return emitOpError() << "the accumulator has layout #tile.acc, found " << acc;
  if (getType().getTile() != acc)
    return emitOpError() << "results in " << getType() << " from an accumulator " << acc;
  Type type = a.getElementType();
  if (type != b.getElementType() || !(type.isBF16() || type.isF16()) ||
      !acc.getElementType().isF32())
    return emitOpError() << "multiplies bf16 by bf16 or f16 by f16 into f32, found " << type << ", "
                         << b.getElementType() << " and " << acc.getElementType();
  if (n % 8 || ka % 16)
    return emitOpError() << "needs n a multiple of 8 and k a multiple of 16, found " << n << " and "
                         << ka;
  return success();
}
LogicalResult DotWaitOp::verify() {
  if (getType() != getPending().getType().getTile())
    return emitOpError() << "results in " << getType() << " from " << getPending().getType();
  return success();
}
LogicalResult DotRetireOp::verify() {
  if (getOutstanding() > 7)
    return emitOpError() << "outstanding is 0 to 7, found " << getOutstanding();
  return success();
}

} // namespace tilewright::tile
