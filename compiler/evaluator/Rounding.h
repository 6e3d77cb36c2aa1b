// SPDX-License-Identifier: Apache-2.0
//
// Rounding of fp64 numbers to the narrower formats of the device, to nearest, ties to even.
// Pure functions; thread-safe.

#pragma once

namespace tilewright {

/// A binary floating-point format narrower than fp64.
struct FloatFormat {
  int fractionBits; ///< stored bits of the significand
  int minExponent;  ///< exponent of the smallest normal number
  double max;       ///< largest finite number
  bool saturates;   ///< too large numbers and infinities become `max`, not infinity
};

inline constexpr FloatFormat kBf16 = {7, -126, 0x1.FEp127, false};
inline constexpr FloatFormat kFp16 = {10, -14, 0x1.FFCp15, false};
inline constexpr FloatFormat kFp32 = {23, -126, 0x1.FFFFFEp127, false};
inline constexpr FloatFormat kTf32 = {10, -126, 0x1.FFCp127, false};
/// The 8-bit formats saturate, as the device's `cvt.rn.satfinite` does (its only form).
inline constexpr FloatFormat kE4m3 = {3, -6, 448, true};
inline constexpr FloatFormat kE5m2 = {2, -14, 0x1.Cp15, true};

/// The number of `format` that is nearest to `value`; of two, the one with the even significand.
/// Small numbers become subnormal or zero of the same sign; NaN stays NaN.
double roundTo(FloatFormat format, double value);

} // namespace tilewright
