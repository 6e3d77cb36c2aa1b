// SPDX-License-Identifier: Apache-2.0
//
// Small kernels for the emulator's core: a lambda that every thread runs, against the table.

#pragma once

#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/core/Table.h"

#include <functional>
#include <string>
#include <vector>

namespace tilewright::emulator {

/// The table as a kernel sees it.
const Api &table();

/// How a kernel is launched: `shared` bytes, CTAs, …
struct Shape {
  int32_t threads = 64;
  int32_t shared = 1024;
  int32_t grid = 1;
  int32_t cluster = 1;
  int32_t registers = 0;
};

using Kernel = std::function<void(const Api &t)>;

/// The findings of one run.
std::vector<Finding> findingsOf(const Shape &shape, const MachineOptions &options,
                                const Kernel &kernel);

/// The kinds that all policies and several seeds find, sorted, with blanks between; "" for none.
/// Warnings have a "?" behind.
std::string kindsOf(const Shape &shape, const Kernel &kernel, FenceMode fences = FenceMode::strict);

/// The kinds of one run.
std::string kindsOf(const Shape &shape, const MachineOptions &options, const Kernel &kernel);

/// The first finding of that kind of any policy and seed; a test failure if there is none.
Finding findingOf(FindingKind kind, const Shape &shape, const Kernel &kernel);

/// Thread 0 sets up a barrier at byte `offset` of shared memory, fenced; all threads of the CTA (or
/// cluster) meet. Returns its address.
int32_t makeBarrier(const Api &t, int32_t offset, int32_t count);

/// What a TMA load does to the core: `bytes` bytes of `value` land later in CTA `rank` (-1: this
/// one) and complete on the barrier at the same offset there.
void load(int32_t address, int32_t bytes, uint32_t value, int32_t bar, int32_t line,
          int32_t rank = -1);

/// What a TMA store does to the core: reads `bytes` bytes later. The returned flag is set when it
/// has (a static of the test: see StoreState).
struct StoreState : Waitable {
  [[nodiscard]] std::string describe() const override { return "a store"; }
  bool read = false;
  Epoch epoch;
};
void store(int32_t address, int32_t bytes, StoreState &state, int32_t line);
/// bulk_wait_read for that store.
void waitRead(StoreState &state, int32_t line);

/// st_shared and ld_shared of one word.
void put(int32_t address, uint32_t value, int32_t line = __builtin_LINE());
uint32_t get(int32_t address, int32_t line = __builtin_LINE());

} // namespace tilewright::emulator
