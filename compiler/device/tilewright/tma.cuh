// SPDX-License-Identifier: Apache-2.0
//
// The tensor memory accelerator and its bulk copies. One elected thread issues each operation.
// Coordinates are elements, the first is the innermost (contiguous) one; loads complete on `bar`,
// which counts their bytes (also those of a box that lies partly outside: they arrive as zeros).
#pragma once

#include "tilewright/types.cuh"

namespace tw {

/// How long L2 should keep what a load brings in.
enum class cache { none, evict_first, evict_last };

// A tensor instruction exists once per rank: `name.Nd before {coordinates} after`. Operands: %0 the
// shared address, %1 the tensor map, %2 the mbarrier, %3 the multicast mask, %4 the cache policy,
// from %5 on the array `c` of coordinates.
#define TW_TENSOR(name, before, after)                                                             \
  if constexpr (Rank == 1)                                                                         \
    TW_TENSOR_ASM(name ".1d" before "{%5}" after, "r"(c[0]));                                      \
  else if constexpr (Rank == 2)                                                                    \
    TW_TENSOR_ASM(name ".2d" before "{%5, %6}" after, "r"(c[0]), "r"(c[1]));                       \
  else if constexpr (Rank == 3)                                                                    \
    TW_TENSOR_ASM(name ".3d" before "{%5, %6, %7}" after, "r"(c[0]), "r"(c[1]), "r"(c[2]));        \
  else if constexpr (Rank == 4)                                                                    \
    TW_TENSOR_ASM(name ".4d" before "{%5, %6, %7, %8}" after, "r"(c[0]), "r"(c[1]), "r"(c[2]),     \
                  "r"(c[3]));                                                                      \
  else                                                                                             \
    TW_TENSOR_ASM(name ".5d" before "{%5, %6, %7, %8, %9}" after, "r"(c[0]), "r"(c[1]), "r"(c[2]), \
                  "r"(c[3]), "r"(c[4]))
#define TW_TENSOR_ASM(text, ...)                                                                   \
  asm volatile(text ::"r"(shared), "l"(&map), "r"(bar), "h"(mask), "l"(policy), __VA_ARGS__        \
               : "memory")

namespace detail {

/// The 64-bit cache policy operand. PTX ISA: "createpolicy".
template <cache Policy>
__device__ __forceinline__ uint64_t cache_policy() {
  uint64_t policy = 0;
  if constexpr (Policy == cache::evict_first)
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  else if constexpr (Policy == cache::evict_last)
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

template <int Rank, class... Coordinates>
constexpr bool is_rank = Rank >= 1 && Rank <= 5 && sizeof...(Coordinates) == Rank;

} // namespace detail

/// Brings the descriptor into the cache ahead of its first use.
/// PTX ISA: "prefetch / prefetchu", `.tensormap`.
__device__ __forceinline__ void prefetch_tensormap(const tensor_map &map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// Loads a box to shared address `shared` of this CTA. PTX ISA: "cp.async.bulk.tensor".
template <int Rank, cache Policy = cache::none, class... Coordinates>
__device__ __forceinline__ void tma_load(const tensor_map &map, int32_t shared, int32_t bar,
                                         Coordinates... coordinates) {
  static_assert(detail::is_rank<Rank, Coordinates...>, "one coordinate per dimension, 1 to 5");
  const int32_t c[] = {coordinates...};
  const uint16_t mask = 0;
  const uint64_t policy = detail::cache_policy<Policy>();
  if constexpr (Policy == cache::none) {
    TW_TENSOR("cp.async.bulk.tensor",
              ".shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, ", "], [%2];");
  } else {
    TW_TENSOR("cp.async.bulk.tensor",
              ".shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, ",
              "], [%2], %4;");
  }
}

/// Loads a box once and writes it at the same offset in every CTA of `mask` (bit i: rank i), where
/// the mbarrier at the same offset counts its bytes.
/// PTX ISA: "cp.async.bulk.tensor", `.multicast::cluster`.
template <int Rank, cache Policy = cache::none, class... Coordinates>
__device__ __forceinline__ void tma_load_multicast(const tensor_map &map, int32_t shared,
                                                   int32_t bar, int32_t cta_mask,
                                                   Coordinates... coordinates) {
  static_assert(detail::is_rank<Rank, Coordinates...>, "one coordinate per dimension, 1 to 5");
  const int32_t c[] = {coordinates...};
  const uint16_t mask = static_cast<uint16_t>(cta_mask);
  const uint64_t policy = detail::cache_policy<Policy>();
  if constexpr (Policy == cache::none) {
    TW_TENSOR("cp.async.bulk.tensor",
              ".shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, ",
              "], [%2], %3;");
  } else {
    TW_TENSOR("cp.async.bulk.tensor",
              ".shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
              ".L2::cache_hint [%0], [%1, ",
              "], [%2], %3, %4;");
  }
}

/// Stores a box from shared memory; what lies outside the tensor is not written. Part of the bulk
/// group that bulk_commit closes. PTX ISA: "cp.async.bulk.tensor".
template <int Rank, class... Coordinates>
__device__ __forceinline__ void tma_store(const tensor_map &map, int32_t shared,
                                          Coordinates... coordinates) {
  static_assert(detail::is_rank<Rank, Coordinates...>, "one coordinate per dimension, 1 to 5");
  const int32_t c[] = {coordinates...};
  const int32_t bar = 0;
  const uint16_t mask = 0;
  const uint64_t policy = 0;
  TW_TENSOR("cp.async.bulk.tensor", ".global.shared::cta.bulk_group [%1, ", "], [%0];");
}

/// Adds a box to global memory; the element type is the tensor map's.
/// PTX ISA: "cp.reduce.async.bulk.tensor".
template <int Rank, class... Coordinates>
__device__ __forceinline__ void tma_reduce_add(const tensor_map &map, int32_t shared,
                                               Coordinates... coordinates) {
  static_assert(detail::is_rank<Rank, Coordinates...>, "one coordinate per dimension, 1 to 5");
  const int32_t c[] = {coordinates...};
  const int32_t bar = 0;
  const uint16_t mask = 0;
  const uint64_t policy = 0;
  TW_TENSOR("cp.reduce.async.bulk.tensor", ".global.shared::cta.add.bulk_group [%1, ", "], [%0];");
}

/// Brings a box into L2. PTX ISA: "cp.async.bulk.prefetch.tensor".
template <int Rank, class... Coordinates>
__device__ __forceinline__ void tma_prefetch(const tensor_map &map, Coordinates... coordinates) {
  static_assert(detail::is_rank<Rank, Coordinates...>, "one coordinate per dimension, 1 to 5");
  const int32_t c[] = {coordinates...};
  const int32_t shared = 0;
  const int32_t bar = 0;
  const uint16_t mask = 0;
  const uint64_t policy = 0;
  TW_TENSOR("cp.async.bulk.prefetch.tensor", ".L2.global [%1, ", "];");
}

#undef TW_TENSOR
#undef TW_TENSOR_ASM

/// Copies `bytes` (a multiple of 16, both sides 16-byte aligned) from global to shared memory.
/// PTX ISA: "cp.async.bulk".
__device__ __forceinline__ void bulk_load(int32_t dst, const void *ptr, int32_t bytes,
                                          int32_t bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
               "[%3];" ::"r"(dst),
               "l"(ptr), "r"(bytes), "r"(bar)
               : "memory");
}

/// Copies `bytes` from shared to global memory, as part of a bulk group. PTX ISA: "cp.async.bulk".
__device__ __forceinline__ void bulk_store(void *ptr, int32_t src, int32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(ptr), "r"(src),
               "r"(bytes)
               : "memory");
}

/// Adds `bytes` of floats in shared memory to global memory, as part of a bulk group.
/// PTX ISA: "cp.reduce.async.bulk".
__device__ __forceinline__ void bulk_reduce_add(float *ptr, int32_t src, int32_t bytes) {
  asm volatile(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(ptr),
      "r"(src), "r"(bytes)
      : "memory");
}

/// Closes the group of this thread's bulk stores so far. PTX ISA: "cp.async.bulk.commit_group".
__device__ __forceinline__ void bulk_commit() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until at most Outstanding of this thread's bulk groups are under way: the others have been
/// written to global memory. PTX ISA: "cp.async.bulk.wait_group".
template <int Outstanding>
__device__ __forceinline__ void bulk_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Outstanding) : "memory");
}

/// The same, but the others have only been read from shared memory, which may be written again.
/// PTX ISA: "cp.async.bulk.wait_group", `.read`.
template <int Outstanding>
__device__ __forceinline__ void bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Outstanding) : "memory");
}

} // namespace tw
