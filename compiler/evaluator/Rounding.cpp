// SPDX-License-Identifier: Apache-2.0

#include "compiler/evaluator/Rounding.h"

#include <algorithm>
#include <cmath>

namespace tilewright {

double roundTo(FloatFormat format, double value) {
  if (std::isnan(value) || value == 0)
    return value;
  if (std::isinf(value))
    return format.saturates ? std::copysign(format.max, value) : value;
  // Numbers near `value` are multiples of 2^quantum, also below the smallest normal number.
  int quantum = std::max(std::ilogb(value), format.minExponent) - format.fractionBits;
  // Both scalings are by powers of two and exact; nearbyint rounds ties to even.
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
  if (std::abs(rounded) <= format.max)
    return rounded;
  return std::copysign(format.saturates ? format.max : HUGE_VAL, value);
}

} // namespace tilewright
