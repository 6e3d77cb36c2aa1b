// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/TensorMap.h"

#include <algorithm>

namespace tilewright {

namespace {

constexpr int64_t kMaxExtent = int64_t{1} << 32;
constexpr int64_t kMaxStride = int64_t{1} << 40;
constexpr uint64_t kStrideUnit = 16;
constexpr size_t kMaxRank = 5;

Expected<cu::TensorMapType> mapType(DType dtype) {
  switch (dtype) {
  case DType::bf16:
    return cu::kMapBfloat16;
  case DType::fp16:
    return cu::kMapFloat16;
  case DType::fp32:
    return cu::kMapFloat32;
  case DType::tf32:
    return cu::kMapTfloat32;
  case DType::e4m3:
  case DType::e5m2:
  case DType::int8:
    return cu::kMapUint8;
  case DType::int32:
    return cu::kMapInt32;
  }
  return Status::internal("a tensor map of an unknown element type");
}

/// The driver's number of a span of bytes: 0, `first`, 2 `first`, … are 0, 1, 2, ….
int spanNumber(int span, int first) {
  int number = 0;
  for (; span >= first; span /= 2)
    ++number;
  return number;
}

int l2PromotionNumber(TensorMapRecipe::L2Promotion promotion) {
  switch (promotion) {
  case TensorMapRecipe::L2Promotion::none:
    return spanNumber(0, 64);
  case TensorMapRecipe::L2Promotion::bytes64:
    return spanNumber(64, 64);
  case TensorMapRecipe::L2Promotion::bytes128:
    return spanNumber(128, 64);
  case TensorMapRecipe::L2Promotion::bytes256:
    return spanNumber(256, 64);
  }
  return 0;
}

} // namespace

Expected<BoundTensorMap> bindTensorMap(const TensorMapRecipe &recipe, const ExprInputs &inputs) {
  if (recipe.rank() < 1 || recipe.rank() > kMaxRank || recipe.strides.size() + 1 != recipe.rank() ||
      recipe.box.size() != recipe.rank())
    return Status::internal("a tensor map has 1 to 5 dimensions, a stride for each but the first, "
                            "and a box extent for each");
  BoundTensorMap bound;
  Expected<cu::TensorMapType> type = mapType(recipe.dtype);
  if (!type)
    return type.status();
  bound.type = *type;
  bound.rank = static_cast<uint32_t>(recipe.rank());
  bound.swizzle = spanNumber(recipe.swizzle, 32);
  bound.l2Promotion = l2PromotionNumber(recipe.l2Promotion);
  for (size_t i = 0; i < recipe.rank(); ++i) {
    Expected<int64_t> extent = recipe.dims[i].evaluate(inputs);
    if (!extent)
      return extent.status();
    if (*extent < 0 || *extent > kMaxExtent)
      return Status::invalidArgument("dimension " + std::to_string(i) + " has " +
                                     std::to_string(*extent) +
                                     " elements; a tensor map takes 0 to 2^32");
    bound.dims[i] = static_cast<uint64_t>(*extent);
    bound.box[i] = static_cast<uint32_t>(recipe.box[i]);
    bound.isEmpty = bound.isEmpty || *extent == 0;
  }
  // What dense rows would have, in multiples of what a stride must be.
  uint64_t dense = bound.isEmpty ? kStrideUnit
                                 : (bound.dims[0] * dtypeBytes(recipe.dtype) + kStrideUnit - 1) /
                                       kStrideUnit * kStrideUnit;
  for (size_t i = 0; i + 1 < recipe.rank(); ++i) {
    Expected<int64_t> stride = recipe.strides[i].evaluate(inputs);
    if (!stride)
      return stride.status();
    const bool isLegal = *stride > 0 && *stride < kMaxStride && *stride % int64_t{kStrideUnit} == 0;
    // NOTE: a dimension of one element is never stepped along, and rows of an empty tensor may have
    // any pitch; the driver wants a legal one all the same.
    const bool isUsed = !bound.isEmpty && bound.dims[i + 1] > 1;
    if (isUsed && !isLegal)
      return Status::invalidArgument("dimension " + std::to_string(i + 1) + " has a stride of " +
                                     std::to_string(*stride) +
                                     " bytes; a tensor map takes multiples of 16 below 2^40");
    bound.strides[i] = isLegal ? static_cast<uint64_t>(*stride) : dense;
    dense = bound.strides[i] * std::max<uint64_t>(bound.dims[i + 1], 1);
  }
  return bound;
}

cu::Result encodeTensorMap(const DriverFunctions &functions, const BoundTensorMap &bound,
                           uint64_t address, cu::TensorMap &map) {
  constexpr std::array<uint32_t, kMaxRank> kUnitSteps = {1, 1, 1, 1, 1};
  std::array<uint64_t, kMaxRank> dims = bound.dims;
  if (bound.isEmpty) {
    std::fill_n(dims.begin(), bound.rank, 1);
    address = kEmptyTensorAddress;
  }
  return functions.tensorMapEncodeTiled(
      &map, bound.type, bound.rank, reinterpret_cast<void *>(address), dims.data(),
      bound.strides.data(), bound.box.data(), kUnitSteps.data(), cu::kMapNoInterleave,
      bound.swizzle, bound.l2Promotion, cu::kMapZeroFill);
}

} // namespace tilewright
