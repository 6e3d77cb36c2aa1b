// SPDX-License-Identifier: Apache-2.0
// Programs, kernels, views and schedules: what stands around the tile arithmetic.
#ifndef TILEWRIGHT_COMPILER_TILE_PROGRAM_OPS
#define TILEWRIGHT_COMPILER_TILE_PROGRAM_OPS

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/tile/TileAttrs.td"
include "compiler/tile/TileTypes.td"

def Tile_EndOp : Tile_Op<"end", [Pure, Terminator]> {
  let summary = "terminator of programs, kernels, roles and tile loops";
  let assemblyFormat = "attr-dict";
}

class Tile_FunctionOp<string mnemonic, list<Trait> traits> : Tile_Op<mnemonic, traits # [
    FunctionOpInterface, IsolatedFromAbove, SingleBlockImplicitTerminator<"EndOp">]> {
  let hasCustomAssemblyFormat = 1;
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = [{
    llvm::ArrayRef<mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    llvm::ArrayRef<mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    mlir::Region *getCallableRegion() { return &getBody(); }
    /// Name of argument `index`: its `tile.name`, or "arg<index>".
    std::string argumentName(unsigned index);
  }];
}

def Tile_ProgramOp
    : Tile_FunctionOp<"program", [Symbol, DeclareOpInterfaceMethods<
                                              OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "kernels launched in order over named arguments";
  let description = [{
    The host side of a request: integer arithmetic on the run-time sizes, workspace buffers,
    preconditions and ordered launches. It becomes a plan (include/tilewright/Plan.h). Arguments
    carry `tile.name` (the role that a caller binds: "a", "m", "lda").

    ```mlir
    tile.program @gemm(%a: !tile.ptr<bf16> {tile.name = "a"}, %m: i32 {tile.name = "m"}) {
      %sms = tile.sm_count
      tile.launch @gemm_kernel grid(%sms) (%a, %m) : !tile.ptr<bf16>, i32
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let hasVerifier = 1;
}

def Tile_KernelOp
    : Tile_FunctionOp<"kernel", [Symbol, DeclareOpInterfaceMethods<
                                             OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "one device kernel, in program or scheduled form";
  let description = [{
    `cluster` gives the CTAs of a cluster along each axis of the schedule's last coordinates;
    `roles` the warp roles, empty for a kernel whose threads all do the same (`threads` of them).
    Arguments are pointers and scalars; tensor maps are derived from the views that TMA accesses
    touch.

    ```mlir
    tile.kernel @gemm(%a: !tile.ptr<bf16> {tile.name = "a"}, %m: i32 {tile.name = "m"})
        form = program cluster = [2, 1]
        roles = [#tile.role<load, warps = 1, regs = 40>,
                 #tile.role<mma, warpgroups = 2, regs = 232>] { … }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       Tile_FormAttr:$form,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$cluster,
                       OptionalAttr<ArrayAttr>:$roles, OptionalAttr<I64Attr>:$threads,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    llvm::ArrayRef<mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    llvm::ArrayRef<mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    mlir::Region *getCallableRegion() { return &getBody(); }
    std::string argumentName(unsigned index);
    /// The role called `name`, or null.
    RoleAttr findRole(llvm::StringRef name);
    /// CTAs of a cluster.
    int64_t clusterSize();
    /// Threads of a CTA: its roles packed into whole warpgroups, or `threads`.
    int64_t ctaThreads();
    /// First thread of `role` in the CTA (roles of `warps` come first, in order, then roles of
    /// `warpgroups`).
    int64_t firstThread(RoleAttr role);
  }];
}

def Tile_LaunchOp
    : Tile_Op<"launch", [AttrSizedOperandSegments,
                         DeclareOpInterfaceMethods<SymbolUserOpInterface>,
                         MemoryEffects<[MemWrite<Tile_Sync>]>]> {
  let summary = "launches a kernel of the module over a grid of CTAs";
  let description = [{
    `grid` lists 1 to 3 extents in CTAs, multiples of the cluster. `pdl` allows the launch to
    overlap the tail of the one before it.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<I32>:$grid, Variadic<AnyType>:$args,
                       UnitAttr:$pdl);
  let assemblyFormat = [{
    $kernel `grid` `(` $grid `)` `(` $args `)` (`pdl` $pdl^)? attr-dict (`:` type($args)^)?
  }];
  let hasVerifier = 1;
}

def Tile_BufferOp : Tile_Op<"buffer", [MemoryEffects<[MemWrite<Tile_Sync>]>]> {
  let summary = "workspace of a run-time size in bytes, zeroed before the first launch if asked";
  let description = [{
    `%ws = tile.buffer "partials" %bytes zeroed : !tile.ptr<f32>`. The caller of the plan provides
    it, aligned to 256 bytes.
  }];
  let arguments = (ins StrAttr:$name, I64:$bytes, UnitAttr:$zeroed);
  let results = (outs Tile_Ptr:$result);
  let assemblyFormat = "$name $bytes (`zeroed` $zeroed^)? attr-dict `:` type($result)";
}

def Tile_RequireOp : Tile_Op<"require", [SameTypeOperands, MemoryEffects<[MemWrite<Tile_Sync>]>]> {
  let summary = "precondition of a program, checked by the host before any launch";
  let description = [{
    ```mlir
    tile.require %rem eq %zero, "lda must be a multiple of 8 elements" : i64
    ```
  }];
  let arguments = (ins AnyTypeOf<[I32, I64]>:$lhs, Tile_ComparisonAttr:$comparison,
                       AnyTypeOf<[I32, I64]>:$rhs, StrAttr:$message);
  let assemblyFormat = "$lhs `` $comparison $rhs `,` $message attr-dict `:` type($lhs)";
}

def Tile_SmCountOp : Tile_Op<"sm_count", [Pure]> {
  let summary = "streaming multiprocessors that a launch may use";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_ViewOp : Tile_Op<"view", [Pure, AttrSizedOperandSegments]> {
  let summary =
      "a strided window on memory: pointer, i32 extents, i64 strides of all but the last dimension";
  let description = [{
    ```mlir
    %A = tile.view %a [%m, %k] strides [%lda] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 16>
    ```
    The last dimension is contiguous; strides are in elements.
  }];
  let arguments = (ins Tile_Ptr:$base, Variadic<I32>:$sizes, Variadic<I64>:$strides);
  let results = (outs Tile_View:$result);
  let assemblyFormat = [{
    $base `[` $sizes `]` (`strides` `[` $strides^ `]`)? attr-dict `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ExtentOp : Tile_Op<"extent", [Pure]> {
  let summary = "run-time extent of a view's dimension";
  let arguments = (ins Tile_View:$view, I64Attr:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "$view `,` $dim attr-dict `:` type($view)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_RasterOp : Tile_Op<"raster", [Pure]> {
  let summary = "schedule over all tiles of an index space of any rank, from run-time extents";
  let description = [{
    ```mlir
    %s = tile.raster (%m by 128, %n by 256) order grouped group 8 along 0 : !tile.schedule<2>
    ```
    Coordinates are element offsets (multiples of the `by` sizes). `row` walks the last coordinate
    fastest; `grouped` walks bands of `group` tiles of coordinate `along` (0 or 1, counted among the
    last two) before it steps the other; `snake` is row with every second row reversed. Work is
    dealt out statically: cluster c of g takes tiles c, c + g, … A cluster of [a, b] CTAs takes a x
    b neighbouring tiles of the last two coordinates; tiles past the extents are loaded as zero and
    not stored.
  }];
  let arguments = (ins Variadic<I32>:$extents, DenseI64ArrayAttr:$tiles, Tile_OrderAttr:$order,
                       DefaultValuedAttr<I64Attr, "1">:$group,
                       DefaultValuedAttr<I64Attr, "0">:$along);
  let results = (outs Tile_Schedule:$result);
  let assemblyFormat = [{
    custom<TiledExtents>($extents, $tiles) `order` `` $order (`group` $group^)? (`along` $along^)?
    attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_WorkListOp : Tile_Op<"work_list", [Pure]> {
  let summary = "schedule over a list of coordinates in device memory";
  let description = [{
    `count` records of `rank` i32 coordinates each, read in order; the list may be written by an
    earlier kernel of the program.

    ```mlir
    %s = tile.work_list %list count %n : !tile.ptr<i32> -> !tile.schedule<3>
    ```
  }];
  let arguments = (ins Tile_Ptr:$list, I32:$count);
  let results = (outs Tile_Schedule:$result);
  let assemblyFormat = "$list `count` $count attr-dict `:` type($list) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_COMPILER_TILE_PROGRAM_OPS
