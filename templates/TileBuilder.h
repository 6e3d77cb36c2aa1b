// SPDX-License-Identifier: Apache-2.0
//
// TileBuilder: thin sugar over mlir::OpBuilder for the `tile` dialect, so that a template reads
// like its algorithm. It adds no meaning: each function makes the operation that it is named
// after, and whatever a schedule decides is a parameter. Bound to one MLIRContext, and so to one
// thread at a time.

#pragma once

#include "compiler/tile/TileDialect.h"
#include "tilewright/DType.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace tilewright {

class TileBuilder;

/// A value of the IR (a number, a tile or a handle) together with its builder, so that
/// arithmetic can be written with operators:
///
///   TileValue tiles = ceilDiv(m, 128) * ceilDiv(n, 256);
///   TileValue y = x * alpha + 1.0;
///
/// Numbers are i32, i64 or f32, tiles have such elements. Both sides of an operator are of one
/// type; a plain C++ number takes the type of the other side, and an f32 beside a tile is spread
/// over it. Integer division and remainder are those of numbers that are not negative.
class TileValue {
public:
  TileValue(TileBuilder &builder, mlir::Value value) : builder_(&builder), value_(value) {}

  // NOTE: implicit on purpose: a TileValue is an mlir::Value that knows its builder.
  operator mlir::Value() const { return value_; }
  [[nodiscard]] TileBuilder &builder() const { return *builder_; }
  [[nodiscard]] mlir::Type type() const { return value_.getType(); }
  /// The type of a tile. Precondition: this is one.
  [[nodiscard]] mlir::RankedTensorType tileType() const {
    return llvm::cast<mlir::RankedTensorType>(type());
  }
  [[nodiscard]] bool isTile() const { return llvm::isa<mlir::RankedTensorType>(type()); }

  /// The same value, called `name` in printed IR and in the generated text.
  TileValue named(llvm::StringRef name) const;

private:
  TileBuilder *builder_;
  mlir::Value value_;
};

/// One operand of an arithmetic function: a value, or a C++ number that takes the type of the
/// operand that it stands beside.
class TileOperand {
public:
  // NOTE: implicit on purpose, so that `x + 1` and `max(x, 0.0)` can be written.
  TileOperand(TileValue value) : value_(value), builder_(&value.builder()) {}
  TileOperand(int number) : number_(number) {}
  TileOperand(int64_t number) : number_(static_cast<double>(number)) {}
  TileOperand(double number) : number_(number) {}

  /// The operand as a value of the type of `like`.
  [[nodiscard]] TileValue as(TileValue like) const;

private:
  mlir::Value value_;
  TileBuilder *builder_ = nullptr;
  double number_ = 0;
};

TileValue operator+(TileValue a, TileOperand b);
TileValue operator-(TileValue a, TileOperand b);
TileValue operator*(TileValue a, TileOperand b);
TileValue operator/(TileValue a, TileOperand b);
TileValue operator%(TileValue a, TileOperand b);
TileValue operator-(TileValue a);
/// a / b rounded up, integers only.
TileValue ceilDiv(TileValue a, TileOperand b);
/// The smaller and the larger; NaN if either is.
TileValue min(TileValue a, TileOperand b);
TileValue max(TileValue a, TileOperand b);
/// a · b + c with one rounding.
TileValue fma(TileValue a, TileOperand b, TileOperand c);
TileValue exp2(TileValue a);
TileValue erf(TileValue a);
/// a / b as a times the reciprocal of b: within two units in the last place, where the operator
/// is rounded correctly and costs several times as much.
TileValue quickDivide(TileValue a, TileOperand b);
/// An i32 as an i64.
TileValue widen(TileValue a);
/// A floating-point tile with elements of another type; the tile itself if it has them.
TileValue convert(TileValue tile, DType type);

/// An argument of a program or kernel.
struct TileParameter {
  /// What `tile.name` says: the role that callers bind.
  std::string name;
  mlir::Type type;
};

/// The arguments of a program or kernel by name.
class TileArguments {
public:
  TileArguments(TileBuilder &builder, llvm::ArrayRef<TileParameter> parameters, mlir::Block &body);
  /// The argument called `name`. Precondition: there is one.
  TileValue operator[](llvm::StringRef name) const;
  /// All of them, in order.
  [[nodiscard]] llvm::ArrayRef<mlir::Value> all() const { return values_; }
  /// Lets `name` stand for another value, as an argument of a kernel does.
  TileArguments &add(llvm::StringRef name, mlir::Value value) {
    byName_[name] = value;
    return *this;
  }
  /// Those that `parameters` name, in that order.
  [[nodiscard]] llvm::SmallVector<mlir::Value>
  select(llvm::ArrayRef<TileParameter> parameters) const;

private:
  TileBuilder &builder_;
  llvm::StringMap<mlir::Value> byName_;
  llvm::SmallVector<mlir::Value> values_;
};

/// What a kernel states of itself.
struct KernelTraits {
  /// CTAs of a cluster along the last two coordinates of the schedule.
  std::array<int64_t, 2> cluster = {1, 1};
  /// The roles; empty for a kernel whose `threads` threads all do the same.
  llvm::SmallVector<mlir::Attribute> roles = {};
  int64_t threads = 0;
};

/// Makes operations at a position that moves on as it does so.
class TileBuilder {
public:
  using Values = llvm::SmallVector<TileValue, 4>;
  using FunctionBody = llvm::function_ref<void(const TileArguments &)>;
  using TilesBody = llvm::function_ref<void(llvm::ArrayRef<TileValue>)>;
  using LoopBody = llvm::function_ref<TileValue(TileValue counter, TileValue carried)>;

  /// Appends to `module`. The dialects `tile`, `arith` and `math` are loaded.
  explicit TileBuilder(mlir::ModuleOp module);

  mlir::OpBuilder &ops() { return ops_; }
  mlir::MLIRContext *context() { return ops_.getContext(); }

  // Types.
  mlir::Type i32() { return ops_.getI32Type(); }
  mlir::Type i64() { return ops_.getI64Type(); }
  mlir::Type f32() { return ops_.getF32Type(); }
  /// The element type of 16 and 32-bit floating-point types; i32 for int32.
  mlir::Type element(DType type);
  mlir::Type pointer(DType type) { return tile::PtrType::get(context(), element(type)); }
  /// A tile of elements of `type`; `layout` may be null.
  mlir::RankedTensorType tileOf(llvm::ArrayRef<int64_t> shape, DType type,
                                mlir::Attribute layout = {}) {
    return mlir::RankedTensorType::get(shape, element(type), layout);
  }
  /// The type of a vector of `element` along dimension `dim` of a matrix, in the layout that
  /// the matrix gives it.
  mlir::RankedTensorType vectorOf(mlir::RankedTensorType matrix, int64_t dim, mlir::Type element);
  /// Panels of `spanBytes` bytes of columns each, in TMA's swizzle of that span.
  mlir::Attribute swizzled(int32_t spanBytes, DType type);
  tile::RingType ringOf(int64_t stages, llvm::ArrayRef<mlir::Type> tiles) {
    return tile::RingType::get(context(), stages, tiles);
  }

  // Functions.
  void program(llvm::StringRef name, llvm::ArrayRef<TileParameter> parameters, FunctionBody body);
  /// A kernel of program form.
  void kernel(llvm::StringRef name, llvm::ArrayRef<TileParameter> parameters,
              const KernelTraits &traits, FunctionBody body);

  // The host side.
  TileValue smCount();
  void require(TileValue left, tile::Comparison comparison, TileOperand right,
               const std::string &message);
  /// Workspace for elements of `type`.
  TileValue buffer(llvm::StringRef name, TileValue bytes, DType type);
  void launch(llvm::StringRef kernel, TileValue grid, llvm::ArrayRef<mlir::Value> arguments);

  // Memory.
  /// The window of `sizes` on `base`; its base and strides are multiples of `align` bytes.
  TileValue view(TileValue base, llvm::ArrayRef<TileValue> sizes, llvm::ArrayRef<TileValue> strides,
                 int64_t align);
  TileValue ring(llvm::StringRef name, llvm::StringRef producer, llvm::StringRef consumer,
                 tile::RingType type, std::optional<int64_t> multicast = std::nullopt);
  /// Copies into a slot of `ring`; `multicast` names the cluster axis along which CTAs share.
  TileValue loadTma(TileValue view, llvm::ArrayRef<TileValue> at, mlir::Type tile, TileValue ring,
                    std::optional<int64_t> multicast = std::nullopt);
  /// Reads into registers. `held`: a vector is read here and kept; else where it is needed.
  TileValue loadDirect(TileValue view, llvm::ArrayRef<TileValue> at, mlir::Type tile,
                       bool held = false);
  void storeTma(TileValue tile, TileValue view, llvm::ArrayRef<TileValue> at, TileValue staging,
                int64_t subtile);
  void storeDirect(TileValue tile, TileValue view, llvm::ArrayRef<TileValue> at,
                   std::optional<int64_t> subtile = std::nullopt);

  // Iteration.
  TileValue raster(llvm::ArrayRef<TileValue> extents, llvm::ArrayRef<int64_t> tiles,
                   tile::Order order, int64_t group = 1, int64_t along = 0);
  void forTiles(TileValue schedule, llvm::ArrayRef<llvm::StringRef> names, TilesBody body);
  /// What `body` makes of `initial` when it runs for each counter from `lower` to below `upper`.
  TileValue loop(llvm::StringRef counter, TileValue lower, TileValue upper, TileValue step,
                 TileValue initial, LoopBody body);

  // Tiles.
  TileValue constant(mlir::Type type, double number);
  TileValue constant(int32_t number) { return constant(i32(), number); }
  TileValue zero(mlir::Type tile);
  TileValue splat(TileValue number, mlir::RankedTensorType tile);
  /// The matrix of type `like`, with elements of the vector's type, that repeats `vector` along
  /// `dim`.
  TileValue broadcast(TileValue vector, int64_t dim, mlir::RankedTensorType like);
  /// c + a · bᵀ by wgmma, with one group in flight behind it.
  TileValue dotTransposed(TileValue a, TileValue b, TileValue c);

  /// The operation `Op` with these arguments, as a value.
  template <typename Op, typename... Arguments>
  TileValue make(Arguments &&...arguments) {
    auto op = Op::create(ops_, location_, std::forward<Arguments>(arguments)...);
    return TileValue(*this, op->getResult(0));
  }

private:
  template <typename Op>
  void fillBody(Op op, llvm::ArrayRef<TileParameter> parameters, FunctionBody body);
  mlir::Location nameLocation(llvm::StringRef name);
  mlir::IntegerAttr optionalAxis(std::optional<int64_t> axis);

  mlir::OpBuilder ops_;
  mlir::Location location_;
  /// Constants of each block: one op for each, however often the number is written.
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Attribute>, mlir::Value> constants_;
};

} // namespace tilewright
