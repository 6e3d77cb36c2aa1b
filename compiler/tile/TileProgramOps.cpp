// SPDX-License-Identifier: Apache-2.0
//
// Programs, kernels, views and schedules: text form and verifiers.

#include "compiler/tile/TileDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSet.h"

#include <limits>

using namespace mlir;

namespace tilewright::tile {

//===-- Functions ----------------------------------------------------------------------------===//

template <typename Op>
static std::string argumentNameOf(Op op, unsigned index) {
  if (auto name = op.template getArgAttrOfType<StringAttr>(index, "tile.name"))
    return name.str();
  return "arg" + std::to_string(index);
}

std::string ProgramOp::argumentName(unsigned index) { return argumentNameOf(*this, index); }
std::string KernelOp::argumentName(unsigned index) { return argumentNameOf(*this, index); }

template <typename Op>
static void nameArguments(Op op, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : op.getBody().getArguments())
    if (auto name = op.template getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tile.name"))
      setName(argument, name.getValue());
}

namespace {

struct Signature {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
};

/// `@name(%a: type {attrs}, …)`: what programs and kernels have in common.
ParseResult parseSignature(OpAsmParser &parser, OperationState &result, StringAttr typeName,
                           StringAttr argAttrsName, StringAttr resAttrsName, Signature &signature) {
  if (parser.parseSymbolName(signature.name, SymbolTable::getSymbolAttrName(), result.attributes))
    return failure();
  bool isVariadic = false;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttrs;
  SMLoc loc = parser.getCurrentLocation();
  if (function_interface_impl::parseFunctionSignatureWithArguments(parser, /*allowVariadic=*/false,
                                                                   signature.arguments, isVariadic,
                                                                   resultTypes, resultAttrs))
    return failure();
  if (!resultTypes.empty())
    return parser.emitError(
        loc, "programs and kernels return nothing: results are stored through arguments");
  SmallVector<Type> argumentTypes;
  for (const OpAsmParser::Argument &argument : signature.arguments)
    argumentTypes.push_back(argument.type);
  result.addAttribute(typeName,
                      TypeAttr::get(parser.getBuilder().getFunctionType(argumentTypes, {})));
  call_interface_impl::addArgAndResultAttrs(parser.getBuilder(), result, signature.arguments,
                                            resultAttrs, argAttrsName, resAttrsName);
  return success();
}

ParseResult parseBody(OpAsmParser &parser, OperationState &result,
                      ArrayRef<OpAsmParser::Argument> arguments) {
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

void printSignature(OpAsmPrinter &printer, FunctionOpInterface op) {
  printer << ' ';
  printer.printSymbolName(op.getName());
  printer << '(';
  llvm::interleaveComma(op.getArguments(), printer, [&](BlockArgument argument) {
    printer.printRegionArgument(argument, op.getArgAttrs(argument.getArgNumber()));
  });
  printer << ')';
}

LogicalResult verifyArguments(FunctionOpInterface op) {
  for (auto [index, type] : llvm::enumerate(op.getArgumentTypes()))
    if (!isa<PtrType>(type) && !type.isInteger(32) && !type.isInteger(64) && !type.isF32())
      return op.emitOpError() << "argument " << index
                              << " must be a !tile.ptr, i32, i64 or f32, found " << type;
  return success();
}

} // namespace

ParseResult ProgramOp::parse(OpAsmParser &parser, OperationState &result) {
  Signature signature;
  if (parseSignature(parser, result, getFunctionTypeAttrName(result.name),
                     getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name),
                     signature) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parseBody(parser, result, signature.arguments))
    return failure();
  ensureTerminator(*result.regions.front(), parser.getBuilder(), result.location);
  return success();
}

void ProgramOp::print(OpAsmPrinter &printer) {
  printSignature(printer, *this);
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getSymNameAttrName(), getFunctionTypeAttrName(),
                                            getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

LogicalResult ProgramOp::verify() {
  if (failed(verifyArguments(*this)))
    return failure();
  llvm::StringSet<> names;
  for (unsigned index = 0; index < getNumArguments(); ++index)
    if (!names.insert(argumentName(index)).second)
      return emitOpError() << "two arguments are named \"" << argumentName(index)
                           << "\"; callers bind arguments by name";
  return success();
}

// tile.kernel @gemm(…) form = program cluster = [2, 1] roles = […] threads = 256 { … }
ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Signature signature;
  if (parseSignature(parser, result, getFunctionTypeAttrName(result.name),
                     getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name), signature))
    return failure();
  Builder &builder = parser.getBuilder();
  std::string form;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword("form") || parser.parseEqual() || parser.parseKeywordOrString(&form))
    return failure();
  std::optional<Form> kind = symbolizeForm(form);
  if (!kind)
    return parser.emitError(loc) << "form is program or scheduled, found " << form;
  result.addAttribute(getFormAttrName(result.name), FormAttr::get(builder.getContext(), *kind));
  if (succeeded(parser.parseOptionalKeyword("cluster"))) {
    SmallVector<int64_t> cluster;
    if (parser.parseEqual() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parser.parseInteger(cluster.emplace_back());
        }))
      return failure();
    result.addAttribute(getClusterAttrName(result.name), builder.getDenseI64ArrayAttr(cluster));
  } else {
    result.addAttribute(getClusterAttrName(result.name), builder.getDenseI64ArrayAttr({1, 1}));
  }
  if (succeeded(parser.parseOptionalKeyword("roles"))) {
    ArrayAttr roles;
    if (parser.parseEqual() || parser.parseAttribute(roles))
      return failure();
    result.addAttribute(getRolesAttrName(result.name), roles);
  }
  if (succeeded(parser.parseOptionalKeyword("threads"))) {
    int64_t threads = 0;
    if (parser.parseEqual() || parser.parseInteger(threads))
      return failure();
    result.addAttribute(getThreadsAttrName(result.name), builder.getI64IntegerAttr(threads));
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parseBody(parser, result, signature.arguments))
    return failure();
  ensureTerminator(*result.regions.front(), builder, result.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printSignature(printer, *this);
  printer << " form = " << stringifyForm(getForm());
  if (clusterSize() != 1) {
    printer << " cluster = [";
    llvm::interleaveComma(getCluster(), printer);
    printer << ']';
  }
  if (getRolesAttr())
    printer << " roles = " << getRolesAttr();
  if (getThreads())
    printer << " threads = " << *getThreads();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getFunctionTypeAttrName(), getArgAttrsAttrName(),
                            getResAttrsAttrName(), getFormAttrName(), getClusterAttrName(),
                            getRolesAttrName(), getThreadsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

RoleAttr KernelOp::findRole(StringRef name) {
  if (ArrayAttr roles = getRolesAttr())
    for (RoleAttr role : roles.getAsRange<RoleAttr>())
      if (role.getName() == name)
        return role;
  return {};
}

int64_t KernelOp::clusterSize() {
  int64_t size = 1;
  for (int64_t extent : getCluster())
    size *= extent;
  return size;
}

int64_t KernelOp::firstThread(RoleAttr wanted) {
  int64_t warps = 0;
  for (RoleAttr role : getRolesAttr().getAsRange<RoleAttr>())
    if (role.getWarps()) {
      if (role == wanted)
        return warps * 32;
      warps += role.getWarps();
    }
  int64_t thread = llvm::alignTo(warps * 32, 128);
  for (RoleAttr role : getRolesAttr().getAsRange<RoleAttr>())
    if (role.getWarpgroups()) {
      if (role == wanted)
        return thread;
      thread += role.threads();
    }
  return thread;
}

int64_t KernelOp::ctaThreads() {
  return getRolesAttr() ? firstThread({}) : getThreads().value_or(128);
}

void ProgramOp::getAsmBlockArgumentNames(Region &, OpAsmSetValueNameFn setName) {
  nameArguments(*this, setName);
}
void KernelOp::getAsmBlockArgumentNames(Region &, OpAsmSetValueNameFn setName) {
  nameArguments(*this, setName);
}

LogicalResult KernelOp::verify() {
  if (failed(verifyArguments(*this)))
    return failure();
  if (getCluster().size() != 2 || getCluster()[0] < 1 || getCluster()[1] < 1 || clusterSize() > 8)
    return emitOpError() << "cluster lists two extents with a product of 1 to 8";
  if (!getRolesAttr() && getForm() == Form::Scheduled && !getThreads())
    return emitOpError() << "a scheduled kernel states its roles or its threads";
  if (getThreads() &&
      (getRolesAttr() || *getThreads() < 32 || *getThreads() > 1024 || *getThreads() % 32))
    return emitOpError() << "threads is a multiple of 32 up to 1024 and excludes roles";
  if (!getRolesAttr())
    return success();
  llvm::StringSet<> names;
  int64_t sharedRegs = -1;
  for (Attribute attribute : getRolesAttr()) {
    auto role = dyn_cast<RoleAttr>(attribute);
    if (!role)
      return emitOpError() << "roles lists #tile.role attributes, found " << attribute;
    if (!names.insert(role.getName()).second)
      return emitOpError() << "two roles are named " << role.getName();
    if (!role.getWarps())
      continue;
    if (sharedRegs >= 0 && sharedRegs != role.getRegs())
      return emitOpError() << "roles that share a warpgroup state equal regs, found " << sharedRegs
                           << " and " << role.getRegs();
    sharedRegs = role.getRegs();
  }
  if (ctaThreads() > 1024)
    return emitOpError() << "the roles add up to " << ctaThreads()
                         << " threads, a CTA has at most 1024";
  // The register file is what the roles divide: 64 K registers, and setmaxnreg only moves what the
  // launch allotted.
  int64_t registers = 0;
  for (RoleAttr role : getRolesAttr().getAsRange<RoleAttr>())
    if (role.getWarpgroups())
      registers += role.getRegs() * role.threads();
  registers += std::max<int64_t>(sharedRegs, 0) * (firstThread({}) - [&] {
                 int64_t threads = 0;
                 for (RoleAttr role : getRolesAttr().getAsRange<RoleAttr>())
                   threads += role.getWarpgroups() ? role.threads() : 0;
                 return threads;
               }());
  if (registers > 65536)
    return emitOpError() << "the roles' registers add up to " << registers
                         << ", a CTA has 65536; lower a role's regs";
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  bool scheduled = getForm() == Form::Scheduled;
  WalkResult result = getBody().walk([&](Operation *op) -> WalkResult {
    if (scheduled ? op->hasTrait<ProgramForm>() : op->hasTrait<ScheduledForm>())
      return op->emitOpError() << "stands in a kernel of " << (scheduled ? "scheduled" : "program")
                               << " form but belongs to the "
                               << (scheduled ? "program" : "scheduled") << " form";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===-- Program ops --------------------------------------------------------------------------===//

LogicalResult LaunchOp::verify() {
  if (getGrid().empty() || getGrid().size() > 3)
    return emitOpError() << "grid has 1 to 3 extents, found " << getGrid().size();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError() << "no tile.kernel is named @" << getKernel();
  if (kernel.getArgumentTypes() != getArgs().getTypes())
    return emitOpError() << "arguments do not match the signature of @" << getKernel()
                         << ": expected " << kernel.getFunctionType() << ", found "
                         << getArgs().getTypes();
  return success();
}

LogicalResult ViewOp::verify() {
  ViewType view = getType();
  if (view.getElementType() != getBase().getType().getElementType())
    return emitOpError() << "views " << view.getElementType() << " through a pointer to "
                         << getBase().getType().getElementType();
  if (static_cast<int64_t>(getSizes().size()) != view.getRank())
    return emitOpError() << "a view of rank " << view.getRank() << " has as many sizes, found "
                         << getSizes().size();
  if (static_cast<int64_t>(getStrides().size()) != view.getRank() - 1)
    return emitOpError() << "a view of rank " << view.getRank() << " has " << view.getRank() - 1
                         << " strides (the last dimension is contiguous), found "
                         << getStrides().size();
  return success();
}

LogicalResult ExtentOp::verify() {
  if (static_cast<int64_t>(getDim()) >= getView().getType().getRank())
    return emitOpError() << "dimension " << getDim() << " of a view of rank "
                         << getView().getType().getRank();
  return success();
}

OpFoldResult ExtentOp::fold(FoldAdaptor) {
  if (auto view = getView().getDefiningOp<ViewOp>())
    return view.getSizes()[getDim()];
  return {};
}

// (%m by 128, %n by 256)
static ParseResult parseTiledExtents(OpAsmParser &parser,
                                     SmallVectorImpl<OpAsmParser::UnresolvedOperand> &extents,
                                     DenseI64ArrayAttr &tiles) {
  SmallVector<int64_t> sizes;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
        return failure(parser.parseOperand(extents.emplace_back()) || parser.parseKeyword("by") ||
                       parser.parseInteger(sizes.emplace_back()));
      }))
    return failure();
  tiles = parser.getBuilder().getDenseI64ArrayAttr(sizes);
  return success();
}

static void printTiledExtents(OpAsmPrinter &printer, Operation *, OperandRange extents,
                              DenseI64ArrayAttr tiles) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(extents, tiles.asArrayRef()), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " by " << std::get<1>(pair);
  });
  printer << ')';
}

LogicalResult RasterOp::verify() {
  if (getExtents().empty() || getExtents().size() != getTiles().size() ||
      getType().getRank() != static_cast<int64_t>(getTiles().size()))
    return emitOpError() << "a schedule of rank " << getType().getRank()
                         << " has as many extents, found " << getExtents().size();
  // Coordinates are 32-bit.
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  for (int64_t tile : getTiles())
    if (tile < 1 || tile > kMost)
      return emitOpError() << "tile sizes are from 1 to 2^31 - 1, found " << tile;
  if (getOrder() == Order::Grouped && getTiles().size() < 2)
    return emitOpError() << "order grouped needs at least two coordinates";
  if (getGroup() < 1 || getGroup() > kMost || getAlong() > 1)
    return emitOpError() << "group is from 1 to 2^31 - 1 and along is 0 or 1, found " << getGroup()
                         << " and " << getAlong();
  return success();
}

LogicalResult WorkListOp::verify() {
  if (!getList().getType().getElementType().isInteger(32))
    return emitOpError() << "a work list holds i32 coordinates, found " << getList().getType();
  return success();
}

} // namespace tilewright::tile

#define GET_OP_CLASSES
#include "compiler/tile/TileOps.cpp.inc"
