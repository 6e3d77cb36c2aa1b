// SPDX-License-Identifier: Apache-2.0
//
// Host side of global.cuh: global memory. Contracts stand in the device header.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

template <class T>
register_of<T> ld_global(const T *ptr, int64_t idx);

template <class T>
register_of<T> ld_global_if(const T *ptr, int64_t idx, bool pred);

template <class T>
void st_global(T *ptr, int64_t idx, register_of<T> v);

template <class T>
void st_global_if(T *ptr, int64_t idx, bool pred, register_of<T> v);

template <class T>
void st_global_pair(T *ptr, int64_t idx, int32_t count, register_of<T> a, register_of<T> b);

template <class T, int N>
void ld_global_pair(const T *ptr, int64_t idx, int32_t count, register_of<T> (&r)[N],
                    int32_t first = 0);

template <int Bytes>
void cp_async(int32_t dst, const void *ptr, int32_t src_bytes);

void cp_async_commit();

template <int Outstanding>
void cp_async_wait();

template <class T>
void red_add_if(T *ptr, int64_t idx, bool pred, float v);

int32_t atomic_add(int32_t *ptr, int32_t v);
int32_t ld_acquire(const int32_t *ptr);
void red_release(int32_t *ptr, int32_t v);

} // namespace tw
