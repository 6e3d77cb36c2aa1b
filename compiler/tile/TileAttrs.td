// SPDX-License-Identifier: Apache-2.0
#ifndef TILEWRIGHT_COMPILER_TILE_ATTRS
#define TILEWRIGHT_COMPILER_TILE_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"
include "compiler/tile/TileDialect.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tilewright::tile";
  let genSpecializedAttr = 0;
}
class Tile_EnumAttr<I32EnumAttr info, string mnemonic> : EnumAttr<Tile_Dialect, info, mnemonic>;

def Tile_Form : Tile_Enum<"Form", "which of the dialect's two forms a kernel is written in", [
  I32EnumAttrCase<"Program", 0, "program">, I32EnumAttrCase<"Scheduled", 1, "scheduled">]>;
def Tile_FormAttr : Tile_EnumAttr<Tile_Form, "form">;

def Tile_Via : Tile_Enum<"Via", "mechanism of a memory access", [
  I32EnumAttrCase<"Tma", 0, "tma">, I32EnumAttrCase<"Bulk", 1, "bulk">,
  I32EnumAttrCase<"CpAsync", 2, "cp_async">, I32EnumAttrCase<"Direct", 3, "direct">,
  I32EnumAttrCase<"ReduceAdd", 4, "reduce_add">]>;
def Tile_ViaAttr : Tile_EnumAttr<Tile_Via, "via">;

def Tile_Hint : Tile_Enum<"Hint", "L2 eviction priority of a copy", [
  I32EnumAttrCase<"EvictFirst", 0, "evict_first">, I32EnumAttrCase<"EvictLast", 1, "evict_last">]>;
def Tile_HintAttr : Tile_EnumAttr<Tile_Hint, "hint">;

def Tile_Oob : Tile_Enum<"Oob", "value of elements past a view's extents", [
  I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"Undef", 1, "undef">]>;
def Tile_OobAttr : Tile_EnumAttr<Tile_Oob, "oob">;

def Tile_Order : Tile_Enum<"Order", "order in which a schedule visits its index space", [
  I32EnumAttrCase<"Row", 0, "row">, I32EnumAttrCase<"Grouped", 1, "grouped">,
  I32EnumAttrCase<"Snake", 2, "snake">]>;
def Tile_OrderAttr : Tile_EnumAttr<Tile_Order, "order">;

def Tile_DotKind : Tile_Enum<"DotKind", "engine of a dot", [
  I32EnumAttrCase<"Wgmma", 0, "wgmma">, I32EnumAttrCase<"Fma", 1, "fma">]>;
def Tile_DotKindAttr : Tile_EnumAttr<Tile_DotKind, "dot_kind">;

def Tile_ReduceKind : Tile_Enum<"ReduceKind", "combining function of a reduction", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
  I32EnumAttrCase<"Min", 2, "min">]>;
def Tile_ReduceKindAttr : Tile_EnumAttr<Tile_ReduceKind, "reduce_kind">;

def Tile_Split : Tile_Enum<"Split", "what the warpgroups of a role divide among themselves", [
  I32EnumAttrCase<"Rows", 0, "rows">, I32EnumAttrCase<"Tiles", 1, "tiles">]>;

def Tile_FullBy : Tile_Enum<"FullBy", "what completes a ring's full barrier", [
  I32EnumAttrCase<"Tma", 0, "tma">, I32EnumAttrCase<"Threads", 1, "threads">]>;
def Tile_FullByAttr : Tile_EnumAttr<Tile_FullBy, "full_by">;

def Tile_Comparison : Tile_Enum<"Comparison", "how the two sides of a precondition relate", [
  I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">, I32EnumAttrCase<"Lt", 2, "lt">,
  I32EnumAttrCase<"Le", 3, "le">, I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">]>;
def Tile_ComparisonAttr : Tile_EnumAttr<Tile_Comparison, "comparison">;

def Tile_CursorSide : Tile_Enum<"CursorSide", "which end of a ring a cursor walks", [
  I32EnumAttrCase<"Producer", 0, "producer">, I32EnumAttrCase<"Consumer", 1, "consumer">]>;
def Tile_CursorSideAttr : Tile_EnumAttr<Tile_CursorSide, "cursor_side">;

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// Tensor encodings check the shape that they are put on.
class Tile_LayoutAttr<string name, string attrMnemonic>
    : Tile_Attr<name, attrMnemonic, [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {}

def Tile_SmemAttr : Tile_LayoutAttr<"Smem", "smem"> {
  let summary = "shared-memory layout: row-major panels, padded or XOR-swizzled";
  let description = [{
    Rows of `panel` columns each (0: one panel of all columns), stored row-major, `pad` elements
    after each row. `swizzle = 32 | 64 | 128` is TMA's mode of that many bytes: `xor = [b, m, s]`
    with (1,4,3), (2,4,3), (3,4,3), which XORs address bits m..m+b-1 with bits m+s..m+s+b-1. `xor`
    alone states any other swizzle. The maths is Layout.h.

    ```mlir
    tensor<128x64xbf16, #tile.smem<panel = 64, swizzle = 128>>
    tensor<32x32xf32, #tile.smem<pad = 1>>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "0">:$panel,
                        DefaultValuedParameter<"int64_t", "0">:$pad,
                        DefaultValuedParameter<"int64_t", "0">:$swizzle,
                        OptionalArrayRefParameter<"int64_t">:$xorBits);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_AccAttr : Tile_LayoutAttr<"Acc", "acc"> {
  let summary = "wgmma accumulator fragment over a x b warpgroups";
  let description = [{
    An M x N register tile held by `wgs = [a, b]` warpgroups, each of M/a rows (64 x `waves`) and
    N/b columns, in the register order of `wgmma.mma_async` (PTX ISA, "Register fragments for
    wgmma.mma_async, matrix D"). Sixteen-bit tiles in this layout are A operands as they stand:
    packed pairs of it are the A fragment.
  }];
  let parameters = (ins "int64_t":$wgsM, "int64_t":$wgsN,
                        DefaultValuedParameter<"int64_t", "1">:$waves);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_OperandAttr : Tile_LayoutAttr<"Operand", "operand"> {
  let summary = "wgmma A operand held in registers (16-bit), one packed pair a register";
  let parameters = (ins "int64_t":$wgsM, DefaultValuedParameter<"int64_t", "1">:$waves);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_SliceAttr : Tile_LayoutAttr<"Slice", "slice"> {
  let summary = "vector that is a two-dimensional register layout with dimension `dim` removed";
  let description = [{
    `#tile.slice<1, #acc>` is one value per row, replicated over the lanes that share it;
    `#tile.slice<0, #acc>` one per column. Column vectors are usually read inside the map that uses
    them instead of being held.
  }];
  let parameters = (ins "int64_t":$dim, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` $dim `,` $parent `>`";
  let genVerifyDecl = 1;
}

def Tile_BlockedAttr : Tile_LayoutAttr<"Blocked", "blocked"> {
  let summary = "register tile spread over a grid of threads, `vec` neighbouring columns each";
  let description = [{
    Element (r, c) belongs to thread (r mod tr)·tc + (c / vec) mod tc of `threads = [tr, tc]`. For
    kernels without tensor cores: row kernels, the reduction of partial sums.
  }];
  let parameters = (ins "int64_t":$threadRows, "int64_t":$threadCols,
                        DefaultValuedParameter<"int64_t", "1">:$vec);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_RoleAttr : Tile_Attr<"Role", "role"> {
  let summary =
      "a warp role of a kernel: its threads, its registers, how its warpgroups divide a tile";
  let description = [{
    `warps = n` roles of the same kernel share warpgroups (packed in order, padded to whole
    warpgroups) and must state equal `regs`; `warpgroups = n` roles own theirs. `split = rows`: the
    warpgroups share each tile by rows; `split = tiles`: warpgroup i of n, an *instance* of the
    role, takes tiles i, i + n, … of those that the CTA has, each as a whole.

    ```mlir
    #tile.role<load, warps = 1, regs = 40>
    #tile.role<mma, warpgroups = 2, regs = 232, split = rows>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name, DefaultValuedParameter<"int64_t", "0">:$warps,
                        DefaultValuedParameter<"int64_t", "0">:$warpgroups,
                        DefaultValuedParameter<"int64_t", "0">:$regs,
                        DefaultValuedParameter<"::tilewright::tile::Split",
                                               "::tilewright::tile::Split::Rows">:$split);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Threads that the role occupies (warps·32 or warpgroups·128).
    int64_t threads() const { return getWarpgroups() ? getWarpgroups() * 128 : getWarps() * 32; }
    /// Parts of the role that each take whole tiles: its warpgroups if it divides by tiles, else 1.
    int64_t instances() const {
      return getSplit() == ::tilewright::tile::Split::Tiles && getWarpgroups() ? getWarpgroups()
                                                                               : 1;
    }
  }];
}

def Tile_AtAttr : Tile_Attr<"At", "at"> {
  let summary =
      "one entry of a loop's order: a step (or turn_wait, turn_pass) and its iteration lag";
  let description = [{
    `#tile.at<"pv", 1>`: in the steady state the step "pv" of the iteration before runs here.
  }];
  let parameters = (ins StringRefParameter<>:$step, DefaultValuedParameter<"int64_t", "0">:$lag);
  let assemblyFormat = "`<` $step (`,` $lag^)? `>`";
  let genVerifyDecl = 1;
}

#endif // TILEWRIGHT_COMPILER_TILE_ATTRS
