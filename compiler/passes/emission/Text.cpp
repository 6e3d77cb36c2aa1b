// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/emission/Text.h"

#include "mlir/IR/BuiltinTypes.h"

#include <charconv>

using namespace mlir;
using namespace tilewright;

std::string emission::elementName(Type element) {
  if (element.isBF16())
    return "tw::bf16";
  if (element.isF16())
    return "tw::half";
  if (element.isF32())
    return "float";
  if (isa<Float8E4M3FNType>(element))
    return "tw::e4m3";
  if (isa<Float8E5M2Type>(element))
    return "tw::e5m2";
  return "int" + std::to_string(element.getIntOrFloatBitWidth()) + "_t";
}

static std::string floatText(const APFloat &value) {
  if (value.isNaN())
    return "NAN";
  if (value.isInfinity())
    return value.isNegative() ? "-INFINITY" : "INFINITY";
  // The shortest decimal that reads back as the same number.
  char digits[32];
  char *end = std::to_chars(digits, digits + sizeof digits, value.convertToFloat()).ptr;
  std::string text(digits, end);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + "f";
}

std::string emission::literalText(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return floatText(number.getValue());
  const APInt &bits = cast<IntegerAttr>(value).getValue();
  if (bits.getBitWidth() == 1)
    return bits.isZero() ? "false" : "true";
  int64_t number = bits.getSExtValue();
  // The most negative number is not a literal of C++: its digits alone overflow.
  if (bits.isMinSignedValue())
    return "(" + std::to_string(number + 1) + (bits.getBitWidth() == 64 ? "ll - 1)" : " - 1)");
  return std::to_string(number) + (llvm::isInt<32>(number) ? "" : "ll");
}
