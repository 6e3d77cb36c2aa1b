// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/Module.h"

#include <cstring>
#include <elf.h>

namespace tilewright {

namespace {

/// Clusters up to this size run on every device of the architecture.
constexpr int32_t kPortableCluster = 8;

/// Whether `cubin` is an ELF file with all of its sections. The driver is given no size: it would
/// read beyond the end of a file that was cut off, and take any other bytes for PTX.
bool isWholeElf(std::string_view cubin) {
  Elf64_Ehdr header;
  if (cubin.size() < sizeof(header))
    return false;
  std::memcpy(&header, cubin.data(), sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    return false;
  const auto isInside = [&](uint64_t offset, uint64_t size) {
    return offset <= cubin.size() && size <= cubin.size() - offset;
  };
  if (header.e_shnum == 0 ||
      !isInside(header.e_shoff, uint64_t{header.e_shnum} * sizeof(Elf64_Shdr)) ||
      !isInside(header.e_phoff, uint64_t{header.e_phnum} * header.e_phentsize))
    return false;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, cubin.data() + header.e_shoff + i * sizeof(section), sizeof(section));
    if (section.sh_type != SHT_NOBITS && !isInside(section.sh_offset, section.sh_size))
      return false;
  }
  return true;
}

/// The failure to load a cubin. Drivers say in several ways that they do not know its format.
Status loadFailure(const Driver &driver, cu::Result result, CudaVersion madeBy) {
  const bool isRefused = result == cu::kInvalidImage || result == cu::kNoBinaryForGpu ||
                         result == cu::kUnsupportedPtxVersion;
  Status status = driver.check(result, "load the cubin");
  if (!isRefused || madeBy <= driver.version())
    return status;
  return Status::unavailable("the driver supports CUDA " + driver.version().toString() +
                             ", which is too old for a cubin made by CUDA " + madeBy.toString() +
                             ": update the driver, or compile with an NVRTC of CUDA " +
                             driver.version().toString() + " (TILEWRIGHT_NVRTC); " +
                             status.message());
}

} // namespace

Expected<std::shared_ptr<const Module>> Module::load(std::shared_ptr<const PrimaryContext> context,
                                                     std::string_view cubin, CudaVersion madeBy) {
  if (!isWholeElf(cubin))
    return Status::internal(
        "a cubin of " + std::to_string(cubin.size()) +
        " bytes is no whole ELF file; if it comes from a cache, delete it there");
  ContextScope scope(*context);
  if (!scope.isEntered())
    return scope.status();
  RelaxedCapture relaxed(context->driver());
  cu::Module handle = nullptr;
  const cu::Result result = context->functions().moduleLoadData(&handle, cubin.data());
  if (result != cu::kSuccess)
    return loadFailure(context->driver(), result, madeBy);
  return std::shared_ptr<const Module>(new Module(std::move(context), handle));
}

Module::~Module() {
  if (!context_->isAlive())
    return;
  ContextScope scope(*context_);
  RelaxedCapture relaxed(context_->driver());
  if (scope.isEntered())
    context_->functions().moduleUnload(handle_);
}

Expected<LoadedKernel> Module::kernel(const std::string &entry, KernelLimits limits) const {
  ContextScope scope(*context_);
  if (!scope.isEntered())
    return scope.status();
  const Driver &driver = context_->driver();
  RelaxedCapture relaxed(driver);
  const DriverFunctions &functions = context_->functions();
  LoadedKernel kernel;
  if (Status found =
          driver.check(functions.moduleGetFunction(&kernel.handle, handle_, entry.c_str()),
                       "find the kernel '" + entry + "' in its cubin");
      !found.isOk())
    return found;
  // NOTE: functions are loaded lazily by default, at their first launch. A launch that is captured
  // into a graph must not do that.
  if (Status loaded =
          driver.check(functions.funcLoad(kernel.handle), "load the kernel '" + entry + "'");
      !loaded.isOk())
    return loaded;

  cu::Result failed = cu::kSuccess;
  const auto ask = [&](cu::Result result) { failed = failed != cu::kSuccess ? failed : result; };
  const auto attribute = [&](cu::FunctionAttribute which) {
    int value = 0;
    ask(functions.funcGetAttribute(&value, which, kernel.handle));
    return value;
  };
  kernel.facts = {.registers = attribute(cu::kRegisters),
                  .localBytes = attribute(cu::kLocalBytes),
                  .staticSharedBytes = attribute(cu::kStaticSharedBytes),
                  .maxThreads = attribute(cu::kMaxThreadsPerBlock)};
  if (failed != cu::kSuccess)
    return driver.check(failed, "read what the kernel '" + entry + "' uses");

  const cu::Result shared = functions.funcSetAttribute(kernel.handle, cu::kMaxDynamicSharedBytes,
                                                       limits.dynamicSharedBytes);
  if (shared == cu::kInvalidValue)
    return Status::unsupported(
        "the kernel '" + entry + "' needs " + std::to_string(limits.dynamicSharedBytes) +
        " bytes of dynamic and " + std::to_string(kernel.facts.staticSharedBytes) +
        " of static shared memory; a CTA of " + context_->device().name + " may have " +
        std::to_string(context_->device().sharedBytesPerBlock));
  if (shared != cu::kSuccess)
    return driver.check(shared, "allow the kernel '" + entry + "' its shared memory");
  if (limits.clusterSize > kPortableCluster)
    if (Status allowed = driver.check(
            functions.funcSetAttribute(kernel.handle, cu::kNonPortableClusterSize, 1),
            "allow the kernel '" + entry + "' clusters of " + std::to_string(limits.clusterSize));
        !allowed.isOk())
      return allowed;
  return kernel;
}

} // namespace tilewright
