// SPDX-License-Identifier: Apache-2.0
// The `sm90` dialect: what the machine does. One op is one function of the device library.
#ifndef TILEWRIGHT_COMPILER_SM90_DIALECT
#define TILEWRIGHT_COMPILER_SM90_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sm90_Dialect : Dialect {
  let name = "sm90";
  let summary = "Instructions of Hopper, one op per device function";
  let description = [{
    A kernel of this dialect is straight-line and structured code (`scf`, `arith`, `math`) on i1, i32, i64 and f32
    scalars, on register arrays (`!sm90.frag`, passed by reference) and on 32-bit shared addresses (plain `i32`).
    Each op is one function of compiler/device/tilewright; it says which, in which header and with which template
    arguments, so one pattern lowers all of them.

    Order is part of the meaning: every op that is not scalar arithmetic writes the resource `Sync`, so no upstream
    pass drops, merges or moves it past another. Names and comments travel with the IR into the text: a value's name
    is its `NameLoc`, a number's name is a named constant.
  }];
  let cppNamespace = "::tilewright::sm90";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

// The order of asynchronous machinery (barriers, copies, wgmma, fences): written by every op whose place matters.
def Sm90_Sync : Resource<"::tilewright::sm90::SyncResource">;
def Sm90_SharedMemory : Resource<"::tilewright::sm90::SharedMemoryResource">;
def Sm90_GlobalMemory : Resource<"::tilewright::sm90::GlobalMemoryResource">;
// Register arrays: the only registers that are not SSA values.
def Sm90_Registers : Resource<"::tilewright::sm90::RegistersResource">;

class Sm90_Op<string mnemonic, list<Trait> traits = []> : Op<Sm90_Dialect, mnemonic, traits>;

// The effects of an op whose place in the program matters: `Sync`, and the memories that it touches.
class Sm90_Ordered<list<MemoryEffect> memories = []>
    : MemoryEffects<!listconcat([MemWrite<Sm90_Sync>], memories)>;

#endif // TILEWRIGHT_COMPILER_SM90_DIALECT
