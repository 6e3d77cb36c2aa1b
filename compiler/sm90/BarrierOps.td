// SPDX-License-Identifier: Apache-2.0
// mbarriers, cursors, thread barriers and fences.
#ifndef TILEWRIGHT_COMPILER_SM90_BARRIER_OPS
#define TILEWRIGHT_COMPILER_SM90_BARRIER_OPS

include "compiler/sm90/Sm90OpBase.td"

class Sm90_MbarrierOp<string mnemonic> : Sm90_DeviceOp<mnemonic, "mbarrier", [Sm90_Ordered<>]>;

def Sm90_MbarrierInitOp : Sm90_MbarrierOp<"mbarrier_init"> {
  let summary = "sets up an mbarrier for a number of arrivals per phase";
  let description = [{
    `mbarrier.init.shared::cta.b64 [barrier], count`, by one thread. Follow it with `sm90.fence_mbarrier_init` and a
    CTA or cluster barrier before any other thread uses it.

    ```mlir
    sm90.mbarrier_init %full, %one
    ```
  }];
  let arguments = (ins I32:$barrier, I32:$count);
  let assemblyFormat = "$barrier `,` $count attr-dict";
}

def Sm90_FenceMbarrierInitOp : Sm90_MbarrierOp<"fence_mbarrier_init"> {
  let summary = "makes mbarrier initialisations visible to the cluster and to asynchronous units";
  let description = [{
    `fence.mbarrier_init.release.cluster`.

    ```mlir
    sm90.fence_mbarrier_init
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Sm90_MbarrierArriveOp : Sm90_MbarrierOp<"mbarrier_arrive"> {
  let summary = "one arrival on an mbarrier of this CTA";
  let description = [{
    `mbarrier.arrive.shared::cta.b64 _, [barrier]`.

    ```mlir
    sm90.mbarrier_arrive %empty
    ```
  }];
  let arguments = (ins I32:$barrier);
  let assemblyFormat = "$barrier attr-dict";
}

def Sm90_MbarrierArriveRemoteOp : Sm90_MbarrierOp<"mbarrier_arrive_remote"> {
  let summary = "one arrival on the mbarrier at the same offset in another CTA of the cluster";
  let description = [{
    `mapa.shared::cluster.u32`, then the unqualified `mbarrier.arrive.shared::cluster.b64`: with `.release.cluster`
    each costs two memory barriers.

    ```mlir
    sm90.mbarrier_arrive_remote %empty, %rank
    ```
  }];
  let arguments = (ins I32:$barrier, I32:$rank);
  let assemblyFormat = "$barrier `,` $rank attr-dict";
}

def Sm90_MbarrierArriveExpectTxOp : Sm90_MbarrierOp<"mbarrier_arrive_expect_tx"> {
  let summary = "one arrival that also announces bytes that asynchronous copies will bring";
  let description = [{
    `mbarrier.arrive.expect_tx.shared::cta.b64 _, [barrier], bytes`.

    ```mlir
    sm90.mbarrier_arrive_expect_tx %full, %bytes
    ```
  }];
  let arguments = (ins I32:$barrier, I32:$bytes);
  let assemblyFormat = "$barrier `,` $bytes attr-dict";
}

def Sm90_MbarrierWaitParityOp : Sm90_MbarrierOp<"mbarrier_wait_parity"> {
  let summary = "waits until the phase of that parity has completed";
  let description = [{
    A loop over `mbarrier.try_wait.parity.shared::cta.b64`; the loop lives in the device library.

    ```mlir
    sm90.mbarrier_wait_parity %full, %parity
    ```
  }];
  let arguments = (ins I32:$barrier, I32:$parity);
  let assemblyFormat = "$barrier `,` $parity attr-dict";
}

def Sm90_CpAsyncMbarrierArriveOp : Sm90_MbarrierOp<"cp_async_mbarrier_arrive"> {
  let summary = "arrives on an mbarrier when this thread's earlier cp.async copies have landed";
  let description = [{
    `cp.async.mbarrier.arrive.noinc.shared.b64 [barrier]`.

    ```mlir
    sm90.cp_async_mbarrier_arrive %full
    ```
  }];
  let arguments = (ins I32:$barrier);
  let assemblyFormat = "$barrier attr-dict";
}

class Sm90_CursorOp<string mnemonic> : Sm90_DeviceOp<mnemonic, "cursor", [Pure]>;

def Sm90_ProducerCursorOp : Sm90_CursorOp<"producer_cursor"> {
  let summary = "where the producer of a ring starts: its first wait passes at once";
  let description = [{
    ```mlir
    %c = sm90.producer_cursor
    ```
  }];
  let results = (outs Sm90_Cursor:$result);
  let assemblyFormat = "attr-dict";
  let resultHint = "cursor";
}

def Sm90_ConsumerCursorOp : Sm90_CursorOp<"consumer_cursor"> {
  let summary = "where the consumer of a ring starts: its first wait blocks";
  let description = [{
    ```mlir
    %c = sm90.consumer_cursor
    ```
  }];
  let results = (outs Sm90_Cursor:$result);
  let assemblyFormat = "attr-dict";
  let resultHint = "cursor";
}

def Sm90_AdvanceOp : Sm90_CursorOp<"advance"> {
  let summary = "the cursor one stage, or `n` stages, further in a ring";
  let description = [{
    ```mlir
    %next = sm90.advance %c stages<kStages = 4>
    %later = sm90.advance %c by %trips stages<4>
    ```
  }];
  let arguments = (ins Sm90_Cursor:$cursor, Optional<I32>:$steps, Sm90_Const:$stages);
  let results = (outs Sm90_Cursor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$cursor, "::tilewright::sm90::ConstAttr":$stages), [{
    build($_builder, $_state, cursor, ::mlir::Value(), stages);
  }]>];
  let assemblyFormat = "$cursor (`by` $steps^)? `stages` `` $stages attr-dict";
  let templateArgs = ["getStagesAttr()"];
  let resultHint = "cursor";
  let hasVerifier = 1;
}

def Sm90_StageOp : Sm90_CursorOp<"stage"> {
  let summary = "stage of a cursor";
  let description = [{
    ```mlir
    %s = sm90.stage %c
    ```
  }];
  let arguments = (ins Sm90_Cursor:$cursor);
  let results = (outs I32:$result);
  let assemblyFormat = "$cursor attr-dict";
  let resultHint = "stage";
}

def Sm90_PhaseOp : Sm90_CursorOp<"phase"> {
  let summary = "phase of a cursor: the parity to wait for";
  let description = [{
    ```mlir
    %p = sm90.phase %c
    ```
  }];
  let arguments = (ins Sm90_Cursor:$cursor);
  let results = (outs I32:$result);
  let assemblyFormat = "$cursor attr-dict";
  let resultHint = "phase";
}

def Sm90_BarrierAtOp : Sm90_CursorOp<"barrier_at"> {
  let summary = "address of the cursor's mbarrier in an array of one per stage";
  let description = [{
    `first` + 8 · stage.

    ```mlir
    %full = sm90.barrier_at %ab_full, %c
    ```
  }];
  let arguments = (ins I32:$first, Sm90_Cursor:$cursor);
  let results = (outs I32:$result);
  let assemblyFormat = "$first `,` $cursor attr-dict";
  let resultHint = "barrier";
}

def Sm90_SlotAtOp : Sm90_CursorOp<"slot_at"> {
  let summary = "address of the cursor's slot in an array of one per stage";
  let description = [{
    `first` + `bytes` · stage.

    ```mlir
    %a = sm90.slot_at %a_tiles, %c bytes<kATileBytes = 16384>
    ```
  }];
  let arguments = (ins I32:$first, Sm90_Cursor:$cursor, Sm90_Const:$bytes);
  let results = (outs I32:$result);
  let assemblyFormat = "$first `,` $cursor `bytes` `` $bytes attr-dict";
  let templateArgs = ["getBytesAttr()"];
  let resultHint = "slot";
  let hasVerifier = 1;
}

class Sm90_BarrierOp<string mnemonic> : Sm90_DeviceOp<mnemonic, "barriers", [Sm90_Ordered<>]>;

def Sm90_CtaSyncOp : Sm90_BarrierOp<"cta_sync"> {
  let summary = "all threads of the CTA meet";
  let description = [{
    `bar.sync 0`.

    ```mlir
    sm90.cta_sync
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Sm90_WarpSyncOp : Sm90_BarrierOp<"warp_sync"> {
  let summary = "the lanes of the warp meet";
  let description = [{
    `bar.warp.sync 0xffffffff`.

    ```mlir
    sm90.warp_sync
    ```
  }];
  let assemblyFormat = "attr-dict";
}

class Sm90_NamedBarrierOp<string mnemonic> : Sm90_BarrierOp<mnemonic> {
  let arguments = (ins I32:$id, Sm90_Const:$threads);
  let assemblyFormat = "$id `threads` `` $threads attr-dict";
  let templateArgs = ["getThreadsAttr()"];
  let hasVerifier = 1;
}

def Sm90_BarrierSyncOp : Sm90_NamedBarrierOp<"barrier_sync"> {
  let summary = "meets `threads` threads at named barrier `id`";
  let description = [{
    `bar.sync id, threads`. Barrier 0 is `sm90.cta_sync`'s.

    ```mlir
    sm90.barrier_sync %id threads<128>
    ```
  }];
}

def Sm90_BarrierArriveOp : Sm90_NamedBarrierOp<"barrier_arrive"> {
  let summary = "counts at named barrier `id` without waiting";
  let description = [{
    `bar.arrive id, threads`.

    ```mlir
    sm90.barrier_arrive %id threads<256>
    ```
  }];
}

def Sm90_ClusterArriveOp : Sm90_BarrierOp<"cluster_arrive"> {
  let summary = "arrives at the barrier of the cluster";
  let description = [{
    `barrier.cluster.arrive.release.aligned`.

    ```mlir
    sm90.cluster_arrive
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Sm90_ClusterWaitOp : Sm90_BarrierOp<"cluster_wait"> {
  let summary = "waits at the barrier of the cluster";
  let description = [{
    `barrier.cluster.wait.acquire.aligned`.

    ```mlir
    sm90.cluster_wait
    ```
  }];
  let assemblyFormat = "attr-dict";
}

class Sm90_FenceOp<string mnemonic> : Sm90_DeviceOp<mnemonic, "fences", [Sm90_Ordered<>]> {
  let assemblyFormat = "attr-dict";
}

def Sm90_FenceProxyAsyncSharedOp : Sm90_FenceOp<"fence_proxy_async_shared"> {
  let summary = "orders this thread's ordinary accesses to shared memory before asynchronous ones";
  let description = [{
    `fence.proxy.async.shared::cta`. Each thread that wrote runs it, before the barrier that hands the data over.

    ```mlir
    sm90.fence_proxy_async_shared
    ```
  }];
}

def Sm90_FenceProxyAsyncGlobalOp : Sm90_FenceOp<"fence_proxy_async_global"> {
  let summary = "orders ordinary accesses to global memory before asynchronous ones";
  let description = [{
    `fence.proxy.async.global`.

    ```mlir
    sm90.fence_proxy_async_global
    ```
  }];
}

def Sm90_FenceAcqRelCtaOp : Sm90_FenceOp<"fence_acq_rel_cta"> {
  let summary = "memory fence of CTA scope";
  let description = [{
    `fence.acq_rel.cta`.

    ```mlir
    sm90.fence_acq_rel_cta
    ```
  }];
}

def Sm90_FenceAcqRelClusterOp : Sm90_FenceOp<"fence_acq_rel_cluster"> {
  let summary = "memory fence of cluster scope";
  let description = [{
    `fence.acq_rel.cluster`.

    ```mlir
    sm90.fence_acq_rel_cluster
    ```
  }];
}

def Sm90_FenceAcqRelGpuOp : Sm90_FenceOp<"fence_acq_rel_gpu"> {
  let summary = "memory fence of GPU scope";
  let description = [{
    `fence.acq_rel.gpu`.

    ```mlir
    sm90.fence_acq_rel_gpu
    ```
  }];
}

#endif // TILEWRIGHT_COMPILER_SM90_BARRIER_OPS
