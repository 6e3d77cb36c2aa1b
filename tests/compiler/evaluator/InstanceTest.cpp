// SPDX-License-Identifier: Apache-2.0
//
// Roles whose warpgroups take whole tiles each: what they compute, and the faults that evaluation
// finds among them.

#include "tests/compiler/evaluator/EvaluatorFixture.h"

namespace tilewright {
namespace {

/// d = the sum of three blocks of x, row by row: @sum's two warpgroups take rows in turn, each row
/// three stages of one ring, and hand the result to a slot of their own.
class InstanceTest : public EvaluatorTest, public testing::WithParamInterface<int64_t> {
protected:
  void replace(const std::string &from, const std::string &to) {
    size_t at = text_.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text_.replace(at, from.size(), to);
  }

  Expected<EvaluationResult> sums(int64_t rows) {
    Bindings bindings;
    bindings.arrays = {{"x", exampleNumbers(rows * 96, 1)},
                       {"d", std::vector<double>(rows * 32, 9)}};
    bindings.scalars = {{"m", rows}};
    expected_.clear();
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < 32; ++column) {
        double sum = 0;
        for (int64_t block = 0; block < 3; ++block)
          sum += bindings.arrays["x"][row * 96 + block * 32 + column];
        expected_.push_back(sum);
      }
    return run(text_, bindings);
  }

  void expectFault(const std::string &part) {
    auto result = sums(5);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.status().code(), StatusCode::invalidArgument);
    EXPECT_NE(result.status().message().find(part), std::string::npos)
        << "expected: " << part << "\nfound: " << result.status().message();
  }

  std::string text_ = R"(
    #row = #tile.acc<wgs = [1, 1]>
    !tile = tensor<64x32xf32, #row>
    !slot = tensor<64x32xf32, #tile.smem<panel = 0>>
    !ring = !tile.ring<2, !slot>
    !view = !tile.view<?x?xf32, align = 16>
    tile.kernel @k(%x: !tile.ptr<f32> {tile.name = "x"}, %d: !tile.ptr<f32> {tile.name = "d"},
                   %m: i32 {tile.name = "m"}) form = scheduled
        roles = [#tile.role<load, warps = 1>, #tile.role<sum, warpgroups = 2, split = tiles>] {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %c32 = arith.constant 32 : i32
      %c96 = arith.constant 96 : i32
      %ldx = arith.constant 96 : i64
      %ldd = arith.constant 32 : i64
      %X = tile.view %x [%m, %c96] strides [%ldx] : !tile.ptr<f32> -> !view
      %D = tile.view %d [%m, %c32] strides [%ldd] : !tile.ptr<f32> -> !view
      %r = tile.ring "blocks" from @load to @sum : !ring
      %st = tile.ring "staging" private @sum : !tile.ring<1, !slot>
      %turn = tile.turn among @sum
      %s = tile.raster (%m by 1) order row : !tile.schedule<1>
      tile.roles {
        tile.role @load {
          %p0 = tile.cursor %r producer : !ring
          %first, %end, %step = tile.schedule_range %s : !tile.schedule<1>
          %last = scf.for %t = %first to %end step %step iter_args(%p = %p0) -> (!tile.cursor) : i32 {
            %row = tile.decode %s, %t : !tile.schedule<1> -> i32
            %q = scf.for %k = %c0 to %c96 step %c32 iter_args(%at = %p) -> (!tile.cursor) : i32 {
              %slot = tile.acquire %r at %at : !ring -> !tile.slot<!slot>
              tile.copy %X[%row, %k] to %slot signal %r at %at : !view, !tile.slot<!slot>, !ring
              %next = tile.advance %r at %at : !ring
              scf.yield %next : !tile.cursor
            }
            scf.yield %q : !tile.cursor
          }
        }
        tile.role @sum {
          %i = tile.instance
          %c = tile.cursor %r consumer : !ring
          %o0 = tile.cursor %st producer : !tile.ring<1, !slot>
          %skipped = arith.muli %i, %c3 : i32
          %q0 = tile.advance %r at %c by %skipped : !ring
          %first, %end, %step = tile.schedule_range %s : !tile.schedule<1>
          %own = arith.addi %first, %i : i32
          %last:2 = scf.for %t = %own to %end step %c2 iter_args(%p = %q0, %o = %o0)
              -> (!tile.cursor, !tile.cursor) : i32 {
            %row = tile.decode %s, %t : !tile.schedule<1> -> i32
            %zero = tile.zero : !tile
            tile.turn_wait %turn
            %q, %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%at = %p, %acc = %zero)
                -> (!tile.cursor, !tile) : i32 {
              %slot = tile.wait %r at %at : !ring -> !tile.slot<!slot>
              %y = tile.map ins(%slot, %acc) : !tile.slot<!slot>, !tile -> !tile {
              ^bb0(%e: f32, %f: f32, %rr: i32, %cc: i32):
                %g = arith.addf %e, %f : f32
                tile.yield %g : f32
              }
              tile.release %r at %at : !ring
              %next = tile.advance %r at %at : !ring
              scf.yield %next, %y : !tile.cursor, !tile
            }
            tile.turn_pass %turn
            %out = tile.acquire %st at %o : !tile.ring<1, !slot> -> !tile.slot<!slot>
            tile.fragment_store %sum, %out : !tile, !tile.slot<!slot>
            tile.copy_out %out to %D[%row, %c0] : !tile.slot<!slot>, !view
            %o1 = tile.advance %st at %o : !tile.ring<1, !slot>
            %past = tile.advance %r at %q by %c3 : !ring
            scf.yield %past, %o1 : !tile.cursor, !tile.cursor
          }
          tile.drain
        }
      }
    })";
  std::vector<double> expected_;
};

TEST_P(InstanceTest, TakesItsTiles) { EXPECT_EQ(array(sums(GetParam()), "d"), expected_); }

INSTANTIATE_TEST_SUITE_P(Rows, InstanceTest, testing::Values(0, 1, 2, 3, 8));

TEST_F(InstanceTest, WaitingOutOfTurnSeesAnOldRound) {
  replace("tile.turn_wait %turn", "");
  replace("tile.turn_pass %turn", "");
  expectFault("waits for use 3 of stage 0 of ring \"blocks\", which has been filled 2 times: a "
              "barrier cannot tell so many rounds apart");
}

TEST_F(InstanceTest, TurnThatIsNotPassedIsADeadlock) {
  replace("tile.turn_pass %turn", "");
  expectFault("@sum 0 waits for its turn; @sum 1 waits for its turn");
}

TEST_F(InstanceTest, PassingATurnTwice) {
  replace("tile.turn_pass %turn", "tile.turn_pass %turn\n tile.turn_pass %turn");
  expectFault("passes a turn that warpgroup 0 has not taken");
}

TEST_F(InstanceTest, StagesOfTheOtherTileAreSkipped) {
  replace("at %q by %c3", "at %q by %c2");
  auto result = sums(5);
  EXPECT_FALSE(result);
}

} // namespace
} // namespace tilewright
