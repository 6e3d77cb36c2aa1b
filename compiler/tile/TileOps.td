// SPDX-License-Identifier: Apache-2.0
// The scheduled form: roles, rings, cursors and split dots. This file includes the others and is
// what tablegen reads.
#ifndef TILEWRIGHT_COMPILER_TILE_OPS
#define TILEWRIGHT_COMPILER_TILE_OPS

include "compiler/tile/TileComputeOps.td"

def Tile_SyncWrite : MemoryEffects<[MemWrite<Tile_Sync>]>;
class Tile_ScheduledOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits # [ScheduledForm]>;

def Tile_RingOp : Tile_Op<"ring", [Tile_SyncWrite]> {
  let summary = "ring of shared-memory stages between two roles (or private to one)";
  let description = [{
    ```mlir
    %ab = tile.ring "ab" from @load to @mma
        : !tile.ring<4, tensor<128x64xbf16, #sw>, tensor<256x64xbf16, #sw>>
    %st = tile.ring "staging" private @mma : !tile.ring<2, tensor<128x64xbf16, #sw>>
    ```
    `full threads`: the producer's threads fill the slots (default: copies that complete on the
    barrier). A private ring has the same role at both ends and is guarded by bulk-group waits.
    `multicast a`: its slots are filled by all CTAs along cluster axis `a`, so a release arrives at
    each of them.
  }];
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$producer, FlatSymbolRefAttr:$consumer,
                       DefaultValuedAttr<Tile_FullByAttr, "FullBy::Tma">:$full,
                       OptionalAttr<I64Attr>:$multicast);
  let results = (outs Tile_Ring:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isPrivate() { return getProducer() == getConsumer(); }
  }];
}

def Tile_RolesOp
    : Tile_ScheduledOp<"roles", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"EndOp">]> {
  let summary = "the roles of a kernel, side by side";
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}
def Tile_RoleOp
    : Tile_ScheduledOp<"role", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"EndOp">,
                                HasParent<"RolesOp">]> {
  let summary = "what the warps of one role run; only scalars and handles enter";
  let arguments = (ins FlatSymbolRefAttr:$role);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$role attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Tile_InstanceOp : Tile_ScheduledOp<"instance", [Pure]> {
  let summary = "which instance of a role with `split = tiles` this is, from 0 on";
  let description = [{
    Each warpgroup of such a role runs the role's body for tiles of its own:

    ```mlir
    tile.role @mma {
      %instance = tile.instance
      %first, %end, %step = tile.schedule_range %s : !tile.schedule<2>
      … // from %first + %instance * %step on, by warpgroups * %step
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}
def Tile_ScheduleRangeOp : Tile_ScheduledOp<"schedule_range", [Pure]> {
  let summary = "first, end and step of the work indices that this cluster takes";
  let arguments = (ins Tile_Schedule:$schedule);
  let results = (outs I32:$first, I32:$end, I32:$step);
  let assemblyFormat = "$schedule attr-dict `:` type($schedule)";
}
def Tile_DecodeOp : Tile_ScheduledOp<"decode", [Pure]> {
  let summary = "coordinates of work index `index`, this CTA's share of a cluster's tiles included";
  let arguments = (ins Tile_Schedule:$schedule, I32:$index);
  let results = (outs Variadic<I32>:$coords);
  let assemblyFormat = "$schedule `,` $index attr-dict `:` type($schedule) `->` type($coords)";
  let hasVerifier = 1;
}

def Tile_CursorOp : Tile_ScheduledOp<"cursor", [Tile_SyncWrite]> {
  let summary = "start of a walk over a ring, on its producer or consumer side";
  let arguments = (ins Tile_Ring:$ring, Tile_CursorSideAttr:$side);
  let results = (outs Tile_Cursor:$result);
  let assemblyFormat = "$ring `` $side attr-dict `:` type($ring)";
}
def Tile_AdvanceOp : Tile_ScheduledOp<"advance", [Tile_SyncWrite]> {
  let summary = "the cursor `count` stages on (1 unless given)";
  let arguments = (ins Tile_Ring:$ring, Tile_Cursor:$cursor, Optional<I32>:$count);
  let results = (outs Tile_Cursor:$result);
  let assemblyFormat = "$ring `at` $cursor (`by` $count^)? attr-dict `:` type($ring)";
}

class Tile_RingAccessOp<string mnemonic> : Tile_ScheduledOp<mnemonic, [Tile_SyncWrite]> {
  let arguments = (ins Tile_Ring:$ring, Tile_Cursor:$cursor);
  let results = (outs Variadic<Tile_Slot>:$slots);
  let assemblyFormat = "$ring `at` $cursor attr-dict `:` type($ring) `->` type($slots)";
  let hasVerifier = 1;
}
def Tile_AcquireOp : Tile_RingAccessOp<"acquire"> {
  let summary = "producer: waits until a stage is empty; arms the byte count of copies";
}
def Tile_WaitOp : Tile_RingAccessOp<"wait"> {
  let summary = "consumer: waits until a stage is full";
}

def Tile_CommitOp : Tile_ScheduledOp<"commit", [Tile_SyncWrite]> {
  let summary = "producer by threads: publishes a stage that ordinary writes filled";
  let arguments = (ins Tile_Ring:$ring, Tile_Cursor:$cursor);
  let assemblyFormat = "$ring `at` $cursor attr-dict `:` type($ring)";
}
def Tile_ReleaseOp : Tile_ScheduledOp<"release", [Tile_SyncWrite]> {
  let summary = "consumer: gives a stage back to every CTA that fills it; `if` guards it";
  let description = [{
    A release that lags one iteration is guarded: `tile.release %r at %previous if %not_first : …`.
  }];
  let arguments = (ins Tile_Ring:$ring, Tile_Cursor:$cursor, Optional<I1>:$condition);
  let assemblyFormat = "$ring `at` $cursor (`if` $condition^)? attr-dict `:` type($ring)";
}

def Tile_CopyOp
    : Tile_ScheduledOp<"copy", [MemoryEffects<[MemWrite<Tile_Sync>, MemRead<Tile_Global>,
                                               MemWrite<Tile_Shared>]>]> {
  let summary = "asynchronous copy of a tile into a slot, counted by the ring's full barrier";
  let arguments = (ins Tile_View:$view, Variadic<I32>:$coords, Tile_Slot:$slot, Tile_Ring:$ring,
                       Tile_Cursor:$cursor, OptionalAttr<I64Attr>:$multicast,
                       OptionalAttr<Tile_HintAttr>:$hint);
  let assemblyFormat = [{
    $view `[` $coords `]` `to` $slot `signal` $ring `at` $cursor
    (`multicast` $multicast^)? (`hint` `` $hint^)? attr-dict
    `:` type($view) `,` type($slot) `,` type($ring)
  }];
  let hasVerifier = 1;
}
def Tile_CopyOutOp
    : Tile_ScheduledOp<"copy_out", [MemoryEffects<[MemWrite<Tile_Sync>, MemWrite<Tile_Global>,
                                                   MemRead<Tile_Shared>]>]> {
  let summary =
      "asynchronous copy of a slot's tile to memory, after making the role's writes visible to it";
  let description = [{
    Each warpgroup of the role hands over and stores its own rows: proxy fence by every writer,
    warpgroup barrier, one thread issues and commits.
  }];
  let arguments = (ins Tile_Slot:$slot, Tile_View:$view, Variadic<I32>:$coords, UnitAttr:$reduce);
  let assemblyFormat = [{
    $slot `to` $view `[` $coords `]` (`reduce_add` $reduce^)? attr-dict `:` type($slot) `,`
    type($view)
  }];
  let hasVerifier = 1;
}
def Tile_DrainOp : Tile_ScheduledOp<"drain", [Tile_SyncWrite]> {
  let summary = "waits until no copy_out of this role still reads shared memory";
  let assemblyFormat = "attr-dict";
}

def Tile_FragmentStoreOp
    : Tile_ScheduledOp<"fragment_store",
                       [MemoryEffects<[MemWrite<Tile_Sync>, MemWrite<Tile_Shared>]>]> {
  let summary = "writes a register tile into a slot (stmatrix for 16-bit accumulator fragments)";
  let arguments = (ins Tile_Tile:$value, Tile_Slot:$slot, UnitAttr:$transpose);
  let assemblyFormat = [{
    $value `,` $slot (`trans` $transpose^)? attr-dict `:` type($value) `,` type($slot)
  }];
  let hasVerifier = 1;
}
def Tile_FragmentLoadOp
    : Tile_ScheduledOp<"fragment_load",
                       [MemoryEffects<[MemWrite<Tile_Sync>, MemRead<Tile_Shared>]>]> {
  let summary = "reads a slot's tile into registers";
  let arguments = (ins Tile_Slot:$slot);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$slot attr-dict `:` type($slot) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_RebindOp : Tile_ScheduledOp<"rebind", [Tile_SyncWrite]> {
  let summary = "the same owned bytes under another layout: the only aliasing there is";
  let arguments = (ins Tile_Slot:$slot);
  let results = (outs Tile_Slot:$result);
  let assemblyFormat = "$slot attr-dict `:` type($slot) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_DotStartOp : Tile_ScheduledOp<"dot_start", [Tile_SyncWrite]> {
  let summary = "issues acc + a·b as one commit group";
  let description = [{
    a is a slot, or a register tile in `#tile.acc` of the warpgroups' rows; b is a slot. The
    accumulator is a pending one (chained) or a tile. The fence over accumulators and register
    operands is part of it.
  }];
  let arguments = (ins AnyTypeOf<[Tile_Slot, Tile_Tile]>:$a, Tile_Slot:$b,
                       AnyTypeOf<[Tile_Pending, Tile_Tile]>:$acc, UnitAttr:$transA,
                       UnitAttr:$transB);
  let results = (outs Tile_Pending:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $acc (`trans_a` $transA^)? (`trans_b` $transB^)? attr-dict
    `:` type($a) `,` type($b) `,` type($acc) `->` type($result)
  }];
  let hasVerifier = 1;
}
def Tile_DotWaitOp : Tile_ScheduledOp<"dot_wait", [Tile_SyncWrite]> {
  let summary =
      "waits until at most `outstanding` groups are in flight; the accumulator becomes a value";
  let arguments = (ins Tile_Pending:$pending, DefaultValuedAttr<I64Attr, "0">:$outstanding);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $pending (`outstanding` $outstanding^)? attr-dict `:` type($pending) `->` type($result)
  }];
  let hasVerifier = 1;
}
def Tile_DotRetireOp
    : Tile_ScheduledOp<"dot_retire", [Tile_SyncWrite, AllTypesMatch<["pending", "result"]>]> {
  let summary =
      "waits until at most `outstanding` groups are in flight: frees operands of older ones";
  let arguments = (ins Tile_Pending:$pending, I64Attr:$outstanding);
  let results = (outs Tile_Pending:$result);
  let assemblyFormat = "$pending `outstanding` $outstanding attr-dict `:` type($pending)";
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_COMPILER_TILE_OPS
