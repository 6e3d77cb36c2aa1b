// SPDX-License-Identifier: Apache-2.0
//
// The reference for a GEMM whose A and B are stored along K: for some rows of the result, in fp64,
//
//   sums[r, j]      = sum over k of  a[rows[r], k] *  b[j, k]
//   absolutes[r, j] = sum over k of |a[rows[r], k]| * |b[j, k]|
//
// Plain CUDA that shares nothing with the kernels it judges: no device library, no tensor cores,
// any pitch, any alignment of elements. One block of 256 threads computes 64 x 64 elements, each
// thread 4 x 4.

typedef unsigned short storage;

__device__ double decode_bf16(storage bits) { return __uint_as_float((unsigned)bits << 16); }

__device__ double decode_fp16(storage bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}

constexpr int kTile = 64;
constexpr int kDepth = 16;
constexpr int kThreads = 256;

template <double (*Decode)(storage)>
__device__ void sum_tile(const storage *a, const storage *b, const long long *rows, int row_count,
                         int n, int k, long long lda, long long ldb, double *sums,
                         double *absolutes) {
  // One more than the tile is wide: the transposing stores spread over the banks.
  __shared__ double a_tile[kDepth][kTile + 1];
  __shared__ double b_tile[kDepth][kTile + 1];
  const int row0 = blockIdx.y * kTile, column0 = blockIdx.x * kTile;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;

  double sum[4][4] = {}, absolute[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += kDepth) {
    for (int i = threadIdx.x; i < kTile * kDepth; i += kThreads) {
      const int line = i / kDepth, depth = i % kDepth;
      const int row = row0 + line, column = column0 + line;
      const bool inside = k0 + depth < k;
      a_tile[depth][line] =
          inside && row < row_count ? Decode(a[rows[row] * lda + k0 + depth]) : 0.0;
      b_tile[depth][line] = inside && column < n ? Decode(b[column * ldb + k0 + depth]) : 0.0;
    }
    __syncthreads();
#pragma unroll 4
    for (int depth = 0; depth < kDepth; ++depth) {
      double x[4], y[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        x[i] = a_tile[depth][ty + 16 * i];
        y[i] = b_tile[depth][tx + 16 * i];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          sum[i][j] = fma(x[i], y[j], sum[i][j]);
          absolute[i][j] = fma(fabs(x[i]), fabs(y[j]), absolute[i][j]);
        }
    }
    __syncthreads();
  }

  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const long long row = row0 + ty + 16 * i, column = column0 + tx + 16 * j;
      if (row >= row_count || column >= n)
        continue;
      sums[row * n + column] = sum[i][j];
      absolutes[row * n + column] = absolute[i][j];
    }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    reference_bf16(const storage *a, const storage *b, const long long *rows, int row_count, int n,
                   int k, long long lda, long long ldb, double *sums, double *absolutes) {
  sum_tile<decode_bf16>(a, b, rows, row_count, n, k, lda, ldb, sums, absolutes);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    reference_fp16(const storage *a, const storage *b, const long long *rows, int row_count, int n,
                   int k, long long lda, long long ldb, double *sums, double *absolutes) {
  sum_tile<decode_fp16>(a, b, rows, row_count, n, k, lda, ldb, sums, absolutes);
}
