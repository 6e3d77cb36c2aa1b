// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/PlanBinding.h"

#include "support/PlanCheck.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace tilewright {

namespace {

/// The most CTAs along each dimension.
constexpr std::array<int64_t, 3> kMaxGrid = {std::numeric_limits<int32_t>::max(), 65535, 65535};

std::string quoted(const std::string &name) { return "'" + name + "'"; }

/// Evaluates one plan for one set of scalars. Each step returns its failure.
class Binder {
public:
  Binder(const Plan &plan, const DeviceInfo &device, const PrepareOptions &options)
      : plan_(plan), device_(device), options_(options) {}

  Expected<BoundPlan> run(std::span<const ArgumentValue> scalars) {
    if (Status status = checkPlan(plan_); !status.isOk())
      return status;
    if (Status status = refuseAddressesInExpressions(); !status.isOk())
      return status;
    if (Status status = bindArguments(scalars); !status.isOk())
      return status;
    if (Status status = checkPreconditions(plan_, inputs()); !status.isOk())
      return status;
    if (Status status = placeBuffers(); !status.isOk())
      return status;
    for (size_t i = 0; i < plan_.launches.size(); ++i)
      if (Status status = bindLaunch(plan_.launches[i]); !status.isOk())
        return status.withContext("launch " + std::to_string(i) + " of plan " + quoted(plan_.name));
    if (bound_.pointers.size() > kMaxPointers || bound_.maps.size() > kMaxMaps)
      return Status::unsupported("plan " + quoted(plan_.name) + " has " +
                                 std::to_string(bound_.pointers.size()) + " pointers and " +
                                 std::to_string(bound_.maps.size()) +
                                 " tensor maps; a run has room for " +
                                 std::to_string(kMaxPointers) + " and " + std::to_string(kMaxMaps));
    if (bound_.launches.empty())
      bound_.workspaceBytes = 0;
    return std::move(bound_);
  }

private:
  [[nodiscard]] ExprInputs inputs() const {
    const int32_t cap = options_.smCap > 0 ? options_.smCap : device_.smCount;
    return {.arguments = integers_, .smCount = std::min(cap, device_.smCount)};
  }

  [[nodiscard]] bool readsAddress(const Expr &expr) const {
    return std::ranges::any_of(expr.nodes(), [&](const Expr::Node &node) {
      return node.op == Expr::Op::argument &&
             plan_.arguments[static_cast<size_t>(node.value)].kind == ArgumentKind::pointer;
    });
  }

  /// Addresses come with each run, when nothing is evaluated any more.
  [[nodiscard]] Status refuseAddressesInExpressions() const {
    bool found = false;
    const auto look = [&](const Expr &expr) { found = found || readsAddress(expr); };
    for (const Precondition &precondition : plan_.preconditions) {
      look(precondition.left);
      look(precondition.right);
    }
    for (const PlanBuffer &buffer : plan_.buffers)
      look(buffer.bytes);
    for (const PlanLaunch &launch : plan_.launches) {
      std::ranges::for_each(launch.grid, look);
      for (const PlanParameter &parameter : launch.parameters) {
        if (const auto *map = std::get_if<TensorMapRecipe>(&parameter)) {
          std::ranges::for_each(map->dims, look);
          std::ranges::for_each(map->strides, look);
        } else if (const auto *pointer = std::get_if<PointerParameter>(&parameter)) {
          look(pointer->byteOffset);
        } else if (const auto *scalar = std::get_if<ScalarParameter>(&parameter)) {
          look(scalar->value);
        }
      }
    }
    return found ? Status::unsupported("plan " + quoted(plan_.name) +
                                       " computes with an address; pass the number as an argument")
                 : Status::ok();
  }

  Status bindArguments(std::span<const ArgumentValue> scalars) {
    size_t next = 0;
    for (const PlanArgument &argument : plan_.arguments) {
      integers_.push_back(0);
      floats_.push_back(0);
      bases_.push_back(static_cast<uint32_t>(bound_.pointers.size()));
      if (argument.kind == ArgumentKind::pointer) {
        bound_.pointers.push_back(
            {.name = argument.name, .alignment = static_cast<uint64_t>(argument.alignment)});
        continue;
      }
      if (next == scalars.size())
        return Status::invalidArgument("there is no value for " + quoted(argument.name) + ": " +
                                       std::to_string(scalars.size()) + " scalars are too few");
      const ArgumentValue &value = scalars[next++];
      const auto *integer = std::get_if<int64_t>(&value);
      if ((argument.kind == ArgumentKind::f32) == (integer != nullptr))
        return Status::invalidArgument(
            quoted(argument.name) + " is " +
            (integer ? "a float; an integer was passed" : "an integer; a float was passed"));
      if (argument.kind == ArgumentKind::i32 && !std::in_range<int32_t>(*integer))
        return Status::invalidArgument(quoted(argument.name) + " is " + std::to_string(*integer) +
                                       ", which does not fit 32 bits");
      if (integer)
        integers_.back() = *integer;
      else
        floats_.back() = std::get<float>(value);
    }
    if (next != scalars.size())
      return Status::invalidArgument("plan " + quoted(plan_.name) + " takes " +
                                     std::to_string(next) + " scalars, found " +
                                     std::to_string(scalars.size()));
    return Status::ok();
  }

  Status placeBuffers() {
    for (const PlanBuffer &buffer : plan_.buffers) {
      Expected<int64_t> bytes = buffer.bytes.evaluate(inputs());
      if (!bytes)
        return bytes.status().withContext("buffer " + quoted(buffer.name));
      const auto alignment = static_cast<size_t>(buffer.alignment);
      const size_t offset = (bound_.workspaceBytes + alignment - 1) / alignment * alignment;
      if (*bytes < 0 || *bytes > std::numeric_limits<int64_t>::max() - static_cast<int64_t>(offset))
        return Status::invalidArgument("buffer " + quoted(buffer.name) + " would have " +
                                       std::to_string(*bytes) + " bytes");
      bound_.buffers.push_back(
          {.offset = offset, .bytes = static_cast<size_t>(*bytes), .zeroInit = buffer.zeroInit});
      bound_.workspaceBytes = offset + static_cast<size_t>(*bytes);
      bound_.workspaceAlignment = std::max(bound_.workspaceAlignment, alignment);
    }
    return Status::ok();
  }

  Status bindLaunch(const PlanLaunch &launch) {
    const PlanKernel &kernel = plan_.kernels[static_cast<size_t>(launch.kernel)];
    BoundLaunch bound;
    bound.launch.kernel = launch.kernel;
    bound.entry = kernel.entry;
    bound.threads = static_cast<uint32_t>(kernel.threads);
    bound.sharedBytes = static_cast<uint32_t>(kernel.sharedBytes);
    bool isEmpty = false;
    for (size_t i = 0; i < launch.grid.size(); ++i) {
      Expected<int64_t> extent = launch.grid[i].evaluate(inputs());
      if (!extent)
        return extent.status().withContext("grid");
      if (*extent < 0 || *extent > kMaxGrid[i])
        return Status::unsupported("a grid of " + std::to_string(*extent) +
                                   " CTAs along dimension " + std::to_string(i) +
                                   "; a device takes 0 to " + std::to_string(kMaxGrid[i]));
      if (*extent % kernel.cluster[i] != 0)
        return Status::internal("a grid of " + std::to_string(*extent) + " CTAs along dimension " +
                                std::to_string(i) + " is no multiple of the cluster's " +
                                std::to_string(kernel.cluster[i]));
      bound.launch.grid[i] = static_cast<uint32_t>(*extent);
      isEmpty = isEmpty || *extent == 0;
    }
    if (isEmpty)
      return Status::ok();
    addAttributes(launch, kernel, bound);
    if (launch.parameters.size() > kMaxParameters)
      return Status::unsupported(std::to_string(launch.parameters.size()) +
                                 " parameters; a run has room for " +
                                 std::to_string(kMaxParameters));
    for (size_t i = 0; i < launch.parameters.size(); ++i) {
      Expected<BoundParameter> parameter =
          std::visit([&](const auto &kind) { return bind(kind); }, launch.parameters[i]);
      if (!parameter)
        return parameter.status().withContext("parameter " + std::to_string(i));
      bound.parameters.push_back(*parameter);
    }
    bound_.launches.push_back(std::move(bound));
    return Status::ok();
  }

  void addAttributes(const PlanLaunch &launch, const PlanKernel &kernel, BoundLaunch &bound) const {
    const auto [x, y, z] = kernel.cluster;
    if (x * y * z > 1) {
      cu::LaunchAttribute &attribute = bound.attributes[bound.attributeCount++];
      attribute.id = cu::kClusterDimension;
      attribute.value.cluster = {static_cast<uint32_t>(x), static_cast<uint32_t>(y),
                                 static_cast<uint32_t>(z)};
    }
    if (launch.pdl && options_.pdl) {
      cu::LaunchAttribute &attribute = bound.attributes[bound.attributeCount++];
      attribute.id = cu::kProgrammaticStreamSerialization;
      attribute.value.isAllowed = 1;
    }
  }

  Expected<BoundParameter> bind(const TensorMapRecipe &recipe) {
    Expected<BoundTensorMap> map = bindTensorMap(recipe, inputs());
    if (!map)
      return map.status();
    const auto index = static_cast<uint32_t>(bound_.maps.size());
    bound_.mapAddresses.push_back(bind(recipe.base, /*isUsed=*/!map->isEmpty));
    bound_.maps.push_back(*map);
    return BoundParameter{.kind = BoundParameter::Kind::tensorMap, .map = index};
  }

  Expected<BoundParameter> bind(const PointerParameter &pointer) {
    Expected<int64_t> offset = pointer.byteOffset.evaluate(inputs());
    if (!offset)
      return offset.status();
    BoundAddress address = bind(pointer.base, /*isUsed=*/true);
    address.offset += static_cast<uint64_t>(*offset);
    return BoundParameter{.kind = BoundParameter::Kind::address, .address = address};
  }

  Expected<BoundParameter> bind(const ScalarParameter &scalar) {
    Expected<int64_t> value = scalar.value.evaluate(inputs());
    if (!value)
      return value.status();
    if (scalar.width == ScalarParameter::Width::i32 && !std::in_range<int32_t>(*value))
      return Status::invalidArgument("the value " + std::to_string(*value) +
                                     " does not fit 32 bits; the problem is too large");
    // NOTE: an i32 is the low half, which comes first in memory.
    static_assert(std::endian::native == std::endian::little);
    return BoundParameter{.value = static_cast<uint64_t>(*value)};
  }

  Expected<BoundParameter> bind(const FloatParameter &scalar) {
    const float value = floats_[static_cast<size_t>(scalar.argument)];
    return BoundParameter{.value = std::bit_cast<uint32_t>(value)};
  }

  BoundAddress bind(const MemoryRef &ref, bool isUsed) {
    const auto index = static_cast<size_t>(ref.index);
    if (ref.source == MemoryRef::Source::buffer)
      return {.base = static_cast<uint32_t>(bound_.pointers.size()),
              .offset = bound_.buffers[index].offset};
    BoundPointer &pointer = bound_.pointers[bases_[index]];
    pointer.isUsed = pointer.isUsed || isUsed;
    return {.base = bases_[index]};
  }

  const Plan &plan_;
  const DeviceInfo &device_;
  const PrepareOptions &options_;
  BoundPlan bound_;
  /// By argument: its integer (0 for others), its float, its number among the pointers.
  std::vector<int64_t> integers_;
  std::vector<float> floats_;
  std::vector<uint32_t> bases_;
};

} // namespace

Expected<BoundPlan> bindPlan(const Plan &plan, const DeviceInfo &device,
                             std::span<const ArgumentValue> scalars,
                             const PrepareOptions &options) {
  return Binder(plan, device, options).run(scalars);
}

} // namespace tilewright
