// SPDX-License-Identifier: Apache-2.0
// What the groups of ops (BarrierOps.td, TmaOps.td, …) are written with.
#ifndef TILEWRIGHT_COMPILER_SM90_OP_BASE
#define TILEWRIGHT_COMPILER_SM90_OP_BASE

include "mlir/Interfaces/InferTypeOpInterface.td"
include "compiler/sm90/Sm90Attrs.td"
include "compiler/sm90/Sm90Interfaces.td"
include "compiler/sm90/Sm90Types.td"

// An op that is one device function. `headerName` without folder and ending; the fields below can be overridden.
class Sm90_DeviceOp<string mnemonic, string headerName, list<Trait> traits = []>
    : Sm90_Op<mnemonic, !listconcat(traits, [DeviceCallOpInterface])> {
  // The function in namespace tw.
  string function = mnemonic;
  // C++ expression of type std::string.
  string header = "\"tilewright/" # headerName # ".cuh\"";
  // C++ expressions over the op's getters, one per template argument; see templateArguments in Sm90Ops.h.
  list<string> templateArgs = [];
  string resultHint = "";
  let extraClassDeclaration = "static ::llvm::StringRef getDeviceFunction() { return \"tw::" # function # "\"; }\n"
    # "std::string getDeviceHeader() { return " # header # "; }\n"
    # "::mlir::ArrayAttr getDeviceTemplateArgs() {\n"
    # "  return ::tilewright::sm90::templateArguments(getContext(), {"
    # !interleave(!foreach(arg, templateArgs, "::tilewright::sm90::templateArgument(getContext(), " # arg # ")"), ", ")
    # "});\n}\n"
    # "static ::llvm::StringRef getResultHint() { return \"" # resultHint # "\"; }\n";
}

#endif // TILEWRIGHT_COMPILER_SM90_OP_BASE
