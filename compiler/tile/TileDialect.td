// SPDX-License-Identifier: Apache-2.0
// The `tile` dialect: what a schedule says. Two forms of one dialect (program, scheduled); see
// docs/rationale-tile.md.
#ifndef TILEWRIGHT_COMPILER_TILE_DIALECT
#define TILEWRIGHT_COMPILER_TILE_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let summary = "Tile programs and their schedules for warp-specialised GPUs";
  let description = [{
    A kernel of this dialect computes on tiles: builtin `tensor` values whose encoding says where
    each element lives (`#tile.smem` in shared memory, `#tile.acc` and its slices in registers).

    *Program form* is one thread of control over tiles in which every schedule choice stands beside
    the op that it concerns (`via tma`, `ring %ab`, `outstanding 1`). *Scheduled form* spells the
    schedule out: roles, rings, cursors, acquire / wait / release, `dot_start` / `dot_wait`. The
    rewrites of compiler/passes turn the first into the second; a pass obeys a directive or fails
    with the reason, it never chooses.
  }];
  let cppNamespace = "::tilewright::tile";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

// Asynchronous machinery (barriers, pending copies and dots) and the two memories. Every op that
// touches one says so, and nothing that writes `Sync` can be dropped, merged or moved past another.
def Tile_Sync : Resource<"::tilewright::tile::SyncResource">;
def Tile_Shared : Resource<"::tilewright::tile::SharedMemoryResource">;
def Tile_Global : Resource<"::tilewright::tile::GlobalMemoryResource">;

// Which form of a kernel an op may stand in; without either trait: in both. Checked by
// tile.kernel's verifier.
def ProgramForm : NativeOpTrait<"ProgramForm"> { let cppNamespace = "::tilewright::tile"; }
def ScheduledForm : NativeOpTrait<"ScheduledForm"> { let cppNamespace = "::tilewright::tile"; }

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

#endif // TILEWRIGHT_COMPILER_TILE_DIALECT
