// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/GemmKernel.h"

#include "runtime/driver/PlanBinding.h"
#include "templates/gemm/Arguments.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tilewright {

namespace {

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

/// What a problem passes for the scalars of a plan, in the plan's order.
Expected<std::vector<ArgumentValue>> scalarsOf(const Plan &plan,
                                               const std::vector<GemmArgument> &arguments) {
  std::vector<ArgumentValue> values;
  for (const PlanArgument &wanted : plan.arguments) {
    if (wanted.kind == ArgumentKind::pointer)
      continue;
    const auto found = std::ranges::find(arguments, wanted.name, &GemmArgument::name);
    if (found == arguments.end())
      return Status::internal("plan " + quoted(plan.name) + " wants a scalar " +
                              quoted(wanted.name) + " that a GEMM does not have");
    if (found->kind == ArgumentKind::f32)
      values.emplace_back(found->number);
    else
      values.emplace_back(found->integer);
  }
  return values;
}

/// The operands of a problem: where there is a plan, those that it takes, in its order.
Expected<std::vector<KernelOperand>> operandsOf(const Plan *plan,
                                                const std::vector<GemmArgument> &arguments) {
  std::vector<KernelOperand> operands;
  for (const GemmArgument &argument : arguments)
    if (argument.kind == ArgumentKind::pointer)
      operands.push_back({.role = argument.name,
                          .dtype = argument.dtype,
                          .access = argument.access,
                          .alignment = dtypeBytes(argument.dtype),
                          .bytes = argument.elements * dtypeBytes(argument.dtype)});
  if (!plan)
    return operands;
  size_t next = 0;
  for (const PlanArgument &taken : plan->arguments) {
    if (taken.kind != ArgumentKind::pointer)
      continue;
    if (next == operands.size() || operands[next].role != taken.name)
      return Status::internal("plan " + quoted(plan->name) + " takes " + quoted(taken.name) +
                              " out of order");
    operands[next++].alignment = taken.alignment;
  }
  operands.resize(next);
  return operands;
}

} // namespace

Expected<std::shared_ptr<GemmKernel>>
GemmKernel::create(const GemmRequest &request, const RequestKey &key, const std::string &config,
                   std::shared_ptr<KernelCode> code, const DeviceInfo &device,
                   std::shared_ptr<const PrimaryContext> context) {
  const std::vector<GemmArgument> arguments = gemmArguments(request.problem);
  const Plan *plan = code ? &code->plan() : nullptr;
  std::shared_ptr<GemmKernel> kernel(new GemmKernel);
  Expected<std::vector<KernelOperand>> operands = operandsOf(plan, arguments);
  if (!operands)
    return operands.status();
  kernel->operands_ = *std::move(operands);
  kernel->figures_.key = key.toString();
  if (!plan)
    return kernel;

  Expected<std::vector<ArgumentValue>> scalars = scalarsOf(*plan, arguments);
  if (!scalars)
    return scalars.status();
  kernel->scalars_ = *std::move(scalars);
  kernel->options_ = {
      .pdl = request.flags.pdl, .smCap = request.flags.smCap, .cubinVersion = code->cubinVersion()};
  Expected<BoundPlan> bound = bindPlan(*plan, device, kernel->scalars_, kernel->options_);
  if (!bound)
    return bound.status();
  KernelFigures &figures = kernel->figures_;
  figures.config = config;
  figures.launchCount = static_cast<int32_t>(bound->launches.size());
  figures.workspaceBytes = bound->workspaceBytes;
  figures.workspaceAlignment = bound->workspaceAlignment;
  if (!bound->launches.empty()) {
    const auto [x, y, z] = bound->launches.front().launch.grid;
    figures.ctas = int64_t{x} * y * z;
  }
  kernel->code_ = std::move(code);
  kernel->context_ = std::move(context);
  return kernel;
}

Status GemmKernel::prepare() {
  if (!launches() || ready_.load(std::memory_order_acquire))
    return Status::ok();
  if (!context_)
    return Status::unavailable("the engine compiles for a named target and has no device; make an "
                               "engine without a target to prepare and run kernels");
  const std::lock_guard lock(mutex_);
  if (prepared_)
    return Status::ok();
  Expected<std::shared_ptr<const LoadedPlan>> loaded = code_->load(context_);
  if (!loaded)
    return loaded.status();
  Expected<std::shared_ptr<const PreparedPlan>> prepared =
      PreparedPlan::prepare(*std::move(loaded), code_->plan(), scalars_, options_);
  if (!prepared)
    return prepared.status();
  prepared_ = *std::move(prepared);
  ready_.store(prepared_.get(), std::memory_order_release);
  return Status::ok();
}

Status GemmKernel::run(std::span<const twOperand> operands, void *workspace, size_t workspaceBytes,
                       void *stream) const {
  std::array<uint64_t, kMaxPointers> addresses = {};
  uint32_t bound = 0;
  for (const twOperand &operand : operands) {
    if (!operand.role)
      return Status::invalidArgument("an operand has no role; name one, such as a");
    const std::string_view role = operand.role;
    size_t index = 0;
    while (index < operands_.size() && operands_[index].role != role)
      ++index;
    if (index == operands_.size()) {
      std::string known;
      for (const KernelOperand &other : operands_)
        known += (known.empty() ? "" : ", ") + other.role;
      return Status::invalidArgument("this kernel has no operand " + quoted(role) + "; it takes " +
                                     known);
    }
    if (bound & (1U << index))
      return Status::invalidArgument("the operand " + quoted(role) + " is bound twice");
    bound |= 1U << index;
    addresses[index] = reinterpret_cast<uint64_t>(operand.address);
  }
  if (!launches())
    return Status::ok();
  const PreparedPlan *plan = ready_.load(std::memory_order_acquire);
  if (!plan)
    return Status::invalidArgument("the kernel is not prepared; prepare it before it is run, and "
                                   "before a stream is captured");
  return plan->run({addresses.data(), operands_.size()}, reinterpret_cast<uint64_t>(workspace),
                   workspaceBytes, static_cast<cu::Stream>(stream));
}

} // namespace tilewright
