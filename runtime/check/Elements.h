// SPDX-License-Identifier: Apache-2.0
//
// Elements: the numbers that memory of an element type holds, as doubles. For bf16, fp16 and fp32,
// the types of results. Pure functions; safe from any thread.
#pragma once

#include "tilewright/DType.h"

#include <cstdint>

namespace tilewright {

/// A binary floating point format.
struct ElementFormat {
  /// Bits of the significand, the hidden one included.
  int precision = 0;
  /// Exponent of the smallest normal number, which is 2^minExponent.
  int minExponent = 0;
  /// The largest finite number.
  double largest = 0;

  [[nodiscard]] double smallestNormal() const;
  friend bool operator==(const ElementFormat &, const ElementFormat &) = default;
};

/// The format of an element type: bf16, fp16 or fp32.
ElementFormat elementFormat(DType type);

/// The number at `memory`, which need not be aligned.
double decodeElement(DType type, const void *memory);

/// Stores the number of `type` that is nearest to `value` (ties to even; infinity beyond the
/// range).
void encodeElement(DType type, double value, void *memory);

/// The number that encodeElement stores.
double roundToElement(DType type, double value);

/// The distance between neighbouring numbers of `type` at `value`: one rounding step.
double roundingStep(DType type, double value);

/// Every byte of memory that nobody has written yet. All element types read it as a NaN, and one
/// that arithmetic on a device does not produce, so that "never written" differs from "wrong".
inline constexpr uint8_t kPoisonByte = 0xff;

/// Whether the element at `memory` still holds the poison.
bool isPoison(DType type, const void *memory);

} // namespace tilewright
