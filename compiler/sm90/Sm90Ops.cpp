// SPDX-License-Identifier: Apache-2.0
#include "compiler/sm90/Sm90Ops.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright::sm90;

#include "compiler/sm90/Sm90Interfaces.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/sm90/Sm90Ops.cpp.inc"

TemplateArgument tilewright::sm90::templateArgument(MLIRContext *context, ConstAttr number) {
  return number ? TemplateArgument{number} : TemplateArgument{ConstAttr::get(context, 0), true};
}

TemplateArgument tilewright::sm90::templateArgument(MLIRContext *, TypeAttr type) { return {type}; }

TemplateArgument tilewright::sm90::templateArgument(MLIRContext *context, bool flag) {
  return {BoolAttr::get(context, flag), !flag};
}

TemplateArgument tilewright::sm90::templateArgument(MLIRContext *context, ValueRange coordinates) {
  return {ConstAttr::get(context, static_cast<int64_t>(coordinates.size()))};
}

TemplateArgument tilewright::sm90::templateArgument(MLIRContext *context, CachePolicy policy) {
  auto text = StringAttr::get(context, "tw::cache::" + stringifyCachePolicy(policy));
  return {text, policy == CachePolicy::none};
}

TemplateArgument tilewright::sm90::templateArgument(MLIRContext *, TemplateArgument argument) {
  return argument;
}

TemplateArgument tilewright::sm90::bandsAlongM(MLIRContext *context, bool alongN) {
  return {BoolAttr::get(context, !alongN), !alongN};
}

ArrayAttr tilewright::sm90::templateArguments(MLIRContext *context,
                                              ArrayRef<TemplateArgument> arguments) {
  while (!arguments.empty() && arguments.back().isDefault)
    arguments = arguments.drop_back();
  SmallVector<Attribute> values;
  for (const TemplateArgument &argument : arguments)
    values.push_back(argument.value);
  return ArrayAttr::get(context, values);
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
