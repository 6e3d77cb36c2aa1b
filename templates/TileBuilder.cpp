// SPDX-License-Identifier: Apache-2.0
#include "templates/TileBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilewright {
namespace {

SmallVector<Value> valuesOf(llvm::ArrayRef<TileValue> values) {
  return SmallVector<Value>(values.begin(), values.end());
}

} // namespace

TileArguments::TileArguments(TileBuilder &builder, llvm::ArrayRef<TileParameter> parameters,
                             Block &body)
    : builder_(builder), values_(body.getArguments()) {
  for (auto [parameter, value] : llvm::zip_equal(parameters, values_))
    byName_[parameter.name] = value;
}

TileValue TileArguments::operator[](llvm::StringRef name) const {
  Value value = byName_.lookup(name);
  assert(value && "no argument of that name");
  return TileValue(builder_, value);
}

SmallVector<Value> TileArguments::select(llvm::ArrayRef<TileParameter> parameters) const {
  SmallVector<Value> selected;
  for (const TileParameter &parameter : parameters)
    selected.push_back((*this)[parameter.name]);
  return selected;
}

TileBuilder::TileBuilder(ModuleOp module)
    : ops_(OpBuilder::atBlockEnd(module.getBody())), location_(ops_.getUnknownLoc()) {
  context()->loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect>();
}

//===-- Types --------------------------------------------------------------------------------===//

Type TileBuilder::element(DType type) {
  switch (type) {
  case DType::bf16:
    return ops_.getBF16Type();
  case DType::fp16:
    return ops_.getF16Type();
  case DType::fp32:
  case DType::tf32:
    return ops_.getF32Type();
  case DType::e4m3:
    return Float8E4M3FNType::get(context());
  case DType::e5m2:
    return Float8E5M2Type::get(context());
  case DType::int8:
    return ops_.getI8Type();
  case DType::int32:
    return ops_.getI32Type();
  }
  llvm_unreachable("the switch names every type");
}

RankedTensorType TileBuilder::vectorOf(RankedTensorType matrix, int64_t dim, Type element) {
  Attribute layout = matrix.getEncoding();
  return RankedTensorType::get({matrix.getDimSize(dim)}, element,
                               layout ? tile::SliceAttr::get(context(), 1 - dim, layout)
                                      : Attribute());
}

Attribute TileBuilder::swizzled(int32_t spanBytes, DType type) {
  return tile::SmemAttr::get(context(), /*panel=*/spanBytes / dtypeBytes(type), /*pad=*/0,
                             /*swizzle=*/spanBytes, /*xorBits=*/{});
}

//===-- Functions ----------------------------------------------------------------------------===//

Location TileBuilder::nameLocation(llvm::StringRef name) {
  return NameLoc::get(ops_.getStringAttr(name));
}

template <typename Op>
void TileBuilder::fillBody(Op op, llvm::ArrayRef<TileParameter> parameters, FunctionBody body) {
  OpBuilder::InsertionGuard guard(ops_);
  Block *block = ops_.createBlock(&op.getBody());
  for (auto [index, parameter] : llvm::enumerate(parameters)) {
    block->addArgument(parameter.type, nameLocation(parameter.name));
    op.setArgAttr(index, "tile.name", ops_.getStringAttr(parameter.name));
  }
  body(TileArguments(*this, parameters, *block));
  tile::EndOp::create(ops_, location_);
}

static FunctionType signatureOf(OpBuilder &ops, llvm::ArrayRef<TileParameter> parameters) {
  SmallVector<Type> types;
  for (const TileParameter &parameter : parameters)
    types.push_back(parameter.type);
  return ops.getFunctionType(types, {});
}

void TileBuilder::program(llvm::StringRef name, llvm::ArrayRef<TileParameter> parameters,
                          FunctionBody body) {
  auto op = tile::ProgramOp::create(ops_, location_, name, signatureOf(ops_, parameters),
                                    /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
  fillBody(op, parameters, body);
}

void TileBuilder::kernel(llvm::StringRef name, llvm::ArrayRef<TileParameter> parameters,
                         const KernelTraits &traits, FunctionBody body) {
  ArrayAttr roles = traits.roles.empty() ? ArrayAttr() : ops_.getArrayAttr(traits.roles);
  IntegerAttr threads = traits.threads ? ops_.getI64IntegerAttr(traits.threads) : IntegerAttr();
  auto op = tile::KernelOp::create(ops_, location_, name, signatureOf(ops_, parameters),
                                   tile::Form::Program, traits.cluster, roles, threads,
                                   /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
  fillBody(op, parameters, body);
}

//===-- The host side ------------------------------------------------------------------------===//

TileValue TileBuilder::smCount() { return make<tile::SmCountOp>(i32()); }

void TileBuilder::require(TileValue left, tile::Comparison comparison, TileOperand right,
                          const std::string &message) {
  tile::RequireOp::create(ops_, location_, left, comparison, right.as(left), message);
}

TileValue TileBuilder::buffer(llvm::StringRef name, TileValue bytes, DType type) {
  return make<tile::BufferOp>(pointer(type), name, bytes).named(name);
}

void TileBuilder::launch(llvm::StringRef kernel, TileValue grid, llvm::ArrayRef<Value> arguments) {
  tile::LaunchOp::create(ops_, location_, kernel, ValueRange(Value(grid)), arguments);
}

//===-- Memory -------------------------------------------------------------------------------===//

IntegerAttr TileBuilder::optionalAxis(std::optional<int64_t> axis) {
  return axis ? ops_.getI64IntegerAttr(*axis) : IntegerAttr();
}

TileValue TileBuilder::view(TileValue base, llvm::ArrayRef<TileValue> sizes,
                            llvm::ArrayRef<TileValue> strides, int64_t align) {
  Type element = cast<tile::PtrType>(base.type()).getElementType();
  SmallVector<int64_t> shape(sizes.size(), ShapedType::kDynamic);
  return make<tile::ViewOp>(tile::ViewType::get(context(), shape, element, align), base,
                            valuesOf(sizes), valuesOf(strides));
}

TileValue TileBuilder::ring(llvm::StringRef name, llvm::StringRef producer,
                            llvm::StringRef consumer, tile::RingType type,
                            std::optional<int64_t> multicast) {
  return make<tile::RingOp>(type, name, producer, consumer, tile::FullBy::Tma,
                            optionalAxis(multicast))
      .named(name);
}

TileValue TileBuilder::loadTma(TileValue view, llvm::ArrayRef<TileValue> at, Type tile,
                               TileValue ring, std::optional<int64_t> multicast) {
  return make<tile::LoadOp>(tile, view, valuesOf(at), tile::Via::Tma, ring, optionalAxis(multicast),
                            tile::HintAttr(), tile::OobAttr());
}

TileValue TileBuilder::loadDirect(TileValue view, llvm::ArrayRef<TileValue> at, Type tile,
                                  bool held) {
  return make<tile::LoadOp>(tile, view, valuesOf(at), tile::Via::Direct, Value(), IntegerAttr(),
                            tile::HintAttr(), tile::OobAttr(), held);
}

void TileBuilder::storeTma(TileValue tile, TileValue view, llvm::ArrayRef<TileValue> at,
                           TileValue staging, int64_t subtile) {
  tile::StoreOp::create(ops_, location_, tile, view, valuesOf(at), tile::Via::Tma, staging,
                        ops_.getI64IntegerAttr(subtile));
}

void TileBuilder::storeDirect(TileValue tile, TileValue view, llvm::ArrayRef<TileValue> at,
                              std::optional<int64_t> subtile) {
  tile::StoreOp::create(ops_, location_, tile, view, valuesOf(at), tile::Via::Direct, Value(),
                        subtile ? ops_.getI64IntegerAttr(*subtile) : IntegerAttr());
}

//===-- Iteration ----------------------------------------------------------------------------===//

TileValue TileBuilder::raster(llvm::ArrayRef<TileValue> extents, llvm::ArrayRef<int64_t> tiles,
                              tile::Order order, int64_t group, int64_t along) {
  auto rank = static_cast<int64_t>(tiles.size());
  return make<tile::RasterOp>(tile::ScheduleType::get(context(), rank), valuesOf(extents), tiles,
                              order, group, along);
}

void TileBuilder::forTiles(TileValue schedule, llvm::ArrayRef<llvm::StringRef> names,
                           TilesBody body) {
  auto op = tile::ForTilesOp::create(ops_, location_, schedule);
  OpBuilder::InsertionGuard guard(ops_);
  Block *block = ops_.createBlock(&op.getBody());
  Values coordinates;
  for (llvm::StringRef name : names)
    coordinates.emplace_back(*this, block->addArgument(i32(), nameLocation(name)));
  body(coordinates);
  tile::EndOp::create(ops_, location_);
}

TileValue TileBuilder::loop(llvm::StringRef counter, TileValue lower, TileValue upper,
                            TileValue step, TileValue initial, LoopBody body) {
  auto op = tile::ForOp::create(ops_, location_, TypeRange(initial.type()), lower, upper, step,
                                /*rangeBounds=*/ValueRange(), ValueRange(Value(initial)),
                                /*turn=*/Value(), /*rangeNames=*/ArrayAttr(),
                                /*order=*/ArrayAttr());
  OpBuilder::InsertionGuard guard(ops_);
  Block *block = ops_.createBlock(&op.getBody());
  TileValue index(*this, block->addArgument(i32(), nameLocation(counter)));
  TileValue carried(*this, block->addArgument(initial.type(), location_));
  Value next = body(index, carried);
  tile::YieldOp::create(ops_, location_, ValueRange(next));
  return TileValue(*this, op.getResult(0));
}

//===-- Tiles --------------------------------------------------------------------------------===//

TileValue TileBuilder::constant(Type type, double number) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr attribute = isa<FloatType>(element)
                            ? cast<TypedAttr>(ops_.getFloatAttr(element, number))
                            : ops_.getIntegerAttr(element, static_cast<int64_t>(number));
  if (auto tile = dyn_cast<RankedTensorType>(type))
    attribute = DenseElementsAttr::get(tile, Attribute(attribute));
  Value &value = constants_[{ops_.getBlock(), attribute}];
  if (!value)
    value = make<arith::ConstantOp>(attribute);
  return TileValue(*this, value);
}

TileValue TileBuilder::zero(Type tile) { return make<tile::ZeroOp>(tile); }

TileValue TileBuilder::splat(TileValue number, RankedTensorType tile) {
  return make<tile::SplatOp>(
      RankedTensorType::get(tile.getShape(), number.type(), tile.getEncoding()), number);
}

TileValue TileBuilder::broadcast(TileValue vector, int64_t dim, RankedTensorType like) {
  Type element = vector.tileType().getElementType();
  return make<tile::BroadcastOp>(
      RankedTensorType::get(like.getShape(), element, like.getEncoding()), vector, dim);
}

TileValue TileBuilder::dotTransposed(TileValue a, TileValue b, TileValue c) {
  return make<tile::DotOp>(a, b, c, /*scaleA=*/Value(), /*scaleB=*/Value(), tile::DotKind::Wgmma,
                           /*transA=*/false, /*transB=*/true, /*outstanding=*/uint64_t{1});
}

} // namespace tilewright
