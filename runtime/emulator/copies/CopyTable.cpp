// SPDX-License-Identifier: Apache-2.0
//
// The part of the table that is about copies.
#include "runtime/emulator/copies/CopyUnit.h"

namespace tilewright::emulator {

namespace {

/// Runs a function of the unit for the present thread, and leaves if a finding stopped the run.
template <typename Body>
void enter(Body body) {
  body(CopyUnit::current());
  Machine::current().leave();
}

void fillTensors(Api &api) {
  api.prefetch_tensormap = [](const tw::tensor_map *map, int32_t line) {
    const std::optional<TensorMapFacts> facts = decodeTensorMap(map);
    if (!facts)
      enter([&](CopyUnit &unit) { unit.box(map, 0, nullptr, 0, {"prefetch_tensormap", line}); });
  };
  api.tma_load = [](const tw::tensor_map *map, int32_t rank, const int32_t *coordinates,
                    int32_t shared, int32_t bar, int32_t mask, int32_t line) {
    enter([&](CopyUnit &unit) {
      const CallSite site = {mask < 0 ? "tma_load" : "tma_load_multicast", line};
      if (const auto box = unit.box(map, rank, coordinates, shared, site))
        unit.load(*box, bar, mask, site);
    });
  };
  api.tma_store = [](const tw::tensor_map *map, int32_t rank, const int32_t *coordinates,
                     int32_t shared, int32_t line) {
    enter([&](CopyUnit &unit) {
      const CallSite site = {"tma_store", line};
      if (const auto box = unit.box(map, rank, coordinates, shared, site))
        unit.store(*box, false, site);
    });
  };
  api.tma_reduce_add = [](const tw::tensor_map *map, int32_t rank, const int32_t *coordinates,
                          int32_t shared, int32_t line) {
    enter([&](CopyUnit &unit) {
      const CallSite site = {"tma_reduce_add", line};
      if (const auto box = unit.box(map, rank, coordinates, shared, site))
        unit.store(*box, true, site);
    });
  };
  // A hint: nothing but the map and the number of coordinates can be wrong.
  api.tma_prefetch = [](const tw::tensor_map *map, int32_t rank, const int32_t *coordinates,
                        int32_t line) {
    enter([&](CopyUnit &unit) { unit.box(map, rank, coordinates, 0, {"tma_prefetch", line}); });
  };
}

void fillBulk(Api &api) {
  api.bulk_load = [](int32_t dst, const void *ptr, int32_t bytes, int32_t bar, int32_t line) {
    enter([&](CopyUnit &unit) {
      const CallSite site = {"bulk_load", line};
      if (const auto box = unit.flatBox(ptr, bytes, ElementType::uint8, dst, site))
        unit.load(*box, bar, -1, site);
    });
  };
  api.bulk_store = [](void *ptr, int32_t src, int32_t bytes, int32_t line) {
    enter([&](CopyUnit &unit) {
      const CallSite site = {"bulk_store", line};
      if (const auto box = unit.flatBox(ptr, bytes, ElementType::uint8, src, site))
        unit.store(*box, false, site);
    });
  };
  api.bulk_reduce_add = [](float *ptr, int32_t src, int32_t bytes, int32_t line) {
    enter([&](CopyUnit &unit) {
      const CallSite site = {"bulk_reduce_add", line};
      if (const auto box = unit.flatBox(ptr, bytes, ElementType::float32, src, site))
        unit.store(*box, true, site);
    });
  };
  api.bulk_commit = [](int32_t) { enter([](CopyUnit &unit) { unit.commitStores(); }); };
  api.bulk_wait = [](int32_t outstanding, bool read, int32_t line) {
    enter([&](CopyUnit &unit) {
      unit.waitForStores(outstanding, read, {read ? "bulk_wait_read" : "bulk_wait", line});
    });
  };
}

void fillAsync(Api &api) {
  api.cp_async = [](int32_t bytes, int32_t dst, const void *ptr, int32_t sourceBytes,
                    int32_t line) {
    enter([&](CopyUnit &unit) {
      unit.copyAsync(bytes, dst, ptr, sourceBytes, {"cp_async", line});
    });
  };
  api.cp_async_commit = [](int32_t) { enter([](CopyUnit &unit) { unit.commitAsync(); }); };
  api.cp_async_wait = [](int32_t outstanding, int32_t line) {
    enter([&](CopyUnit &unit) { unit.waitForAsync(outstanding, {"cp_async_wait", line}); });
  };
  api.cp_async_mbarrier_arrive = [](int32_t bar, int32_t line) {
    enter([&](CopyUnit &unit) { unit.arriveAfterAsync(bar, {"cp_async_mbarrier_arrive", line}); });
  };
  api.st_async = [](int32_t addr, uint32_t bits, int32_t bar, int32_t rank, int32_t line) {
    enter([&](CopyUnit &unit) { unit.storeAsync(addr, bits, bar, rank, {"st_async", line}); });
  };
  api.fence_proxy_async_shared = [](int32_t) {
    enter([](CopyUnit &unit) {
      Machine &machine = Machine::current();
      unit.fenceAsync(machine.self());
      machine.fenceProxyAsync(machine.self());
    });
  };
}

} // namespace

void fillCopyTable(Api &api) {
  fillTensors(api);
  fillBulk(api);
  fillAsync(api);
}

} // namespace tilewright::emulator
