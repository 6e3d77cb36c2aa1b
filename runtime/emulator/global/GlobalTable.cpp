// SPDX-License-Identifier: Apache-2.0
//
// The part of the table that is about global memory.
#include "runtime/emulator/core/Words.h"
#include "runtime/emulator/global/GlobalMemory.h"
#include "runtime/emulator/global/Numbers.h"

#include <cstring>

namespace tilewright::emulator {

namespace {

/// One call of a function of the table.
struct Call {
  Call(const void *pointer, int32_t bytes, const char *what, int32_t line)
      : machine(Machine::current()), thread(machine.self()),
        memory(GlobalMemory::current()), range{reinterpret_cast<uint64_t>(pointer),
                                               static_cast<uint64_t>(bytes), &thread, what, line} {}

  /// Checks and notes the access; false after a finding about its address.
  bool access(GlobalUse use) {
    if (range.address % range.bytes != 0) {
      machine.report(FindingKind::misaligned, &thread, range.line,
                     "global memory " + hex(range.address),
                     std::string(range.what) + " of " + std::to_string(range.bytes) +
                         " bytes needs an address that is a multiple of them");
      return false;
    }
    GlobalRegion *region = memory.find(range, isWrite(use));
    if (!region)
      return false;
    if (region->writable)
      memory.note(*region, range,
                  machine.genericAccess(thread, isWrite(use), range.what, range.line), use);
    return true;
  }
  void checkPoison(const void *bytes) {
    if (holdsPoison(bytes, range.bytes))
      machine.report(FindingKind::poison, &thread, range.line,
                     "global memory " + hex(range.address),
                     std::string(range.what) +
                         " stores the pattern of bytes that never arrived; some load or wgmma has "
                         "not been waited for");
  }
  Semaphore &semaphore() { return memory.semaphore(range.address); }

  Machine &machine;
  Thread &thread;
  GlobalMemory &memory;
  GlobalRange range;
};

void load(const void *pointer, int32_t bytes, void *out, int32_t line) {
  Call call(pointer, bytes, "ld_global", line);
  if (call.access(GlobalUse::read))
    std::memcpy(out, pointer, static_cast<size_t>(bytes));
  else
    std::memset(out, 0, static_cast<size_t>(bytes));
  call.machine.leave();
}

void store(void *pointer, int32_t bytes, const void *in, int32_t line) {
  Call call(pointer, bytes, "st_global", line);
  call.checkPoison(in);
  if (call.access(GlobalUse::write)) {
    std::memcpy(pointer, in, static_cast<size_t>(bytes));
    call.memory.dropSemaphores(call.range.address, call.range.bytes);
    call.memory.touch(call.range.address, call.range.bytes);
  }
  call.machine.leave();
}

void redAdd(float *pointer, float value, int32_t line) {
  Call call(pointer, 4, "red_add", line);
  call.checkPoison(&value);
  if (call.access(GlobalUse::atomicWrite)) {
    *pointer = addGlobal(*pointer, value);
    call.memory.touch(call.range.address, 4);
  }
  call.machine.leave();
}

/// Additions of integers wrap around.
int32_t addWrapping(int32_t *pointer, int32_t value) {
  const int32_t before = *pointer;
  *pointer = static_cast<int32_t>(static_cast<uint32_t>(before) + static_cast<uint32_t>(value));
  return before;
}

int32_t atomicAdd(int32_t *pointer, int32_t value, int32_t line) {
  Call call(pointer, 4, "atomic_add", line);
  int32_t before = 0;
  if (call.access(GlobalUse::atomicWrite)) {
    Semaphore &semaphore = call.semaphore();
    call.machine.acquireRelaxed(call.thread, semaphore.sync);
    call.machine.releaseRelaxed(call.thread, semaphore.sync);
    before = addWrapping(pointer, value);
    call.memory.touch(call.range.address, 4);
  }
  call.machine.yield();
  call.machine.leave();
  return before;
}

int32_t loadAcquire(const int32_t *pointer, int32_t line) {
  Call call(pointer, 4, "ld_acquire", line);
  int32_t value = 0;
  if (call.access(GlobalUse::atomicRead)) {
    Semaphore &semaphore = call.semaphore();
    // Kernels spin: a thread that has seen this value often enough sleeps until there is another.
    const uint64_t version = semaphore.version;
    if (call.memory.spins(call.thread, semaphore))
      while (semaphore.version == version)
        call.machine.block(semaphore, "ld_acquire", line);
    call.machine.acquire(call.thread, semaphore.sync, Scope::gpu);
    value = *pointer;
  }
  call.machine.yield();
  call.machine.leave();
  return value;
}

void redRelease(int32_t *pointer, int32_t value, int32_t line) {
  Call call(pointer, 4, "red_release", line);
  if (call.access(GlobalUse::atomicWrite)) {
    call.machine.release(call.thread, call.semaphore().sync, Scope::gpu);
    addWrapping(pointer, value);
    call.memory.touch(call.range.address, 4);
  }
  call.machine.yield();
  call.machine.leave();
}

void fenceProxyAsyncGlobal(int32_t) {
  Machine &machine = Machine::current();
  GlobalMemory::current().fence(machine.self());
  machine.leave();
}

} // namespace

void fillGlobalTable(Api &api) {
  api.ld_global = load;
  api.st_global = store;
  api.red_add = redAdd;
  api.atomic_add = atomicAdd;
  api.ld_acquire = loadAcquire;
  api.red_release = redRelease;
  api.fence_proxy_async_global = fenceProxyAsyncGlobal;
}

} // namespace tilewright::emulator
