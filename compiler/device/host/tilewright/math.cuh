// SPDX-License-Identifier: Apache-2.0
//
// Host side of math.cuh: scalar arithmetic. Contracts stand in the device header; what is more than
// arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

inline float exp2(float x) { return __builtin_exp2f(x); }
inline float log2(float x) { return __builtin_log2f(x); }
inline float rcp(float x) { return 1.0f / x; }
inline float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
inline float tanh_approx(float x) { return __builtin_tanhf(x); }
inline float exp(float x) { return __builtin_expf(x); }
inline float log(float x) { return __builtin_logf(x); }
inline float sqrt(float x) { return __builtin_sqrtf(x); }
inline float tanh(float x) { return __builtin_tanhf(x); }
inline float erf(float x) { return __builtin_erff(x); }
inline float sin(float x) { return __builtin_sinf(x); }
inline float cos(float x) { return __builtin_cosf(x); }
inline float divide(float a, float b) { return a / b; }
inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline float abs(float x) { return __builtin_fabsf(x); }
inline float floor(float x) { return __builtin_floorf(x); }
inline float ceil(float x) { return __builtin_ceilf(x); }
inline float max(float a, float b) { return __builtin_fmaxf(a, b); }
inline float min(float a, float b) { return __builtin_fminf(a, b); }
inline float max_nan(float a, float b) { return a != a || b != b ? a + b : __builtin_fmaxf(a, b); }
inline float min_nan(float a, float b) { return a != a || b != b ? a + b : __builtin_fminf(a, b); }
inline int32_t max(int32_t a, int32_t b) { return a > b ? a : b; }
inline int32_t min(int32_t a, int32_t b) { return a < b ? a : b; }

} // namespace tw
