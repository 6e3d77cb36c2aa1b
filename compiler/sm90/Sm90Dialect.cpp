// SPDX-License-Identifier: Apache-2.0
#include "compiler/sm90/Sm90Dialect.h"

#include "compiler/sm90/Sm90Ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::sm90;

#include "compiler/sm90/Sm90Dialect.cpp.inc"

#include "compiler/sm90/Sm90Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/sm90/Sm90Attrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/sm90/Sm90Types.cpp.inc"

void Sm90Dialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "compiler/sm90/Sm90Ops.cpp.inc"
      >();
}

void Sm90Dialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/sm90/Sm90Attrs.cpp.inc"
      >();
}

void Sm90Dialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/sm90/Sm90Types.cpp.inc"
      >();
}

Type tilewright::sm90::registerType(Type element) {
  return isa<BFloat16Type, Float16Type>(element) ? Float32Type::get(element.getContext()) : element;
}

bool tilewright::sm90::isIdentifier(StringRef name) {
  static const llvm::StringSet<> keywords = {
      "alignas",   "alignof",  "and",      "asm",      "auto",     "bool",      "break",
      "case",      "catch",    "char",     "class",    "const",    "constexpr", "continue",
      "decltype",  "default",  "delete",   "do",       "double",   "else",      "enum",
      "explicit",  "export",   "extern",   "false",    "float",    "for",       "friend",
      "goto",      "if",       "inline",   "int",      "long",     "mutable",   "namespace",
      "new",       "noexcept", "not",      "nullptr",  "operator", "or",        "private",
      "protected", "public",   "register", "requires", "return",   "short",     "signed",
      "sizeof",    "static",   "struct",   "switch",   "template", "this",      "throw",
      "true",      "try",      "typedef",  "typename", "union",    "unsigned",  "using",
      "virtual",   "void",     "volatile", "while",    "xor",      "concept",   "typeid",
      "int8_t",    "uint8_t",  "int16_t",  "uint16_t", "int32_t",  "uint32_t",  "int64_t",
      "uint64_t",  "tw",       "INFINITY", "NAN",      "half"};
  return !name.empty() && (llvm::isAlpha(name.front()) || name.front() == '_') &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !name.starts_with("__") && !keywords.contains(name);
}

// !sm90.frag<128xf32>

Type FragType::parse(AsmParser &parser) {
  SmallVector<int64_t, 1> shape;
  Type element;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseGreater())
    return {};
  if (shape.size() != 1) {
    parser.emitError(loc) << "expected one size, as in !sm90.frag<128xf32>, found " << shape.size();
    return {};
  }
  return parser.getChecked<FragType>(loc, parser.getContext(), shape.front(), element);
}

void FragType::print(AsmPrinter &printer) const {
  printer << "<" << getSize() << "x" << getElementType() << ">";
}

LogicalResult FragType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t size,
                               Type element) {
  if (size < 1 || size > 512)
    return emitError() << "expected 1 to 512 registers in a fragment, found " << size
                       << ": a thread has 255";
  if (!element.isF32() && !element.isSignlessInteger(32) && !element.isSignlessInteger(64))
    return emitError() << "expected f32, i32 or i64 as a fragment's element, found " << element
                       << ": pack 16-bit values in pairs into i32";
  return success();
}

// !sm90.ptr<const bf16>

Type PtrType::parse(AsmParser &parser) {
  Type element;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  bool isConst = succeeded(parser.parseOptionalKeyword("const"));
  if (parser.parseType(element) || parser.parseGreater())
    return {};
  return parser.getChecked<PtrType>(loc, parser.getContext(), element, isConst);
}

void PtrType::print(AsmPrinter &printer) const {
  printer << "<" << (getIsConst() ? "const " : "") << getElementType() << ">";
}

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError, Type element, bool) {
  if (element.isBF16() || element.isF16() || element.isF32() ||
      isa<Float8E4M3FNType, Float8E5M2Type>(element) ||
      (element.isSignlessInteger() &&
       llvm::is_contained({8, 32, 64}, element.getIntOrFloatBitWidth())))
    return success();
  return emitError() << "expected bf16, f16, f32, f8E4M3FN, f8E5M2, i8, i32 or i64 behind a "
                        "pointer, found "
                     << element;
}

// #sm90.const<kStages = 4>

Attribute ConstAttr::parse(AsmParser &parser, Type) {
  std::string name;
  StringAttr nameAttr;
  int64_t value = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeywordOrString(&name))) {
    nameAttr = StringAttr::get(parser.getContext(), name);
    if (parser.parseEqual())
      return {};
  }
  if (parser.parseInteger(value) || parser.parseGreater())
    return {};
  return parser.getChecked<ConstAttr>(loc, parser.getContext(), value, nameAttr);
}

void ConstAttr::print(AsmPrinter &printer) const {
  printer << "<";
  if (getName()) {
    printer.printKeywordOrString(getName());
    printer << " = ";
  }
  printer << getValue() << ">";
}

LogicalResult ConstAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t value,
                                StringAttr name) {
  if (name && !isIdentifier(name))
    return emitError() << "expected an identifier of C++ as the name of a constant, found \""
                       << name.getValue() << "\"";
  if (!llvm::isInt<32>(value))
    return emitError() << "expected a constant of 32 bits, found " << value;
  return success();
}
