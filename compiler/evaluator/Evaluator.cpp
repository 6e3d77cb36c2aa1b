// SPDX-License-Identifier: Apache-2.0

#include "compiler/evaluator/Evaluator.h"

#include "compiler/evaluator/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tilewright {

namespace {

using namespace evaluator;

/// "a.mlir:3:7: message". Notes are left out: the only one is MLIR's printout of the operation.
std::string textOf(Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto at = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    stream << at.getFilename().getValue() << ':' << at.getLine() << ':' << at.getColumn() << ": ";
  stream << diagnostic;
  return text;
}

/// The program or kernel to evaluate: `operation` itself, or the only candidate of a module.
Expected<Operation *> findEntry(Operation *operation) {
  if (isa<tile::ProgramOp, tile::KernelOp>(operation))
    return operation;
  auto module = dyn_cast<ModuleOp>(operation);
  if (!module)
    return Status::invalidArgument("expected a module, a tile.program or a tile.kernel, found " +
                                   operation->getName().getStringRef().str());
  auto programs = llvm::to_vector(module.getOps<tile::ProgramOp>());
  auto kernels = llvm::to_vector(module.getOps<tile::KernelOp>());
  if (programs.size() == 1)
    return programs.front().getOperation();
  if (programs.empty() && kernels.size() == 1)
    return kernels.front().getOperation();
  return Status::invalidArgument(
      "expected a module with one tile.program, or with one tile.kernel and no program, found " +
      std::to_string(programs.size()) + " programs and " + std::to_string(kernels.size()) +
      " kernels; pass the one to evaluate");
}

/// A type as MLIR prints it.
std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

Expected<Value> bindArray(const std::string &name, Type elementType, const Bindings &bindings) {
  auto array = bindings.arrays.find(name);
  if (array == bindings.arrays.end())
    return Status::invalidArgument("pointer argument \"" + name + "\" has no array bound to it");
  auto memory = std::make_shared<Memory>();
  memory->name = name;
  memory->elementType = elementType;
  if (isFloatLike(elementType)) {
    std::vector<double> elements(array->second);
    for (double &element : elements)
      element = roundToType(elementType, element);
    memory->elements = std::move(elements);
    return Value(Pointer{std::move(memory)});
  }
  std::vector<int64_t> elements;
  for (double element : array->second) {
    // NaN stands for memory that nobody has written yet.
    bool isInteger = std::isnan(element) || (std::trunc(element) == element &&
                                             std::abs(element) <= double(int64_t{1} << 53));
    if (!isInteger)
      return Status::invalidArgument("the array bound to \"" + name + "\" holds " +
                                     std::to_string(element) + ", which is no " +
                                     textOf(elementType));
    elements.push_back(std::isnan(element) ? 0 : wrapToType(elementType, int64_t(element)));
  }
  memory->elements = std::move(elements);
  return Value(Pointer{std::move(memory)});
}

Expected<Value> bindScalar(const std::string &name, Type type, const Bindings &bindings) {
  auto scalar = bindings.scalars.find(name);
  if (scalar == bindings.scalars.end())
    return Status::invalidArgument("scalar argument \"" + name + "\" (" + textOf(type) +
                                   ") has no value bound to it");
  if (isFloatLike(type)) {
    double number = std::visit([](auto bound) { return double(bound); }, scalar->second);
    return Value(Number(roundToType(type, number)));
  }
  auto number = std::get_if<int64_t>(&scalar->second);
  if (!number)
    return Status::invalidArgument("\"" + name + "\" is bound to a floating-point number, but is " +
                                   textOf(type) + "; bind an integer");
  if (wrapToType(type, *number) != *number)
    return Status::invalidArgument("\"" + name + "\" is bound to " + std::to_string(*number) +
                                   ", which does not fit " + textOf(type));
  return Value(Number(*number));
}

/// Fails if something is bound that is no argument, naming the arguments that there are.
Status checkNames(const Bindings &bindings, const std::vector<std::string> &pointers,
                  const std::vector<std::string> &scalars) {
  auto check = [](const auto &bound, const std::vector<std::string> &names, const char *kind) {
    for (const auto &[name, unused] : bound)
      if (!llvm::is_contained(names, name))
        return Status::invalidArgument("\"" + name + "\" is bound, but no " + kind +
                                       " argument has that name; there are: " +
                                       (names.empty() ? "none" : llvm::join(names, ", ")));
    return Status::ok();
  };
  if (Status status = check(bindings.arrays, pointers, "pointer"); !status.isOk())
    return status;
  return check(bindings.scalars, scalars, "scalar");
}

/// The values of all arguments, in order.
template <typename Op>
Expected<std::vector<Value>> bindArguments(Op function, const Bindings &bindings) {
  std::vector<Value> values;
  std::vector<std::string> pointers, scalars;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::string name = function.argumentName(index);
    auto pointer = dyn_cast<tile::PtrType>(type);
    (pointer ? pointers : scalars).push_back(name);
    Expected<Value> value = pointer ? bindArray(name, pointer.getElementType(), bindings)
                                    : bindScalar(name, type, bindings);
    if (!value)
      return value.status();
    values.push_back(std::move(*value));
  }
  if (Status status = checkNames(bindings, pointers, scalars); !status.isOk())
    return status;
  return values;
}

std::vector<double> arrayOf(const Memory &memory) {
  return std::visit(
      [](const auto &elements) { return std::vector<double>(elements.begin(), elements.end()); },
      memory.elements);
}

} // namespace

Expected<EvaluationResult> evaluate(Operation *operation, const Bindings &bindings,
                                    const EvaluationOptions &options) {
  Expected<Operation *> entry = findEntry(operation);
  if (!entry)
    return entry.status();
  auto function = cast<FunctionOpInterface>(*entry);
  auto program = dyn_cast<tile::ProgramOp>(*entry);
  Expected<std::vector<Value>> arguments =
      program ? bindArguments(program, bindings)
              : bindArguments(cast<tile::KernelOp>(*entry), bindings);
  if (!arguments)
    return arguments.status();

  std::string error;
  Interpreter interpreter(options);
  ScopedDiagnosticHandler handler((*entry)->getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && error.empty())
      error = textOf(diagnostic);
    return success();
  });
  if (failed(interpreter.runFunction(function, *arguments)))
    return interpreter.metUnknownOperation() ? Status::unsupported(error)
                                             : Status::invalidArgument(error);

  EvaluationResult result;
  for (const Value &value : *arguments)
    if (auto pointer = std::get_if<Pointer>(&value))
      result.arrays[pointer->memory->name] = arrayOf(*pointer->memory);
  for (const std::shared_ptr<Memory> &memory : interpreter.buffers())
    result.buffers[memory->name] = arrayOf(*memory);
  return result;
}

} // namespace tilewright
