// SPDX-License-Identifier: Apache-2.0
//
// Programs, views and schedules.

#include "compiler/evaluator/Interpreter.h"

#include <limits>

using namespace mlir;

namespace tilewright::evaluator {

namespace {

std::string listText(ArrayRef<int64_t> list) {
  std::string text = "[";
  for (auto [i, number] : llvm::enumerate(list))
    text += (i ? ", " : "") + std::to_string(number);
  return text + "]";
}

bool holds(tile::Comparison comparison, int64_t a, int64_t b) {
  switch (comparison) {
  case tile::Comparison::Eq:
    return a == b;
  case tile::Comparison::Ne:
    return a != b;
  case tile::Comparison::Lt:
    return a < b;
  case tile::Comparison::Le:
    return a <= b;
  case tile::Comparison::Gt:
    return a > b;
  case tile::Comparison::Ge:
    return a >= b;
  }
  return false;
}

/// The promise of `align`: byte strides of dimensions that are walked are multiples of it.
LogicalResult checkAlignment(tile::ViewOp op, const View &view) {
  tile::ViewType type = op.getType();
  int64_t bytes = storageBytes(type.getElementType());
  for (size_t dim = 0; dim + 1 < view.sizes.size(); ++dim)
    if (view.sizes[dim] > 1 && type.getAlign() > 0 && view.strides[dim] * bytes % type.getAlign())
      return op.emitOpError("promises align = ")
             << type.getAlign() << ", but stride " << view.strides[dim] << " of dimension " << dim
             << " is " << view.strides[dim] * bytes << " bytes; pass a stride that is a multiple";
  return success();
}

/// Every element that the view can reach lies in its memory.
LogicalResult checkReach(tile::ViewOp op, const View &view) {
  int64_t last = 0;
  for (auto [dim, size] : llvm::enumerate(view.sizes)) {
    if (size < 0 || view.strides[dim] < 0)
      return op.emitOpError("needs sizes and strides of at least 0, found sizes ")
             << listText(view.sizes) << ", strides " << listText(view.strides);
    last += (size - 1) * view.strides[dim];
  }
  if (llvm::is_contained(view.sizes, 0) || last < view.memory->size())
    return success();
  return op.emitOpError("reaches element ")
         << last << " of \"" << view.memory->name << "\" (sizes " << listText(view.sizes)
         << ", strides " << listText(view.strides) << "), which holds " << view.memory->size()
         << " elements; bind a larger array or smaller sizes";
}

} // namespace

LogicalResult Interpreter::runLaunch(tile::LaunchOp op) {
  for (int64_t extent : intsOf(op.getGrid())) {
    if (extent < 0)
      return op.emitOpError("needs grid extents of at least 0, found ") << extent;
    if (extent == 0)
      return success();
  }
  auto kernel = SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(op, op.getKernelAttr());
  return runFunction(kernel, valuesOf(op.getArgs()));
}

LogicalResult Interpreter::runBuffer(tile::BufferOp op) {
  Type type = op.getType().getElementType();
  int64_t bytes = intOf(op.getBytes()), count = bytes / storageBytes(type);
  if (bytes < 0)
    return op.emitOpError("needs a size of at least 0 bytes, found ") << bytes;
  auto memory = std::make_shared<Memory>();
  memory->name = op.getName();
  memory->elementType = type;
  // What a program reads without having written it should show in its results.
  if (isFloatLike(type))
    memory->elements =
        std::vector<double>(count, op.getZeroed() ? 0.0 : std::numeric_limits<double>::quiet_NaN());
  else
    memory->elements = std::vector<int64_t>(
        count, op.getZeroed() ? 0 : wrapToType(type, std::numeric_limits<int64_t>::max() / 3));
  buffers_.push_back(memory);
  return set(op.getResult(), Pointer{std::move(memory)});
}

LogicalResult Interpreter::runRequire(tile::RequireOp op) {
  int64_t left = intOf(op.getLhs()), right = intOf(op.getRhs());
  if (holds(op.getComparison(), left, right))
    return success();
  return op.emitOpError("does not hold: ")
         << op.getMessage() << " (" << left << " " << tile::stringifyComparison(op.getComparison())
         << " " << right << ")";
}

LogicalResult Interpreter::runView(tile::ViewOp op) {
  View view;
  view.memory = std::get<Pointer>(valueOf(op.getBase())).memory;
  view.sizes = intsOf(op.getSizes());
  view.strides = intsOf(op.getStrides());
  view.strides.push_back(1);
  for (auto [dim, size] : llvm::enumerate(op.getType().getShape()))
    if (!ShapedType::isDynamic(size) && size != view.sizes[dim])
      return op.emitOpError("has ") << size << " elements in dimension " << dim
                                    << " by its type, but " << view.sizes[dim] << " by its sizes";
  if (failed(checkAlignment(op, view)) || failed(checkReach(op, view)))
    return failure();
  return set(op.getResult(), std::move(view));
}

LogicalResult Interpreter::runRaster(tile::RasterOp op) {
  llvm::SmallVector<int64_t, 4> extents = intsOf(op.getExtents());
  ArrayRef<int64_t> tiles = op.getTiles();
  auto schedule = std::make_shared<Schedule>();
  llvm::SmallVector<int64_t, 4> coords(extents.size(), 0);
  bool isEmpty = llvm::any_of(extents, [](int64_t extent) { return extent <= 0; });
  while (!isEmpty) {
    schedule->units.push_back(coords);
    size_t dim = coords.size();
    // Counts up like an odometer, the last coordinate fastest.
    while (dim > 0 && (coords[dim - 1] += tiles[dim - 1]) >= extents[dim - 1])
      coords[--dim] = 0;
    isEmpty = dim == 0;
  }
  return set(op.getResult(), std::shared_ptr<const Schedule>(std::move(schedule)));
}

LogicalResult Interpreter::runWorkList(tile::WorkListOp op) {
  const Memory &memory = *std::get<Pointer>(valueOf(op.getList())).memory;
  const auto &list = std::get<std::vector<int64_t>>(memory.elements);
  int64_t count = intOf(op.getCount()), rank = op.getType().getRank();
  if (count < 0 || count * rank > int64_t(list.size()))
    return op.emitOpError("reads ")
           << count << " records of " << rank << " coordinates from \"" << memory.name
           << "\", which holds " << list.size() << " numbers";
  auto schedule = std::make_shared<Schedule>();
  for (int64_t i = 0; i < count; ++i)
    schedule->units.emplace_back(list.begin() + i * rank, list.begin() + (i + 1) * rank);
  return set(op.getResult(), std::shared_ptr<const Schedule>(std::move(schedule)));
}

} // namespace tilewright::evaluator
