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

RegisterTile &KernelLowering::tileOf(Value value) { return tiles[value]; }

/// The tile's 16-bit elements in pairs.
Value KernelLowering::packedOf(RegisterTile &tile) {
  if (!tile.packed) {
    tile.packed = newFrag(fragRegisters(tile.type) / 2, b.getI32Type(), "packed");
    emit<sm90::FragPackOp>(tile.packed, tile.frag, TypeAttr::get(tile.type.getElementType()),
                           sm90::ConstAttr());
  }
  return tile.packed;
}

/// The tile's elements as f32.
Value KernelLowering::unpackedOf(RegisterTile &tile) {
  if (!tile.frag) {
    tile.frag = newFrag(fragRegisters(tile.type), b.getF32Type(), "widened");
    emit<sm90::FragUnpackOp>(tile.frag, tile.packed, TypeAttr::get(tile.type.getElementType()));
  }
  return tile.frag;
}

LogicalResult KernelLowering::lowerFragmentStore(tile::FragmentStoreOp op) {
  RegisterTile &tile = tileOf(op.getValue());
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
    if (n % 16)
      return op.emitOpError() << "stmatrix writes 16 columns at once, found " << n;
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
        int64_t perWave = tile.columnOffset ? tile.registersPerWave : n / 2;
        Value first = add(mul(j, 2), wave * perWave + panel * layout.panelCols() / 2);
        Value reg = tile.columnOffset ? add(first, tile.columnOffset) : first;
        emit<sm90::StSharedV2Op>(add(add(slot.address, panel * layout.panelBytes()), swizzled),
                                 tile.frag, reg);
      });
  return success();
}

} // namespace tilewright::tosm90
