// SPDX-License-Identifier: Apache-2.0
// Loops, steps and turns of the program form.
#ifndef TILEWRIGHT_COMPILER_TILE_LOOP_OPS
#define TILEWRIGHT_COMPILER_TILE_LOOP_OPS

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "compiler/tile/TileProgramOps.td"

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "values that a loop, step or map hands on";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ }]>];
}

def Tile_ForTilesOp
    : Tile_Op<"for_tiles", [ProgramForm, RecursiveMemoryEffects,
                            SingleBlockImplicitTerminator<"EndOp">]> {
  let summary = "body once for each work unit of a schedule";
  let description = [{
    ```mlir
    tile.for_tiles (%m, %n) in %s : !tile.schedule<2> { … }
    ```
    Coordinates are i32 element offsets.
  }];
  let arguments = (ins Tile_Schedule:$schedule);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Tile_ForOp : Tile_Op<"for", [AttrSizedOperandSegments, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "counted loop over tiles with its directives";
  let description = [{
    `tile-split-ranges` is the last pass that leaves any: it makes scf.for of it.

    ```mlir
    %r = tile.for %k = %lo to %hi step %c iter_args(%x = %init) -> (tensor<…>) {
      … tile.yield %y : tensor<…>
    }
    %r = tile.for %t = %lo to %hi step %c ranges("edge" : %a to %b, "interior" : %b to %c)
        order [#tile.at<"qk", 0>, #tile.at<"pv", 1>] iter_args(…) …
    ```
    The counter ascends and is i32. `ranges` cut the trip space in order and without gaps; `order`
    states the sequence of the body's steps in the steady state, with the iteration that each lags
    behind. `turn` names the alternation that `turn_wait` / `turn_pass` entries use.
  }];
  let arguments = (ins I32:$lower, I32:$upper, I32:$step, Variadic<I32>:$rangeBounds,
                       Variadic<AnyType>:$inits, Optional<Tile_Turn>:$turn,
                       OptionalAttr<StrArrayAttr>:$rangeNames, OptionalAttr<ArrayAttr>:$order);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    mlir::Value getInductionVar() { return getBody().getArgument(0); }
    mlir::Block::BlockArgListType getIterArgs() { return getBody().getArguments().drop_front(); }
  }];
}

def Tile_StepOp : Tile_Op<"step", [ProgramForm, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "named part of a loop body: the unit of an order";
  let description = [{
    ```mlir
    %s = tile.step "qk" -> (tensor<128x128xf32>) { … tile.yield %d : tensor<128x128xf32> }
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name (`->` `(` type($results)^ `)`)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Tile_SkippableOp
    : Tile_Op<"skippable", [RecursiveMemoryEffects, SingleBlock,
                            AllTypesMatch<["fallback", "result"]>]> {
  let summary = "work that is always right to do and may be left out in the named ranges";
  let description = [{
    In the ranges named, the result is promised to equal the operand, so the region may be skipped
    there (a mask in the interior).

    ```mlir
    %y = tile.skippable in ["interior"] (%x) : tensor<128x64xf32> {
      … tile.yield %masked : tensor<128x64xf32>
    }
    ```
  }];
  let arguments = (ins StrArrayAttr:$ranges, AnyType:$fallback);
  let results = (outs AnyType:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `in` $ranges `(` $fallback `)` attr-dict-with-keyword `:` type($fallback) $body
  }];
  let hasRegionVerifier = 1;
}

def Tile_TurnOp : Tile_Op<"turn", [MemoryEffects<[MemWrite<Tile_Sync>]>]> {
  let summary = "alternation token among the warpgroups of a role";
  let description = [{
    Warpgroup 0 has the first turn; who passes it on passes it to the next one, the last one to
    warpgroup 0. Each turn_wait is followed by a turn_pass. Warpgroups may end after different
    numbers of turns, if none takes one that the warpgroup before has not taken.
  }];
  let arguments = (ins FlatSymbolRefAttr:$among);
  let results = (outs Tile_Turn:$result);
  let assemblyFormat = "`among` $among attr-dict";
  let hasVerifier = 1;
}
def Tile_TurnWaitOp : Tile_Op<"turn_wait", [MemoryEffects<[MemWrite<Tile_Sync>]>]> {
  let summary = "waits until it is this warpgroup's turn";
  let arguments = (ins Tile_Turn:$turn);
  let assemblyFormat = "$turn attr-dict";
}
def Tile_TurnPassOp : Tile_Op<"turn_pass", [MemoryEffects<[MemWrite<Tile_Sync>]>]> {
  let summary = "passes the turn to the next warpgroup";
  let arguments = (ins Tile_Turn:$turn);
  let assemblyFormat = "$turn attr-dict";
}

#endif // TILEWRIGHT_COMPILER_TILE_LOOP_OPS
