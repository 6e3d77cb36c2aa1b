// SPDX-License-Identifier: Apache-2.0
//
// KernelObject: a compiled kernel in this process. Thread-safety: immutable once loaded; run() is
// called from the fibers of one machine at a time or of several.
#pragma once

#include "runtime/emulator/Api.h"
#include "runtime/emulator/host/HostCompiler.h"

#include <memory>

namespace tilewright::emulator {

class KernelObject {
public:
  /// Loads an object and gives it the table, which outlives it. unavailable with the loader's
  /// reason if it cannot be loaded; a temporary file is removed in any case.
  static Expected<std::shared_ptr<const KernelObject>> load(const HostObject &object,
                                                            const Api *api);
  ~KernelObject();
  KernelObject(const KernelObject &) = delete;
  KernelObject &operator=(const KernelObject &) = delete;

  /// Calls the kernel as one thread, with the parameters that `values` point to.
  void run(void *const *values) const { run_(values); }

private:
  KernelObject(void *library, void (*run)(void *const *)) : library_(library), run_(run) {}

  void *library_;
  void (*run_)(void *const *);
};

} // namespace tilewright::emulator
