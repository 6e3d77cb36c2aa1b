// SPDX-License-Identifier: Apache-2.0
//
// Host side of shared.cuh: shared memory. Contracts stand in the device header.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

int32_t smem_base();

template <int Mode>
int32_t swizzle(int32_t offset);

template <int X, bool Trans = false, int N>
void ldmatrix(int32_t addr, uint32_t (&r)[N], int32_t first = 0);

template <int X, bool Trans = false, int N>
void stmatrix(int32_t addr, const uint32_t (&r)[N], int32_t first = 0);

template <class T>
register_of<T> ld_shared(int32_t addr);

template <class T>
void st_shared(int32_t addr, register_of<T> v);

template <class T, int N>
void st_shared_v2(int32_t addr, const T (&r)[N], int32_t first = 0);

template <class T, int N>
void st_shared_v4(int32_t addr, const T (&r)[N], int32_t first = 0);

template <class T>
void st_async(int32_t addr, T v, int32_t bar, int32_t rank);

} // namespace tw
