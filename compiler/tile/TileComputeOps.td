// SPDX-License-Identifier: Apache-2.0
// Tile arithmetic and memory accesses. Elementwise work on tiles is plain `arith` and `math` on
// tensors.
#ifndef TILEWRIGHT_COMPILER_TILE_COMPUTE_OPS
#define TILEWRIGHT_COMPILER_TILE_COMPUTE_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "compiler/tile/TileLoopOps.td"

// Extents are known and positive: layouts and loops over elements rest on it.
def Tile_Tile : ConfinedType<RankedTensorOf<[AnyType]>, [CPred<
    "::llvm::all_of(::llvm::cast<::mlir::ShapedType>($_self).getShape(), "
    "[](int64_t extent) { return extent > 0; })">], "tile of known extents">;

def Tile_Counters : ConfinedType<Tile_Ptr, [CPred<
    "::llvm::cast<::tilewright::tile::PtrType>($_self).getElementType().isInteger(32)">],
    "pointer to i32 counters">;

def Tile_LoadOp
    : Tile_Op<"load", [AttrSizedOperandSegments, MemoryEffects<[MemRead<Tile_Global>]>]> {
  let summary = "reads the tile at the given coordinates of a view";
  let description = [{
    The tile covers the view's last dimensions; leading coordinates select one index each. Elements
    past the view's extents are zero (`oob = undef`: anything). `via tma ring %r` fills a slot of a
    ring (the i-th load of a ring in a body fills its i-th slot); `via direct` reads into registers.
    A vector that is `held` is read where the load stands, ahead of a wait that follows, say, and
    kept in registers for a store with sub-tiles; without it each slice is read where it is needed.
    `multicast a`: the CTAs along cluster axis `a` need the same tile and each fetches a part of it
    for all.

    ```mlir
    %b = tile.load %B[%n, %k] via tma ring %ab multicast 0
        : !tile.view<?x?xbf16, align = 16>, !tile.ring<…> -> tensor<256x64xbf16, #sw>
    %v = tile.load %bias[%n] via direct : !tile.view<?xf32, align = 4> -> tensor<256xf32>
    ```
  }];
  let arguments = (ins Tile_View:$view, Variadic<I32>:$coords, Tile_ViaAttr:$via,
                       Optional<Tile_Ring>:$ring, OptionalAttr<I64Attr>:$multicast,
                       OptionalAttr<Tile_HintAttr>:$hint, OptionalAttr<Tile_OobAttr>:$oob,
                       UnitAttr:$held);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $view `[` $coords `]` `via` `` $via (`ring` $ring^)? (`multicast` $multicast^)?
    (`hint` `` $hint^)? (`oob` `` $oob^)? (`held` $held^)? attr-dict
    `:` type($view) (`,` type($ring)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [ProgramForm, MemoryEffects<[MemRead<Tile_Global>]>]> {
  let summary = "reads rows of a view at the indices of an index vector";
  let description = [{
    `%t = tile.gather %V rows %idx at %col : … `: row r of the tile is row idx[r] of the
    two-dimensional view, from column `col` on.
  }];
  let arguments = (ins Tile_View:$view, RankedTensorOf<[I32]>:$rows, I32:$column);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $view `rows` $rows `at` $column attr-dict `:` type($view) `,` type($rows) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp
    : Tile_Op<"store", [AttrSizedOperandSegments, MemoryEffects<[MemWrite<Tile_Global>]>]> {
  let summary = "writes a register tile to a view; elements past its extents are not written";
  let description = [{
    `via tma staging %ring` writes through shared memory, `subtile` columns at a time; `via direct`
    straight from registers; `via reduce_add` adds.

    ```mlir
    tile.store %y, %D[%m, %n] via tma staging %st subtile 64
        : tensor<128x256xbf16>, !tile.view<?x?xbf16, align = 16>, !tile.ring<…>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Tile_View:$view, Variadic<I32>:$coords,
                       Tile_ViaAttr:$via, Optional<Tile_Ring>:$staging,
                       OptionalAttr<I64Attr>:$subtile);
  let assemblyFormat = [{
    $value `,` $view `[` $coords `]` `via` `` $via (`staging` $staging^)? (`subtile` $subtile^)?
    attr-dict
    `:` type($value) `,` type($view) (`,` type($staging)^)?
  }];
  let hasVerifier = 1;
}

def Tile_DotOp
    : Tile_Op<"dot", [Pure, AttrSizedOperandSegments, AllTypesMatch<["acc", "result"]>]> {
  let summary = "acc + a·b on an engine, at most `outstanding` groups in flight behind it";
  let description = [{
    a is MxK (KxM with `trans_a`), b is KxN (NxK with `trans_b`). `kind wgmma` takes b from shared
    memory and a from shared memory or registers; `kind fma` the CUDA cores. Between
    tile-assign-roles and tile-place-waits operands are slots. `scales(%sa, %sb)`: the product is
    multiplied by sa[m]·sb[n] before it is added (block-scaled types).

    ```mlir
    %d = tile.dot %a, %b, %c kind wgmma trans_b outstanding 1
        : tensor<128x64xbf16, #sw>, tensor<256x64xbf16, #sw>, tensor<128x256xf32, #acc>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Tile_Slot, Tile_Tile]>:$a, AnyTypeOf<[Tile_Slot, Tile_Tile]>:$b,
                       Tile_Tile:$acc, Optional<Tile_Tile>:$scaleA, Optional<Tile_Tile>:$scaleB,
                       Tile_DotKindAttr:$kind, UnitAttr:$transA, UnitAttr:$transB,
                       DefaultValuedAttr<I64Attr, "0">:$outstanding);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`scales` `(` $scaleA^ `,` $scaleB `)`)? `kind` `` $kind
    (`trans_a` $transA^)? (`trans_b` $transB^)? (`outstanding` $outstanding^)? attr-dict
    `:` type($a) `,` type($b) `,` type($acc) (`scales` type($scaleA)^ `,` type($scaleB))?
  }];
  let hasVerifier = 1;
}

def Tile_ZeroOp : Tile_Op<"zero", [Pure]> {
  let summary = "tile of zeros (or, as a pending accumulator, one whose first dot overwrites it)";
  let results = (outs AnyTypeOf<[Tile_Tile, Tile_Pending]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "tile with one scalar everywhere; free: never held in registers";
  let arguments = (ins AnyType:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_CoordOp : Tile_Op<"coord", [Pure]> {
  let summary = "each element's index along `dim`, plus an offset; free";
  let description = [{
    `%c = tile.coord 1 offset %n : tensor<128x256xi32>`: element (r, c) is n + c.
  }];
  let arguments = (ins I64Attr:$dim, Optional<I32>:$offset);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = "$dim (`offset` $offset^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeats a vector along `dim` of the result; free";
  let description = [{
    `%x = tile.broadcast %bias along 0 : tensor<256xf32> -> tensor<128x256xf32>`: every row is the
    vector.
  }];
  let arguments = (ins Tile_Tile:$value, I64Attr:$dim);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value `along` $dim attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ExtractOp : Tile_Op<"extract", [Pure]> {
  let summary =
      "columns [column, column + width) of a register tile, or of a vector along the columns; free "
      "once the column is known";
  let arguments = (ins Tile_Tile:$value, I32:$column);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value `columns` $column attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary =
      "reduces along `dim`; `partial` leaves the exchange between lanes to tile.reduce_finish";
  let description = [{`%m = tile.reduce max %s along 1 : tensor<128x64xf32> -> tensor<128xf32>`}];
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_Tile:$value, I64Attr:$dim,
                       UnitAttr:$partial);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    `` $kind $value `along` $dim (`partial` $partial^)? attr-dict `:` type($value) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ReduceFinishOp : Tile_Op<"reduce_finish", [Pure, SameOperandsAndResultType]> {
  let summary = "combines the partial results that several lanes hold";
  let arguments = (ins Tile_ReduceKindAttr:$kind, Tile_Tile:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "`` $kind $value attr-dict `:` type($value)";
}

def Tile_MapOp : Tile_Op<"map", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "scalar region applied to every element";
  let description = [{
    The region's arguments are the elements of `ins` (register tiles and slots of the result's
    shape; vectors along the dimension that their slice layout keeps), then the row and the column
    of the element within the tile (one coordinate for one-dimensional results). Score, mask and
    epilogue functions of users are this, or plain tensor arithmetic, which `tile-fuse-maps` turns
    into this.

    ```mlir
    %y = tile.map ins(%x, %r) : tensor<128x64xf32, #acc>, tensor<128x64xbf16, #acc>
        -> tensor<128x64xf32, #acc> {
    ^bb0(%e: f32, %res: bf16, %row: i32, %col: i32):
      …
      tile.yield %z : f32
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$ins);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `ins` `(` $ins `)` attr-dict-with-keyword (`:` type($ins)^)? `->` type($results) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tile_ReadOp : Tile_Op<"read", [MemoryEffects<[MemRead<Tile_Global>]>]> {
  let summary = "one element of a view, zero past its extents; stands in a map";
  let arguments = (ins Tile_View:$view, Variadic<I32>:$coords);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$view `[` $coords `]` attr-dict `:` type($view) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_AnyOp : Tile_Op<"any", [MemoryEffects<[MemWrite<Tile_Sync>]>]> {
  let summary = "true in every lane of a warp if any element that the warp holds is true";
  let arguments = (ins RankedTensorOf<[I1]>:$value);
  let results = (outs I1:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Tile_AtomicAddOp
    : Tile_Op<"atomic_add", [MemoryEffects<[MemRead<Tile_Global>, MemWrite<Tile_Global>]>]> {
  let summary = "adds to an i32 counter in memory, returns its value before";
  let arguments = (ins Tile_Counters:$address, I32:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "$address `,` $value attr-dict `:` type($address)";
}
def Tile_SemaphoreWaitOp
    : Tile_Op<"semaphore_wait", [MemoryEffects<[MemWrite<Tile_Sync>, MemRead<Tile_Global>]>]> {
  let summary = "waits (gpu-scope acquire) until the counter at address[index] reaches a value";
  let arguments = (ins Tile_Counters:$address, I32:$index, I32:$value);
  let assemblyFormat = "$address `[` $index `]` `,` $value attr-dict `:` type($address)";
}
def Tile_SemaphorePostOp
    : Tile_Op<"semaphore_post", [MemoryEffects<[MemWrite<Tile_Sync>, MemWrite<Tile_Global>]>]> {
  let summary = "adds one (gpu-scope release) to the counter at address[index]";
  let arguments = (ins Tile_Counters:$address, I32:$index);
  let assemblyFormat = "$address `[` $index `]` attr-dict `:` type($address)";
}
def Tile_PdlWaitOp : Tile_Op<"pdl_wait", [MemoryEffects<[MemWrite<Tile_Sync>]>]> {
  let summary = "waits until the launch before this one has written its results";
  let assemblyFormat = "attr-dict";
}
def Tile_PdlTriggerOp : Tile_Op<"pdl_trigger", [MemoryEffects<[MemWrite<Tile_Sync>]>]> {
  let summary = "lets the next launch start";
  let assemblyFormat = "attr-dict";
}

#endif // TILEWRIGHT_COMPILER_TILE_COMPUTE_OPS
