// SPDX-License-Identifier: Apache-2.0
//
// Programs: buffers, preconditions, several launches, schedules.

#include "tests/compiler/evaluator/EvaluatorFixture.h"

#include <cmath>

namespace tilewright {
namespace {

/// D = A·Bᵀ in two launches: partial sums of the parts of K in a workspace, then their sum.
const char kSplitK[] = R"(
  !matrix = !tile.view<?x?xf16>
  !partials = !tile.view<?x?x?xf32>
  tile.program @split_k(%a: !tile.ptr<f16> {tile.name = "a"}, %b: !tile.ptr<f16> {tile.name = "b"},
                        %d: !tile.ptr<f32> {tile.name = "d"}, %m: i32 {tile.name = "m"},
                        %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"},
                        %parts: i32 {tile.name = "parts"}) {
    %c4 = arith.constant 4 : i32
    %zero = arith.constant 0 : i32
    tile.require %parts gt %zero, "parts must be at least 1" : i32
    %mn = arith.muli %m, %n : i32
    %mnp = arith.muli %mn, %parts : i32
    %bytes_32 = arith.muli %mnp, %c4 : i32
    %bytes = arith.extsi %bytes_32 : i32 to i64
    %ws = tile.buffer "partials" %bytes : !tile.ptr<f32>
    %grid = tile.sm_count
    tile.launch @partial grid(%grid) (%a, %b, %ws, %m, %n, %k, %parts) : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, i32, i32, i32, i32
    tile.launch @sum grid(%grid) (%ws, %d, %m, %n, %parts) pdl : !tile.ptr<f32>, !tile.ptr<f32>, i32, i32, i32
  }
  tile.kernel @partial(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %ws: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32, %parts: i32) form = program {
    %k64 = arith.extsi %k : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %mn = arith.muli %m, %n : i32
    %mn64 = arith.extsi %mn : i32 to i64
    %A = tile.view %a [%m, %k] strides [%k64] : !tile.ptr<f16> -> !matrix
    %B = tile.view %b [%n, %k] strides [%k64] : !tile.ptr<f16> -> !matrix
    %W = tile.view %ws [%parts, %m, %n] strides [%mn64, %n64] : !tile.ptr<f32> -> !partials
    %c8 = arith.constant 8 : i32
    %steps_all = arith.ceildivsi %k, %c8 : i32
    %steps = arith.ceildivsi %steps_all, %parts : i32
    %chunk = arith.muli %steps, %c8 : i32
    %s = tile.raster (%parts by 1, %m by 16, %n by 16) order row : !tile.schedule<3>
    tile.for_tiles (%p, %mi, %ni) in %s : !tile.schedule<3> {
      %lo = arith.muli %p, %chunk : i32
      %hi_any = arith.addi %lo, %chunk : i32
      %hi = arith.minsi %hi_any, %k : i32
      %zero = tile.zero : tensor<16x16xf32>
      %acc = tile.for %kk = %lo to %hi step %c8 iter_args(%c = %zero) -> (tensor<16x16xf32>) {
        %ta = tile.load %A[%mi, %kk] via direct : !matrix -> tensor<16x8xf16>
        %tb = tile.load %B[%ni, %kk] via direct : !matrix -> tensor<16x8xf16>
        %e = tile.dot %ta, %tb, %c kind fma trans_b : tensor<16x8xf16>, tensor<16x8xf16>, tensor<16x16xf32>
        tile.yield %e : tensor<16x16xf32>
      }
      tile.store %acc, %W[%p, %mi, %ni] via direct : tensor<16x16xf32>, !partials
    }
    tile.pdl_trigger
  }
  tile.kernel @sum(%ws: !tile.ptr<f32>, %d: !tile.ptr<f32>, %m: i32, %n: i32, %parts: i32) form = program {
    %n64 = arith.extsi %n : i32 to i64
    %mn = arith.muli %m, %n : i32
    %mn64 = arith.extsi %mn : i32 to i64
    %W = tile.view %ws [%parts, %m, %n] strides [%mn64, %n64] : !tile.ptr<f32> -> !partials
    %D = tile.view %d [%m, %n] strides [%n64] : !tile.ptr<f32> -> !tile.view<?x?xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    tile.pdl_wait
    %s = tile.raster (%m by 8, %n by 32) order row : !tile.schedule<2>
    tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
      %zero = tile.zero : tensor<8x32xf32>
      %sum = tile.for %p = %c0 to %parts step %c1 iter_args(%c = %zero) -> (tensor<8x32xf32>) {
        %t = tile.load %W[%p, %mi, %ni] via direct : !partials -> tensor<8x32xf32>
        %e = arith.addf %c, %t : tensor<8x32xf32>
        tile.yield %e : tensor<8x32xf32>
      }
      tile.store %sum, %D[%mi, %ni] via direct : tensor<8x32xf32>, !tile.view<?x?xf32>
    }
  })";

class SplitKTest : public EvaluatorTest, public testing::WithParamInterface<int64_t> {};

TEST_P(SplitKTest, TwoLaunchesThroughAWorkspace) {
  int64_t m = 33, n = 18, k = 70, parts = GetParam();
  Bindings bindings;
  bindings.arrays = {{"a", exampleNumbers(m * k, 1)},
                     {"b", exampleNumbers(n * k, 2)},
                     {"d", std::vector<double>(m * n, 5)}};
  bindings.scalars = {{"m", m}, {"n", n}, {"k", k}, {"parts", parts}};
  std::vector<double> expected(m * n);
  for (int64_t r = 0; r < m; ++r)
    for (int64_t c = 0; c < n; ++c)
      for (int64_t i = 0; i < k; ++i)
        expected[r * n + c] += bindings.arrays["a"][r * k + i] * bindings.arrays["b"][c * k + i];
  auto result = run(kSplitK, bindings);
  EXPECT_LE(largestDifference(array(result, "d"), expected), 1e-6);
  ASSERT_TRUE(result);
  EXPECT_EQ(int64_t(result->buffers.at("partials").size()), m * n * parts);
}

INSTANTIATE_TEST_SUITE_P(Parts, SplitKTest, testing::Values(1, 2, 3, 9));

TEST_F(EvaluatorTest, PreconditionThatDoesNotHold) {
  Bindings bindings;
  bindings.arrays = {{"a", {}}, {"b", {}}, {"d", {}}};
  bindings.scalars = {{"m", 0}, {"n", 0}, {"k", 0}, {"parts", -1}};
  auto result = run(kSplitK, bindings);
  EXPECT_EQ(result.status().code(), StatusCode::invalidArgument);
  EXPECT_NE(result.status().message().find("does not hold: parts must be at least 1 (-1 gt 0)"),
            std::string::npos)
      << result.status().toString();
}

TEST_F(EvaluatorTest, EmptyProblemStoresNothing) {
  Bindings bindings;
  bindings.arrays = {{"a", {}}, {"b", {}}, {"d", {}}};
  bindings.scalars = {{"m", 0}, {"n", 0}, {"k", 0}, {"parts", 1}};
  EXPECT_EQ(array(run(kSplitK, bindings), "d"), std::vector<double>());
}

/// A program that counts what it launches: each launch of @count adds one to d[0].
std::string launchText(const std::string &body) {
  return R"(
    tile.program @p(%d: !tile.ptr<i32> {tile.name = "d"}) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %bytes = arith.constant 8 : i64
)" + body +
         R"(
    }
    tile.kernel @count(%d: !tile.ptr<i32>) form = program {
      %c1 = arith.constant 1 : i32
      %old = tile.atomic_add %d, %c1 : !tile.ptr<i32>
    })";
}

TEST_F(EvaluatorTest, GridsOfZeroLaunchNothing) {
  Bindings bindings;
  bindings.arrays = {{"d", {0}}};
  auto result = run(launchText(R"(
    tile.launch @count grid(%c1) (%d) : !tile.ptr<i32>
    tile.launch @count grid(%c1, %c0) (%d) : !tile.ptr<i32>
    tile.launch @count grid(%c1, %c1, %c1) (%d) : !tile.ptr<i32>)"),
                    bindings);
  EXPECT_EQ(array(result, "d"), (std::vector<double>{2}));
}

TEST_F(EvaluatorTest, ZeroedBuffersAreZeroAndOthersAreNot) {
  Bindings bindings;
  bindings.arrays = {{"d", {0}}};
  auto result = run(launchText(R"(
    %z = tile.buffer "clean" %bytes zeroed : !tile.ptr<i32>
    %w = tile.buffer "dirty" %bytes : !tile.ptr<f32>
    tile.launch @count grid(%c1) (%z) : !tile.ptr<i32>)"),
                    bindings);
  ASSERT_TRUE(result) << result.status().toString();
  EXPECT_EQ(result->buffers["clean"], (std::vector<double>{1, 0}));
  ASSERT_EQ(result->buffers["dirty"].size(), 2u);
  EXPECT_TRUE(std::isnan(result->buffers["dirty"][0]));
}

TEST_F(EvaluatorTest, SmCountIsAnOption) {
  Bindings bindings;
  bindings.arrays = {{"d", {0}}};
  auto result = run(launchText(R"(
    %sms = tile.sm_count
    %c78 = arith.constant 78 : i32
    tile.require %sms eq %c78, "not this device" : i32)"),
                    bindings, {.smCount = 78});
  EXPECT_TRUE(result) << result.status().toString();
}

/// Copies tile (p, q) = list[u] of x to d for every unit u.
const char kWorkList[] = R"(
  tile.kernel @k(%x: !tile.ptr<f32> {tile.name = "x"}, %list: !tile.ptr<i32> {tile.name = "list"},
                 %d: !tile.ptr<f32> {tile.name = "d"}, %count: i32 {tile.name = "count"}) form = program {
    %c4 = arith.constant 4 : i32
    %ld = arith.constant 4 : i64
    %X = tile.view %x [%c4, %c4] strides [%ld] : !tile.ptr<f32> -> !tile.view<4x4xf32>
    %D = tile.view %d [%c4, %c4] strides [%ld] : !tile.ptr<f32> -> !tile.view<4x4xf32>
    %s = tile.work_list %list count %count : !tile.ptr<i32> -> !tile.schedule<2>
    tile.for_tiles (%p, %q) in %s : !tile.schedule<2> {
      %t = tile.load %X[%p, %q] via direct : !tile.view<4x4xf32> -> tensor<2x2xf32>
      tile.store %t, %D[%p, %q] via direct : tensor<2x2xf32>, !tile.view<4x4xf32>
    }
  })";

TEST_F(EvaluatorTest, WorkListNamesItsTiles) {
  Bindings bindings;
  bindings.arrays = {{"x", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
                     {"list", {2, 0, 0, 2, 9, 9}},
                     {"d", std::vector<double>(16, -1)}};
  bindings.scalars = {{"count", 2}};
  EXPECT_EQ(array(run(kWorkList, bindings), "d"),
            (std::vector<double>{-1, -1, 2, 3, -1, -1, 6, 7, 8, 9, -1, -1, 12, 13, -1, -1}));
}

TEST_F(EvaluatorTest, WorkListLongerThanItsMemory) {
  Bindings bindings;
  bindings.arrays = {
      {"x", std::vector<double>(16)}, {"list", {2, 0}}, {"d", std::vector<double>(16)}};
  bindings.scalars = {{"count", 2}};
  auto result = run(kWorkList, bindings);
  EXPECT_NE(result.status().message().find(
                "reads 2 records of 2 coordinates from \"list\", which holds 2 numbers"),
            std::string::npos)
      << result.status().toString();
}

} // namespace
} // namespace tilewright
