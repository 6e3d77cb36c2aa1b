// SPDX-License-Identifier: Apache-2.0
//
// Verifiers of the tile arithmetic and of memory accesses.

#include "compiler/tile/TileDialect.h"

using namespace mlir;

namespace tilewright::tile {

/// Coordinates and tile fit the view: one coordinate per dimension, the tile covers the last ones.
static LogicalResult verifyAccess(Operation *op, ViewType view, size_t coords,
                                  RankedTensorType tile) {
  if (static_cast<int64_t>(coords) != view.getRank())
    return op->emitOpError() << "a view of rank " << view.getRank()
                             << " takes as many coordinates, found " << coords;
  if (tile.getRank() > view.getRank())
    return op->emitOpError() << "a tile of rank " << tile.getRank()
                             << " does not fit a view of rank " << view.getRank();
  if (tile.getElementType() != view.getElementType())
    return op->emitOpError() << "the view holds " << view.getElementType() << ", the tile "
                             << tile.getElementType();
  return success();
}

/// What the tensor memory accelerator asks of an access.
static LogicalResult verifyTma(Operation *op, ViewType view, RankedTensorType tile) {
  if (view.getAlign() < 16)
    return op->emitOpError() << "via tma needs a view with align = 16 or more, found "
                             << view.getAlign() << "; use via direct or via cp_async";
  for (int64_t extent : tile.getShape().drop_back())
    if (extent > 256)
      return op->emitOpError() << "via tma moves at most 256 rows at once, found " << extent;
  if (auto smem = dyn_cast_or_null<SmemAttr>(tile.getEncoding()))
    if (!sharedLayoutOf(tile).swizzleMode())
      return op->emitOpError() << "via tma cannot write the layout " << smem
                               << "; use swizzle = 0, 32, 64 or 128 without padding";
  return success();
}

LogicalResult LoadOp::verify() {
  RankedTensorType tile = getType();
  if (failed(verifyAccess(*this, getView().getType(), getCoords().size(), tile)))
    return failure();
  if (getVia() == Via::ReduceAdd)
    return emitOpError() << "a load cannot be via reduce_add";
  if (getVia() == Via::Direct && (getRing() || getMulticast()))
    return emitOpError() << "via direct reads into registers: it takes no ring and no multicast";
  if (getHeld() && (getVia() != Via::Direct || tile.getRank() != 1))
    return emitOpError() << "holds a vector that is read via direct, found " << tile << " via "
                         << stringifyVia(getVia());
  if (getVia() != Via::Direct && !getRing())
    return emitOpError() << "via " << stringifyVia(getVia()) << " fills a slot: name its ring";
  if (getVia() == Via::Tma && failed(verifyTma(*this, getView().getType(), tile)))
    return failure();
  if (getMulticast() && getVia() != Via::Tma)
    return emitOpError() << "multicast needs via tma";
  if (getMulticast() && *getMulticast() > 1)
    return emitOpError() << "multicast names cluster axis 0 or 1, found " << *getMulticast();
  if (getRing() && !llvm::is_contained(getRing().getType().getTiles(), Type(tile)))
    return emitOpError() << "the ring has no slot for " << tile << ", it has "
                         << getRing().getType();
  return success();
}

LogicalResult GatherOp::verify() {
  if (getView().getType().getRank() != 2 || getType().getRank() != 2)
    return emitOpError() << "gathers rows of a two-dimensional view into a two-dimensional tile";
  if (getType().getElementType() != getView().getType().getElementType())
    return emitOpError() << "the view holds " << getView().getType().getElementType()
                         << ", the tile " << getType().getElementType();
  if (getRows().getType().getShape() != getType().getShape().take_front(1))
    return emitOpError() << "needs one index for each of the tile's " << getType().getDimSize(0)
                         << " rows, found " << getRows().getType();
  return success();
}

LogicalResult StoreOp::verify() {
  RankedTensorType tile = getValue().getType();
  if (failed(verifyAccess(*this, getView().getType(), getCoords().size(), tile)))
    return failure();
  if (getVia() == Via::Bulk || getVia() == Via::CpAsync)
    return emitOpError() << "a store is via tma, direct or reduce_add, found "
                         << stringifyVia(getVia());
  if (getVia() == Via::Tma && !getStaging())
    return emitOpError() << "via tma goes through shared memory: name its staging ring";
  if (getVia() == Via::Tma &&
      failed(verifyTma(*this, getView().getType(),
                       RankedTensorType::get(tile.getShape(), tile.getElementType()))))
    return failure();
  if (getVia() == Via::Direct && getStaging())
    return emitOpError() << "via direct writes from registers: it takes no staging ring";
  if (getSubtile() &&
      (tile.getRank() != 2 || *getSubtile() == 0 || tile.getDimSize(1) % *getSubtile()))
    return emitOpError() << "subtile divides the tile's columns, found " << *getSubtile() << " in "
                         << tile;
  return success();
}

LogicalResult DotOp::verify() {
  RankedTensorType a = tileOf(getA().getType()), b = tileOf(getB().getType()),
                   acc = getAcc().getType();
  if (a.getRank() != 2 || b.getRank() != 2 || acc.getRank() != 2)
    return emitOpError() << "operands and accumulator are two-dimensional";
  int64_t m = a.getDimSize(getTransA() ? 1 : 0), ka = a.getDimSize(getTransA() ? 0 : 1);
  int64_t kb = b.getDimSize(getTransB() ? 1 : 0), n = b.getDimSize(getTransB() ? 0 : 1);
  if (ka != kb)
    return emitOpError() << "a has " << ka << " columns of k, b has " << kb;
  if (acc.getDimSize(0) != m || acc.getDimSize(1) != n)
    return emitOpError() << "the product is " << m << "x" << n << ", the accumulator is " << acc;
  if (static_cast<bool>(getScaleA()) != static_cast<bool>(getScaleB()))
    return emitOpError() << "scales come in pairs";
  if (getOutstanding() > 1)
    return emitOpError() << "outstanding is 0 or 1, found " << getOutstanding();
  if (getKind() != DotKind::Wgmma)
    return success();
  Type type = a.getElementType();
  if (type != b.getElementType() || !(type.isBF16() || type.isF16()) ||
      !acc.getElementType().isF32())
    return emitOpError() << "kind wgmma multiplies bf16 by bf16 or f16 by f16 into f32, found "
                         << type << ", " << b.getElementType() << " and " << acc.getElementType();
  if (b.getEncoding() && !isa<SmemAttr>(b.getEncoding()))
    return emitOpError() << "kind wgmma takes b from shared memory, found " << b;
  if (acc.getEncoding() && !isa<AccAttr>(acc.getEncoding()))
    return emitOpError() << "kind wgmma accumulates in #tile.acc, found " << acc;
  if (n % 8 || ka % 16)
    return emitOpError() << "kind wgmma needs n a multiple of 8 and k a multiple of 16, found " << n
                         << " and " << ka;
  return success();
}

LogicalResult SplatOp::verify() {
  if (getValue().getType() != getType().getElementType())
    return emitOpError() << "fills a tile of " << getType().getElementType() << " with "
                         << getValue().getType();
  return success();
}

LogicalResult CoordOp::verify() {
  if (static_cast<int64_t>(getDim()) >= getType().getRank())
    return emitOpError() << "dimension " << getDim() << " of a tile of rank "
                         << getType().getRank();
  return success();
}

/// Layouts that both are known agree: the vector's is the matrix's with dimension `dim` removed.
static LogicalResult verifySlice(Operation *op, RankedTensorType matrix, RankedTensorType vector,
                                 int64_t dim) {
  if (!isRegisterTile(matrix) || !isRegisterTile(vector))
    return success();
  auto slice = dyn_cast<SliceAttr>(vector.getEncoding());
  if (!slice || slice.getDim() != dim || slice.getParent() != matrix.getEncoding())
    return op->emitOpError() << "along " << dim << " of " << matrix
                             << " needs the layout #tile.slice<" << dim << ", "
                             << matrix.getEncoding() << ">, found " << vector;
  return success();
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType vector = getValue().getType(), tile = getType();
  if (vector.getRank() != 1 || tile.getRank() != 2 || getDim() > 1)
    return emitOpError() << "broadcasts a vector along dimension 0 or 1 of a matrix";
  if (vector.getDimSize(0) != tile.getDimSize(1 - getDim()) ||
      vector.getElementType() != tile.getElementType())
    return emitOpError() << "along " << getDim() << " of " << tile << " needs "
                         << tile.getDimSize(1 - getDim()) << " elements of "
                         << tile.getElementType() << ", found " << vector;
  return verifySlice(*this, tile, vector, getDim());
}

LogicalResult ExtractOp::verify() {
  RankedTensorType from = getValue().getType(), to = getType();
  if (from.getRank() != to.getRank() || from.getRank() > 2 ||
      from.getShape().drop_back() != to.getShape().drop_back() ||
      from.getElementType() != to.getElementType() || from.getShape().back() % to.getShape().back())
    return emitOpError() << "takes whole rows and a divisor of the columns, found " << to << " of "
                         << from;
  if (from.getEncoding() && to.getEncoding() && from.getEncoding() != to.getEncoding())
    return emitOpError() << "keeps the layout, found " << to << " of " << from;
  auto slice = dyn_cast_or_null<SliceAttr>(from.getEncoding());
  if (slice && slice.getDim() != 0)
    return emitOpError() << "takes columns, and " << from << " has one element for each row";
  auto acc = dyn_cast_or_null<AccAttr>(slice ? slice.getParent() : from.getEncoding());
  if (acc && acc.getWgsN() != 1)
    return emitOpError() << "cannot take columns of " << acc << ": its " << acc.getWgsN()
                         << " warpgroups along the columns would hold other ones";
  return success();
}

LogicalResult ReduceOp::verify() {
  RankedTensorType from = getValue().getType(), to = getType();
  if (from.getRank() != 2 || to.getRank() != 1 || getDim() > 1)
    return emitOpError() << "reduces a matrix along dimension 0 or 1 to a vector";
  if (to.getDimSize(0) != from.getDimSize(1 - getDim()) ||
      to.getElementType() != from.getElementType())
    return emitOpError() << "along " << getDim() << " of " << from << " gives "
                         << from.getDimSize(1 - getDim()) << " elements of "
                         << from.getElementType() << ", found " << to;
  return verifySlice(*this, from, to, getDim());
}

LogicalResult MapOp::verify() {
  for (Type type : getResultTypes())
    if (cast<RankedTensorType>(type).getShape() !=
        cast<RankedTensorType>(getResultTypes().front()).getShape())
      return emitOpError() << "results have one shape";
  return success();
}

LogicalResult ReadOp::verify() {
  if (static_cast<int64_t>(getCoords().size()) != getView().getType().getRank())
    return emitOpError() << "a view of rank " << getView().getType().getRank()
                         << " takes as many coordinates, found " << getCoords().size();
  if (getType() != getView().getType().getElementType())
    return emitOpError() << "reads " << getType() << " from a view of "
                         << getView().getType().getElementType();
  return success();
}

} // namespace tilewright::tile
