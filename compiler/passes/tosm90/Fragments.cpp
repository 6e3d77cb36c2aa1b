// SPDX-License-Identifier: Apache-2.0
//
// Register tiles as arrays, and their way to shared memory.

#include "compiler/passes/tosm90/KernelLowering.h"

using namespace mlir;

namespace tilewright::tosm90 {

Value KernelLowering::newFrag(int64_t size, Type element, StringRef name) {
  return as(name, emit<sm90::FragOp>(sm90::FragType::get(b.getContext(), size, element)));
}

int64_t KernelLowering::fragRegisters(RankedTensorType type) {
  std::optional<tile::FragmentLayout> layout = tile::fragmentLayoutOf(type);
  return static_cast<int64_t>(layout->registersPerThread()) * layout->elementsPerRegister();
}

int64_t KernelLowering::wavesOf(RankedTensorType type) {
  if (auto acc = dyn_cast_or_null<tile::AccAttr>(type.getEncoding()))
    return acc.getWaves();
  return 1;
}

/// Makes `frag` the record of `value`, a whole tile.
void KernelLowering::bindTile(Value value, Value frag) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t perWave = fragRegisters(type) / wavesOf(type);
  tiles[value] = std::make_unique<RegisterTile>(RegisterTile{type, frag, {}, {}, {}, perWave});
}

/// Whether what was emitted earlier may be used at the current place.
bool KernelLowering::isVisible(Value emitted) {
  return emitted && emitted.getParentRegion()->isAncestor(b.getInsertionBlock()->getParent());
}

/// The 16-bit elements of a whole tile in pairs.
Value KernelLowering::packedOf(RegisterTile &tile) {
  if (!isVisible(tile.packed)) {
    tile.packed = newFrag(fragRegisters(tile.type) / 2, b.getI32Type(), "packed");
    emit<sm90::FragPackOp>(tile.packed, tile.frag, TypeAttr::get(tile.type.getElementType()),
                           sm90::ConstAttr());
  }
  return tile.packed;
}

/// The tile's elements as f32, with the values that their type can hold: what arithmetic reads.
Value KernelLowering::roundedOf(RegisterTile &tile) {
  if (tile.type.getElementTypeBitWidth() != 16)
    return tile.frag;
  if (!isVisible(tile.rounded)) {
    Value packed = packedOf(tile);
    tile.rounded = newFrag(fragRegisters(tile.type), b.getF32Type(), "widened");
    emit<sm90::FragUnpackOp>(tile.rounded, packed, TypeAttr::get(tile.type.getElementType()));
  }
  return tile.rounded;
}

LogicalResult KernelLowering::lowerExtract(tile::ExtractOp op) {
  const RegisterTile &from = tileOf(op.getValue());
  auto slice = dyn_cast<tile::SliceAttr>(from.type.getEncoding());
  if (!isa<tile::AccAttr>(slice ? slice.getParent() : from.type.getEncoding()) ||
      from.columnOffset || !from.type.getElementType().isF32())
    return op.emitOpError() << "has a lowering for f32 columns of a whole #tile.acc tile, found "
                            << op.getType() << " of " << from.type;
  if (divisorOf(op.getColumn()) < 8)
    return op.emitOpError() << "begins at a multiple of 8 columns, which must follow from "
                               "constants and loop steps";
  // A thread holds two columns of each eight, in two rows: column c begins at register c / 2 of a
  // wave, at c / 4 of a vector.
  Value offset = div(scalar(op.getColumn()), slice ? 4 : 2);
  tiles[op.getResult()] = std::make_unique<RegisterTile>(
      RegisterTile{op.getType(), from.frag, {}, {}, offset, from.registersPerWave});
  return success();
}

LogicalResult KernelLowering::lowerFragmentStore(tile::FragmentStoreOp op) {
  RegisterTile &tile = tileOf(op.getValue());
  if (failed(checkHolds(op, tile.type)))
    return failure();
  Slot slot = slots.lookup(op.getSlot());
  tile::SharedLayout layout = tile::sharedLayoutOf(slot.type);
  auto acc = dyn_cast<tile::AccAttr>(tile.type.getEncoding());
  if (!acc || acc.getWgsN() != 1 || op.getTranspose())
    return op.emitOpError() << "has a lowering for whole rows of #tile.acc only, found "
                            << tile.type << (op.getTranspose() ? " transposed" : "");
  std::optional<int> mode = layout.swizzleMode();
  if (!mode)
    return op.emitOpError() << "writes slots in a TMA layout, found " << slot.type;
  int64_t n = tile.type.getDimSize(1), waves = acc.getWaves();
  Value groupRow = as("group_row", mul(role.warpgroup, 64 * waves));
  Value firstRow = add(groupRow, mul(role.warpInGroup, 16));

  if (tile.type.getElementTypeBitWidth() == 16) {
    if (layout.panelCols() % 16)
      return op.emitOpError() << "stmatrix writes 16 columns at once, found panels of "
                              << layout.panelCols();
    // Lane l addresses row l % 16 of its warp's rows and the 16-byte chunk l / 16 of each pair.
    Value packed = packedOf(tile);
    Value row = as("row_offset", mul(add(firstRow, rem(role.lane, 16)), layout.rowBytes()));
    Value half = as("half_chunk", mul(div(role.lane, 16), 16));
    int64_t chunksPerPanel = layout.panelCols() / 16;
    for (int64_t wave = 0; wave < waves; ++wave)
      for (int64_t panel = 0; panel < layout.cols / layout.panelCols(); ++panel)
        emitUnrolled(chunksPerPanel, "j", [&](Value j) {
          Value offset = add(add(add(row, wave * 64 * layout.rowBytes()), mul(j, 32)), half);
          Value swizzled =
              *mode ? emit<sm90::SwizzleOp>(offset, constant(*mode)).getResult() : offset;
          Value first = add(mul(j, 4), wave * n / 4 + panel * layout.panelCols() / 4);
          emit<sm90::StmatrixOp>(add(add(slot.address, panel * layout.panelBytes()), swizzled),
                                 packed, first, constant(4), UnitAttr());
        });
    return success();
  }
  if (!tile.type.getElementType().isF32())
    return op.emitOpError() << "stores 16-bit floats and f32, found " << tile.type;
  if (layout.panelCols() % 8)
    return op.emitOpError() << "writes 8 columns at once, found panels of " << layout.panelCols();
  // Pairs of neighbouring columns by 8-byte stores; a quad covers 32 bytes of a row.
  Value row = add(firstRow, div(role.lane, 4));
  Value column = mul(rem(role.lane, 4), 8);
  int64_t pairsPerPanel = layout.panelCols() / 4;
  for (int64_t wave = 0; wave < waves; ++wave)
    for (int64_t panel = 0; panel < layout.cols / layout.panelCols(); ++panel)
      emitUnrolled(pairsPerPanel, "j", [&](Value j) {
        // j / 2 picks 8 columns, j % 2 the upper or lower 8 rows: register 4 (j / 2) + 2 (j % 2).
        Value at = mul(add(add(row, mul(rem(j, 2), 8)), wave * 64), layout.rowBytes());
        Value offset = add(add(at, mul(div(j, 2), 32)), column);
        Value swizzled =
            *mode ? emit<sm90::SwizzleOp>(offset, constant(*mode)).getResult() : offset;
        // An extract's waves are those of the tile that it shows.
        Value first = add(mul(j, 2), wave * tile.registersPerWave + panel * layout.panelCols() / 2);
        Value reg = tile.columnOffset ? add(first, tile.columnOffset) : first;
        emit<sm90::StSharedV2Op>(add(add(slot.address, panel * layout.panelBytes()), swizzled),
                                 tile.frag, reg);
      });
  return success();
}

} // namespace tilewright::tosm90
