// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/OperandUse.h"

#include "compiler/tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace tilewright::cli {

namespace {

using Uses = std::map<std::string, OperandUse>;

/// Makes an argument a constant.
void replaceArgument(BlockArgument argument, TypedAttr value) {
  OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
  argument.replaceAllUsesWith(
      arith::ConstantOp::create(builder, builder.getUnknownLoc(), value).getResult());
}

std::optional<int64_t> constantOf(Value value) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

/// A copy of `function` with its known scalars as constants, and what follows from them folded.
template <typename Op>
OwningOpRef<Op> specialise(Op function, llvm::ArrayRef<TypedAttr> known) {
  OwningOpRef<Op> copy(cast<Op>(function->clone()));
  for (auto [argument, value] : llvm::zip_equal(copy->getBody().getArguments(), known))
    if (value)
      replaceArgument(argument, value);
  // NOTE: no pattern, only folding; whether it reaches a fixed point does not matter.
  (void)applyPatternsGreedily(copy->getBody(), FrozenRewritePatternSet());
  return copy;
}

/// Adds what one view reaches to the use of its pointer.
Status addView(tile::ViewOp view, OperandUse &use, const std::string &name) {
  int64_t last = 0;
  bool isEmpty = false;
  for (auto [dim, size] : llvm::enumerate(view.getSizes())) {
    const bool isInnermost = dim == view.getStrides().size();
    const std::optional<int64_t> extent = constantOf(size);
    const std::optional<int64_t> stride = isInnermost ? 1 : constantOf(view.getStrides()[dim]);
    if (!extent || !stride)
      return Status::unsupported("the extent of a view of '" + name +
                                 "' does not follow from the sizes alone; --check cannot make "
                                 "data for it");
    isEmpty |= *extent <= 0;
    last += (*extent - 1) * *stride;
  }
  if (!isEmpty)
    use.elements = std::max(use.elements, last + 1);
  for (Operation *user : view->getUsers()) {
    const bool isWrite = isa<tile::StoreOp, tile::CopyOutOp>(user);
    use.isWritten |= isWrite;
    use.isRead |= !isWrite && !isa<tile::ExtentOp>(user);
  }
  return Status::ok();
}

/// Adds the uses of a kernel's pointers; `names` has the name of each argument's memory, empty for
/// workspace and scalars.
Status addKernel(tile::KernelOp kernel, llvm::ArrayRef<TypedAttr> known,
                 llvm::ArrayRef<std::string> names, Uses &uses) {
  OwningOpRef<tile::KernelOp> copy = specialise(kernel, known);
  for (auto [argument, name] : llvm::zip_equal(copy->getBody().getArguments(), names)) {
    if (name.empty())
      continue;
    OperandUse &use = uses[name];
    for (Operation *user : argument.getUsers()) {
      auto view = dyn_cast<tile::ViewOp>(user);
      if (!view)
        return Status::unsupported("'" + name + "' is used by " +
                                   user->getName().getStringRef().str() +
                                   "; --check can make data for views only");
      if (Status status = addView(view, use, name); !status.isOk())
        return status;
    }
  }
  return Status::ok();
}

Status addProgram(tile::ProgramOp program, llvm::ArrayRef<TypedAttr> known, Uses &uses) {
  OwningOpRef<tile::ProgramOp> copy = specialise(program, known);
  Status status;
  copy->walk([&](tile::LaunchOp launch) {
    auto kernel =
        SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(program, launch.getKernelAttr());
    std::vector<TypedAttr> values;
    std::vector<std::string> names;
    for (Value operand : launch.getArgs()) {
      TypedAttr value;
      matchPattern(operand, m_Constant(&value));
      values.push_back(value);
      auto argument = dyn_cast<BlockArgument>(operand);
      names.push_back(argument && isa<tile::PtrType>(operand.getType())
                          ? program.argumentName(argument.getArgNumber())
                          : "");
    }
    status = addKernel(kernel, values, names, uses);
    return status.isOk() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return status;
}

/// What is known of each argument, and its place among the uses if it is a pointer.
template <typename Op>
std::vector<TypedAttr> knownArguments(Op function, const ScalarBindings &scalars, Uses &uses,
                                      std::vector<std::string> &names) {
  std::vector<TypedAttr> known;
  OpBuilder builder(function.getContext());
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::string name = function.argumentName(index);
    const auto pointer = dyn_cast<tile::PtrType>(type);
    if (pointer)
      uses[name].elementType = pointer.getElementType();
    const auto scalar = scalars.find(name);
    TypedAttr value;
    if (scalar != scalars.end() && type.isInteger())
      if (const int64_t *number = std::get_if<int64_t>(&scalar->second))
        value = builder.getIntegerAttr(type, *number);
    known.push_back(value);
    names.push_back(pointer ? std::move(name) : "");
  }
  return known;
}

} // namespace

Expected<std::map<std::string, OperandUse>> operandUses(Operation *entry,
                                                        const ScalarBindings &scalars) {
  Uses uses;
  std::vector<std::string> names;
  Status status;
  if (auto program = dyn_cast<tile::ProgramOp>(entry)) {
    const std::vector<TypedAttr> known = knownArguments(program, scalars, uses, names);
    status = addProgram(program, known, uses);
  } else {
    auto kernel = cast<tile::KernelOp>(entry);
    const std::vector<TypedAttr> known = knownArguments(kernel, scalars, uses, names);
    status = addKernel(kernel, known, names, uses);
  }
  if (!status.isOk())
    return status;
  return uses;
}

} // namespace tilewright::cli
