// SPDX-License-Identifier: Apache-2.0
// The kernel op, named constants and comments.
#include "compiler/sm90/Sm90Ops.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tilewright::sm90;

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     TypeRange parameters, int32_t threads) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.function_type = TypeAttr::get(builder.getFunctionType(parameters, {}));
  properties.threads = builder.getI32IntegerAttr(threads);
  properties.min_ctas = builder.getI32IntegerAttr(1);
  Block &entry = state.addRegion()->emplaceBlock();
  for (Type type : parameters)
    entry.addArgument(type, state.location);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> parameters, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(parameters, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

LogicalResult KernelOp::verify() {
  if (!isIdentifier(getSymName()))
    return emitOpError() << "expected an identifier of C++ as the name, found \"" << getSymName()
                         << "\"; rename the kernel";
  if (getThreads() < 32 || getThreads() > 1024 || getThreads() % 32 != 0)
    return emitOpError() << "expected threads from 32 to 1024, a multiple of 32, found "
                         << getThreads();
  if (getMinCtas() < 1 || getMinCtas() > 32)
    return emitOpError() << "expected min_ctas from 1 to 32, found " << getMinCtas();
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, found " << getResultTypes().size()
                         << ": a kernel writes through its parameters";
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (!isa<TensorMapType, PtrType>(type) && !type.isSignlessInteger(32) &&
        !type.isSignlessInteger(64) && !type.isF32())
      return emitOpError() << "expected !sm90.tensor_map, !sm90.ptr, i32, i64 or f32 as parameter "
                           << index << ", found " << type;
  if (std::optional<ArrayRef<int32_t>> cluster = getCluster()) {
    int64_t ctas = 1;
    for (int32_t extent : *cluster)
      ctas *= extent < 1 ? 0 : extent;
    if (cluster->empty() || cluster->size() > 3 || ctas < 1 || ctas > 16)
      return emitOpError() << "expected 1 to 3 cluster extents with 1 to 16 CTAs together, found ["
                           << *cluster << "]";
  }
  if (std::optional<uint32_t> bytes = getSharedBytes(); bytes && *bytes > 232448)
    return emitOpError() << "expected at most 232448 bytes of shared memory, found " << *bytes;
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  if (!getBody().hasOneBlock())
    return emitOpError("expected a body of one block: branches are scf ops");
  return success();
}

LogicalResult NamedConstantOp::verify() {
  if (!isIdentifier(getName()))
    return emitOpError() << "expected an identifier of C++ as the name, found \"" << getName()
                         << "\"";
  return success();
}

LogicalResult CommentOp::verify() {
  for (StringRef rest = getText(); !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.rtrim().ends_with("\\"))
      return emitOpError("expected no backslash at the end of a line: it would swallow the next "
                         "line of the text");
  }
  return success();
}
