// SPDX-License-Identifier: Apache-2.0
// The tensor memory accelerator and bulk copies.
#ifndef TILEWRIGHT_COMPILER_SM90_TMA_OPS
#define TILEWRIGHT_COMPILER_SM90_TMA_OPS

include "compiler/sm90/Sm90OpBase.td"

class Sm90_TmaOp<string mnemonic, list<MemoryEffect> memories = []>
    : Sm90_DeviceOp<mnemonic, "tma", [Sm90_Ordered<memories>]>;

def Sm90_PrefetchTensormapOp : Sm90_TmaOp<"prefetch_tensormap"> {
  let summary = "brings a tensor map into the cache ahead of its first use";
  let description = [{
    `prefetch.tensormap [map]`.

    ```mlir
    sm90.prefetch_tensormap %map
    ```
  }];
  let arguments = (ins Sm90_TensorMap:$map);
  let assemblyFormat = "$map attr-dict";
}

def Sm90_TmaLoadOp : Sm90_TmaOp<"tma_load", [MemRead<Sm90_GlobalMemory>, MemWrite<Sm90_SharedMemory>]> {
  let summary = "starts the load of a box into shared memory; its bytes arrive on `barrier`";
  let description = [{
    `cp.async.bulk.tensor.<rank>d.shared::cluster.global.mbarrier::complete_tx::bytes`, by one thread. The first
    coordinate is the innermost (contiguous) one.

    ```mlir
    sm90.tma_load %map[%k, %m] to %slot, %full
    sm90.tma_load %map[%k, %m] to %slot, %full cache evict_first
    ```
  }];
  let arguments = (ins Sm90_TensorMap:$map, I32:$destination, I32:$barrier, Variadic<I32>:$coordinates,
                       DefaultValuedAttr<Sm90_CachePolicyAttr, "::tilewright::sm90::CachePolicy::none">:$cache);
  let assemblyFormat = [{
    $map `[` $coordinates `]` `to` $destination `,` $barrier (`cache` `` $cache^)? attr-dict
  }];
  let templateArgs = ["getCoordinates()", "getCache()"];
  let hasVerifier = 1;
}

def Sm90_TmaLoadMulticastOp
    : Sm90_TmaOp<"tma_load_multicast", [MemRead<Sm90_GlobalMemory>, MemWrite<Sm90_SharedMemory>]> {
  let summary = "starts the load of a box that lands in every CTA of `mask`, at the same offset";
  let description = [{
    `cp.async.bulk.tensor.<rank>d.….multicast::cluster`; bit i of `mask` is the CTA of rank i, whose mbarrier at the
    same offset counts its bytes.

    ```mlir
    sm90.tma_load_multicast %map[%k, %n] to %slot, %full mask %mask
    ```
  }];
  let arguments = (ins Sm90_TensorMap:$map, I32:$destination, I32:$barrier, I32:$mask, Variadic<I32>:$coordinates,
                       DefaultValuedAttr<Sm90_CachePolicyAttr, "::tilewright::sm90::CachePolicy::none">:$cache);
  let assemblyFormat = [{
    $map `[` $coordinates `]` `to` $destination `,` $barrier `mask` $mask (`cache` `` $cache^)? attr-dict
  }];
  let templateArgs = ["getCoordinates()", "getCache()"];
  let hasVerifier = 1;
}

class Sm90_TmaStoreLikeOp<string mnemonic>
    : Sm90_TmaOp<mnemonic, [MemRead<Sm90_SharedMemory>, MemWrite<Sm90_GlobalMemory>]> {
  let arguments = (ins Sm90_TensorMap:$map, I32:$source, Variadic<I32>:$coordinates);
  let assemblyFormat = "$source `to` $map `[` $coordinates `]` attr-dict";
  let templateArgs = ["getCoordinates()"];
  let hasVerifier = 1;
}

def Sm90_TmaStoreOp : Sm90_TmaStoreLikeOp<"tma_store"> {
  let summary = "starts the store of a box from shared memory, in this thread's open bulk group";
  let description = [{
    `cp.async.bulk.tensor.<rank>d.global.shared::cta.bulk_group`.

    ```mlir
    sm90.tma_store %slot to %map[%n, %m]
    ```
  }];
}

def Sm90_TmaReduceAddOp : Sm90_TmaStoreLikeOp<"tma_reduce_add"> {
  let summary = "starts the addition of a box in shared memory to global memory";
  let description = [{
    `cp.reduce.async.bulk.tensor.<rank>d.global.shared::cta.add.bulk_group`.

    ```mlir
    sm90.tma_reduce_add %slot to %map[%n, %m]
    ```
  }];
}

def Sm90_TmaPrefetchOp : Sm90_TmaOp<"tma_prefetch", [MemRead<Sm90_GlobalMemory>]> {
  let summary = "brings a box into L2";
  let description = [{
    `cp.async.bulk.prefetch.tensor.<rank>d.L2.global`.

    ```mlir
    sm90.tma_prefetch %map[%k, %m]
    ```
  }];
  let arguments = (ins Sm90_TensorMap:$map, Variadic<I32>:$coordinates);
  let assemblyFormat = "$map `[` $coordinates `]` attr-dict";
  let templateArgs = ["getCoordinates()"];
  let hasVerifier = 1;
}

def Sm90_BulkLoadOp : Sm90_TmaOp<"bulk_load", [MemRead<Sm90_GlobalMemory>, MemWrite<Sm90_SharedMemory>]> {
  let summary = "starts a copy of consecutive bytes into shared memory; they arrive on `barrier`";
  let description = [{
    `cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes`; 16-byte aligned, a multiple of 16 bytes.

    ```mlir
    sm90.bulk_load %ptr to %slot, %bytes, %full : !sm90.ptr<const bf16>
    ```
  }];
  let arguments = (ins I32:$destination, Sm90_Ptr:$source, I32:$bytes, I32:$barrier);
  let assemblyFormat = "$source `to` $destination `,` $bytes `,` $barrier attr-dict `:` type($source)";
}

def Sm90_BulkStoreOp : Sm90_TmaOp<"bulk_store", [MemRead<Sm90_SharedMemory>, MemWrite<Sm90_GlobalMemory>]> {
  let summary = "starts a copy of consecutive bytes to global memory";
  let description = [{
    `cp.async.bulk.global.shared::cta.bulk_group`.

    ```mlir
    sm90.bulk_store %slot to %ptr, %bytes : !sm90.ptr<f32>
    ```
  }];
  let arguments = (ins Sm90_MutablePtr:$destination, I32:$source, I32:$bytes);
  let assemblyFormat = "$source `to` $destination `,` $bytes attr-dict `:` type($destination)";
}

def Sm90_BulkReduceAddOp
    : Sm90_TmaOp<"bulk_reduce_add", [MemRead<Sm90_SharedMemory>, MemWrite<Sm90_GlobalMemory>]> {
  let summary = "starts the addition of consecutive floats to global memory";
  let description = [{
    `cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32`.

    ```mlir
    sm90.bulk_reduce_add %slot to %ptr, %bytes : !sm90.ptr<f32>
    ```
  }];
  let arguments = (ins Sm90_PtrOf<F32, "f32", Sm90_MutablePtr>:$destination, I32:$source, I32:$bytes);
  let assemblyFormat = "$source `to` $destination `,` $bytes attr-dict `:` type($destination)";
}

def Sm90_BulkCommitOp : Sm90_TmaOp<"bulk_commit"> {
  let summary = "closes the group of this thread's bulk stores so far";
  let description = [{
    `cp.async.bulk.commit_group`.

    ```mlir
    sm90.bulk_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

class Sm90_GroupWaitOp<string mnemonic, string headerName>
    : Sm90_DeviceOp<mnemonic, headerName, [Sm90_Ordered<>]> {
  let arguments = (ins Sm90_Const:$outstanding);
  let assemblyFormat = "`outstanding` `` $outstanding attr-dict";
  let templateArgs = ["getOutstandingAttr()"];
  let hasVerifier = 1;
}

def Sm90_BulkWaitOp : Sm90_GroupWaitOp<"bulk_wait", "tma"> {
  let summary = "waits until at most `outstanding` of this thread's bulk groups are incomplete";
  let description = [{
    `cp.async.bulk.wait_group n`: the others have been written to global memory.

    ```mlir
    sm90.bulk_wait outstanding<0>
    ```
  }];
}

def Sm90_BulkWaitReadOp : Sm90_GroupWaitOp<"bulk_wait_read", "tma"> {
  let summary = "waits until all but `outstanding` bulk groups have been read from shared memory";
  let description = [{
    `cp.async.bulk.wait_group.read n`: what they read may be written again.

    ```mlir
    sm90.bulk_wait_read outstanding<1>
    ```
  }];
}

#endif // TILEWRIGHT_COMPILER_SM90_TMA_OPS
