// SPDX-License-Identifier: Apache-2.0
// Global memory: ordinary accesses, Ampere's asynchronous copies, atomics. Element indices are i64.
#ifndef TILEWRIGHT_COMPILER_SM90_GLOBAL_OPS
#define TILEWRIGHT_COMPILER_SM90_GLOBAL_OPS

include "compiler/sm90/Sm90OpBase.td"

defvar Sm90_Scalar = AnyTypeOf<[F32, I32, I64]>;

// Operand or result `name` has the type that an element behind `pointer` has in a register: f32 for the 16-bit floats.
class Sm90_ValueOfPointer<string name> : TypesMatchWith<
    "`" # name # "` has the register type of the element", "pointer", name,
    "::tilewright::sm90::registerType(::llvm::cast<::tilewright::sm90::PtrType>($_self).getElementType())">;

def Sm90_PtrOffsetOp : Sm90_Op<"ptr_offset", [Pure, AllTypesMatch<["pointer", "result"]>]> {
  let summary = "pointer to an element further on";
  let description = [{
    `pointer + index` in elements.

    ```mlir
    %p = sm90.ptr_offset %row, %index : !sm90.ptr<const bf16>
    ```
  }];
  let arguments = (ins Sm90_Ptr:$pointer, AnyTypeOf<[I32, I64]>:$index);
  let results = (outs Sm90_Ptr:$result);
  let assemblyFormat = "$pointer `,` $index attr-dict `:` type($pointer) `,` type($index)";
}

class Sm90_GlobalOp<string mnemonic, list<MemoryEffect> memories, list<Trait> traits = []>
    : Sm90_DeviceOp<mnemonic, "global", !listconcat([Sm90_Ordered<memories>], traits)>;

def Sm90_LdGlobalOp : Sm90_GlobalOp<"ld_global", [MemRead<Sm90_GlobalMemory>], [Sm90_ValueOfPointer<"result">]> {
  let summary = "pointer[index]; 16-bit floats are widened to f32";
  let description = [{
    `ld.global`.

    ```mlir
    %x = sm90.ld_global %bias[%i] : !sm90.ptr<const bf16>
    ```
  }];
  let arguments = (ins Sm90_Ptr:$pointer, I64:$index);
  let results = (outs Sm90_Scalar:$result);
  let assemblyFormat = "$pointer `[` $index `]` attr-dict `:` type($pointer)";
}

def Sm90_LdGlobalIfOp : Sm90_GlobalOp<"ld_global_if", [MemRead<Sm90_GlobalMemory>], [Sm90_ValueOfPointer<"result">]> {
  let summary = "pointer[index] where the predicate holds, else zero";
  let description = [{
    `ld.global`, predicated.

    ```mlir
    %x = sm90.ld_global_if %bias[%i], %inside : !sm90.ptr<const bf16>
    ```
  }];
  let arguments = (ins Sm90_Ptr:$pointer, I64:$index, I1:$predicate);
  let results = (outs Sm90_Scalar:$result);
  let assemblyFormat = "$pointer `[` $index `]` `,` $predicate attr-dict `:` type($pointer)";
}

def Sm90_LdGlobalPairOp
    : Sm90_GlobalOp<"ld_global_pair", [MemRead<Sm90_GlobalMemory>, MemWrite<Sm90_Registers>]> {
  let summary = "two neighbouring elements, by one access, into fragment registers first, first + 1";
  let description = [{
    The first `count` of them (2 or more, 1, none); the others are zero. `ld.global` of twice the element, predicated; the caller
    promises that it is aligned to its size.

    ```mlir
    sm90.ld_global_pair %c[%i], %left to %x[%first] : !sm90.ptr<const bf16>, !sm90.frag<64xf32>
    ```
  }];
  let arguments = (ins Sm90_Ptr:$pointer, I64:$index, I32:$count, Sm90_Frag:$registers, I32:$first);
  let assemblyFormat = [{
    $pointer `[` $index `]` `,` $count `to` $registers `[` $first `]` attr-dict `:` type($pointer) `,` type($registers)
  }];
  let hasVerifier = 1;
}

def Sm90_StGlobalOp : Sm90_GlobalOp<"st_global", [MemWrite<Sm90_GlobalMemory>], [
    Sm90_ValueOfPointer<"value">]> {
  let summary = "pointer[index] = value; 16-bit floats are rounded to nearest even";
  let description = [{
    `st.global`.

    ```mlir
    sm90.st_global %x to %d[%i] : !sm90.ptr<bf16>
    ```
  }];
  let arguments = (ins Sm90_MutablePtr:$pointer, I64:$index, Sm90_Scalar:$value);
  let assemblyFormat = "$value `to` $pointer `[` $index `]` attr-dict `:` type($pointer)";
}

def Sm90_StGlobalIfOp : Sm90_GlobalOp<"st_global_if", [MemWrite<Sm90_GlobalMemory>], [
    Sm90_ValueOfPointer<"value">]> {
  let summary = "pointer[index] = value where the predicate holds";
  let description = [{
    ```mlir
    sm90.st_global_if %x to %d[%i], %inside : !sm90.ptr<bf16>
    ```
  }];
  let arguments = (ins Sm90_MutablePtr:$pointer, I64:$index, I1:$predicate, Sm90_Scalar:$value);
  let assemblyFormat = "$value `to` $pointer `[` $index `]` `,` $predicate attr-dict `:` type($pointer)";
}

def Sm90_StGlobalPairOp : Sm90_GlobalOp<"st_global_pair", [MemWrite<Sm90_GlobalMemory>], [
    Sm90_ValueOfPointer<"first">,
    Sm90_ValueOfPointer<"second">]> {
  let summary = "two neighbouring elements by one store";
  let description = [{
    Only the first `count` of them (2 or more, 1, none). `st.global` of twice the element, predicated; the caller promises that
    it is aligned to its size.

    ```mlir
    sm90.st_global_pair %a, %b to %d[%i], %left : !sm90.ptr<bf16>
    ```
  }];
  let arguments = (ins Sm90_MutablePtr:$pointer, I64:$index, I32:$count, Sm90_Scalar:$first, Sm90_Scalar:$second);
  let assemblyFormat = "$first `,` $second `to` $pointer `[` $index `]` `,` $count attr-dict `:` type($pointer)";
}

def Sm90_CpAsyncOp
    : Sm90_GlobalOp<"cp_async", [MemRead<Sm90_GlobalMemory>, MemWrite<Sm90_SharedMemory>]> {
  let summary = "starts a copy of `size` bytes to shared memory, zeros after the first `bytes`";
  let description = [{
    `cp.async.ca.shared.global` (4, 8) or `.cg` (16).

    ```mlir
    sm90.cp_async %ptr to %slot, %bytes size<16> : !sm90.ptr<const bf16>
    ```
  }];
  let arguments = (ins I32:$destination, Sm90_Ptr:$source, I32:$bytes, Sm90_Const:$size);
  let assemblyFormat = "$source `to` $destination `,` $bytes `size` `` $size attr-dict `:` type($source)";
  let templateArgs = ["getSizeAttr()"];
  let hasVerifier = 1;
}

def Sm90_CpAsyncCommitOp : Sm90_GlobalOp<"cp_async_commit", []> {
  let summary = "closes the group of this thread's cp_async so far";
  let description = [{
    `cp.async.commit_group`.

    ```mlir
    sm90.cp_async_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Sm90_CpAsyncWaitOp : Sm90_GlobalOp<"cp_async_wait", [MemWrite<Sm90_SharedMemory>]> {
  let summary = "waits until at most `outstanding` of this thread's groups are under way";
  let description = [{
    `cp.async.wait_group n`.

    ```mlir
    sm90.cp_async_wait outstanding<1>
    ```
  }];
  let arguments = (ins Sm90_Const:$outstanding);
  let assemblyFormat = "`outstanding` `` $outstanding attr-dict";
  let templateArgs = ["getOutstandingAttr()"];
  let hasVerifier = 1;
}

def Sm90_RedAddIfOp : Sm90_GlobalOp<"red_add_if", [MemRead<Sm90_GlobalMemory>, MemWrite<Sm90_GlobalMemory>]> {
  let summary = "pointer[index] += value, atomically, where the predicate holds";
  let description = [{
    `red.relaxed.gpu.global.add.f32`.

    ```mlir
    sm90.red_add_if %x to %partial[%i], %inside : !sm90.ptr<f32>
    ```
  }];
  let arguments = (ins Sm90_PtrOf<F32, "f32", Sm90_MutablePtr>:$pointer, I64:$index, I1:$predicate, F32:$value);
  let assemblyFormat = "$value `to` $pointer `[` $index `]` `,` $predicate attr-dict `:` type($pointer)";
}

def Sm90_AtomicAddOp : Sm90_GlobalOp<"atomic_add", [MemRead<Sm90_GlobalMemory>, MemWrite<Sm90_GlobalMemory>]> {
  let summary = "adds to *pointer and returns what was there";
  let description = [{
    `atom.relaxed.gpu.global.add.s32`.

    ```mlir
    %before = sm90.atomic_add %one to %counter : !sm90.ptr<i32>
    ```
  }];
  let arguments = (ins Sm90_PtrOf<I32, "i32", Sm90_MutablePtr>:$pointer, I32:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "$value `to` $pointer attr-dict `:` type($pointer)";
  let resultHint = "before";
}

def Sm90_LdAcquireOp : Sm90_GlobalOp<"ld_acquire", [MemRead<Sm90_GlobalMemory>]> {
  let summary = "*pointer; what was released by the store that it sees is visible afterwards (GPU scope)";
  let description = [{
    `ld.acquire.gpu.global.s32`.

    ```mlir
    %seen = sm90.ld_acquire %flag : !sm90.ptr<i32>
    ```
  }];
  let arguments = (ins Sm90_PtrOf<I32, "i32">:$pointer);
  let results = (outs I32:$result);
  let assemblyFormat = "$pointer attr-dict `:` type($pointer)";
  let resultHint = "seen";
}

def Sm90_RedReleaseOp : Sm90_GlobalOp<"red_release", [MemRead<Sm90_GlobalMemory>, MemWrite<Sm90_GlobalMemory>]> {
  let summary = "*pointer += value after all earlier accesses of this thread (GPU scope)";
  let description = [{
    `red.release.gpu.global.add.s32`.

    ```mlir
    sm90.red_release %one to %flag : !sm90.ptr<i32>
    ```
  }];
  let arguments = (ins Sm90_PtrOf<I32, "i32", Sm90_MutablePtr>:$pointer, I32:$value);
  let assemblyFormat = "$value `to` $pointer attr-dict `:` type($pointer)";
}

#endif // TILEWRIGHT_COMPILER_SM90_GLOBAL_OPS
