// SPDX-License-Identifier: Apache-2.0
#ifndef TILEWRIGHT_COMPILER_TILE_TYPES
#define TILEWRIGHT_COMPILER_TILE_TYPES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "compiler/tile/TileDialect.td"

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_Ptr : Tile_Type<"Ptr", "ptr"> {
  let summary = "pointer to global memory";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Tile_View : Tile_Type<"View", "view"> {
  let summary = "strided window on global memory with run-time extents";
  let description = [{
    `!tile.view<?x?xbf16, align = 16>`: base, i32 extents, i64 strides in elements, the last
    dimension contiguous. `align` promises that the base and every stride are multiples of that many
    bytes (TMA needs 16).
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "int64_t":$align);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return static_cast<int64_t>(getShape().size()); }
  }];
}

def Tile_Slot : Tile_Type<"Slot", "slot"> {
  let summary = "an owned place in shared memory that holds one tile";
  let parameters = (ins "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $tile `>`";
  let genVerifyDecl = 1;
}

def Tile_Ring : Tile_Type<"Ring", "ring"> {
  let summary =
      "ring of stages, each with one slot per listed tile, and its full and empty barriers";
  let parameters = (ins "int64_t":$stages, ArrayRefParameter<"::mlir::Type">:$tiles);
  let assemblyFormat = "`<` $stages `,` $tiles `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes of one stage that copies fill: what its full barrier counts.
    int64_t getStageBytes() const;
  }];
}

def Tile_Cursor : Tile_Type<"Cursor", "cursor"> {
  let summary = "(stage, phase) in a ring; linear: used, then advanced once per path";
}

def Tile_Pending : Tile_Type<"Pending", "pending"> {
  let summary =
      "accumulator of an issued, unfinished dot; only dot_start, dot_wait and yields take it";
  let parameters = (ins "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $tile `>`";
}

def Tile_Schedule : Tile_Type<"Schedule", "schedule"> {
  let summary = "tile scheduler over an index space of `rank` coordinates";
  let parameters = (ins "int64_t":$rank);
  let assemblyFormat = "`<` $rank `>`";
}

def Tile_Turn : Tile_Type<"Turn", "turn"> {
  let summary = "strict alternation between the warpgroups of a role";
}

#endif // TILEWRIGHT_COMPILER_TILE_TYPES
