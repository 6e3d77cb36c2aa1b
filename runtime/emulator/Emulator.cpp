// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/Emulator.h"

#include "runtime/driver/PlanBinding.h"
#include "runtime/emulator/copies/CopyUnit.h"
#include "runtime/emulator/copies/TensorMap.h"
#include "runtime/emulator/core/Fiber.h"
#include "runtime/emulator/core/Table.h"
#include "runtime/emulator/global/GlobalMemory.h"
#include "runtime/emulator/host/KernelObject.h"
#include "runtime/emulator/matrix/MatrixUnit.h"

#include <array>
#include <cstring>
#include <mutex>

namespace tilewright::emulator {

namespace {

/// SMs of the emulated device where the caller does not say: more would only be slower.
constexpr int32_t kSms = 16;

/// What the kernels call.
const Api &table() {
  static const Api api = [] {
    Api filled = {};
    filled.version = tw::emulator::kApiVersion;
    fillCoreTable(filled);
    fillGlobalTable(filled);
    fillCopyTable(filled);
    fillMatrixTable(filled);
    return filled;
  }();
  return api;
}

/// The asynchronous units of one run, as the machine's one extension.
class Units : public Extension {
public:
  GlobalMemory global;
  CopyUnit copies{global};
  MatrixUnit matrix;

  void onCtaStart(Machine &machine, Cta &cta) override {
    for (Extension *unit : all_)
      unit->onCtaStart(machine, cta);
  }
  void onThreadExit(Machine &machine, Thread &thread) override {
    for (Extension *unit : all_)
      unit->onThreadExit(machine, thread);
  }
  void onCtaExit(Machine &machine, Cta &cta) override {
    for (Extension *unit : all_)
      unit->onCtaExit(machine, cta);
  }
  void onGridExit(Machine &machine) override {
    for (Extension *unit : all_)
      unit->onGridExit(machine);
  }

private:
  std::array<Extension *, 3> all_ = {&global, &copies, &matrix};
};

/// Stacks for one run at a time of each thread, kept between runs.
class StackShare {
public:
  std::unique_ptr<StackPool> take() {
    const std::lock_guard lock(mutex_);
    if (pools_.empty())
      return std::make_unique<StackPool>();
    std::unique_ptr<StackPool> pool = std::move(pools_.back());
    pools_.pop_back();
    return pool;
  }
  void giveBack(std::unique_ptr<StackPool> pool) {
    const std::lock_guard lock(mutex_);
    pools_.push_back(std::move(pool));
  }

private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<StackPool>> pools_;
};

TensorMapFacts factsOf(const BoundTensorMap &map, uint64_t address) {
  TensorMapFacts facts;
  facts.address = address;
  facts.type = elementTypeOf(map.type);
  facts.rank = static_cast<int32_t>(map.rank);
  facts.dims = map.dims;
  facts.strides = map.strides;
  facts.box = map.box;
  facts.swizzle = swizzleBytesOf(map.swizzle);
  return facts;
}

} // namespace

struct EmulatedPlan::State {
  Plan plan;
  BoundPlan bound;
  /// By kernel of the plan; null where no launch needs it.
  std::vector<std::shared_ptr<const KernelObject>> objects;
  double compileSeconds = 0;
  mutable StackShare stacks;
};

EmulatedPlan::EmulatedPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
EmulatedPlan::~EmulatedPlan() = default;

int64_t EmulatedPlan::ctas() const {
  int64_t sum = 0;
  for (const BoundLaunch &launch : state_->bound.launches)
    sum += int64_t{launch.launch.grid[0]} * launch.launch.grid[1] * launch.launch.grid[2];
  return sum;
}

double EmulatedPlan::compileSeconds() const { return state_->compileSeconds; }

namespace {

/// The caller's workspace, which no caller sees: as the plan lays it out, and poisoned but for what
/// it wants zero.
std::vector<uint8_t> makeWorkspace(const BoundPlan &bound) {
  std::vector<uint8_t> bytes(bound.workspaceBytes + bound.workspaceAlignment, 0xff);
  const uint64_t address = reinterpret_cast<uint64_t>(bytes.data());
  const uint64_t first = (address + bound.workspaceAlignment - 1) / bound.workspaceAlignment *
                         bound.workspaceAlignment;
  for (const BoundBuffer &buffer : bound.buffers)
    if (buffer.zeroInit)
      std::memset(bytes.data() + (first - address) + buffer.offset, 0, buffer.bytes);
  return bytes;
}

/// The parameters of one launch, where the kernel finds them.
class ParameterBlock {
public:
  /// `bases` are the addresses that BoundAddress counts from.
  static Expected<std::unique_ptr<ParameterBlock>>
  make(const BoundPlan &plan, const BoundLaunch &launch, std::span<const uint64_t> bases) {
    auto block = std::make_unique<ParameterBlock>();
    block->slots_.resize(launch.parameters.size());
    const auto addressOf = [&](const BoundAddress &at) { return bases[at.base] + at.offset; };
    for (size_t i = 0; i < launch.parameters.size(); ++i) {
      const BoundParameter &parameter = launch.parameters[i];
      Slot &slot = block->slots_[i];
      if (parameter.kind == BoundParameter::Kind::tensorMap) {
        const BoundTensorMap &map = plan.maps[parameter.map];
        const uint64_t address =
            map.isEmpty ? kEmptyTensorAddress : addressOf(plan.mapAddresses[parameter.map]);
        if (Status status = encodeTensorMap(factsOf(map, address), slot.bytes); !status.isOk())
          return status.withContext("parameter " + std::to_string(i));
      } else {
        const uint64_t value = parameter.kind == BoundParameter::Kind::address
                                   ? addressOf(parameter.address)
                                   : parameter.value;
        std::memcpy(slot.bytes.data(), &value, sizeof value);
      }
      block->values_.push_back(slot.bytes.data());
    }
    return block;
  }

  [[nodiscard]] void *const *values() const { return values_.data(); }

private:
  struct alignas(64) Slot {
    std::array<uint8_t, 128> bytes = {};
  };
  std::vector<Slot> slots_;
  std::vector<void *> values_;
};

Status checkMemory(const BoundPlan &bound, std::span<const HostMemory> memory) {
  if (memory.size() != bound.pointers.size())
    return Status::invalidArgument("the plan takes " + std::to_string(bound.pointers.size()) +
                                   " pointers, found " + std::to_string(memory.size()));
  for (size_t i = 0; i < memory.size(); ++i) {
    const BoundPointer &pointer = bound.pointers[i];
    const auto address = reinterpret_cast<uint64_t>(memory[i].address);
    if (!pointer.isUsed)
      continue;
    if (address == 0)
      return Status::invalidArgument("the pointer '" + pointer.name + "' is null");
    if (address % pointer.alignment != 0)
      return Status::invalidArgument("the pointer '" + pointer.name + "' is no multiple of " +
                                     std::to_string(pointer.alignment) + " bytes");
  }
  return Status::ok();
}

Expected<int32_t> extentOf(const std::array<uint32_t, 3> &grid) {
  if (grid[1] != 1 || grid[2] != 1)
    return Status::unsupported("the emulator runs grids along one dimension, found " +
                               std::to_string(grid[0]) + "x" + std::to_string(grid[1]) + "x" +
                               std::to_string(grid[2]));
  return static_cast<int32_t>(grid[0]);
}

} // namespace

Expected<EmulationReport> EmulatedPlan::run(std::span<const HostMemory> memory,
                                            const RunOptions &options) const {
  const BoundPlan &bound = state_->bound;
  if (Status status = checkMemory(bound, memory); !status.isOk())
    return status;

  Units units;
  std::vector<uint64_t> bases;
  size_t next = 0;
  for (const PlanArgument &argument : state_->plan.arguments) {
    if (argument.kind != ArgumentKind::pointer)
      continue;
    const HostMemory &piece = memory[next++];
    bases.push_back(reinterpret_cast<uint64_t>(piece.address));
    if (piece.address && piece.bytes)
      units.global.add(piece.address, piece.bytes, argument.name,
                       argument.access != tilewright::Access::write,
                       argument.access != tilewright::Access::read);
  }
  std::vector<uint8_t> workspace = makeWorkspace(bound);
  const auto workspaceAt = reinterpret_cast<uint64_t>(workspace.data());
  bases.push_back((workspaceAt + bound.workspaceAlignment - 1) / bound.workspaceAlignment *
                  bound.workspaceAlignment);
  for (size_t i = 0; i < bound.buffers.size(); ++i)
    if (const BoundBuffer &buffer = bound.buffers[i]; buffer.bytes)
      units.global.add(reinterpret_cast<void *>(bases.back() + buffer.offset), buffer.bytes,
                       state_->plan.buffers[i].name, true, true, /*holdsData=*/buffer.zeroInit);

  EmulationReport report;
  MachineOptions machineOptions;
  machineOptions.seed = options.seed;
  machineOptions.policy = options.policy;
  machineOptions.fences = options.fences;
  machineOptions.maxErrors = options.maxErrors;
  machineOptions.maxResidentCtas = kSms;
  std::unique_ptr<StackPool> stacks = state_->stacks.take();
  Status status;
  {
    Machine machine(machineOptions, *stacks, &units);
    for (const BoundLaunch &launch : bound.launches) {
      const PlanKernel &kernel = state_->plan.kernels[static_cast<size_t>(launch.launch.kernel)];
      Expected<int32_t> grid = extentOf(launch.launch.grid);
      Expected<std::unique_ptr<ParameterBlock>> parameters =
          ParameterBlock::make(bound, launch, bases);
      if (!grid || !parameters) {
        status = !grid ? grid.status() : parameters.status();
        break;
      }
      const KernelObject &object = *state_->objects[static_cast<size_t>(launch.launch.kernel)];
      void *const *values = (*parameters)->values();
      status = machine.run({.kernel = kernel.entry,
                            .text = kernel.text,
                            .grid = *grid,
                            .cluster = kernel.cluster[0] * kernel.cluster[1] * kernel.cluster[2],
                            .threads = kernel.threads,
                            .sharedBytes = kernel.sharedBytes,
                            .body = [&object, values] { object.run(values); }});
      if (!status.isOk() || machine.stopped())
        break;
      ++report.launches;
      units.global.newLaunch();
    }
    report.findings = machine.findings();
    report.counters = std::as_const(machine).counters();
  }
  state_->stacks.giveBack(std::move(stacks));
  if (!status.isOk())
    return status;
  report.finished = report.launches == static_cast<int32_t>(bound.launches.size());
  return report;
}

Expected<Emulator> Emulator::create(HostCompilerOptions options) {
  Expected<HostCompiler> compiler = HostCompiler::find(std::move(options));
  if (!compiler)
    return compiler.status();
  return Emulator(std::move(*compiler));
}

Expected<std::shared_ptr<const EmulatedPlan>>
Emulator::prepare(const Plan &plan, const DeviceInfo &device,
                  std::span<const ArgumentValue> scalars, PrepareOptions options) const {
  if (options.smCap == 0)
    options.smCap = kSms;
  Expected<BoundPlan> bound = bindPlan(plan, device, scalars, options);
  if (!bound)
    return bound.status();
  auto state = std::make_unique<EmulatedPlan::State>();
  state->plan = plan;
  state->bound = std::move(*bound);
  state->objects.resize(plan.kernels.size());
  for (const BoundLaunch &launch : state->bound.launches) {
    const auto index = static_cast<size_t>(launch.launch.kernel);
    if (state->objects[index])
      continue;
    Expected<HostObject> object = compiler_.compile(plan.kernels[index]);
    if (!object)
      return object.status();
    state->compileSeconds += object->seconds;
    Expected<std::shared_ptr<const KernelObject>> loaded = KernelObject::load(*object, &table());
    if (!loaded)
      return loaded.status();
    state->objects[index] = *loaded;
  }
  return std::shared_ptr<const EmulatedPlan>(new EmulatedPlan(std::move(state)));
}

} // namespace tilewright::emulator
