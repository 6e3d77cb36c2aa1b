// SPDX-License-Identifier: Apache-2.0
//
// Small kernels for global memory and copies: a lambda that every thread runs, against the table.

#pragma once

#include "runtime/emulator/copies/CopyUnit.h"
#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/global/GlobalMemory.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tilewright::emulator {

/// How a kernel is launched: threads of a CTA, `shared` bytes, CTAs, …
struct LabShape {
  int32_t threads = 64;
  int32_t shared = 16384;
  int32_t grid = 1;
  int32_t cluster = 1;
};

/// Fills the buffers and lets the kernel reach them: before each run.
using Prepare = std::function<void(GlobalMemory &memory)>;
using LabKernel = std::function<void(const Api &t)>;

/// The findings of one run: of one kernel `launches` times in a row.
std::vector<Finding> findingsOf(const LabShape &shape, const MachineOptions &options,
                                const Prepare &prepare, const LabKernel &kernel,
                                int32_t launches = 1);

/// The kinds that all policies and several seeds find, sorted, with blanks between; "" for none.
/// Warnings have a "?" behind. `check` looks at the buffers after each run.
std::string kindsOf(const LabShape &shape, const Prepare &prepare, const LabKernel &kernel,
                    const std::function<void()> &check = {});

/// The first finding of that kind of any policy and seed; a test failure if there is none.
Finding findingOf(FindingKind kind, const LabShape &shape, const Prepare &prepare,
                  const LabKernel &kernel);

/// Memory as a device gives it: aligned.
template <typename T>
class Buffer {
public:
  explicit Buffer(size_t count) : storage_(count * sizeof(T) + kAlignment), count_(count) {
    const auto address = reinterpret_cast<uint64_t>(storage_.data());
    first_ = storage_.data() + (kAlignment - address % kAlignment) % kAlignment;
  }
  T *data() { return reinterpret_cast<T *>(first_); }
  T &operator[](size_t i) { return data()[i]; }
  [[nodiscard]] size_t size() const { return count_; }
  [[nodiscard]] size_t bytes() const { return count_ * sizeof(T); }
  void fill(T value) {
    for (size_t i = 0; i < count_; ++i)
      data()[i] = value;
  }
  void count() {
    for (size_t i = 0; i < count_; ++i)
      data()[i] = static_cast<T>(i);
  }
  void addTo(GlobalMemory &memory, const char *name, bool readable, bool writable,
             bool holdsData = true) {
    memory.add(data(), bytes(), name, readable, writable, holdsData);
  }

private:
  static constexpr size_t kAlignment = 256;
  std::vector<uint8_t> storage_;
  size_t count_;
  uint8_t *first_;
};

/// An encoded tensor map; a test failure if it cannot be one.
struct alignas(64) LabMap {
  explicit LabMap(const TensorMapFacts &facts);
  operator const tw::tensor_map *() const {
    return reinterpret_cast<const tw::tensor_map *>(bytes.data());
  }
  TensorMapBytes bytes = {};
};

/// Facts of a plane of `height` rows of `width` elements, dense, with a box.
TensorMapFacts planeOf(const void *address, ElementType type, uint64_t width, uint64_t height,
                       uint32_t boxWidth, uint32_t boxHeight, int32_t swizzle);

/// One barrier at byte `offset` of shared memory, fenced, known to all threads of the cluster.
int32_t makeBarrier(const Api &t, int32_t offset, int32_t count);

/// st_shared, ld_shared, st_global and ld_global of one value.
template <typename T>
void putShared(const Api &t, int32_t address, T value, int32_t line = __builtin_LINE()) {
  t.st_shared(address, sizeof(T), &value, line);
}
template <typename T>
T getShared(const Api &t, int32_t address, int32_t line = __builtin_LINE()) {
  T value = {};
  t.ld_shared(address, sizeof(T), &value, line);
  return value;
}
template <typename T>
void putGlobal(const Api &t, T *pointer, T value, int32_t line = __builtin_LINE()) {
  t.st_global(pointer, sizeof(T), &value, line);
}
template <typename T>
T getGlobal(const Api &t, const T *pointer, int32_t line = __builtin_LINE()) {
  T value = {};
  t.ld_global(pointer, sizeof(T), &value, line);
  return value;
}

} // namespace tilewright::emulator
