// SPDX-License-Identifier: Apache-2.0

#include "compiler/tile/TileDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "compiler/tile/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/tile/TileAttrs.cpp.inc"

using namespace mlir;

namespace tilewright::tile {

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/tile/TileAttrs.cpp.inc"
      >();
}

int elementBytes(Type elementType) { return std::max(1u, elementType.getIntOrFloatBitWidth() / 8); }

//===-- Layouts as values --------------------------------------------------------------------===//

static SharedLayout makeShared(SmemAttr attr, ArrayRef<int64_t> shape, Type elementType) {
  SharedLayout layout;
  layout.rows = shape.size() == 2 ? shape[0] : 1;
  layout.cols = shape.back();
  layout.elementBytes = elementBytes(elementType);
  layout.panel = static_cast<int>(attr.getPanel());
  layout.pad = static_cast<int>(attr.getPad());
  if (attr.getSwizzle()) {
    layout.xorBits = attr.getSwizzle() == 128 ? 3 : attr.getSwizzle() == 64 ? 2 : 1;
    layout.xorBase = 4;
    layout.xorShift = 3;
  } else if (attr.getXorBits().size() == 3) {
    layout.xorBits = static_cast<int>(attr.getXorBits()[0]);
    layout.xorBase = static_cast<int>(attr.getXorBits()[1]);
    layout.xorShift = static_cast<int>(attr.getXorBits()[2]);
  }
  return layout;
}

static std::optional<FragmentLayout> makeFragment(Attribute attr, ArrayRef<int64_t> shape);

/// The two-dimensional layout that a vector of `length` elements is a slice of: the removed
/// dimension gets the smallest extent that the layout allows, which no element's owner depends on.
static std::optional<FragmentLayout> makeSlice(SliceAttr attr, int64_t length) {
  int64_t smallest = 1;
  bool dropsColumns = attr.getDim() == 1;
  if (auto acc = dyn_cast<AccAttr>(attr.getParent()))
    smallest = dropsColumns ? 8 * acc.getWgsN() : 64 * acc.getWgsM() * acc.getWaves();
  else if (auto blocked = dyn_cast<BlockedAttr>(attr.getParent()))
    smallest = dropsColumns ? blocked.getThreadCols() * blocked.getVec() : blocked.getThreadRows();
  auto parentShape = dropsColumns ? SmallVector<int64_t>{length, smallest}
                                  : SmallVector<int64_t>{smallest, length};
  std::optional<FragmentLayout> parent = makeFragment(attr.getParent(), parentShape);
  if (!parent)
    return std::nullopt;
  return FragmentLayout::slice(static_cast<int>(attr.getDim()), *parent);
}

static std::optional<FragmentLayout> makeFragment(Attribute attr, ArrayRef<int64_t> shape) {
  if (auto slice = dyn_cast_or_null<SliceAttr>(attr))
    return shape.size() == 1 ? makeSlice(slice, shape[0]) : std::nullopt;
  if (shape.size() != 2)
    return std::nullopt;
  if (auto acc = dyn_cast_or_null<AccAttr>(attr))
    return FragmentLayout::acc(shape[0], shape[1],
                               {static_cast<int>(acc.getWgsM()), static_cast<int>(acc.getWgsN())},
                               static_cast<int>(acc.getWaves()));
  if (auto operand = dyn_cast_or_null<OperandAttr>(attr))
    return FragmentLayout::operand(shape[0], shape[1], static_cast<int>(operand.getWgsM()),
                                   static_cast<int>(operand.getWaves()));
  if (auto blocked = dyn_cast_or_null<BlockedAttr>(attr))
    return FragmentLayout::blocked(
        shape[0], shape[1],
        {static_cast<int>(blocked.getThreadRows()), static_cast<int>(blocked.getThreadCols())},
        static_cast<int>(blocked.getVec()));
  return std::nullopt;
}

SharedLayout sharedLayoutOf(RankedTensorType tile) {
  return makeShared(cast<SmemAttr>(tile.getEncoding()), tile.getShape(), tile.getElementType());
}
std::optional<FragmentLayout> fragmentLayoutOf(RankedTensorType tile) {
  return makeFragment(tile.getEncoding(), tile.getShape());
}

bool isRegisterTile(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && isa_and_nonnull<AccAttr, OperandAttr, SliceAttr, BlockedAttr>(tile.getEncoding());
}

RankedTensorType withLayout(RankedTensorType tile, Attribute layout) {
  return RankedTensorType::get(tile.getShape(), tile.getElementType(), layout);
}

//===-- Shape checks -------------------------------------------------------------------------===//

static LogicalResult checkFragment(Attribute attr, ArrayRef<int64_t> shape,
                                   function_ref<InFlightDiagnostic()> emitError) {
  std::optional<FragmentLayout> layout = makeFragment(attr, shape);
  if (!layout)
    return emitError() << "layout " << attr << " does not fit a tile of rank " << shape.size();
  if (std::optional<std::string> problem = layout->check())
    return emitError() << "layout " << attr << " does not fit: " << *problem;
  return success();
}

LogicalResult SmemAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  if (!elementType.isIntOrFloat())
    return emitError() << "a tile in shared memory holds integers or floats, found " << elementType;
  if (shape.empty() || shape.size() > 2)
    return emitError() << "a tile in shared memory has 1 or 2 dimensions, found " << shape.size();
  if (std::optional<std::string> problem = makeShared(*this, shape, elementType).check())
    return emitError() << "layout " << *this << " does not fit: " << *problem;
  return success();
}
LogicalResult AccAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                      function_ref<InFlightDiagnostic()> emitError) const {
  return checkFragment(*this, shape, emitError);
}
LogicalResult OperandAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                          function_ref<InFlightDiagnostic()> emitError) const {
  if (!elementType.isIntOrFloat() || elementType.getIntOrFloatBitWidth() != 16)
    return emitError() << "layout " << *this << " holds 16-bit elements, found " << elementType;
  return checkFragment(*this, shape, emitError);
}
LogicalResult SliceAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                        function_ref<InFlightDiagnostic()> emitError) const {
  return checkFragment(*this, shape, emitError);
}
LogicalResult BlockedAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                          function_ref<InFlightDiagnostic()> emitError) const {
  return checkFragment(*this, shape, emitError);
}

//===-- Parameters ---------------------------------------------------------------------------===//

LogicalResult SmemAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t panel,
                               int64_t pad, int64_t swizzle, ArrayRef<int64_t> xorBits) {
  if (panel < 0 || pad < 0)
    return emitError() << "panel and pad are not negative, found " << panel << " and " << pad;
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return emitError() << "swizzle is 0, 32, 64 or 128 bytes, found " << swizzle;
  if (swizzle && (!xorBits.empty() || pad))
    return emitError() << "a TMA swizzle excludes xor and pad";
  if (!xorBits.empty() && xorBits.size() != 3)
    return emitError() << "xor has three numbers [bits, base, shift], found " << xorBits.size();
  return success();
}
LogicalResult AccAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t wgsM,
                              int64_t wgsN, int64_t waves) {
  if (wgsM < 1 || wgsN < 1 || waves < 1)
    return emitError() << "warpgroups and waves are at least 1, found [" << wgsM << ", " << wgsN
                       << "] and " << waves;
  return success();
}
LogicalResult OperandAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t wgsM,
                                  int64_t waves) {
  if (wgsM < 1 || waves < 1)
    return emitError() << "warpgroups and waves are at least 1, found " << wgsM << " and " << waves;
  return success();
}
LogicalResult SliceAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t dim,
                                Attribute parent) {
  if (dim != 0 && dim != 1)
    return emitError() << "a slice removes dimension 0 or 1, found " << dim;
  if (!isa<AccAttr, BlockedAttr>(parent))
    return emitError() << "a slice's parent is #tile.acc or #tile.blocked, found " << parent;
  return success();
}
LogicalResult BlockedAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rows,
                                  int64_t cols, int64_t vec) {
  if (rows < 1 || cols < 1 || vec < 1)
    return emitError() << "threads and vec are at least 1, found [" << rows << ", " << cols
                       << "] and " << vec;
  return success();
}
LogicalResult RoleAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name,
                               int64_t warps, int64_t warpgroups, int64_t regs, Split) {
  if (name.empty())
    return emitError() << "a role has a name";
  if ((warps > 0) == (warpgroups > 0))
    return emitError() << "role " << name << " states either warps or warpgroups, found " << warps
                       << " and " << warpgroups;
  if (warps < 0 || warps > 4 || warpgroups < 0 || warpgroups > 7)
    return emitError() << "role " << name << " has 1 to 4 warps or 1 to 7 warpgroups";
  if (regs != 0 && (regs < 24 || regs > 256 || regs % 8))
    return emitError() << "role " << name << ": regs is a multiple of 8 from 24 to 256, found "
                       << regs;
  return success();
}
LogicalResult AtAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef step,
                             int64_t lag) {
  if (step.empty() || lag < 0 || lag > 1)
    return emitError() << "an order entry names a step and a lag of 0 or 1, found \"" << step
                       << "\" and " << lag;
  return success();
}

//===-- Text ---------------------------------------------------------------------------------===//

namespace {

/// Parses `<key = integer | [integers] | keyword, …>` by the given table.
struct Field {
  StringRef key;
  int64_t *integer = nullptr;
  SmallVector<int64_t> *list = nullptr;
  std::string *keyword = nullptr;
};

ParseResult parseField(AsmParser &parser, ArrayRef<Field> fields) {
  StringRef key;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&key) || parser.parseEqual())
    return failure();
  for (const Field &field : fields) {
    if (field.key != key)
      continue;
    if (field.integer)
      return parser.parseInteger(*field.integer);
    if (field.keyword)
      return parser.parseKeywordOrString(field.keyword);
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(field.list->emplace_back());
    });
  }
  std::string known;
  for (const Field &field : fields)
    known += (known.empty() ? "" : ", ") + field.key.str();
  return parser.emitError(loc) << "unknown parameter '" << key << "', expected one of " << known;
}

ParseResult parseFields(AsmParser &parser, ArrayRef<Field> fields) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalLessGreater,
                                        [&] { return parseField(parser, fields); });
}

/// Prints `<key = value, …>`, leaving out what has its default; nothing at all when all has.
class FieldPrinterList {
public:
  explicit FieldPrinterList(AsmPrinter &printer) : printer(printer) {}
  ~FieldPrinterList() {
    if (!first)
      printer << '>';
  }
  AsmPrinter &key(StringRef name) {
    printer << (first ? "<" : ", ") << name << " = ";
    first = false;
    return printer;
  }
  void integer(StringRef name, int64_t value, int64_t standard) {
    if (value != standard)
      key(name) << value;
  }
  void list(StringRef name, ArrayRef<int64_t> values) {
    AsmPrinter &os = key(name);
    os << '[';
    llvm::interleaveComma(values, os.getStream());
    os << ']';
  }

private:
  AsmPrinter &printer;
  bool first = true;
};

} // namespace

Attribute SmemAttr::parse(AsmParser &parser, Type) {
  int64_t panel = 0, pad = 0, swizzle = 0;
  SmallVector<int64_t> xorBits;
  if (parseFields(
          parser,
          {{"panel", &panel}, {"pad", &pad}, {"swizzle", &swizzle}, {"xor", nullptr, &xorBits}}))
    return {};
  return parser.getChecked<SmemAttr>(parser.getContext(), panel, pad, swizzle, xorBits);
}
void SmemAttr::print(AsmPrinter &printer) const {
  FieldPrinterList fields(printer);
  fields.integer("panel", getPanel(), 0);
  fields.integer("pad", getPad(), 0);
  fields.integer("swizzle", getSwizzle(), 0);
  if (!getXorBits().empty())
    fields.list("xor", getXorBits());
}

Attribute AccAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> wgs;
  int64_t waves = 1;
  SMLoc loc = parser.getCurrentLocation();
  if (parseFields(parser, {{"wgs", nullptr, &wgs}, {"waves", &waves}}))
    return {};
  if (wgs.size() != 2)
    return parser.emitError(loc, "expected wgs = [rows, columns]"), Attribute();
  return parser.getChecked<AccAttr>(parser.getContext(), wgs[0], wgs[1], waves);
}
void AccAttr::print(AsmPrinter &printer) const {
  FieldPrinterList fields(printer);
  fields.list("wgs", {getWgsM(), getWgsN()});
  fields.integer("waves", getWaves(), 1);
}

Attribute OperandAttr::parse(AsmParser &parser, Type) {
  int64_t wgs = 1, waves = 1;
  if (parseFields(parser, {{"wgs", &wgs}, {"waves", &waves}}))
    return {};
  return parser.getChecked<OperandAttr>(parser.getContext(), wgs, waves);
}
void OperandAttr::print(AsmPrinter &printer) const {
  FieldPrinterList fields(printer);
  fields.key("wgs") << getWgsM();
  fields.integer("waves", getWaves(), 1);
}

Attribute BlockedAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> threads;
  int64_t vec = 1;
  SMLoc loc = parser.getCurrentLocation();
  if (parseFields(parser, {{"threads", nullptr, &threads}, {"vec", &vec}}))
    return {};
  if (threads.size() != 2)
    return parser.emitError(loc, "expected threads = [rows, columns]"), Attribute();
  return parser.getChecked<BlockedAttr>(parser.getContext(), threads[0], threads[1], vec);
}
void BlockedAttr::print(AsmPrinter &printer) const {
  FieldPrinterList fields(printer);
  fields.list("threads", {getThreadRows(), getThreadCols()});
  fields.integer("vec", getVec(), 1);
}

// #tile.role<load, warps = 1, regs = 40>
Attribute RoleAttr::parse(AsmParser &parser, Type) {
  std::string name, split = "rows";
  int64_t warps = 0, warpgroups = 0, regs = 0;
  if (parser.parseLess() || parser.parseKeywordOrString(&name))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseField(parser, {{"warps", &warps},
                            {"warpgroups", &warpgroups},
                            {"regs", &regs},
                            {"split", nullptr, nullptr, &split}}))
      return {};
  std::optional<Split> splitKind = symbolizeSplit(split);
  if (!splitKind)
    return parser.emitError(parser.getCurrentLocation())
               << "split is rows or tiles, found " << split,
           Attribute();
  if (parser.parseGreater())
    return {};
  return parser.getChecked<RoleAttr>(parser.getContext(), name, warps, warpgroups, regs,
                                     *splitKind);
}
void RoleAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printKeywordOrString(getName());
  if (getWarps())
    printer << ", warps = " << getWarps();
  if (getWarpgroups())
    printer << ", warpgroups = " << getWarpgroups();
  if (getRegs())
    printer << ", regs = " << getRegs();
  if (getSplit() != Split::Rows)
    printer << ", split = " << stringifySplit(getSplit());
  printer << '>';
}

} // namespace tilewright::tile
