// SPDX-License-Identifier: Apache-2.0
// Every pass of the compiler, in alphabetical order; Pipeline.cpp says in which order they run.
#ifndef TILEWRIGHT_COMPILER_PASSES_PASSES
#define TILEWRIGHT_COMPILER_PASSES_PASSES

include "mlir/Pass/PassBase.td"

def EmitcPrepare : Pass<"emitc-prepare", "::mlir::ModuleOp"> {
  let summary = "makes EmitC read like a kernel that a person wrote";
  let description = [{
    Decides what the printer only prints: values that have no name and are used once are folded into
    their use where the order of effects allows it, values carried by loops are read where they are
    needed, every other value gets a name (its `NameLoc`, made unique within its scope), unroll
    directives become pragmas. Fails on verbatim text that is neither a comment nor a pragma.
  }];
  let dependentDialects = ["::mlir::emitc::EmitCDialect"];
}

def Sm90ToEmitc : Pass<"sm90-to-emitc", "::mlir::ModuleOp"> {
  let summary = "turns kernels of sm90 ops into EmitC functions";
  let description = [{
    Each device op becomes a call of its function, `arith` and `math` plain operators and calls,
    `scf` loops and branches. Included headers and named constants are collected on the function.
    Fails where anything is left that is not EmitC, naming it.
  }];
  let dependentDialects = ["::mlir::emitc::EmitCDialect"];
}

def TileAssignRoles : Pass<"tile-assign-roles", "::tilewright::tile::KernelOp"> {
  let summary = "divides a kernel of program form among its roles: scheduled form";
  let description = [{
    Each role gets the part of the program that its rings give it, with the scalar computations and
    the control flow that it needs: a load through a ring is acquire and copy in the role that fills
    it, wait in the role that reads it; a staged store goes through its private ring; loops carry
    the cursors. Work on register tiles goes where its tiles come from. Fails where a tile would
    cross from one role to another without a ring.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileFuseMaps : Pass<"tile-fuse-maps", "::tilewright::tile::KernelOp"> {
  let summary = "makes one tile.map of each group of elementwise ops";
  let description = [{
    Elementwise arithmetic on register tiles, together with what is free per element (splats,
    constants, coordinates, broadcasts) and with loads via direct, becomes the scalar region of a
    `tile.map`. A tile that something else than elementwise arithmetic uses, or that two maps would
    compute twice, is the result of a map of its own.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilewright::tile::TileDialect"];
}

def TileInferLayouts : Pass<"tile-infer-layouts", "::tilewright::tile::KernelOp"> {
  let summary = "gives every tile a layout";
  let description = [{
    Layouts that stand in the text and those that tensor-core dots imply are anchors; elementwise
    arithmetic, loops, reductions and broadcasts carry them on. Fails where two anchors disagree,
    naming both, and where no anchor reaches a tile.
  }];
  let dependentDialects = ["::tilewright::tile::TileDialect"];
}

def TilePlaceWaits : Pass<"tile-place-waits", "::tilewright::tile::KernelOp"> {
  let summary = "splits dots into starts and waits, gives stages back after their last reader";
  let description = [{
    A tensor-core dot is waited for at the first use of its result, counting the groups issued after
    it; an accumulator that a loop carries stays in flight as far as the dots' `outstanding` allows.
    A stage is released when its last reader is known to be done, in the next iteration if a dot
    outlives its own. Fails where a release cannot be placed on every path.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilewright::tile::TileDialect"];
}

def TilePlanRegisters : Pass<"tile-plan-registers", "::tilewright::tile::KernelOp"> {
  let summary = "estimates each role's registers and checks them against its budget";
  let description = [{
    Adds up the tiles that are alive at once (accumulators are updated in place, loop-carried tiles
    keep their registers) and writes `register_estimate` on each `tile.role`. Fails above 1.25 times
    the role's `regs`: ptxas would spill.
  }];
}

def TilePlanSharedMemory : Pass<"tile-plan-shared-memory", "::tilewright::tile::KernelOp"> {
  let summary = "gives every ring its place in shared memory";
  let description = [{
    Writes `slot_offsets` and `barrier_offset` on each ring and `shared_bytes` on the kernel. Slots
    never overlap: the only aliasing is tile.rebind of an owned slot. Fails above 232,448 bytes,
    spelling out the sum.
  }];
}

def TileRotate : Pass<"tile-rotate", "::tilewright::tile::KernelOp"> {
  let summary = "rotates loops with an order into prologue, steady loop and epilogue";
  let description = [{
    In the steady loop the steps stand in the stated order, those of lag 1 for the iteration before.
    Turns are taken only there. Ranges keep their names; work that they may skip is done in the
    prologue, the epilogue and in lagging steps. Fails where a step would use what has not been
    computed yet. Steps of other loops are dissolved: they are only names.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileSplitEpilogue : Pass<"tile-split-epilogue", "::tilewright::tile::KernelOp"> {
  let summary =
      "cuts stores with `subtile` into column slices, with the elementwise work before them";
  let description = [{
    A store of N columns with `subtile S` becomes a loop over N/S slices that recomputes the
    elementwise chain behind the stored value on S columns. Values that are not elementwise (a dot's
    result, what a loop carries) are cut by `tile.extract`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileSplitRanges : Pass<"tile-split-ranges", "::tilewright::tile::KernelOp"> {
  let summary =
      "makes scf.for of every tile.for, one for each range where a range may skip work";
  let description = [{
    A loop whose body has `tile.skippable` work is cut at its ranges; in each piece that work is
    done or left out as its list of ranges says. Ranges of a loop that has none collapse into one
    loop.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def TileToSm90 : Pass<"tile-to-sm90", "::mlir::ModuleOp"> {
  let summary = "lowers scheduled kernels to the machine's operations, one to one";
  let description = [{
    Each `tile.kernel` becomes an `sm90.kernel`: rings become mbarriers and cursors, slots shared
    addresses, register tiles register arrays, views tensor maps and pointers. Fences belong to the
    lowering of the hand-over ops. How each parameter follows from the kernel's arguments is written
    on the kernel as `parameters`. Nothing is reordered; an op without a lowering is an error.
  }];
  let dependentDialects = ["::tilewright::sm90::Sm90Dialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def TileVerifyAsync : Pass<"tile-verify-async", "::tilewright::tile::KernelOp"> {
  let summary = "checks that a scheduled kernel waits for what it uses and gives back what it takes";
  let description = [{
    An analysis of each role: cursors are used, then advanced, once per path; acquired stages are
    filled, stages waited for are read only until their release and released once; accumulators in
    flight are waited for; turns alternate; what warps do together stands in control flow that they
    share; named barriers suffice. Changes nothing. A diagnostic names both ops that do not fit.
  }];
}

#endif // TILEWRIGHT_COMPILER_PASSES_PASSES
