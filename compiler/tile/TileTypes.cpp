// SPDX-License-Identifier: Apache-2.0

#include "compiler/tile/TileDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#define GET_TYPEDEF_CLASSES
#include "compiler/tile/TileTypes.cpp.inc"

using namespace mlir;

namespace tilewright::tile {

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/tile/TileTypes.cpp.inc"
      >();
}

RankedTensorType tileOf(Type type) {
  if (auto slot = dyn_cast<SlotType>(type))
    return slot.getTile();
  if (auto pending = dyn_cast<PendingType>(type))
    return pending.getTile();
  return dyn_cast<RankedTensorType>(type);
}

// !tile.view<?x?xbf16, align = 16>
Type ViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  int64_t align = 0;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/true, /*withTrailingX=*/true) ||
      parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("align") || parser.parseEqual() || parser.parseInteger(align))
      return {};
  } else if (elementType.isIntOrFloat()) {
    align = elementBytes(elementType);
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ViewType>(parser.getContext(), shape, elementType, align);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t extent : getShape()) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
    printer << 'x';
  }
  printer << getElementType() << ", align = " << getAlign() << '>';
}

LogicalResult ViewType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType, int64_t align) {
  if (shape.empty() || shape.size() > 5)
    return emitError() << "a view has 1 to 5 dimensions, found " << shape.size();
  if (!elementType.isIntOrFloat())
    return emitError() << "a view's elements are integers or floats, found " << elementType;
  int64_t bytes = elementBytes(elementType);
  if (align < bytes || !llvm::isPowerOf2_64(align))
    return emitError() << "align must be a power of two of at least the element's " << bytes
                       << " bytes, found " << align;
  return success();
}

LogicalResult SlotType::verify(function_ref<InFlightDiagnostic()> emitError,
                               RankedTensorType tile) {
  if (!isa_and_nonnull<SmemAttr>(tile.getEncoding()))
    return emitError() << "a slot holds a tile with a #tile.smem layout, found " << tile;
  return success();
}

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t stages,
                               ArrayRef<Type> tiles) {
  if (stages < 1 || stages > 32)
    return emitError() << "a ring has 1 to 32 stages, found " << stages;
  if (tiles.empty())
    return emitError() << "a ring has at least one slot in each stage";
  for (Type type : tiles) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!tile || !isa_and_nonnull<SmemAttr>(tile.getEncoding()))
      return emitError() << "a ring's slots are tiles with a #tile.smem layout, found " << type;
  }
  return success();
}

int64_t RingType::getStageBytes() const {
  int64_t bytes = 0;
  for (Type type : getTiles())
    bytes += sharedLayoutOf(cast<RankedTensorType>(type)).sizeBytes();
  return bytes;
}

} // namespace tilewright::tile
