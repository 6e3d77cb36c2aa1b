// SPDX-License-Identifier: Apache-2.0
// Register arrays: what one thread holds of a tile.
#ifndef TILEWRIGHT_COMPILER_SM90_FRAGMENT_OPS
#define TILEWRIGHT_COMPILER_SM90_FRAGMENT_OPS

include "compiler/sm90/Sm90OpBase.td"

def Sm90_FragOp : Sm90_Op<"frag", [
    Sm90_Ordered<[MemWrite<Sm90_Registers>]>,
    OptionalTypesMatchWith<"`init` has the element type", "result", "init",
                           "::llvm::cast<::tilewright::sm90::FragType>($_self).getElementType()">]> {
  let summary = "declares a register array, uninitialised or filled with one value";
  let description = [{
    `float acc[128];`. Two of them are never the same array.

    ```mlir
    %acc = sm90.frag : !sm90.frag<128xf32> loc("acc")
    %sum = sm90.frag init(%zero) : !sm90.frag<2xf32>
    ```
  }];
  let arguments = (ins Optional<F32>:$init);
  let results = (outs Sm90_Frag:$result);
  let builders = [OpBuilder<(ins "::tilewright::sm90::FragType":$type), [{
    build($_builder, $_state, type, ::mlir::Value());
  }]>];
  let assemblyFormat = "(`init` `(` $init^ `)`)? attr-dict `:` type($result)";
}

def Sm90_FragGetOp : Sm90_Op<"frag_get", [
    Sm90_Ordered<[MemRead<Sm90_Registers>]>,
    TypesMatchWith<"the result has the element type", "frag", "result",
                   "::llvm::cast<::tilewright::sm90::FragType>($_self).getElementType()">]> {
  let summary = "frag[index]; the index must be a constant after unrolling";
  let description = [{
    ```mlir
    %x = sm90.frag_get %acc[%i] : !sm90.frag<128xf32>
    ```
  }];
  let arguments = (ins Sm90_Frag:$frag, I32:$index);
  let results = (outs AnyTypeOf<[F32, I32, I64]>:$result);
  let assemblyFormat = "$frag `[` $index `]` attr-dict `:` type($frag)";
}

def Sm90_FragSetOp : Sm90_Op<"frag_set", [
    Sm90_Ordered<[MemWrite<Sm90_Registers>]>,
    TypesMatchWith<"the value has the element type", "frag", "value",
                   "::llvm::cast<::tilewright::sm90::FragType>($_self).getElementType()">]> {
  let summary = "frag[index] = value; the index must be a constant after unrolling";
  let description = [{
    ```mlir
    sm90.frag_set %x to %acc[%i] : !sm90.frag<128xf32>
    ```
  }];
  let arguments = (ins Sm90_Frag:$frag, I32:$index, AnyTypeOf<[F32, I32, I64]>:$value);
  let assemblyFormat = "$value `to` $frag `[` $index `]` attr-dict `:` type($frag)";
}

class Sm90_FragmentOp<string mnemonic, list<Trait> traits = []> : Sm90_DeviceOp<mnemonic, "fragment", !listconcat(
    [Sm90_Ordered<[MemRead<Sm90_Registers>, MemWrite<Sm90_Registers>]>], traits)>;

def Sm90_FragFillOp : Sm90_FragmentOp<"frag_fill"> {
  let summary = "sets every register of an array to a value";
  let description = [{
    ```mlir
    sm90.frag_fill %acc, %zero : !sm90.frag<128xf32>
    ```
  }];
  let arguments = (ins Sm90_FragF32:$frag, F32:$value);
  let assemblyFormat = "$frag `,` $value attr-dict `:` type($frag)";
  let function = "fill";
}

def Sm90_FragLeaveOp : Sm90_FragmentOp<"frag_leave"> {
  let summary = "leaves an accumulator without a value: its first wgmma overwrites it";
  let description = [{
    Stands where a loop's accumulator begins. Emits nothing but for a compiler that takes registers that
    nobody has set for a reason to serialise wgmma (C7515).

    ```mlir
    sm90.frag_leave %acc : !sm90.frag<128xf32>
    ```
  }];
  let arguments = (ins Sm90_FragF32:$frag);
  let assemblyFormat = "$frag attr-dict `:` type($frag)";
  let function = "leave_unset";
}

def Sm90_FragCopyOp : Sm90_FragmentOp<"frag_copy", [AllTypesMatch<["destination", "source"]>]> {
  let summary = "destination[i] = source[i]";
  let description = [{
    ```mlir
    sm90.frag_copy %x to %y : !sm90.frag<64xf32>
    ```
  }];
  let arguments = (ins Sm90_Frag:$destination, Sm90_Frag:$source);
  let assemblyFormat = "$source `to` $destination attr-dict `:` type($destination)";
  let function = "copy";
}

def Sm90_FragPackOp : Sm90_FragmentOp<"frag_pack"> {
  let summary = "rounds pairs of floats to a 16-bit type, two per register";
  let description = [{
    `cvt.rn.bf16x2.f32` or `.f16x2`: destination[i] holds source[first + 2i] in its low half and
    source[first + 2i + 1] in its high half.

    ```mlir
    sm90.frag_pack %acc to %packed as bf16 : !sm90.frag<128xf32> to !sm90.frag<64xi32>
    sm90.frag_pack %acc to %packed as f16 first<64> : !sm90.frag<128xf32> to !sm90.frag<32xi32>
    ```
  }];
  let arguments = (ins Sm90_FragI32:$destination, Sm90_FragF32:$source, TypeAttr:$element,
                       OptionalAttr<Sm90_Const>:$first);
  let assemblyFormat = [{
    $source `to` $destination `as` $element (`first` `` $first^)? attr-dict `:` type($source) `to`
    type($destination)
  }];
  let function = "pack";
  let templateArgs = ["getElementAttr()", "getFirstAttr()"];
  let hasVerifier = 1;
}

def Sm90_FragUnpackOp : Sm90_FragmentOp<"frag_unpack"> {
  let summary = "widens registers of two 16-bit floats to f32";
  let description = [{
    ```mlir
    sm90.frag_unpack %packed to %x as bf16 : !sm90.frag<32xi32> to !sm90.frag<64xf32>
    ```
  }];
  let arguments = (ins Sm90_FragF32:$destination, Sm90_FragI32:$source, TypeAttr:$element);
  let assemblyFormat = "$source `to` $destination `as` $element attr-dict `:` type($source) `to` type($destination)";
  let function = "unpack";
  let templateArgs = ["getElementAttr()"];
  let hasVerifier = 1;
}

class Sm90_QuadReduceOp<string mnemonic> : Sm90_FragmentOp<mnemonic> {
  let arguments = (ins Sm90_FragF32:$frag);
  let assemblyFormat = "$frag attr-dict `:` type($frag)";
}

def Sm90_QuadReduceMaxOp : Sm90_QuadReduceOp<"quad_reduce_max"> {
  let summary = "maximum over the four lanes that share a row of an accumulator, in all four";
  let description = [{
    Two `shfl.sync.bfly`.

    ```mlir
    sm90.quad_reduce_max %row_max : !sm90.frag<2xf32>
    ```
  }];
}

def Sm90_QuadReduceAddOp : Sm90_QuadReduceOp<"quad_reduce_add"> {
  let summary = "sum over the four lanes that share a row of an accumulator, in all four";
  let description = [{
    Two `shfl.sync.bfly`.

    ```mlir
    sm90.quad_reduce_add %row_sum : !sm90.frag<2xf32>
    ```
  }];
}

#endif // TILEWRIGHT_COMPILER_SM90_FRAGMENT_OPS
