// SPDX-License-Identifier: Apache-2.0
// Result types that follow from operands or attributes (InferTypeOpInterface).
#include "compiler/sm90/Sm90Ops.h"

using namespace mlir;
using namespace tilewright::sm90;

// The register type of an element behind a pointer operand.
template <typename Op>
static LogicalResult inferFromPointer(typename Op::Adaptor op, SmallVectorImpl<Type> &results) {
  auto pointer = dyn_cast<PtrType>(op.getPointer().getType());
  if (!pointer)
    return failure();
  results.push_back(registerType(pointer.getElementType()));
  return success();
}

LogicalResult LdGlobalOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                           ValueRange operands, DictionaryAttr attributes,
                                           OpaqueProperties properties, RegionRange regions,
                                           SmallVectorImpl<Type> &results) {
  return inferFromPointer<LdGlobalOp>({operands, attributes, properties, regions}, results);
}

LogicalResult LdGlobalIfOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                             ValueRange operands, DictionaryAttr attributes,
                                             OpaqueProperties properties, RegionRange regions,
                                             SmallVectorImpl<Type> &results) {
  return inferFromPointer<LdGlobalIfOp>({operands, attributes, properties, regions}, results);
}

LogicalResult LdSharedOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                           ValueRange operands, DictionaryAttr attributes,
                                           OpaqueProperties properties, RegionRange regions,
                                           SmallVectorImpl<Type> &results) {
  LdSharedOp::Adaptor op(operands, attributes, properties, regions);
  if (!op.getElementAttr())
    return failure();
  results.push_back(registerType(op.getElement()));
  return success();
}

LogicalResult FragGetOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                          ValueRange operands, DictionaryAttr attributes,
                                          OpaqueProperties properties, RegionRange regions,
                                          SmallVectorImpl<Type> &results) {
  FragGetOp::Adaptor op(operands, attributes, properties, regions);
  auto frag = dyn_cast<FragType>(op.getFrag().getType());
  if (!frag)
    return failure();
  results.push_back(frag.getElementType());
  return success();
}
