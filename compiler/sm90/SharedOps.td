// SPDX-License-Identifier: Apache-2.0
// Shared memory, by 32-bit shared addresses.
#ifndef TILEWRIGHT_COMPILER_SM90_SHARED_OPS
#define TILEWRIGHT_COMPILER_SM90_SHARED_OPS

include "compiler/sm90/Sm90OpBase.td"

class Sm90_SharedOp<string mnemonic, list<Trait> traits> : Sm90_DeviceOp<mnemonic, "shared", traits>;

def Sm90_SmemBaseOp : Sm90_SharedOp<"smem_base", [Pure]> {
  let summary = "address of the kernel's dynamic shared memory, 1024-byte aligned";
  let description = [{
    ```mlir
    %base = sm90.smem_base
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
  let resultHint = "smem";
}

def Sm90_SwizzleOp : Sm90_SharedOp<"swizzle", [Pure]> {
  let summary = "where TMA's swizzle puts the byte at `offset` of an aligned buffer";
  let description = [{
    Mode 128 XORs address bits 4-6 with 7-9, 64 bits 4-5 with 7-8, 32 bit 4 with 7, 0 nothing.

    ```mlir
    %o = sm90.swizzle %offset mode<128>
    ```
  }];
  let arguments = (ins I32:$offset, Sm90_Const:$mode);
  let results = (outs I32:$result);
  let assemblyFormat = "$offset `mode` `` $mode attr-dict";
  let templateArgs = ["getModeAttr()"];
  let resultHint = "offset";
  let hasVerifier = 1;
}

def Sm90_LdmatrixOp
    : Sm90_SharedOp<"ldmatrix", [Sm90_Ordered<[MemRead<Sm90_SharedMemory>, MemWrite<Sm90_Registers>]>]> {
  let summary = "loads `x` 8x8 matrices of 16-bit elements into fragment registers first … first + x - 1";
  let description = [{
    `ldmatrix.sync.aligned.m8n8.x<x>[.trans].shared.b16`; lane l gives the address of row l % 8 of matrix l / 8.

    ```mlir
    sm90.ldmatrix %address, %regs[%first] x<4> trans : !sm90.frag<16xi32>
    ```
  }];
  let arguments = (ins I32:$address, Sm90_FragI32:$registers, I32:$first, Sm90_Const:$x, UnitAttr:$trans);
  let assemblyFormat = [{
    $address `,` $registers `[` $first `]` `x` `` $x (`trans` $trans^)? attr-dict `:` type($registers)
  }];
  let templateArgs = ["getXAttr()", "getTrans()"];
  let hasVerifier = 1;
}

def Sm90_StmatrixOp
    : Sm90_SharedOp<"stmatrix", [Sm90_Ordered<[MemRead<Sm90_Registers>, MemWrite<Sm90_SharedMemory>]>]> {
  let summary = "stores `x` 8x8 matrices of 16-bit elements from fragment registers first … first + x - 1";
  let description = [{
    `stmatrix.sync.aligned.m8n8.x<x>[.trans].shared.b16`; lane l gives the address of row l % 8 of matrix l / 8.

    ```mlir
    sm90.stmatrix %regs[%first] to %address x<4> : !sm90.frag<16xi32>
    ```
  }];
  let arguments = (ins I32:$address, Sm90_FragI32:$registers, I32:$first, Sm90_Const:$x, UnitAttr:$trans);
  let assemblyFormat = [{
    $registers `[` $first `]` `to` $address `x` `` $x (`trans` $trans^)? attr-dict `:` type($registers)
  }];
  let templateArgs = ["getXAttr()", "getTrans()"];
  let hasVerifier = 1;
}

def Sm90_LdSharedOp
    : Sm90_SharedOp<"ld_shared", [Sm90_Ordered<[MemRead<Sm90_SharedMemory>]>, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "the element at a shared address; 16-bit floats are widened to f32";
  let description = [{
    `ld.shared.b16` or `.b32`.

    ```mlir
    %x = sm90.ld_shared %address as bf16
    ```
  }];
  let arguments = (ins I32:$address, TypeAttr:$element);
  let results = (outs AnyTypeOf<[F32, I32]>:$result);
  let assemblyFormat = "$address `as` $element attr-dict";
  let templateArgs = ["getElementAttr()"];
  let hasVerifier = 1;
}

def Sm90_StSharedOp : Sm90_SharedOp<"st_shared", [Sm90_Ordered<[MemWrite<Sm90_SharedMemory>]>]> {
  let summary = "stores one element; 16-bit floats are rounded to nearest even";
  let description = [{
    `st.shared.b16` or `.b32`.

    ```mlir
    sm90.st_shared %x to %address as bf16 : f32
    ```
  }];
  let arguments = (ins I32:$address, AnyTypeOf<[F32, I32]>:$value, TypeAttr:$element);
  let assemblyFormat = "$value `to` $address `as` $element attr-dict `:` type($value)";
  let templateArgs = ["getElementAttr()"];
  let hasVerifier = 1;
}

class Sm90_StSharedVectorOp<string mnemonic>
    : Sm90_SharedOp<mnemonic, [Sm90_Ordered<[MemRead<Sm90_Registers>, MemWrite<Sm90_SharedMemory>]>]> {
  let arguments = (ins I32:$address, AnyTypeOf<[Sm90_FragF32, Sm90_FragI32]>:$registers, I32:$first);
  let assemblyFormat = "$registers `[` $first `]` `to` $address attr-dict `:` type($registers)";
}

def Sm90_StSharedV2Op : Sm90_StSharedVectorOp<"st_shared_v2"> {
  let summary = "stores fragment registers first, first + 1 as one 8-byte access";
  let description = [{
    `st.shared.v2.b32`.

    ```mlir
    sm90.st_shared_v2 %acc[%i] to %address : !sm90.frag<128xf32>
    ```
  }];
}

def Sm90_StSharedV4Op : Sm90_StSharedVectorOp<"st_shared_v4"> {
  let summary = "stores fragment registers first … first + 3 as one 16-byte access";
  let description = [{
    `st.shared.v4.b32`.

    ```mlir
    sm90.st_shared_v4 %acc[%i] to %address : !sm90.frag<128xf32>
    ```
  }];
}

def Sm90_StAsyncOp : Sm90_SharedOp<"st_async", [Sm90_Ordered<[MemWrite<Sm90_SharedMemory>]>]> {
  let summary = "writes a value to the same offset in CTA `rank` of the cluster; it arrives on `barrier` there";
  let description = [{
    `mapa`, then `st.async.shared::cluster.mbarrier::complete_tx::bytes.b32`.

    ```mlir
    sm90.st_async %x to %address, %full rank %peer : f32
    ```
  }];
  let arguments = (ins I32:$address, AnyTypeOf<[F32, I32]>:$value, I32:$barrier, I32:$rank);
  let assemblyFormat = "$value `to` $address `,` $barrier `rank` $rank attr-dict `:` type($value)";
}

#endif // TILEWRIGHT_COMPILER_SM90_SHARED_OPS
