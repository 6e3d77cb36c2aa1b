// SPDX-License-Identifier: Apache-2.0
//
// Host side of fragment.cuh: register arrays. Contracts stand in the device header.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

template <class T, int N>
void fill(T (&x)[N], T v);

template <int N>
void leave_unset(float (&acc)[N]);

template <class T, int N>
void copy(T (&dst)[N], const T (&src)[N]);

template <class T>
uint32_t pack_pair(float low, float high);

template <class T, int First = 0, int M, int N>
void pack(uint32_t (&dst)[M], const float (&src)[N]);

template <class T, int M, int N>
void unpack(float (&dst)[N], const uint32_t (&src)[M]);

template <int N>
void quad_reduce_max(float (&x)[N]);

template <int N>
void quad_reduce_add(float (&x)[N]);

} // namespace tw
