// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and counters: edges of views, strides, what lies outside.

#include "tests/compiler/evaluator/EvaluatorFixture.h"

#include <cmath>

namespace tilewright {
namespace {

/// A kernel on x (20 f32 numbers 0 … 19), i (8 i32) and d (20 f32 of -1), with views X 3 x 4 of x
/// and D 3 x 4 of d, both with rows five apart.
class MemoryOpsTest : public EvaluatorTest {
protected:
  Expected<EvaluationResult> runBody(const std::string &body,
                                     const EvaluationOptions &options = {}) {
    Bindings bindings;
    std::vector<double> numbers;
    for (int i = 0; i < 20; ++i)
      numbers.push_back(i);
    bindings.arrays = {
        {"x", numbers}, {"i", {2, 0, 7, -1, 1, 2, 0, 2}}, {"d", std::vector<double>(20, -1)}};
    return run(R"(
      tile.kernel @k(%x: !tile.ptr<f32> {tile.name = "x"}, %i: !tile.ptr<i32> {tile.name = "i"},
                     %d: !tile.ptr<f32> {tile.name = "d"}) form = program {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %c2 = arith.constant 2 : i32
        %c3 = arith.constant 3 : i32
        %c4 = arith.constant 4 : i32
        %cm1 = arith.constant -1 : i32
        %ld = arith.constant 5 : i64
        %X = tile.view %x [%c3, %c4] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
        %D = tile.view %d [%c3, %c4] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
        %I = tile.view %i [%c4] : !tile.ptr<i32> -> !tile.view<?xi32>
)" + body + "\n}",
               bindings, options);
  }

  static constexpr double kKeep = -1;
};

TEST_F(MemoryOpsTest, LoadsOutsideAreZeroAndStoresOutsideAreDropped) {
  auto d = array(runBody(R"(
    %t = tile.load %X[%c2, %c2] via direct : !tile.view<?x?xf32> -> tensor<2x4xf32>
    %one = arith.constant dense<100.0> : tensor<2x4xf32>
    %y = arith.addf %t, %one : tensor<2x4xf32>
    tile.store %y, %D[%c2, %c1] via direct : tensor<2x4xf32>, !tile.view<?x?xf32>)"),
                 "d");
  std::vector<double> expected(20, kKeep);
  // Row 2 of x from column 2 is 12, 13, outside, outside; the store's columns are 1 to 3 of row 2.
  expected[11] = 112;
  expected[12] = 113;
  expected[13] = 100;
  EXPECT_EQ(d, expected);
}

TEST_F(MemoryOpsTest, NegativeCoordinatesAreOutside) {
  auto d = array(runBody(R"(
    %t = tile.load %X[%cm1, %cm1] via direct : !tile.view<?x?xf32> -> tensor<2x2xf32>
    tile.store %t, %D[%c0, %c0] via direct : tensor<2x2xf32>, !tile.view<?x?xf32>
    tile.store %t, %D[%cm1, %c3] via direct : tensor<2x2xf32>, !tile.view<?x?xf32>)"),
                 "d");
  std::vector<double> expected(20, kKeep);
  expected[0] = expected[1] = expected[5] = 0;
  expected[6] = 0; // element (0, 0) of x
  expected[3] = 0; // second store: only its element (1, 0) is inside
  EXPECT_EQ(d, expected);
}

TEST_F(MemoryOpsTest, UndefinedElementsAreNan) {
  auto d = array(runBody(R"(
    %t = tile.load %X[%c2, %c2] via direct oob undef : !tile.view<?x?xf32> -> tensor<1x4xf32>
    tile.store %t, %D[%c0, %c0] via direct : tensor<1x4xf32>, !tile.view<?x?xf32>)"),
                 "d");
  EXPECT_EQ(d[0], 12);
  EXPECT_EQ(d[1], 13);
  EXPECT_TRUE(std::isnan(d[2]));
  EXPECT_TRUE(std::isnan(d[3]));
}

TEST_F(MemoryOpsTest, ReduceAddAdds) {
  auto d = array(runBody(R"(
    %t = tile.load %X[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<1x4xf32>
    tile.store %t, %D[%c0, %c0] via reduce_add : tensor<1x4xf32>, !tile.view<?x?xf32>
    tile.store %t, %D[%c0, %c0] via reduce_add : tensor<1x4xf32>, !tile.view<?x?xf32>)"),
                 "d");
  EXPECT_EQ(std::vector<double>(d.begin(), d.begin() + 5), (std::vector<double>{-1, 1, 3, 5, -1}));
}

TEST_F(MemoryOpsTest, LeadingCoordinatesSelect) {
  auto d = array(runBody(R"(
    %big = arith.constant 10 : i64
    %V = tile.view %x [%c2, %c2, %c4] strides [%big, %ld] : !tile.ptr<f32> -> !tile.view<?x?x4xf32>
    %t = tile.load %V[%c1, %c0, %c0] via direct : !tile.view<?x?x4xf32> -> tensor<2x4xf32>
    %u = tile.load %V[%c2, %c0, %c0] via direct : !tile.view<?x?x4xf32> -> tensor<2x4xf32>
    %y = arith.addf %t, %u : tensor<2x4xf32>
    tile.store %y, %D[%c0, %c0] via direct : tensor<2x4xf32>, !tile.view<?x?xf32>)"),
                 "d");
  EXPECT_EQ(std::vector<double>(d.begin(), d.begin() + 9),
            (std::vector<double>{10, 11, 12, 13, -1, 15, 16, 17, 18}));
}

TEST_F(MemoryOpsTest, VectorsAndScalars) {
  auto d = array(runBody(R"(
    %t = tile.load %X[%c1, %c0] via direct : !tile.view<?x?xf32> -> tensor<4xf32>
    %e = tile.read %X[%c2, %c3] : !tile.view<?x?xf32> -> f32
    %out = tile.read %X[%c3, %c0] : !tile.view<?x?xf32> -> f32
    %sum = arith.addf %e, %out : f32
    %s = tile.splat %sum : f32 -> tensor<4xf32>
    %y = arith.addf %t, %s : tensor<4xf32>
    tile.store %y, %D[%c0, %c0] via direct : tensor<4xf32>, !tile.view<?x?xf32>)"),
                 "d");
  EXPECT_EQ(std::vector<double>(d.begin(), d.begin() + 4), (std::vector<double>{18, 19, 20, 21}));
}

TEST_F(MemoryOpsTest, GatherTakesRowsByIndex) {
  auto d = array(runBody(R"(
    %rows = tile.load %I[%c0] via direct : !tile.view<?xi32> -> tensor<4xi32>
    %t = tile.gather %X rows %rows at %c1 : !tile.view<?x?xf32>, tensor<4xi32> -> tensor<4x4xf32>
    %y = tile.extract %t columns %c0 : tensor<4x4xf32> -> tensor<4x4xf32>
    tile.store %y, %D[%c0, %c0] via direct : tensor<4x4xf32>, !tile.view<?x?xf32>)"),
                 "d");
  EXPECT_EQ(std::vector<double>(d.begin(), d.begin() + 14),
            (std::vector<double>{11, 12, 13, 0, -1, 1, 2, 3, 0, -1, 0, 0, 0, 0}))
      << "rows 2 and 0, then 7, which is outside";
}

TEST_F(MemoryOpsTest, ExtentOfAView) {
  auto d = array(runBody(R"(
    %n = tile.extent %X, 0 : !tile.view<?x?xf32>
    %f = arith.sitofp %n : i32 to f32
    %y = tile.splat %f : f32 -> tensor<1x1xf32>
    tile.store %y, %D[%c0, %c0] via direct : tensor<1x1xf32>, !tile.view<?x?xf32>)"),
                 "d");
  EXPECT_EQ(d[0], 3);
}

TEST_F(MemoryOpsTest, StoresRoundToTheMemorysType) {
  std::string body = R"(
    %third = arith.constant dense<1.0> : tensor<1x1xf32>
    %three = arith.constant dense<3.0> : tensor<1x1xf32>
    %y = arith.divf %third, %three : tensor<1x1xf32>
    tile.store %y, %D[%c0, %c0] via direct : tensor<1x1xf32>, !tile.view<?x?xf32>)";
  EXPECT_EQ(array(runBody(body), "d")[0], double(1.0f / 3.0f));
  EXPECT_EQ(array(runBody(body, {.round = false}), "d")[0], 1.0 / 3.0);
}

TEST_F(MemoryOpsTest, CountersCount) {
  auto result = runBody(R"(
    %before = tile.atomic_add %i, %c4 : !tile.ptr<i32>
    tile.semaphore_post %i[%c1] : !tile.ptr<i32>
    tile.semaphore_wait %i[%c1], %c1 : !tile.ptr<i32>
    %f = arith.sitofp %before : i32 to f32
    %y = tile.splat %f : f32 -> tensor<1x1xf32>
    tile.store %y, %D[%c0, %c0] via direct : tensor<1x1xf32>, !tile.view<?x?xf32>)");
  EXPECT_EQ(array(result, "d")[0], 2);
  auto counters = array(result, "i");
  EXPECT_EQ(counters[0], 6);
  EXPECT_EQ(counters[1], 1);
}

TEST_F(MemoryOpsTest, SemaphoreThatNobodyPosts) {
  auto result = runBody("tile.semaphore_wait %i[%c1], %c4 : !tile.ptr<i32>");
  EXPECT_NE(result.status().message().find("waits for 4 in counter 1 of \"i\", which stands at 0"),
            std::string::npos)
      << result.status().toString();
}

TEST_F(MemoryOpsTest, CounterOutsideItsMemory) {
  auto result = runBody("tile.semaphore_post %i[%cm1] : !tile.ptr<i32>");
  EXPECT_NE(result.status().message().find("accesses counter -1 of \"i\", which holds 8"),
            std::string::npos)
      << result.status().toString();
}

} // namespace
} // namespace tilewright
