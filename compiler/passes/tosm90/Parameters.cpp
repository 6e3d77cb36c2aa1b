// SPDX-License-Identifier: Apache-2.0
//
// What the sm90 kernel takes: one tensor map for each box that a view is moved in, pointers that
// are accessed directly, and the scalars that the code uses. `parameters` on the kernel says how
// each follows from the tile kernel's arguments, in expressions of nested arrays: 3 : i64, "arg" 2,
// "add" x y, …

#include "compiler/passes/tosm90/KernelLowering.h"

using namespace mlir;

namespace tilewright::tosm90 {

/// Extent that a box of a tensor map may have at most, in elements.
static constexpr int64_t kMostInBox = 256;

/// i64 arithmetic on kernel arguments as data; null if the value depends on more.
Attribute KernelLowering::expression(Value value) {
  Builder builder(kernel.getContext());
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner() == &kernel.getBody().front())
      return builder.getArrayAttr(
          {builder.getStringAttr("arg"), builder.getI64IntegerAttr(argument.getArgNumber())});
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    if (auto integer = dyn_cast<IntegerAttr>(constantOp.getValue()))
      return builder.getI64IntegerAttr(integer.getInt());
  if (isa<arith::ExtSIOp, arith::TruncIOp>(op))
    return expression(op->getOperand(0));
  StringRef name = isa<arith::AddIOp>(op)        ? "add"
                   : isa<arith::SubIOp>(op)      ? "sub"
                   : isa<arith::MulIOp>(op)      ? "mul"
                   : isa<arith::DivSIOp>(op)     ? "div"
                   : isa<arith::CeilDivSIOp>(op) ? "ceildiv"
                   : isa<arith::RemSIOp>(op)     ? "mod"
                   : isa<arith::MinSIOp>(op)     ? "min"
                   : isa<arith::MaxSIOp>(op)     ? "max"
                                                 : "";
  if (name.empty())
    return {};
  Attribute lhs = expression(op->getOperand(0)), rhs = expression(op->getOperand(1));
  return lhs && rhs ? builder.getArrayAttr({builder.getStringAttr(name), lhs, rhs}) : Attribute();
}

std::string KernelLowering::nameOfView(tile::ViewOp view) {
  auto argument = dyn_cast<BlockArgument>(view.getBase());
  return argument ? kernel.argumentName(argument.getArgNumber()) : "view";
}

void KernelLowering::addParameter(Type type, StringRef name, DictionaryAttr contract, Value key) {
  Value value = result.getBody().front().addArgument(type, sm90::withName(loc, name));
  arguments.insert({key, {value, contract}});
  scalars.map(key, value);
}

/// Box and swizzle of a copy into or out of a slot of `tile`: whole panels, `rows` rows.
static std::pair<SmallVector<int64_t>, int64_t> boxOf(RankedTensorType tile, int64_t rank,
                                                      int64_t rows) {
  tile::SharedLayout layout = tile::sharedLayoutOf(tile);
  SmallVector<int64_t> box{layout.panelCols()};
  if (tile.getRank() == 2)
    box.push_back(rows);
  box.resize(rank, 1);
  return {box, *layout.swizzleMode()};
}

LogicalResult KernelLowering::declareParameters() {
  // Tensor maps first: they are what the signature is about.
  WalkResult mapped = kernel.walk([&](Operation *op) -> WalkResult {
    Value viewValue;
    RankedTensorType tile;
    int64_t rows = 0;
    if (auto copy = dyn_cast<tile::CopyOp>(op)) {
      viewValue = copy.getView();
      tile = copy.getSlot().getType().getTile();
      rows = tile.getDimSize(0) /
             (copy.getMulticast() ? kernel.getCluster()[*copy.getMulticast()] : 1);
    } else if (auto copyOut = dyn_cast<tile::CopyOutOp>(op)) {
      viewValue = copyOut.getView();
      tile = copyOut.getSlot().getType().getTile();
      auto owner = op->getParentOfType<tile::RoleOp>();
      tile::RoleAttr role = owner ? kernel.findRole(owner.getRole()) : tile::RoleAttr();
      int64_t groups = role ? std::max<int64_t>(1, role.getWarpgroups()) / role.instances() : 1;
      rows = tile.getDimSize(0) / groups;
    } else {
      return WalkResult::advance();
    }
    auto view = viewValue.getDefiningOp<tile::ViewOp>();
    auto [box, swizzle] = boxOf(tile, view.getType().getRank(), rows);
    if (llvm::any_of(box, [](int64_t extent) { return extent > kMostInBox; }))
      return op->emitOpError() << "moves a box of " << box[0] << " columns and " << rows
                               << " rows; TMA moves at most " << kMostInBox << " of each";
    return tensorMap(view, box, swizzle) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (mapped.wasInterrupted())
    return failure();
  llvm::SmallDenseSet<Value> direct;
  kernel.walk([&](Operation *op) {
    if (!isa<tile::ReadOp, tile::StoreOp, tile::LoadOp, tile::AtomicAddOp, tile::SemaphoreWaitOp,
             tile::SemaphorePostOp, tile::WorkListOp>(op))
      return;
    for (Value operand : op->getOperands()) {
      if (auto view = operand.getDefiningOp<tile::ViewOp>())
        operand = view.getBase();
      if (isa<tile::PtrType>(operand.getType()))
        direct.insert(operand);
    }
  });
  llvm::SmallDenseSet<Value> written;
  kernel.walk([&](Operation *op) {
    if (auto store = dyn_cast<tile::StoreOp>(op))
      written.insert(store.getView().getDefiningOp<tile::ViewOp>().getBase());
    if (auto atomic = dyn_cast<tile::AtomicAddOp>(op))
      written.insert(atomic.getAddress());
    if (auto post = dyn_cast<tile::SemaphorePostOp>(op))
      written.insert(post.getAddress());
  });
  Builder builder(kernel.getContext());
  for (bool pointers : {true, false})
    for (BlockArgument argument : kernel.getBody().getArguments()) {
      auto pointer = dyn_cast<tile::PtrType>(argument.getType());
      if (static_cast<bool>(pointer) != pointers || (pointer && !direct.contains(argument)))
        continue;
      unsigned index = argument.getArgNumber();
      Type type =
          pointer ? Type(sm90::PtrType::get(pointer.getElementType(), !written.contains(argument)))
                  : argument.getType();
      auto contract = builder.getDictionaryAttr(
          {builder.getNamedAttr("kind", builder.getStringAttr(pointer ? "pointer" : "scalar")),
           builder.getNamedAttr("argument", builder.getI64IntegerAttr(index)),
           builder.getNamedAttr("type", TypeAttr::get(argument.getType()))});
      addParameter(type, kernel.argumentName(index), contract, argument);
    }
  return success();
}

Value KernelLowering::tensorMap(tile::ViewOp view, ArrayRef<int64_t> box, int64_t swizzle) {
  Builder builder(kernel.getContext());
  int64_t id = viewIds.try_emplace(view, viewIds.size()).first->second;
  Attribute key =
      builder.getArrayAttr({builder.getI64IntegerAttr(id), builder.getDenseI64ArrayAttr(box),
                            builder.getI64IntegerAttr(swizzle)});
  if (auto found = maps.find(key); found != maps.end())
    return found->second.value;

  tile::ViewType type = view.getType();
  SmallVector<Attribute> dims, strides;
  for (Value size : llvm::reverse(view.getSizes()))
    dims.push_back(expression(size));
  int64_t bytes = tile::elementBytes(type.getElementType());
  for (Value stride : llvm::reverse(view.getStrides()))
    if (Attribute elements = expression(stride))
      strides.push_back(builder.getArrayAttr(
          {builder.getStringAttr("mul"), elements, builder.getI64IntegerAttr(bytes)}));
    else
      strides.push_back({});
  auto base = dyn_cast<BlockArgument>(view.getBase());
  if (!base || llvm::is_contained(dims, Attribute()) || llvm::is_contained(strides, Attribute())) {
    view.emitOpError() << "a tensor map needs a base that is an argument of the kernel, and sizes "
                          "and strides that are integer "
                          "arithmetic on its arguments";
    return {};
  }
  auto contract = builder.getDictionaryAttr({
      builder.getNamedAttr("kind", builder.getStringAttr("map")),
      builder.getNamedAttr("argument", builder.getI64IntegerAttr(base.getArgNumber())),
      builder.getNamedAttr("element", TypeAttr::get(type.getElementType())),
      builder.getNamedAttr("dims", builder.getArrayAttr(dims)),
      builder.getNamedAttr("strides", builder.getArrayAttr(strides)),
      builder.getNamedAttr("box", builder.getDenseI64ArrayAttr(box)),
      builder.getNamedAttr("swizzle", builder.getI64IntegerAttr(swizzle)),
  });
  Value value =
      result.getBody().front().addArgument(sm90::TensorMapType::get(builder.getContext()),
                                           sm90::withName(loc, nameOfView(view) + "_map"));
  maps.insert({key, {value, contract}});
  return value;
}

/// Parameters that the code does not use are dropped; what is left is written down.
void KernelLowering::finishParameters() {
  SmallVector<Parameter> all;
  for (auto &[key, parameter] : maps)
    all.push_back(parameter);
  for (auto &[key, parameter] : arguments)
    all.push_back(parameter);
  Block &entry = result.getBody().front();
  SmallVector<Attribute> contracts;
  SmallVector<Type> types;
  for (Parameter &parameter : all) {
    auto argument = cast<BlockArgument>(parameter.value);
    if (argument.use_empty()) {
      entry.eraseArgument(argument.getArgNumber());
      continue;
    }
    contracts.push_back(parameter.contract);
    types.push_back(argument.getType());
  }
  Builder builder(kernel.getContext());
  result.setFunctionTypeAttr(TypeAttr::get(builder.getFunctionType(types, {})));
  result->setAttr("parameters", builder.getArrayAttr(contracts));
}

} // namespace tilewright::tosm90
