// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/emission/Conversion.h"
#include "compiler/passes/emission/Text.h"

#include "compiler/sm90/Sm90Dialect.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

using namespace mlir;
using namespace tilewright;

emission::EmitcTypeConverter::EmitcTypeConverter() {
  addConversion([](IntegerType type) -> std::optional<Type> {
    if (type.isSignless() && llvm::is_contained({1, 32, 64}, type.getWidth()))
      return type;
    return std::nullopt;
  });
  addConversion([](Float32Type type) { return type; });
  addConversion([](sm90::FragType type) -> Type {
    // Packed operands are uint32_t in the device library.
    Type element = type.getElementType();
    if (element.isSignlessInteger(32))
      element = IntegerType::get(type.getContext(), 32, IntegerType::Unsigned);
    return emitc::ArrayType::get({type.getSize()}, element);
  });
  addConversion([](sm90::TensorMapType type) -> Type {
    return emitc::OpaqueType::get(type.getContext(), "const __grid_constant__ tw::tensor_map");
  });
  addConversion([](sm90::PtrType type) -> Type {
    std::string name = (type.getIsConst() ? "const " : "") + elementName(type.getElementType());
    return emitc::PointerType::get(emitc::OpaqueType::get(type.getContext(), name));
  });
  addConversion([](sm90::CursorType type) -> Type {
    return emitc::OpaqueType::get(type.getContext(), "tw::cursor");
  });
  addConversion([](sm90::Tile2Type type) -> Type {
    return emitc::OpaqueType::get(type.getContext(), "tw::tile2");
  });
}
