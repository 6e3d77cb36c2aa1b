// SPDX-License-Identifier: Apache-2.0

#include "compiler/evaluator/Value.h"

#include "compiler/evaluator/Rounding.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilewright::evaluator {

int64_t View::indexOf(ArrayRef<int64_t> coords) const {
  int64_t index = 0;
  for (auto [coord, size, stride] : llvm::zip_equal(coords, sizes, strides)) {
    if (coord < 0 || coord >= size)
      return -1;
    index += coord * stride;
  }
  return index;
}

Tile makeTile(ArrayRef<int64_t> shape, Elements elements) {
  return {llvm::SmallVector<int64_t, 2>(shape),
          std::make_shared<const Elements>(std::move(elements))};
}

Tile splat(ArrayRef<int64_t> shape, Number number) {
  return std::visit(
      [&](auto element) {
        return makeTile(shape, std::vector<decltype(element)>(elementCount(shape), element));
      },
      number);
}

int64_t elementCount(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

double roundToType(Type type, double number) {
  Type element = getElementTypeOrSelf(type);
  if (isa<BFloat16Type>(element))
    return roundTo(kBf16, number);
  if (isa<Float16Type>(element))
    return roundTo(kFp16, number);
  if (isa<FloatTF32Type>(element))
    return roundTo(kTf32, number);
  if (isa<Float32Type>(element))
    return roundTo(kFp32, number);
  if (isa<Float8E4M3FNType>(element))
    return roundTo(kE4m3, number);
  if (isa<Float8E5M2Type>(element))
    return roundTo(kE5m2, number);
  return number;
}

int64_t wrapToType(Type type, int64_t number) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || integer.getWidth() >= 64)
    return number;
  if (integer.getWidth() == 1)
    return number & 1;
  unsigned unused = 64 - integer.getWidth();
  return int64_t(uint64_t(number) << unused) >> unused;
}

bool isFloatLike(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

int64_t storageBytes(Type elementType) {
  if (elementType.isIntOrFloat())
    return (elementType.getIntOrFloatBitWidth() + 7) / 8;
  return 8;
}

} // namespace tilewright::evaluator
