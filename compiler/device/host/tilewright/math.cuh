// SPDX-License-Identifier: Apache-2.0
//
// Host side of math.cuh: scalar arithmetic. Contracts stand in the device header.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

float exp2(float x);
float log2(float x);
float rcp(float x);
float rsqrt(float x);
float tanh_approx(float x);
float exp(float x);
float log(float x);
float sqrt(float x);
float tanh(float x);
float erf(float x);
float sin(float x);
float cos(float x);
float divide(float a, float b);
float fma(float a, float b, float c);
float abs(float x);
float floor(float x);
float ceil(float x);
float max(float a, float b);
float min(float a, float b);
float max_nan(float a, float b);
float min_nan(float a, float b);
int32_t max(int32_t a, int32_t b);
int32_t min(int32_t a, int32_t b);

} // namespace tw
