// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix multiply-accumulate.
#ifndef TILEWRIGHT_COMPILER_SM90_WGMMA_OPS
#define TILEWRIGHT_COMPILER_SM90_WGMMA_OPS

include "compiler/sm90/Sm90OpBase.td"

def Sm90_SmemDescriptorOp : Sm90_DeviceOp<"smem_descriptor", "wgmma", [Pure, AttrSizedOperandSegments]> {
  let summary = "wgmma descriptor of a matrix in shared memory";
  let description = [{
    The 64-bit matrix descriptor. Without offsets: K-major rows of `swizzle` bytes, densely packed. With them:
    K-major, `stride` between groups of 8 rows; MN-major, `leading` between panels of `swizzle` bytes along MN and
    `stride` between groups of 8 along K.

    ```mlir
    %d = sm90.smem_descriptor %slot swizzle<128>
    %e = sm90.smem_descriptor %slot leading %l stride %s swizzle<128>
    ```
  }];
  let arguments = (ins I32:$address, Optional<I32>:$leading, Optional<I32>:$stride, Sm90_Const:$swizzle);
  let results = (outs I64:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$address, "::tilewright::sm90::ConstAttr":$swizzle), [{
    build($_builder, $_state, address, ::mlir::Value(), ::mlir::Value(), swizzle);
  }]>];
  let assemblyFormat = "$address (`leading` $leading^ `stride` $stride)? `swizzle` `` $swizzle attr-dict";
  let templateArgs = ["getSwizzleAttr()"];
  let resultHint = "desc";
  let hasVerifier = 1;
}

def Sm90_DescriptorAdvanceOp : Sm90_DeviceOp<"descriptor_advance", "wgmma", [Pure]> {
  let summary = "descriptor of the matrix `bytes` further, a multiple of 16";
  let description = [{
    ```mlir
    %next = sm90.descriptor_advance %desc, %bytes
    ```
  }];
  let arguments = (ins I64:$descriptor, I32:$bytes);
  let results = (outs I64:$result);
  let assemblyFormat = "$descriptor `,` $bytes attr-dict";
  let resultHint = "desc";
}

class Sm90_WgmmaOp<string mnemonic, list<MemoryEffect> memories = [], list<Trait> traits = []>
    : Sm90_DeviceOp<mnemonic, "wgmma", !listconcat([Sm90_Ordered<memories>], traits)>;

def Sm90_WgmmaFenceOp
    : Sm90_WgmmaOp<"wgmma_fence", [MemRead<Sm90_Registers>, MemWrite<Sm90_Registers>]> {
  let summary = "orders accesses to register arrays before the wgmma that follow";
  let description = [{
    `wgmma.fence.sync.aligned`, with the accumulator and, if A comes from registers, its fragments tied to this place.
    Needed before the first wgmma of every batch.

    ```mlir
    sm90.wgmma_fence %acc : !sm90.frag<128xf32>
    sm90.wgmma_fence %acc, %p : !sm90.frag<64xf32>, !sm90.frag<32xi32>
    ```
  }];
  let arguments = (ins Sm90_FragF32:$accumulator, Optional<Sm90_FragI32>:$a);
  let assemblyFormat = "$accumulator (`,` $a^)? attr-dict `:` type($accumulator) (`,` type($a)^)?";
}

defvar Sm90_WgmmaEffects =
    [MemRead<Sm90_SharedMemory>, MemRead<Sm90_Registers>, MemWrite<Sm90_Registers>];

def Sm90_WgmmaSsOp : Sm90_WgmmaOp<"wgmma_ss", Sm90_WgmmaEffects> {
  let summary = "starts acc = A·B (+ acc), 64 x n x 16, both operands in shared memory";
  let description = [{
    `wgmma.mma_async.sync.aligned.m64n<n>k16.f32.<element>.<element>`. `scaleD` 0 drops the old accumulator. `wave`
    picks the 64-row tile of an accumulator array that holds several. `trans_a`, `trans_b`: the operand is MN-major.

    ```mlir
    sm90.wgmma_ss %acc, %a, %b, %more n<256> bf16 : !sm90.frag<128xf32>, i32
    sm90.wgmma_ss %acc, %a, %b, %more n<kTileN = 128> f16 trans_b wave<1> : !sm90.frag<128xf32>, i1
    ```
  }];
  let arguments = (ins Sm90_FragF32:$accumulator, I64:$descriptorA, I64:$descriptorB,
                       AnyTypeOf<[I1, I32]>:$scaleD, Sm90_Const:$n, TypeAttr:$element, UnitAttr:$transA,
                       UnitAttr:$transB, OptionalAttr<Sm90_Const>:$wave);
  let assemblyFormat = [{
    $accumulator `,` $descriptorA `,` $descriptorB `,` $scaleD `n` `` $n $element (`trans_a` $transA^)?
    (`trans_b` $transB^)? (`wave` `` $wave^)? attr-dict `:` type($accumulator) `,` type($scaleD)
  }];
  let header = "\"tilewright/wgmma_n\" + std::to_string(getN().getValue()) + \".cuh\"";
  let templateArgs = ["getNAttr()", "getElementAttr()", "getTransA()", "getTransB()", "getWaveAttr()"];
  let hasVerifier = 1;
}

def Sm90_WgmmaRsOp : Sm90_WgmmaOp<"wgmma_rs", Sm90_WgmmaEffects> {
  let summary = "starts acc = A·B (+ acc), 64 x n x 16, A in registers";
  let description = [{
    As `sm90.wgmma_ss`; A is the fragment `a[4k … 4k + 3]`, packed pairs of the element type. `a` and the accumulator
    belong to the hardware until a wait covers this op.

    ```mlir
    sm90.wgmma_rs %acc, %p, %b, %more n<128> bf16 trans_b k<3> : !sm90.frag<64xf32>, !sm90.frag<32xi32>, i32
    ```
  }];
  let arguments = (ins Sm90_FragF32:$accumulator, Sm90_FragI32:$a, I64:$descriptorB, AnyTypeOf<[I1, I32]>:$scaleD,
                       Sm90_Const:$n, TypeAttr:$element, UnitAttr:$transB, OptionalAttr<Sm90_Const>:$wave,
                       OptionalAttr<Sm90_Const>:$k);
  let assemblyFormat = [{
    $accumulator `,` $a `,` $descriptorB `,` $scaleD `n` `` $n $element (`trans_b` $transB^)? (`wave` `` $wave^)?
    (`k` `` $k^)? attr-dict `:` type($accumulator) `,` type($a) `,` type($scaleD)
  }];
  let header = "\"tilewright/wgmma_n\" + std::to_string(getN().getValue()) + \".cuh\"";
  let templateArgs = ["getNAttr()", "getElementAttr()", "getTransB()", "getWaveAttr()", "getKAttr()"];
  let hasVerifier = 1;
}

def Sm90_WgmmaCommitOp : Sm90_WgmmaOp<"wgmma_commit"> {
  let summary = "closes the group of the wgmma issued so far";
  let description = [{
    `wgmma.commit_group.sync.aligned`.

    ```mlir
    sm90.wgmma_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Sm90_WgmmaWaitOp
    : Sm90_WgmmaOp<"wgmma_wait", [MemRead<Sm90_Registers>, MemWrite<Sm90_Registers>]> {
  let summary = "waits until at most `outstanding` groups are under way";
  let description = [{
    `wgmma.wait_group.sync.aligned n`. The accumulator that it completes is named, so that nothing reads it earlier.
    Without one it only frees what older groups read.

    ```mlir
    sm90.wgmma_wait %acc outstanding<0> : !sm90.frag<128xf32>
    sm90.wgmma_wait outstanding<1>
    ```
  }];
  let arguments = (ins Optional<Sm90_FragF32>:$accumulator, Sm90_Const:$outstanding);
  let builders = [OpBuilder<(ins "::tilewright::sm90::ConstAttr":$outstanding), [{
    build($_builder, $_state, ::mlir::Value(), outstanding);
  }]>];
  let assemblyFormat = "($accumulator^)? `outstanding` `` $outstanding attr-dict (`:` type($accumulator)^)?";
  let templateArgs = ["getOutstandingAttr()"];
  let hasVerifier = 1;
}

def Sm90_SchedBoundaryOp : Sm90_WgmmaOp<"sched_boundary"> {
  let summary = "ends a basic block, so that ptxas moves nothing across";
  let description = [{
    ptxas hoists a wgmma wait above independent arithmetic of the same block; a real block boundary stops it.

    ```mlir
    sm90.sched_boundary
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TILEWRIGHT_COMPILER_SM90_WGMMA_OPS
