// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/core/Table.h"

#include "runtime/emulator/core/Machine.h"

#include <cstring>

namespace tilewright::emulator {

namespace {

Machine &machine() { return Machine::current(); }
Thread &self() { return Machine::current().self(); }

/// Runs a function of the machine for the present thread, and leaves if a finding stopped the run.
template <typename Body>
auto enter(Body body) {
  Machine &at = machine();
  if constexpr (std::is_void_v<decltype(body(at, at.self()))>) {
    body(at, at.self());
    at.leave();
  } else {
    auto result = body(at, at.self());
    at.leave();
    return result;
  }
}

void fillIdentity(Api &api) {
  api.thread_id = [] { return self().index; };
  api.cta_id = [] { return self().cta->index; };
  api.grid_size = [] { return machine().launch().grid; };
  api.cluster_rank = [] { return self().cta->rank; };
  api.cluster_id = [] { return self().cta->cluster->index; };
  api.cluster_count = [] { return machine().launch().grid / machine().launch().cluster; };
  api.smem_base = [] { return static_cast<int32_t>(self().cta->base); };
}

void fillWarps(Api &api) {
  api.elect_one = [](int32_t line) {
    return enter([&](Machine &at, Thread &me) { return at.electOne(me, line); });
  };
  api.shuffle = [](uint32_t value, int32_t source, int32_t line) {
    return enter([&](Machine &at, Thread &me) { return at.shuffle(me, value, source, line); });
  };
  api.vote_any = [](bool value, int32_t line) {
    return enter([&](Machine &at, Thread &me) { return at.voteAny(me, value, line); });
  };
  api.warp_sync = [](int32_t line) {
    enter([&](Machine &at, Thread &me) { at.warpSync(me, line); });
  };
  api.setmaxnreg = [](int32_t registers, bool increase, int32_t line) {
    enter([&](Machine &at, Thread &me) { at.setmaxnreg(me, registers, increase, line); });
  };
  api.ldmatrix = [](int32_t count, bool trans, int32_t addr, uint32_t *r, int32_t line) {
    enter([&](Machine &at, Thread &me) { at.ldmatrix(me, count, trans, addr, r, line); });
  };
  api.stmatrix = [](int32_t count, bool trans, int32_t addr, const uint32_t *r, int32_t line) {
    enter([&](Machine &at, Thread &me) { at.stmatrix(me, count, trans, addr, r, line); });
  };
}

void fillBarriers(Api &api) {
  api.cta_sync = [](int32_t line) {
    enter([&](Machine &at, Thread &me) {
      const auto threads = static_cast<int32_t>(me.cta->warps.size()) * kLanes;
      at.barrier(me, 0, threads, true, "cta_sync", line);
    });
  };
  api.barrier_sync = [](int32_t id, int32_t threads, int32_t line) {
    enter(
        [&](Machine &at, Thread &me) { at.barrier(me, id, threads, true, "barrier_sync", line); });
  };
  api.barrier_arrive = [](int32_t id, int32_t threads, int32_t line) {
    enter([&](Machine &at, Thread &me) {
      at.barrier(me, id, threads, false, "barrier_arrive", line);
    });
  };
  api.cluster_arrive = [](int32_t line) {
    enter([&](Machine &at, Thread &me) { at.clusterArrive(me, line); });
  };
  api.cluster_wait = [](int32_t line) {
    enter([&](Machine &at, Thread &me) { at.clusterWait(me, line); });
  };
}

void fillFences(Api &api) {
  api.fence_proxy_async_shared = [](int32_t) {
    enter([](Machine &at, Thread &me) { at.fenceProxyAsync(me); });
  };
  api.fence_mbarrier_init = [](int32_t) {
    enter([](Machine &at, Thread &me) { at.mbarrierInitFence(me); });
  };
  api.fence_acq_rel = [](tw::emulator::scope reach, int32_t) {
    enter([&](Machine &at, Thread &me) { at.fenceAcqRel(me, static_cast<Scope>(reach)); });
  };
  // Launches run one after the other, so that there is nothing to wait for.
  api.grid_dependency_wait = [](int32_t) {};
  api.grid_dependency_launch = [](int32_t) {};
}

void fillMbarriers(Api &api) {
  api.mbarrier_init = [](int32_t bar, int32_t count, int32_t line) {
    enter([&](Machine &at, Thread &me) { at.mbarrierInit(me, bar, count, line); });
  };
  api.mbarrier_arrive = [](int32_t bar, int32_t line) {
    enter([&](Machine &at, Thread &me) {
      if (Mbarrier *found = at.mbarrier(me, *me.cta, bar, Proxy::generic, "mbarrier_arrive", line))
        at.arrive(*found, me, line);
    });
  };
  api.mbarrier_arrive_remote = [](int32_t bar, int32_t rank, int32_t line) {
    enter([&](Machine &at, Thread &me) {
      Cta *cta = at.peer(*me.cta, rank, "mbarrier_arrive_remote", line);
      Mbarrier *found =
          cta ? at.mbarrier(me, *cta, bar, Proxy::generic, "mbarrier_arrive_remote", line)
              : nullptr;
      if (found)
        at.arrive(*found, me, line);
    });
  };
  api.mbarrier_arrive_expect_tx = [](int32_t bar, int32_t bytes, int32_t line) {
    enter([&](Machine &at, Thread &me) {
      Mbarrier *found =
          at.mbarrier(me, *me.cta, bar, Proxy::generic, "mbarrier_arrive_expect_tx", line);
      if (!found)
        return;
      at.expectTx(*found, bytes, me, line);
      at.arrive(*found, me, line);
    });
  };
  api.mbarrier_wait_parity = [](int32_t bar, int32_t parity, int32_t line) {
    enter([&](Machine &at, Thread &me) {
      if (Mbarrier *found =
              at.mbarrier(me, *me.cta, bar, Proxy::generic, "mbarrier_wait_parity", line))
        at.waitParity(*found, me, parity, line);
    });
  };
}

void fillShared(Api &api) {
  api.ld_shared = [](int32_t addr, int32_t bytes, void *out, int32_t line) {
    enter([&](Machine &at, Thread &me) {
      if (!at.checkAddress(*me.cta, addr, bytes, bytes, "ld_shared", line))
        return;
      const auto address = static_cast<uint32_t>(addr);
      at.noteRead(*me.cta, address, static_cast<uint32_t>(bytes),
                  at.genericAccess(me, false, "ld_shared", line));
      std::memcpy(out, me.cta->at(address), static_cast<size_t>(bytes));
    });
  };
  api.st_shared = [](int32_t addr, int32_t bytes, const void *in, int32_t line) {
    enter([&](Machine &at, Thread &me) {
      if (!at.checkAddress(*me.cta, addr, bytes, bytes, "st_shared", line))
        return;
      const auto address = static_cast<uint32_t>(addr);
      at.noteWrite(*me.cta, address, static_cast<uint32_t>(bytes),
                   at.genericAccess(me, true, "st_shared", line));
      std::memcpy(me.cta->at(address), in, static_cast<size_t>(bytes));
    });
  };
}

} // namespace

void fillCoreTable(Api &api) {
  fillIdentity(api);
  fillWarps(api);
  fillBarriers(api);
  fillFences(api);
  fillMbarriers(api);
  fillShared(api);
}

} // namespace tilewright::emulator
