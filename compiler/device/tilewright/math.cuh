// SPDX-License-Identifier: Apache-2.0
//
// Scalar arithmetic on float (and max/min on int32_t). "Accurate" means the CUDA math library's
// single-precision function, within a few ulp; the others are one instruction of the special
// function unit.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

/// 2^x, relative error 2^-22, subnormals flushed. PTX ISA: "ex2".
__device__ __forceinline__ float exp2(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// log2(x), absolute error 2^-22 near 1. PTX ISA: "lg2".
__device__ __forceinline__ float log2(float x) {
  float result;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// 1/x within 1 ulp. PTX ISA: "rcp", `.approx.ftz`.
__device__ __forceinline__ float rcp(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// 1/sqrt(x), relative error 2^-22. PTX ISA: "rsqrt", `.approx.ftz`.
__device__ __forceinline__ float rsqrt(float x) {
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// tanh(x), relative error 2^-11: good for 16-bit results. PTX ISA: "tanh".
__device__ __forceinline__ float tanh_approx(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// Accurate.
__device__ __forceinline__ float exp(float x) { return ::expf(x); }
__device__ __forceinline__ float log(float x) { return ::logf(x); }
__device__ __forceinline__ float sqrt(float x) { return ::sqrtf(x); }
__device__ __forceinline__ float tanh(float x) { return ::tanhf(x); }
__device__ __forceinline__ float erf(float x) { return ::erff(x); }
__device__ __forceinline__ float sin(float x) { return ::sinf(x); }
__device__ __forceinline__ float cos(float x) { return ::cosf(x); }

/// a / b, correctly rounded. PTX ISA: "div", `.rn`.
__device__ __forceinline__ float divide(float a, float b) { return a / b; }

/// a * b + c with one rounding. PTX ISA: "fma".
__device__ __forceinline__ float fma(float a, float b, float c) { return ::fmaf(a, b, c); }

__device__ __forceinline__ float abs(float x) { return ::fabsf(x); }
__device__ __forceinline__ float floor(float x) { return ::floorf(x); }
__device__ __forceinline__ float ceil(float x) { return ::ceilf(x); }

/// The number if one operand is NaN (IEEE maximumNumber; `arith.maxnumf`). PTX ISA: "max", "min".
__device__ __forceinline__ float max(float a, float b) { return ::fmaxf(a, b); }
__device__ __forceinline__ float min(float a, float b) { return ::fminf(a, b); }

/// NaN if one operand is NaN (IEEE maximum; `arith.maximumf`). PTX ISA: "max", "min", `.NaN`.
__device__ __forceinline__ float max_nan(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
__device__ __forceinline__ float min_nan(float a, float b) {
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

__device__ __forceinline__ int32_t max(int32_t a, int32_t b) { return a > b ? a : b; }
__device__ __forceinline__ int32_t min(int32_t a, int32_t b) { return a < b ? a : b; }

} // namespace tw
