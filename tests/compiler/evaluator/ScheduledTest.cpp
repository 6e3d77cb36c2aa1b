// SPDX-License-Identifier: Apache-2.0
//
// The scheduled form: its results, and the faults of a schedule that evaluation finds.

#include "compiler/evaluator/Rounding.h"
#include "tests/compiler/evaluator/EvaluatorFixture.h"

#include <fstream>
#include <sstream>

namespace tilewright {
namespace {

struct Shape {
  int64_t m, n, k;
};

/// The dialect's own scheduled GEMM, D = alpha·A·Bᵀ + bias in bf16, and variations of its text.
class ScheduledTest : public EvaluatorTest, public testing::WithParamInterface<Shape> {
protected:
  ScheduledTest() {
    std::ifstream file(TW_SOURCE_DIR "/tests/compiler/tile/gemm-scheduled.mlir");
    std::stringstream stream;
    stream << file.rdbuf();
    text_ = stream.str();
  }

  /// Replaces the first `from`, which must be there.
  void replace(const std::string &from, const std::string &to) {
    size_t at = text_.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text_.replace(at, from.size(), to);
  }

  Expected<EvaluationResult> gemm(Shape shape) {
    int64_t lda = (shape.k + 7) / 8 * 8, ldd = (shape.n + 7) / 8 * 8;
    Bindings bindings;
    bindings.arrays = {{"a", exampleNumbers(shape.m * lda, 1)},
                       {"b", exampleNumbers(shape.n * lda, 2)},
                       {"bias", exampleNumbers(shape.n, 3)},
                       {"d", std::vector<double>(shape.m * ldd, 9)}};
    bindings.scalars = {{"m", shape.m}, {"n", shape.n}, {"k", shape.k}, {"lda", lda},
                        {"ldb", lda},   {"ldd", ldd},   {"alpha", 0.5}};
    expected_.assign(shape.m * ldd, 9);
    for (int64_t r = 0; r < shape.m; ++r)
      for (int64_t c = 0; c < shape.n; ++c) {
        double sum = 0;
        for (int64_t i = 0; i < shape.k; ++i)
          sum += bindings.arrays["a"][r * lda + i] * bindings.arrays["b"][c * lda + i];
        expected_[r * ldd + c] = roundTo(kBf16, 0.5 * sum + bindings.arrays["bias"][c]);
      }
    return run(text_, bindings);
  }

  void expectFault(const std::string &part) {
    auto result = gemm({130, 40, 300});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.status().code(), StatusCode::invalidArgument);
    EXPECT_NE(result.status().message().find(part), std::string::npos)
        << "expected: " << part << "\nfound: " << result.status().message();
  }

  std::string text_;
  std::vector<double> expected_;
};

TEST_P(ScheduledTest, GemmIsExact) {
  // Sums of products of eight-bit fractions are exact in fp64: the order of k does not matter.
  auto result = gemm(GetParam());
  EXPECT_EQ(largestDifference(array(result, "d"), expected_), 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ScheduledTest,
                         testing::Values(Shape{1, 1, 1}, Shape{128, 256, 64}, Shape{200, 300, 500},
                                         Shape{300, 70, 64}, Shape{5, 5, 0}));

TEST_F(ScheduledTest, ReleaseOfTheStageThatIsStillBeingRead) {
  replace("tile.release %ab at %previous if %notfirst", "tile.release %ab at %q");
  expectFault("'tile.dot_start' op was still reading slot 0 of ring \"ab\" when that was released");
}

TEST_F(ScheduledTest, RetireThatLeavesTooManyDotsInFlight) {
  replace("dot_retire %e outstanding 1", "dot_retire %e outstanding 2");
  expectFault("was still reading slot 0 of ring \"ab\"");
}

TEST_F(ScheduledTest, MissingReleaseIsADeadlock) {
  replace("tile.release %ab at %previous if %notfirst : !ab", "");
  expectFault(
      "is part of a deadlock; @load waits for stage 0 of ring \"ab\" to be empty; @mma waits "
      "for stage 0 of ring \"ab\" to be full");
}

TEST_F(ScheduledTest, MissingCopyIsADeadlock) {
  replace(
      "tile.copy %B[%ni, %kk] to %sb signal %ab at %q multicast 0 : !matrix, !tile.slot<!tb>, !ab",
      "");
  expectFault("@mma waits for stage 0 of ring \"ab\" to be full");
}

TEST_F(ScheduledTest, MissingAdvanceIsReported) {
  replace("%q1 = tile.advance %ab at %q : !ab\n          scf.yield %q1 :", "scf.yield %q :");
  expectFault("acquires stage 0 of ring \"ab\" for use 0, but it has been acquired 1 times");
}

TEST_F(ScheduledTest, ReleaseTwice) {
  replace("tile.release %ab at %loop#1 if %any : !ab",
          "tile.release %ab at %loop#1 if %any : !ab\n tile.release %ab at %loop#1 if %any : !ab");
  expectFault("of use 1, which has been released before");
}

TEST_F(ScheduledTest, ResultOfADotInFlight) {
  replace("tile.dot_wait %loop#2", "tile.dot_wait %loop#2 outstanding 1");
  expectFault("takes the result of a dot that is still in flight with outstanding 1");
}

TEST_F(ScheduledTest, CopyOutOfAnEmptySlot) {
  replace("tile.fragment_store %y, %so : tensor<128x64xbf16, #acc>, !tile.slot<!ta>", "");
  expectFault("reads slot 0 of ring \"staging\", which holds nothing");
}

TEST_F(ScheduledTest, CopyWithoutAcquire) {
  replace("%q1 = tile.advance %ab at %q : !ab",
          "%q1 = tile.advance %ab at %q : !ab\n"
          "tile.copy %A[%mi, %kk] to %sa signal %ab at %q1 : !matrix, !tile.slot<!ta>, !ab");
  expectFault("fills stage 1 of ring \"ab\", which is not acquired");
}

TEST_F(EvaluatorTest, TwoRolesHandOverByThreads) {
  // @first writes rows of x to a ring, @second doubles them: the ring is filled by ordinary stores.
  const char text[] = R"(
    #row = #tile.blocked<threads = [1, 32]>
    !tile = tensor<1x32xf32, #row>
    !slot = tensor<1x32xf32, #tile.smem<panel = 0>>
    !ring = !tile.ring<2, !slot>
    !view = !tile.view<?x32xf32>
    tile.kernel @k(%x: !tile.ptr<f32> {tile.name = "x"}, %d: !tile.ptr<f32> {tile.name = "d"},
                   %m: i32 {tile.name = "m"}) form = scheduled
        roles = [#tile.role<first, warps = 1, regs = 64>, #tile.role<second, warps = 1, regs = 64>] {
      %c32 = arith.constant 32 : i32
      %ld = arith.constant 32 : i64
      %X = tile.view %x [%m, %c32] strides [%ld] : !tile.ptr<f32> -> !view
      %D = tile.view %d [%m, %c32] strides [%ld] : !tile.ptr<f32> -> !view
      %r = tile.ring "rows" from @first to @second full threads : !ring
      %s = tile.raster (%m by 1) order row : !tile.schedule<1>
      tile.roles {
        tile.role @first {
          %c0 = arith.constant 0 : i32
          %p0 = tile.cursor %r producer : !ring
          %first, %end, %step = tile.schedule_range %s : !tile.schedule<1>
          %last = scf.for %t = %first to %end step %step iter_args(%p = %p0) -> (!tile.cursor) : i32 {
            %row = tile.decode %s, %t : !tile.schedule<1> -> i32
            %v = tile.load %X[%row, %c0] via direct : !view -> !tile
            %slot = tile.acquire %r at %p : !ring -> !tile.slot<!slot>
            tile.fragment_store %v, %slot : !tile, !tile.slot<!slot>
            tile.commit %r at %p : !ring
            %p1 = tile.advance %r at %p : !ring
            scf.yield %p1 : !tile.cursor
          }
        }
        tile.role @second {
          %c0 = arith.constant 0 : i32
          %p0 = tile.cursor %r consumer : !ring
          %first, %end, %step = tile.schedule_range %s : !tile.schedule<1>
          %last = scf.for %t = %first to %end step %step iter_args(%p = %p0) -> (!tile.cursor) : i32 {
            %row = tile.decode %s, %t : !tile.schedule<1> -> i32
            %slot = tile.wait %r at %p : !ring -> !tile.slot<!slot>
            %again = tile.rebind %slot : !tile.slot<!slot> -> !tile.slot<!slot>
            %v = tile.fragment_load %again : !tile.slot<!slot> -> !tile
            %y = tile.map ins(%slot, %v) : !tile.slot<!slot>, !tile -> !tile {
            ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
              %sum = arith.addf %a, %b : f32
              tile.yield %sum : f32
            }
            tile.release %r at %p : !ring
            tile.store %y, %D[%row, %c0] via direct : !tile, !view
            %p1 = tile.advance %r at %p : !ring
            scf.yield %p1 : !tile.cursor
          }
        }
      }
    })";
  Bindings bindings;
  bindings.arrays = {{"x", exampleNumbers(7 * 32, 1)}, {"d", std::vector<double>(7 * 32)}};
  bindings.scalars = {{"m", 7}};
  std::vector<double> expected = bindings.arrays["x"];
  for (double &number : expected)
    number *= 2;
  EXPECT_EQ(array(run(text, bindings), "d"), expected);
}

TEST_F(EvaluatorTest, WaitWithoutAnotherRole) {
  auto result = run(R"(
    !slot = tensor<1x32xf32, #tile.smem<panel = 0>>
    !ring = !tile.ring<1, !slot>
    tile.kernel @k() form = scheduled roles = [#tile.role<one, warps = 1, regs = 64>, #tile.role<two, warps = 1, regs = 64>] {
      %r = tile.ring "rows" from @one to @two : !ring
      %p = tile.cursor %r consumer : !ring
      %slot = tile.wait %r at %p : !ring -> !tile.slot<!slot>
    })",
                    {});
  EXPECT_NE(
      result.status().message().find(
          "waits for stage 0 of ring \"rows\" to be full, which nothing in this kernel brings"),
      std::string::npos)
      << result.status().toString();
}

} // namespace
} // namespace tilewright
