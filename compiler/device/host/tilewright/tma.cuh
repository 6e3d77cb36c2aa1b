// SPDX-License-Identifier: Apache-2.0
//
// Host side of tma.cuh: the tensor memory accelerator. Contracts stand in the device header; what
// is more than arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/emulator.cuh"
#include "tilewright/types.cuh"

namespace tw {

enum class cache { none, evict_first, evict_last };

namespace detail {

/// A tensor map with the line of the call that names it: a default argument can't follow a pack.
struct located_map {
  const tensor_map *map;
  int32_t line;
  located_map(const tensor_map &map, int32_t line = __builtin_LINE()) : map(&map), line(line) {}
};

template <int Rank, class... Coordinates>
constexpr bool is_rank = Rank >= 1 && Rank <= 5 && sizeof...(Coordinates) == Rank;

} // namespace detail

inline void prefetch_tensormap(const tensor_map &map, int32_t line = __builtin_LINE()) {
  emulator::api->prefetch_tensormap(&map, line);
}

template <int Rank, cache Policy = cache::none, class... Coordinates>
void tma_load(detail::located_map map, int32_t shared, int32_t bar, Coordinates... coordinates) {
  static_assert(detail::is_rank<Rank, Coordinates...>, "one coordinate per dimension, 1 to 5");
  const int32_t c[] = {coordinates...};
  emulator::api->tma_load(map.map, Rank, c, shared, bar, -1, map.line);
}

template <int Rank, cache Policy = cache::none, class... Coordinates>
void tma_load_multicast(detail::located_map map, int32_t shared, int32_t bar, int32_t cta_mask,
                        Coordinates... coordinates) {
  static_assert(detail::is_rank<Rank, Coordinates...>, "one coordinate per dimension, 1 to 5");
  const int32_t c[] = {coordinates...};
  emulator::api->tma_load(map.map, Rank, c, shared, bar, cta_mask & 0xffff, map.line);
}

template <int Rank, class... Coordinates>
void tma_store(detail::located_map map, int32_t shared, Coordinates... coordinates) {
  static_assert(detail::is_rank<Rank, Coordinates...>, "one coordinate per dimension, 1 to 5");
  const int32_t c[] = {coordinates...};
  emulator::api->tma_store(map.map, Rank, c, shared, map.line);
}

template <int Rank, class... Coordinates>
void tma_reduce_add(detail::located_map map, int32_t shared, Coordinates... coordinates) {
  static_assert(detail::is_rank<Rank, Coordinates...>, "one coordinate per dimension, 1 to 5");
  const int32_t c[] = {coordinates...};
  emulator::api->tma_reduce_add(map.map, Rank, c, shared, map.line);
}

template <int Rank, class... Coordinates>
void tma_prefetch(detail::located_map map, Coordinates... coordinates) {
  static_assert(detail::is_rank<Rank, Coordinates...>, "one coordinate per dimension, 1 to 5");
  const int32_t c[] = {coordinates...};
  emulator::api->tma_prefetch(map.map, Rank, c, map.line);
}

inline void bulk_load(int32_t dst, const void *ptr, int32_t bytes, int32_t bar,
                      int32_t line = __builtin_LINE()) {
  emulator::api->bulk_load(dst, ptr, bytes, bar, line);
}
inline void bulk_store(void *ptr, int32_t src, int32_t bytes, int32_t line = __builtin_LINE()) {
  emulator::api->bulk_store(ptr, src, bytes, line);
}
inline void bulk_reduce_add(float *ptr, int32_t src, int32_t bytes,
                            int32_t line = __builtin_LINE()) {
  emulator::api->bulk_reduce_add(ptr, src, bytes, line);
}
inline void bulk_commit(int32_t line = __builtin_LINE()) { emulator::api->bulk_commit(line); }

template <int Outstanding>
void bulk_wait(int32_t line = __builtin_LINE()) {
  emulator::api->bulk_wait(Outstanding, false, line);
}

template <int Outstanding>
void bulk_wait_read(int32_t line = __builtin_LINE()) {
  emulator::api->bulk_wait(Outstanding, true, line);
}

} // namespace tw
