// SPDX-License-Identifier: Apache-2.0
// Every pass of the compiler, in alphabetical order; Pipeline.cpp says in which order they run.
#ifndef TILEWRIGHT_COMPILER_PASSES_PASSES
#define TILEWRIGHT_COMPILER_PASSES_PASSES

include "mlir/Pass/PassBase.td"

def TileFuseMaps : Pass<"tile-fuse-maps", "::tilewright::tile::KernelOp"> {
  let summary = "makes one tile.map of each group of elementwise ops";
  let description = [{
    Elementwise arithmetic on register tiles, together with what is free per element (splats, constants, coordinates, broadcasts)
    and with loads via direct, becomes the scalar region of a `tile.map`. A tile that something else than elementwise
    arithmetic uses, or that two maps would compute twice, is the result of a map of its own.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilewright::tile::TileDialect"];
}

def TileInferLayouts : Pass<"tile-infer-layouts", "::tilewright::tile::KernelOp"> {
  let summary = "gives every tile a layout";
  let description = [{
    Layouts that stand in the text and those that tensor-core dots imply are anchors; elementwise arithmetic, loops, reductions and
    broadcasts carry them on. Fails where two anchors disagree, naming both, and where no anchor reaches a tile.
  }];
}

def TileSplitEpilogue : Pass<"tile-split-epilogue", "::tilewright::tile::KernelOp"> {
  let summary = "cuts stores with `subtile` into column slices, together with the elementwise work before them";
  let description = [{
    A store of N columns with `subtile S` becomes a loop over N/S slices that recomputes the elementwise chain behind the stored value
    on S columns. Values that are not elementwise (a dot's result, what a loop carries) are cut by `tile.extract`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TILEWRIGHT_COMPILER_PASSES_PASSES
