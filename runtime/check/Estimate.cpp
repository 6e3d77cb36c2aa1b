// SPDX-License-Identifier: Apache-2.0
#include "runtime/check/Estimate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tilewright {

namespace {

/// Half a step of fp32, relative: the error of one operation.
constexpr double kUnit = 0x1p-24;
/// Approximate instructions flush subnormal numbers, so results this small may be zero.
constexpr double kFlushed = 0x1p-100;

/// A function at a point, with what its bound needs.
struct Slope {
  double value = 0;
  double derivative = 0;
  /// Of the derivative anywhere.
  double steepest = 1;
  /// Of the second derivative anywhere.
  double curvature = 1;
  /// What the kernel's fp32 formula is off at this point.
  double error = 0;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// The error of x / (1 + 2^e) in fp32, result `value`: a few operations, and the rounding of e in
/// front of the exponential.
double errorOfQuotient(double value, double e) {
  const double exponent = std::clamp(e, 1.0, 130.0);
  return std::fabs(value) * (0x1p-20 + 0x1p-22 * exponent) + kFlushed;
}

Slope silu(double x) {
  const double s = sigmoid(x);
  const double value = x * s;
  return {value, s + value * (1 - s), 1.1, 0.5, errorOfQuotient(value, -x * std::numbers::log2e)};
}

Slope gelu(double x) {
  const double c = std::sqrt(2 / std::numbers::pi);
  const double twoU = 2 * c * (x + 0.044715 * x * x * x);
  const double s = sigmoid(twoU);
  const double value = x * s;
  const double slope = 2 * c * (1 + 3 * 0.044715 * x * x);
  return {value, s + value * (1 - s) * slope, 1.13, 1,
          errorOfQuotient(value, -twoU * std::numbers::log2e)};
}

Slope geluErf(double x) {
  const double phi = std::erfc(-x / std::numbers::sqrt2) / 2;
  const double density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  const double value = x * phi;
  // NOTE: x/2 · erf + x/2 cancels where erf is near -1; its last bits are then those of x/2.
  const double error = 0x1p-22 * (std::fabs(x) / 2 + std::fabs(value)) + kFlushed;
  return {value, phi + x * density, 1.13, 1, error};
}

Estimate relu(const Estimate &x) {
  const double value = std::max(x.value, 0.0);
  const double above = std::max(x.value + x.error, 0.0) - value;
  const double below = value - std::max(x.value - x.error, 0.0);
  return {value, std::max(above, below), value == 0 ? 0 : x.magnitude};
}

} // namespace

Estimate estimateSum(double sum, double absolute, int64_t k) {
  return {sum, 2 * static_cast<double>(k) * kUnit * absolute, std::fabs(sum)};
}

Estimate scale(const Estimate &x, double factor) {
  const double value = x.value * factor;
  const double size = std::fabs(factor);
  return {value, x.error * size + kUnit * (std::fabs(value) + x.error * size), x.magnitude * size};
}

Estimate add(const Estimate &x, double term) {
  const double value = x.value + term;
  return {value, x.error + kUnit * (std::fabs(value) + x.error),
          std::max(x.magnitude, std::fabs(term))};
}

Estimate applyFunction(EpilogueKind kind, const Estimate &x) {
  if (kind == EpilogueKind::relu)
    return relu(x);
  const Slope at = kind == EpilogueKind::gelu      ? gelu(x.value)
                   : kind == EpilogueKind::geluErf ? geluErf(x.value)
                                                   : silu(x.value);
  const double slope = std::min(std::fabs(at.derivative) + at.curvature * x.error, at.steepest);
  return {at.value, x.error * slope + at.error,
          std::max(std::fabs(at.value), std::fabs(at.derivative) * x.magnitude)};
}

Estimate applyOp(EpilogueKind kind, const Estimate &x, double operand) {
  switch (kind) {
  case EpilogueKind::bias:
  case EpilogueKind::biasRow:
  case EpilogueKind::residual:
    return add(x, operand);
  case EpilogueKind::scaleRow:
  case EpilogueKind::scaleCol:
    return scale(x, operand);
  default:
    return applyFunction(kind, x);
  }
}

} // namespace tilewright
