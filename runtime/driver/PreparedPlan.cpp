// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/PreparedPlan.h"

#include "runtime/driver/PlanBinding.h"
#include "runtime/driver/TensorMapCache.h"

#include <algorithm>
#include <array>

namespace tilewright {

/// What a plan is after binding. All but the cache is constant.
struct PreparedPlan::Bound {
  std::shared_ptr<const PrimaryContext> context;
  /// Null if there is nothing to launch.
  std::shared_ptr<const LoadedPlan> loaded;
  BoundPlan plan;
  bool allowPeerMemory;
  std::vector<std::string> pointerNames;
  std::vector<PreparedLaunch> launches;
  mutable TensorMapCache cache;

  Bound(std::shared_ptr<const PrimaryContext> device, std::shared_ptr<const LoadedPlan> kernels,
        BoundPlan bound, const PrepareOptions &options)
      : context(std::move(device)), loaded(std::move(kernels)), plan(std::move(bound)),
        allowPeerMemory(options.allowPeerMemory),
        cache(plan.pointers.size() + 1, plan.maps.size()) {
    for (const BoundPointer &pointer : plan.pointers)
      pointerNames.push_back(pointer.name);
    for (const BoundLaunch &launch : plan.launches)
      launches.push_back(launch.launch);
  }

  [[nodiscard]] Status checkPointers(std::span<const uint64_t> pointers) const;
  [[nodiscard]] Status checkWorkspace(uint64_t workspace, size_t bytes) const;
  [[nodiscard]] Status checkMemory(const std::string &name, uint64_t address) const;
  [[nodiscard]] Status findMaps(std::span<const uint64_t> bases, cu::TensorMap *maps) const;
  [[nodiscard]] Status clearBuffers(uint64_t workspace, cu::Stream stream) const;
  [[nodiscard]] Status launchFailure(const BoundLaunch &launch, cu::Result result) const;
};

namespace {

std::string hex(uint64_t value) {
  constexpr const char *kDigits = "0123456789abcdef";
  std::string text;
  do
    text.insert(text.begin(), kDigits[value & 15]);
  while ((value >>= 4) != 0);
  return "0x" + text;
}

/// Launches once. The driver copies the parameters before it returns.
cu::Result launchOne(const DriverFunctions &functions, const BoundLaunch &bound,
                     cu::Function function, const uint64_t *bases, cu::TensorMap *maps,
                     cu::Stream stream) {
  std::array<void *, kMaxParameters> parameters;
  std::array<uint64_t, kMaxParameters> addresses;
  for (size_t i = 0; i < bound.parameters.size(); ++i) {
    const BoundParameter &parameter = bound.parameters[i];
    switch (parameter.kind) {
    case BoundParameter::Kind::constant:
      parameters[i] = const_cast<uint64_t *>(&parameter.value);
      break;
    case BoundParameter::Kind::address:
      addresses[i] = bases[parameter.address.base] + parameter.address.offset;
      parameters[i] = &addresses[i];
      break;
    case BoundParameter::Kind::tensorMap:
      parameters[i] = &maps[parameter.map];
      break;
    }
  }
  const auto [gridX, gridY, gridZ] = bound.launch.grid;
  const cu::LaunchConfig config = {
      .gridX = gridX,
      .gridY = gridY,
      .gridZ = gridZ,
      .blockX = bound.threads,
      .blockY = 1,
      .blockZ = 1,
      .sharedBytes = bound.sharedBytes,
      .stream = stream,
      // NOTE: written to by the driver for one attribute only, which we do not use.
      .attributes = const_cast<cu::LaunchAttribute *>(bound.attributes.data()),
      .attributeCount = bound.attributeCount};
  return functions.launchKernelEx(&config, function, parameters.data(), nullptr);
}

} // namespace

Expected<std::shared_ptr<const PreparedPlan>>
PreparedPlan::prepare(std::shared_ptr<const LoadedPlan> loaded, const Plan &plan,
                      std::span<const ArgumentValue> scalars, const PrepareOptions &options) {
  if (loaded->kernelCount() != plan.kernels.size())
    return Status::invalidArgument("plan '" + plan.name + "' is not the one that was loaded");
  Expected<BoundPlan> bound = bindPlan(plan, loaded->context()->device(), scalars, options);
  if (!bound)
    return bound.status();
  std::shared_ptr<const PrimaryContext> context = loaded->context();
  return std::shared_ptr<const PreparedPlan>(new PreparedPlan(
      std::make_unique<Bound>(std::move(context), std::move(loaded), *std::move(bound), options)));
}

Expected<std::shared_ptr<const PreparedPlan>>
PreparedPlan::prepare(std::shared_ptr<const PrimaryContext> context, const Plan &plan,
                      std::span<const std::string> cubins, std::span<const ArgumentValue> scalars,
                      const PrepareOptions &options) {
  Expected<BoundPlan> bound = bindPlan(plan, context->device(), scalars, options);
  if (!bound)
    return bound.status();
  std::shared_ptr<const LoadedPlan> loaded;
  if (!bound->launches.empty()) {
    Expected<std::shared_ptr<const LoadedPlan>> result =
        LoadedPlan::load(context, plan, cubins, options.cubinVersion);
    if (!result)
      return result.status();
    loaded = *std::move(result);
  }
  return std::shared_ptr<const PreparedPlan>(new PreparedPlan(
      std::make_unique<Bound>(std::move(context), std::move(loaded), *std::move(bound), options)));
}

PreparedPlan::PreparedPlan(std::unique_ptr<Bound> bound) : bound_(std::move(bound)) {}
PreparedPlan::~PreparedPlan() = default;

std::shared_ptr<const LoadedPlan> PreparedPlan::loaded() const { return bound_->loaded; }

size_t PreparedPlan::workspaceBytes() const { return bound_->plan.workspaceBytes; }

int32_t PreparedPlan::workspaceAlignment() const {
  return static_cast<int32_t>(bound_->plan.workspaceAlignment);
}

const std::vector<PreparedLaunch> &PreparedPlan::launches() const { return bound_->launches; }

const std::vector<std::string> &PreparedPlan::pointerNames() const { return bound_->pointerNames; }

Status PreparedPlan::Bound::checkPointers(std::span<const uint64_t> pointers) const {
  for (size_t i = 0; i < pointers.size(); ++i) {
    const BoundPointer &pointer = plan.pointers[i];
    if (!pointer.isUsed)
      continue;
    if (pointers[i] == 0)
      return Status::invalidArgument(pointer.name + " is null; pass the address of device memory");
    // NOTE: a power of two, as checkPlan demands.
    if ((pointers[i] & (pointer.alignment - 1)) != 0)
      return Status::invalidArgument(pointer.name + " is not aligned: its address " +
                                     hex(pointers[i]) + " must be a multiple of " +
                                     std::to_string(pointer.alignment) + " bytes");
  }
  return Status::ok();
}

Status PreparedPlan::Bound::checkWorkspace(uint64_t workspace, size_t bytes) const {
  if (plan.workspaceBytes == 0)
    return Status::ok();
  if (workspace == 0 || bytes < plan.workspaceBytes)
    return Status::invalidArgument("the workspace has " + std::to_string(workspace ? bytes : 0) +
                                   " bytes; this plan needs " +
                                   std::to_string(plan.workspaceBytes));
  if ((workspace & (plan.workspaceAlignment - 1)) != 0)
    return Status::invalidArgument("the workspace is not aligned: its address " + hex(workspace) +
                                   " must be a multiple of " +
                                   std::to_string(plan.workspaceAlignment) + " bytes");
  return Status::ok();
}

/// Whether kernels may reach the address: the driver knows the memory, and it is this device's.
Status PreparedPlan::Bound::checkMemory(const std::string &name, uint64_t address) const {
  const DriverFunctions &functions = context->functions();
  unsigned type = 0;
  const cu::Result result = functions.pointerGetAttribute(&type, cu::kMemoryType, address);
  // NOTE: refused even on systems where kernels could reach pageable memory, where it is slow.
  if (result == cu::kInvalidValue)
    return Status::invalidArgument(name + " (" + hex(address) +
                                   ") is no device memory: it is in host memory that CUDA does "
                                   "not know, or was freed; copy it to the device");
  if (result != cu::kSuccess)
    return context->driver().check(result, "look at the memory of " + name);
  if (type == cu::kMemoryHost || allowPeerMemory || context->driver().deviceCount() == 1)
    return Status::ok();
  int ordinal = context->ordinal();
  unsigned isManaged = 0;
  functions.pointerGetAttribute(&ordinal, cu::kDeviceOrdinal, address);
  functions.pointerGetAttribute(&isManaged, cu::kIsManaged, address);
  if (ordinal != context->ordinal() && !isManaged)
    return Status::invalidArgument(name + " (" + hex(address) + ") is memory of device " +
                                   std::to_string(ordinal) + "; this plan runs on device " +
                                   std::to_string(context->ordinal()));
  return Status::ok();
}

/// The encoded maps for the bases. What is checked and made for new addresses is remembered.
Status PreparedPlan::Bound::findMaps(std::span<const uint64_t> bases, cu::TensorMap *maps) const {
  if (cache.find(bases, maps))
    return Status::ok();
  for (size_t i = 0; i < plan.pointers.size(); ++i)
    if (plan.pointers[i].isUsed)
      if (Status status = checkMemory(plan.pointers[i].name, bases[i]); !status.isOk())
        return status;
  if (plan.workspaceBytes > 0)
    if (Status status = checkMemory("the workspace", bases.back()); !status.isOk())
      return status;
  for (size_t i = 0; i < plan.maps.size(); ++i) {
    const BoundAddress &address = plan.mapAddresses[i];
    const cu::Result result = encodeTensorMap(context->functions(), plan.maps[i],
                                              bases[address.base] + address.offset, maps[i]);
    if (result != cu::kSuccess)
      return context->driver().check(result, "encode the tensor map of " +
                                                 (address.base < plan.pointers.size()
                                                      ? plan.pointers[address.base].name
                                                      : "a workspace buffer"));
  }
  cache.insert(bases, maps);
  return Status::ok();
}

Status PreparedPlan::Bound::clearBuffers(uint64_t workspace, cu::Stream stream) const {
  for (const BoundBuffer &buffer : plan.buffers) {
    if (!buffer.zeroInit || buffer.bytes == 0)
      continue;
    const cu::Result result =
        context->functions().memsetD8Async(workspace + buffer.offset, 0, buffer.bytes, stream);
    if (result != cu::kSuccess)
      return context->driver().check(result, "clear the workspace");
  }
  return Status::ok();
}

Status PreparedPlan::Bound::launchFailure(const BoundLaunch &launch, cu::Result result) const {
  const auto [x, y, z] = launch.launch.grid;
  return context->driver().check(
      result, "launch '" + launch.entry + "' (grid " + std::to_string(x) + " x " +
                  std::to_string(y) + " x " + std::to_string(z) + ", " +
                  std::to_string(launch.threads) + " threads, " +
                  std::to_string(launch.sharedBytes) + " bytes of shared memory)");
}

Status PreparedPlan::run(std::span<const uint64_t> pointers, uint64_t workspace,
                         size_t workspaceBytes, cu::Stream stream) const {
  const Bound &bound = *bound_;
  const BoundPlan &plan = bound.plan;
  if (pointers.size() != plan.pointers.size())
    return Status::invalidArgument("the plan takes " + std::to_string(plan.pointers.size()) +
                                   " pointers, found " + std::to_string(pointers.size()));
  if (plan.launches.empty())
    return Status::ok();
  if (Status status = bound.checkPointers(pointers); !status.isOk())
    return status;
  if (Status status = bound.checkWorkspace(workspace, workspaceBytes); !status.isOk())
    return status;
  ContextScope scope(*bound.context);
  if (!scope.isEntered())
    return scope.status();

  std::array<uint64_t, kMaxPointers + 1> bases;
  std::copy(pointers.begin(), pointers.end(), bases.begin());
  bases[pointers.size()] = plan.workspaceBytes > 0 ? workspace : 0;
  std::array<cu::TensorMap, kMaxMaps> maps;
  if (Status status = bound.findMaps({bases.data(), pointers.size() + 1}, maps.data());
      !status.isOk())
    return status;
  if (Status status = bound.clearBuffers(workspace, stream); !status.isOk())
    return status;
  for (const BoundLaunch &launch : plan.launches) {
    const LoadedKernel &kernel = bound.loaded->kernel(static_cast<size_t>(launch.launch.kernel));
    const cu::Result result = launchOne(bound.context->functions(), launch, kernel.handle,
                                        bases.data(), maps.data(), stream);
    if (result != cu::kSuccess)
      return bound.launchFailure(launch, result);
  }
  return Status::ok();
}

} // namespace tilewright
