// SPDX-License-Identifier: Apache-2.0
//
// TensorMap: a recipe of a plan with its expressions evaluated, ready to be encoded for an address.
// Thread-safety: plain values and functions without state; encoding is pure host arithmetic of the
// driver and needs no context.
#pragma once

#include "runtime/driver/Driver.h"
#include "tilewright/Plan.h"
#include "tilewright/Status.h"

#include <array>
#include <cstdint>

namespace tilewright {

/// Everything of a tensor map but the address.
struct BoundTensorMap {
  cu::TensorMapType type = cu::kMapBfloat16;
  uint32_t rank = 0;
  std::array<uint64_t, 5> dims = {};
  std::array<uint64_t, 4> strides = {};
  std::array<uint32_t, 5> box = {};
  int swizzle = 0;
  int l2Promotion = 0;
  /// Whether some extent is 0: nothing is read or written through the map, whatever its address.
  bool isEmpty = false;
};

/// What an empty tensor is encoded with, in place of an address that may be null.
inline constexpr uint64_t kEmptyTensorAddress = 256;

/// Evaluates a recipe. The rules of cuTensorMapEncodeTiled are checked here, so that a violation is
/// named: invalidArgument "dimension 1 has 8589934592 elements; a tensor map takes 0 to 2^32".
Expected<BoundTensorMap> bindTensorMap(const TensorMapRecipe &recipe, const ExprInputs &inputs);

/// Encodes the map for an address into `map`. Empty tensors are
/// encoded with extents of 1, and need no valid address.
cu::Result encodeTensorMap(const DriverFunctions &functions, const BoundTensorMap &bound,
                           uint64_t address, cu::TensorMap &map);

} // namespace tilewright
