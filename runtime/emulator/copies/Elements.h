// SPDX-License-Identifier: Apache-2.0
//
// Additions of elements in memory, as tensor copies and bulk copies do them. Pure arithmetic.

#pragma once

#include "runtime/emulator/copies/TensorMap.h"

#include <cstdint>

namespace tilewright::emulator {

/// Whether elements of the type can be added.
constexpr bool canAdd(ElementType type) {
  return type == ElementType::int32 || type == ElementType::float16 ||
         type == ElementType::float32 || type == ElementType::bfloat16;
}

/// to[i] += from[i] over `bytes` bytes, rounded to nearest even.
void addElements(ElementType type, void *to, const void *from, uint32_t bytes);

float widenBfloat16(uint16_t bits);
uint16_t narrowToBfloat16(float value);
float widenFloat16(uint16_t bits);
uint16_t narrowToFloat16(float value);

} // namespace tilewright::emulator
