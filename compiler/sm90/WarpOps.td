// SPDX-License-Identifier: Apache-2.0
// Who am I, and what the lanes of a warp tell each other.
#ifndef TILEWRIGHT_COMPILER_SM90_WARP_OPS
#define TILEWRIGHT_COMPILER_SM90_WARP_OPS

include "compiler/sm90/Sm90OpBase.td"

class Sm90_SetmaxnregOp<string mnemonic> : Sm90_DeviceOp<mnemonic, "warp", [Sm90_Ordered<>]> {
  let arguments = (ins Sm90_Const:$registers);
  let assemblyFormat = "`registers` `` $registers attr-dict";
  let templateArgs = ["getRegistersAttr()"];
  let hasVerifier = 1;
}

def Sm90_SetmaxnregIncOp : Sm90_SetmaxnregOp<"setmaxnreg_inc"> {
  let summary = "raises this warpgroup's registers per thread";
  let description = [{
    `setmaxnreg.inc.sync.aligned.u32`, run by all warps of the warpgroup.

    ```mlir
    sm90.setmaxnreg_inc registers<232>
    ```
  }];
}

def Sm90_SetmaxnregDecOp : Sm90_SetmaxnregOp<"setmaxnreg_dec"> {
  let summary = "lowers this warpgroup's registers per thread";
  let description = [{
    `setmaxnreg.dec.sync.aligned.u32`.

    ```mlir
    sm90.setmaxnreg_dec registers<40>
    ```
  }];
}

// Asks the lanes of a warp: its place in divergent code matters.
class Sm90_ConvergentOp<string mnemonic> : Sm90_DeviceOp<mnemonic, "warp", [Sm90_Ordered<>]>;

def Sm90_ElectOneOp : Sm90_ConvergentOp<"elect_one"> {
  let summary = "true in exactly one lane of a converged warp";
  let description = [{
    `elect.sync`.

    ```mlir
    %leader = sm90.elect_one
    ```
  }];
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
  let resultHint = "elected";
}

def Sm90_WarpIdOp : Sm90_ConvergentOp<"warp_id"> {
  let summary = "index of this warp in the CTA, known to be uniform";
  let description = [{
    `%tid.x / 32` through `shfl.sync`, so that branches on it do not diverge.

    ```mlir
    %warp = sm90.warp_id
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
  let resultHint = "warp";
}

def Sm90_WarpgroupIdOp : Sm90_ConvergentOp<"warpgroup_id"> {
  let summary = "index of this warpgroup in the CTA, known to be uniform";
  let description = [{
    `%tid.x / 128` through `shfl.sync`.

    ```mlir
    %warpgroup = sm90.warpgroup_id
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
  let resultHint = "warpgroup";
}

def Sm90_ShflXorOp : Sm90_DeviceOp<"shfl_xor", "warp", [Sm90_Ordered<>, AllTypesMatch<["value", "result"]>]> {
  let summary = "the value of the lane whose id differs by `mask`";
  let description = [{
    `shfl.sync.bfly`.

    ```mlir
    %other = sm90.shfl_xor %x, %mask : f32
    ```
  }];
  let arguments = (ins AnyTypeOf<[F32, I32]>:$value, I32:$mask);
  let results = (outs AnyTypeOf<[F32, I32]>:$result);
  let assemblyFormat = "$value `,` $mask attr-dict `:` type($value)";
}

def Sm90_VoteAnyOp : Sm90_ConvergentOp<"vote_any"> {
  let summary = "true in all lanes if the predicate holds in any";
  let description = [{
    `vote.sync.any`.

    ```mlir
    %any = sm90.vote_any %p
    ```
  }];
  let arguments = (ins I1:$predicate);
  let results = (outs I1:$result);
  let assemblyFormat = "$predicate attr-dict";
  let resultHint = "any";
}

// A number that a thread knows by itself and that never changes.
class Sm90_IdOp<string mnemonic> : Sm90_DeviceOp<mnemonic, "warp", [Pure]> {
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Sm90_ThreadIdOp : Sm90_IdOp<"thread_id"> {
  let summary = "index of this thread in the CTA";
  let description = [{
    `%tid.x`.

    ```mlir
    %thread = sm90.thread_id
    ```
  }];
  let resultHint = "thread";
}

def Sm90_LaneIdOp : Sm90_IdOp<"lane_id"> {
  let summary = "index of this thread in its warp";
  let description = [{
    `%tid.x % 32`.

    ```mlir
    %lane = sm90.lane_id
    ```
  }];
  let resultHint = "lane";
}

def Sm90_CtaIdOp : Sm90_IdOp<"cta_id"> {
  let summary = "index of this CTA in the grid";
  let description = [{
    `%ctaid.x`.

    ```mlir
    %cta = sm90.cta_id
    ```
  }];
  let resultHint = "cta";
}

def Sm90_GridSizeOp : Sm90_IdOp<"grid_size"> {
  let summary = "number of CTAs in the grid";
  let description = [{
    `%nctaid.x`.

    ```mlir
    %ctas = sm90.grid_size
    ```
  }];
  let resultHint = "ctas";
}

def Sm90_ClusterRankOp : Sm90_IdOp<"cluster_rank"> {
  let summary = "rank of this CTA in its cluster";
  let description = [{
    `%cluster_ctarank`.

    ```mlir
    %rank = sm90.cluster_rank
    ```
  }];
  let resultHint = "rank";
}

def Sm90_ClusterIdOp : Sm90_IdOp<"cluster_id"> {
  let summary = "index of this cluster in the grid";
  let description = [{
    `%clusterid.x`.

    ```mlir
    %cluster = sm90.cluster_id
    ```
  }];
  let resultHint = "cluster";
}

def Sm90_ClusterCountOp : Sm90_IdOp<"cluster_count"> {
  let summary = "number of clusters in the grid";
  let description = [{
    `%nclusterid.x`.

    ```mlir
    %clusters = sm90.cluster_count
    ```
  }];
  let resultHint = "clusters";
}

def Sm90_PrmtOp : Sm90_DeviceOp<"prmt", "warp", [Pure]> {
  let summary = "four bytes picked from the eight of (b, a) by the nibbles of `selector`";
  let description = [{
    `prmt.b32`.

    ```mlir
    %x = sm90.prmt %a, %b, %selector
    ```
  }];
  let arguments = (ins I32:$a, I32:$b, I32:$selector);
  let results = (outs I32:$result);
  let assemblyFormat = "$a `,` $b `,` $selector attr-dict";
}

#endif // TILEWRIGHT_COMPILER_SM90_WARP_OPS
