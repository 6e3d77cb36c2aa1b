// SPDX-License-Identifier: Apache-2.0
#include "support/PlanCheck.h"

#include "support/ExprText.h"

#include <string>

namespace tilewright {
namespace {

constexpr int32_t kWarp = 32;
constexpr int32_t kMaxThreads = 1024;
constexpr int32_t kMaxCluster = 16;
constexpr size_t kMaxRank = 5;
constexpr int32_t kMaxBox = 256;
constexpr int64_t kBoxUnitBytes = 16;

bool isPowerOfTwo(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

/// Checks one plan; every function returns the empty text or what is wrong.
class Checker {
public:
  explicit Checker(const Plan &plan) : plan_(plan) {}

  Status run() const {
    std::string fault = findFault();
    return fault.empty() ? Status::ok() : Status::internal("plan '" + plan_.name + "': " + fault);
  }

private:
  std::string findFault() const {
    for (size_t i = 0; i < plan_.arguments.size(); ++i)
      if (std::string fault = argument(i); !fault.empty())
        return "argument " + std::to_string(i) + " '" + plan_.arguments[i].name + "': " + fault;
    for (size_t i = 0; i < plan_.buffers.size(); ++i)
      if (std::string fault = buffer(i); !fault.empty())
        return "buffer " + std::to_string(i) + " '" + plan_.buffers[i].name + "': " + fault;
    for (size_t i = 0; i < plan_.kernels.size(); ++i)
      if (std::string fault = kernel(plan_.kernels[i]); !fault.empty())
        return "kernel " + std::to_string(i) + " '" + plan_.kernels[i].entry + "': " + fault;
    for (size_t i = 0; i < plan_.preconditions.size(); ++i)
      if (std::string fault = precondition(plan_.preconditions[i]); !fault.empty())
        return "precondition " + std::to_string(i) + ": " + fault;
    for (size_t i = 0; i < plan_.launches.size(); ++i)
      if (std::string fault = launch(plan_.launches[i]); !fault.empty())
        return "launch " + std::to_string(i) + ": " + fault;
    return "";
  }

  std::string argument(size_t index) const {
    const PlanArgument &argument = plan_.arguments[index];
    if (!isExprName(argument.name))
      return "the name is not usable in an expression";
    for (size_t i = 0; i < index; ++i)
      if (plan_.arguments[i].name == argument.name)
        return "the name is taken by argument " + std::to_string(i);
    if (!isPowerOfTwo(argument.alignment))
      return "alignment " + std::to_string(argument.alignment) + " is no power of two";
    PlanArgument scalar{.name = argument.name, .kind = argument.kind};
    if (argument.kind != ArgumentKind::pointer && argument != scalar)
      return "a scalar has no element type, alignment or access; leave the defaults";
    return "";
  }

  std::string buffer(size_t index) const {
    const PlanBuffer &buffer = plan_.buffers[index];
    if (!isExprName(buffer.name))
      return "the name is not a plain word";
    for (size_t i = 0; i < index; ++i)
      if (plan_.buffers[i].name == buffer.name)
        return "the name is taken by buffer " + std::to_string(i);
    if (!isPowerOfTwo(buffer.alignment))
      return "alignment " + std::to_string(buffer.alignment) + " is no power of two";
    return expr("bytes", buffer.bytes);
  }

  static std::string kernel(const PlanKernel &kernel) {
    if (kernel.entry.empty())
      return "the entry has no name";
    if (kernel.text.empty())
      return "there is no text";
    if (kernel.threads < kWarp || kernel.threads > kMaxThreads || kernel.threads % kWarp != 0)
      return std::to_string(kernel.threads) + " threads; use a multiple of 32 up to 1024";
    int64_t ctas = 1;
    for (int32_t extent : kernel.cluster) {
      if (extent < 1 || extent > kMaxCluster)
        return "cluster extent " + std::to_string(extent) + "; use 1 to 16";
      ctas *= extent;
    }
    if (ctas > kMaxCluster)
      return "a cluster of " + std::to_string(ctas) + " CTAs; 16 are the most";
    if (kernel.sharedBytes < 0)
      return std::to_string(kernel.sharedBytes) + " bytes of shared memory";
    return "";
  }

  std::string precondition(const Precondition &precondition) const {
    if (precondition.message.empty())
      return "there is no message";
    if (std::string fault = expr("left", precondition.left); !fault.empty())
      return fault;
    return expr("right", precondition.right);
  }

  std::string launch(const PlanLaunch &launch) const {
    if (!isIndex(launch.kernel, plan_.kernels.size()))
      return missing("kernel", launch.kernel, plan_.kernels.size());
    for (const Expr &extent : launch.grid)
      if (std::string fault = expr("grid", extent); !fault.empty())
        return fault;
    for (size_t i = 0; i < launch.parameters.size(); ++i) {
      std::string fault =
          std::visit([&](const auto &kind) { return parameter(kind); }, launch.parameters[i]);
      if (!fault.empty())
        return "parameter " + std::to_string(i) + ": " + fault;
    }
    return "";
  }

  std::string parameter(const TensorMapRecipe &map) const {
    if (std::string fault = memory(map.base); !fault.empty())
      return fault;
    if (map.rank() < 1 || map.rank() > kMaxRank)
      return std::to_string(map.rank()) + " dimensions; a tensor map has 1 to 5";
    if (map.strides.size() != map.rank() - 1)
      return std::to_string(map.strides.size()) + " strides for " + std::to_string(map.rank()) +
             " dimensions; the first has none";
    if (map.box.size() != map.rank())
      return "box has " + std::to_string(map.box.size()) + " entries for " +
             std::to_string(map.rank()) + " dimensions";
    for (const Expr &dim : map.dims)
      if (std::string fault = expr("dims", dim); !fault.empty())
        return fault;
    for (const Expr &stride : map.strides)
      if (std::string fault = expr("strides", stride); !fault.empty())
        return fault;
    for (int32_t extent : map.box)
      if (extent < 1 || extent > kMaxBox)
        return "box extent " + std::to_string(extent) + "; use 1 to 256";

    int64_t rowBytes = int64_t{map.box.front()} * dtypeBytes(map.dtype);
    if (rowBytes % kBoxUnitBytes != 0)
      return "a box row of " + std::to_string(rowBytes) + " bytes; use a multiple of 16";
    if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 && map.swizzle != 128)
      return "swizzle " + std::to_string(map.swizzle) + "; use 0, 32, 64 or 128";
    if (map.swizzle != 0 && rowBytes > map.swizzle)
      return "a box row of " + std::to_string(rowBytes) + " bytes is longer than the swizzle of " +
             std::to_string(map.swizzle);
    return "";
  }

  std::string parameter(const PointerParameter &pointer) const {
    std::string fault = memory(pointer.base);
    return fault.empty() ? expr("offset", pointer.byteOffset) : fault;
  }

  std::string parameter(const ScalarParameter &scalar) const { return expr("value", scalar.value); }

  std::string parameter(const FloatParameter &scalar) const {
    if (!isIndex(scalar.argument, plan_.arguments.size()))
      return missing("argument", scalar.argument, plan_.arguments.size());
    return plan_.arguments[static_cast<size_t>(scalar.argument)].kind == ArgumentKind::f32
               ? ""
               : "argument " + std::to_string(scalar.argument) + " is not an f32";
  }

  std::string memory(const MemoryRef &ref) const {
    if (ref.source == MemoryRef::Source::buffer)
      return isIndex(ref.index, plan_.buffers.size())
                 ? ""
                 : missing("buffer", ref.index, plan_.buffers.size());
    if (!isIndex(ref.index, plan_.arguments.size()))
      return missing("argument", ref.index, plan_.arguments.size());
    return plan_.arguments[static_cast<size_t>(ref.index)].kind == ArgumentKind::pointer
               ? ""
               : "argument " + std::to_string(ref.index) + " is not a pointer";
  }

  std::string expr(std::string_view what, const Expr &expr) const {
    for (const Expr::Node &node : expr.nodes()) {
      if (node.op != Expr::Op::argument)
        continue;
      std::string fault;
      if (!isIndex(node.value, plan_.arguments.size()))
        fault = missing("argument", node.value, plan_.arguments.size());
      else if (plan_.arguments[static_cast<size_t>(node.value)].kind == ArgumentKind::f32)
        fault = "argument " + std::to_string(node.value) + " is an f32";
      if (!fault.empty())
        return std::string(what) + ": " + fault;
    }
    return "";
  }

  static bool isIndex(int64_t index, size_t count) {
    return index >= 0 && static_cast<size_t>(index) < count;
  }
  static std::string missing(std::string_view what, int64_t index, size_t count) {
    return "there is no " + std::string(what) + " " + std::to_string(index) + " among " +
           std::to_string(count);
  }

  const Plan &plan_;
};

bool holds(int64_t left, Precondition::Comparison comparison, int64_t right) {
  switch (comparison) {
  case Precondition::Comparison::eq:
    return left == right;
  case Precondition::Comparison::ne:
    return left != right;
  case Precondition::Comparison::lt:
    return left < right;
  case Precondition::Comparison::le:
    return left <= right;
  case Precondition::Comparison::gt:
    return left > right;
  case Precondition::Comparison::ge:
    return left >= right;
  }
  return false;
}

} // namespace

Status checkPlan(const Plan &plan) { return Checker(plan).run(); }

Status checkPreconditions(const Plan &plan, const ExprInputs &inputs) {
  if (inputs.arguments.size() != plan.arguments.size())
    return Status::invalidArgument("plan '" + plan.name + "' takes " +
                                   std::to_string(plan.arguments.size()) + " arguments, found " +
                                   std::to_string(inputs.arguments.size()));
  for (size_t i = 0; i < plan.arguments.size(); ++i) {
    const PlanArgument &argument = plan.arguments[i];
    auto address = static_cast<uint64_t>(inputs.arguments[i]);
    if (argument.kind == ArgumentKind::pointer &&
        address % static_cast<uint64_t>(argument.alignment) != 0)
      return Status::invalidArgument(argument.name + " is not aligned: its address must be a " +
                                     "multiple of " + std::to_string(argument.alignment) +
                                     " bytes");
  }
  for (const Precondition &precondition : plan.preconditions) {
    Expected<int64_t> left = precondition.left.evaluate(inputs);
    if (!left)
      return left.status().withContext(precondition.message);
    Expected<int64_t> right = precondition.right.evaluate(inputs);
    if (!right)
      return right.status().withContext(precondition.message);
    if (!holds(*left, precondition.comparison, *right))
      return Status::invalidArgument(precondition.message + " (" +
                                     printExpr(precondition.left, plan.arguments) + " is " +
                                     std::to_string(*left) + ")");
  }
  return Status::ok();
}

} // namespace tilewright
