// SPDX-License-Identifier: Apache-2.0
#ifndef TILEWRIGHT_COMPILER_SM90_TYPES
#define TILEWRIGHT_COMPILER_SM90_TYPES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "compiler/sm90/Sm90Dialect.td"

class Sm90_Type<string name, string typeMnemonic> : TypeDef<Sm90_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Sm90_Frag : Sm90_Type<"Frag", "frag"> {
  let summary = "array of registers of one thread";
  let description = [{
    `!sm90.frag<128xf32>` is `float x[128]`: what one thread holds of a tile. It is passed by reference, so an op that
    takes it may write it; it is never copied by passing and never carried by a loop. f32 for accumulators, i32
    (`uint32_t`) for packed operands, i64 for descriptors.
  }];
  let parameters = (ins "int64_t":$size, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Sm90_TensorMap : Sm90_Type<"TensorMap", "tensor_map"> {
  let summary = "TMA descriptor: a kernel parameter `const __grid_constant__ tw::tensor_map`";
}

def Sm90_Ptr : Sm90_Type<"Ptr", "ptr"> {
  let summary = "pointer to elements in global memory";
  let description = [{
    `!sm90.ptr<bf16>` is `tw::bf16 *`, `!sm90.ptr<const bf16>` is `const tw::bf16 *`, which ops that write refuse.
  }];
  let parameters = (ins "::mlir::Type":$elementType, "bool":$isConst);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType, CArg<"bool", "false">:$isConst), [{
    return $_get(elementType.getContext(), elementType, isConst);
  }]>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Sm90_Cursor : Sm90_Type<"Cursor", "cursor"> {
  let summary = "(stage, phase) in a ring of stages, a value: `tw::cursor`";
}

def Sm90_Tile2 : Sm90_Type<"Tile2", "tile2"> {
  let summary = "coordinates (m, n) of an output tile, a value: `tw::tile2`";
}

class Sm90_FragOf<Type element, string name> : Type<
    And<[CPred<"::llvm::isa<::tilewright::sm90::FragType>($_self)">,
         SubstLeaves<"$_self", "::llvm::cast<::tilewright::sm90::FragType>($_self).getElementType()",
                     element.predicate>]>,
    "register array of " # name, "::tilewright::sm90::FragType">;

def Sm90_FragF32 : Sm90_FragOf<F32, "f32">;
def Sm90_FragI32 : Sm90_FragOf<I32, "i32">;

def Sm90_MutablePtr : Type<
    And<[CPred<"::llvm::isa<::tilewright::sm90::PtrType>($_self)">,
         CPred<"!::llvm::cast<::tilewright::sm90::PtrType>($_self).getIsConst()">]>,
    "pointer that may be written", "::tilewright::sm90::PtrType">;

class Sm90_PtrOf<Type element, string name, Type pointer = Sm90_Ptr> : Type<
    And<[pointer.predicate,
         SubstLeaves<"$_self", "::llvm::cast<::tilewright::sm90::PtrType>($_self).getElementType()",
                     element.predicate>]>,
    pointer.summary # " to " # name, "::tilewright::sm90::PtrType">;

#endif // TILEWRIGHT_COMPILER_SM90_TYPES
