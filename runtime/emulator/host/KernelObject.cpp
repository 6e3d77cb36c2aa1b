// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/host/KernelObject.h"

#include <dlfcn.h>
#include <unistd.h>

namespace tilewright::emulator {

namespace {

template <typename Function>
Function find(void *library, const char *name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

} // namespace

Expected<std::shared_ptr<const KernelObject>> KernelObject::load(const HostObject &object,
                                                                 const Api *api) {
  void *library = dlopen(object.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char *reason = library ? nullptr : dlerror();
  if (object.isTemporary)
    unlink(object.path.c_str());
  if (!library)
    return Status::unavailable(std::string("cannot load a compiled kernel: ") +
                               (reason ? reason : object.path));
  const auto version = find<int32_t (*)()>(library, "tilewright_emulator_version");
  const auto bind = find<void (*)(const Api *)>(library, "tilewright_emulator_bind");
  const auto run = find<void (*)(void *const *)>(library, "tilewright_emulator_run");
  if (!version || !bind || !run || version() != tw::emulator::kApiVersion) {
    dlclose(library);
    return Status::internal(object.path + " is no kernel for this emulator; remove it");
  }
  bind(api);
  return std::shared_ptr<const KernelObject>(new KernelObject(library, run));
}

KernelObject::~KernelObject() { dlclose(library_); }

} // namespace tilewright::emulator
