// SPDX-License-Identifier: Apache-2.0
//
// A rotated loop computes what the loop in its text computes, for every number of trips, by the
// reference evaluator; so does each way of cutting it at its ranges.

#include "compiler/Registration.h"
#include "compiler/evaluator/Evaluator.h"
#include "compiler/passes/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace tilewright {
namespace {

constexpr int64_t kExtent = 160;

/// Types and views that the kernels share.
const std::string kHead = R"mlir(
#acc = #tile.acc<wgs = [1, 1]>
#row = #tile.slice<1, #acc>
!tile = tensor<64x16xf32, #acc>
!rows = tensor<64xf32, #row>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @test(%a: !tile.ptr<f32> {tile.name = "a"}, %d: !tile.ptr<f32> {tile.name = "d"},
                  %e: !tile.ptr<f32> {tile.name = "e"}, %lo: i32 {tile.name = "lo"},
                  %hi: i32 {tile.name = "hi"}, %x: i32 {tile.name = "x"},
                  %y: i32 {tile.name = "y"}, %step: i32 {tile.name = "step"}) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 160 : i32
  %ld = arith.constant 160 : i64
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %E = tile.view %e [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %zero = tile.zero : !tile
  %none = arith.constant dense<0xFF800000> : !rows
)mlir";

struct Loop {
  const char *name;
  const char *text;
};

void PrintTo(const Loop &loop, std::ostream *os) { *os << loop.name; }

const Loop kLoops[] = {
    // A sum that lags behind its loads, and what each trip stores.
    {"Sum", R"mlir(
  %r = tile.for %i = %lo to %hi step %step order [#tile.at<"load">, #tile.at<"add", 1>]
      iter_args(%s = %zero) -> (!tile) {
    %v = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %c0] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    %w = tile.step "add" -> (!tile) {
      %h = tile.load %A[%i, %i] via direct : !view -> !tile
      %p = arith.mulf %v, %h : !tile
      %t = arith.addf %s, %p : !tile
      tile.store %t, %E[%i, %i] via direct : !tile, !view
      tile.yield %t : !tile
    }
    tile.yield %w : !tile
  }
  tile.store %r, %D[%c0, %c0] via direct : !tile, !view
})mlir"},
    // Online softmax: what the lagging step scales with was computed an iteration earlier.
    {"OnlineSoftmax", R"mlir(
  %ones = arith.constant dense<0.0> : !rows
  %o, %l, %m = tile.for %i = %lo to %hi step %step
      order [#tile.at<"score">, #tile.at<"sum", 1>, #tile.at<"softmax">, #tile.at<"rescale">]
      iter_args(%o_old = %zero, %l_old = %ones, %m_old = %none) -> (!tile, !rows, !rows) {
    %s = tile.step "score" -> (!tile) {
      %t = tile.load %A[%i, %c0] via direct : !view -> !tile
      tile.yield %t : !tile
    }
    %p, %f, %l_new, %m_new = tile.step "softmax" -> (!tile, !rows, !rows, !rows) {
      %b = tile.reduce max %s along 1 : !tile -> !rows
      %m2 = arith.maximumf %m_old, %b : !rows
      %mb = tile.broadcast %m2 along 1 : !rows -> !tile
      %g = arith.subf %s, %mb : !tile
      %e2 = math.exp2 %g : !tile
      %gf = arith.subf %m_old, %m2 : !rows
      %factor = math.exp2 %gf : !rows
      %sum = tile.reduce add %e2 along 1 : !tile -> !rows
      %l2 = math.fma %l_old, %factor, %sum : !rows
      tile.yield %e2, %factor, %l2, %m2 : !tile, !rows, !rows, !rows
    }
    %scaled = tile.step "rescale" -> (!tile) {
      %fb = tile.broadcast %f along 1 : !rows -> !tile
      %q = arith.mulf %o_old, %fb : !tile
      tile.yield %q : !tile
    }
    %o_new = tile.step "sum" -> (!tile) {
      %v = tile.load %A[%c0, %i] via direct : !view -> !tile
      %q = math.fma %p, %v, %scaled : !tile
      tile.yield %q : !tile
    }
    tile.yield %o_new, %l_new, %m_new : !tile, !rows, !rows
  }
  tile.store %o, %D[%c0, %c0] via direct : !tile, !view
  %lb = tile.broadcast %l along 1 : !rows -> !tile
  tile.store %lb, %E[%c0, %c0] via direct : !tile, !view
})mlir"},
    // Values that change places, counters that are carried, scalars beside the steps.
    {"Swap", R"mlir(
  %one = arith.constant dense<1.0> : !tile
  %r, %q, %z = tile.for %i = %lo to %hi step %step
      order [#tile.at<"first">, #tile.at<"second", 1>, #tile.at<"third">]
      iter_args(%u = %zero, %v = %one, %p = %c1) -> (!tile, !tile, i32) {
    %next = arith.addi %p, %i : i32
    %col = arith.remsi %next, %n : i32
    %f = tile.step "first" -> (!tile) {
      %l = tile.load %A[%i, %col] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    tile.step "second" {
      %t = arith.addf %u, %f : !tile
      tile.store %t, %E[%i, %col] via direct : !tile, !view
      tile.yield
    }
    %w = tile.step "third" -> (!tile) {
      %t = arith.mulf %v, %f : !tile
      %s = arith.addf %t, %one : !tile
      tile.yield %s : !tile
    }
    tile.yield %w, %u, %next : !tile, !tile, i32
  }
  %sum = arith.addf %r, %q : !tile
  tile.store %sum, %D[%z, %c0] via direct : !tile, !view
})mlir"},
    // Work that one range may leave out: it is done where it matters, in every place it moves to.
    {"Ranges", R"mlir(
  %r = tile.for %i = %lo to %hi step %step
      ranges("edge" : %lo to %x, "interior" : %x to %y, "left" : %y to %hi)
      order [#tile.at<"load">, #tile.at<"add", 1>] iter_args(%s = %zero) -> (!tile) {
    %row = arith.subi %y, %i : i32
    %v = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %c0] via direct : !view -> !tile
      %m = tile.skippable in ["interior"] (%l) : !tile {
        %first = arith.cmpi slt, %i, %x : i32
        %last = arith.cmpi sge, %i, %y : i32
        %edge = arith.ori %first, %last : i1
        %k = arith.select %edge, %c1, %c0 : i32
        %f = arith.sitofp %k : i32 to f32
        %t = tile.splat %f : f32 -> !tile
        %q = arith.subf %l, %t : !tile
        tile.yield %q : !tile
      }
      tile.yield %m : !tile
    }
    %w = tile.step "add" -> (!tile) {
      %m = tile.skippable in ["edge", "interior"] (%v) : !tile {
        %last = arith.cmpi sge, %i, %y : i32
        %k = arith.select %last, %c1, %c0 : i32
        %f = arith.sitofp %k : i32 to f32
        %t = tile.splat %f : f32 -> !tile
        %q = arith.addf %v, %t : !tile
        tile.yield %q : !tile
      }
      %t = arith.addf %s, %m : !tile
      tile.store %t, %E[%i, %c0] via direct : !tile, !view
      tile.yield %t : !tile
    }
    tile.yield %w : !tile
  }
  tile.store %r, %D[%c0, %c0] via direct : !tile, !view
})mlir"},
    // No step lags: the order alone changes.
    {"InOrder", R"mlir(
  %r = tile.for %i = %lo to %hi step %step
      ranges("edge" : %lo to %x, "interior" : %x to %y, "left" : %y to %hi)
      order [#tile.at<"right">, #tile.at<"left">, #tile.at<"add">] iter_args(%s = %zero) -> (!tile) {
    %v = tile.step "left" -> (!tile) {
      %l = tile.load %A[%i, %c0] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    %h = tile.step "right" -> (!tile) {
      %l = tile.load %A[%c0, %i] via direct : !view -> !tile
      %m = tile.skippable in ["left"] (%l) : !tile {
        tile.yield %l : !tile
      }
      tile.yield %m : !tile
    }
    %w = tile.step "add" -> (!tile) {
      %t = math.fma %v, %h, %s : !tile
      tile.yield %t : !tile
    }
    tile.yield %w : !tile
  }
  tile.store %r, %D[%c0, %c0] via direct : !tile, !view
})mlir"},
    // A rotated loop in a step of a rotated loop.
    {"Nested", R"mlir(
  %r = tile.for %i = %lo to %hi step %step order [#tile.at<"load">, #tile.at<"inner", 1>]
      iter_args(%s = %zero) -> (!tile) {
    %v = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %c0] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    %w = tile.step "inner" -> (!tile) {
      %end = arith.addi %i, %x : i32
      %q = tile.for %j = %i to %end step %c1 order [#tile.at<"load">, #tile.at<"add", 1>]
          iter_args(%t = %s) -> (!tile) {
        %k = tile.step "load" -> (!tile) {
          %l = tile.load %A[%i, %j] via direct : !view -> !tile
          tile.yield %l : !tile
        }
        %u = tile.step "add" -> (!tile) {
          %p = math.fma %k, %v, %t : !tile
          tile.yield %p : !tile
        }
        tile.yield %u : !tile
      }
      tile.yield %q : !tile
    }
    tile.yield %w : !tile
  }
  tile.store %r, %D[%c0, %c0] via direct : !tile, !view
})mlir"},
};

std::vector<double> numbers(int64_t count, uint32_t state) {
  std::vector<double> values(count);
  for (double &value : values) {
    state = state * 1664525u + 1013904223u;
    value = (int(state >> 24) - 128) / 128.0;
  }
  return values;
}

bool isSame(const std::vector<double> &a, const std::vector<double> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

class Rotated {
public:
  Rotated() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context_.appendDialectRegistry(registry);
  }

  void parse(const std::string &text) {
    before_ = mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
    ASSERT_TRUE(before_);
    rotated_ = before_->clone();
    mlir::PassManager rotate(&context_);
    rotate.addNestedPass<tile::KernelOp>(createTileRotate());
    ASSERT_TRUE(mlir::succeeded(rotate.run(*rotated_)));
    cut_ = rotated_->clone();
    mlir::PassManager split(&context_);
    split.addNestedPass<tile::KernelOp>(createTileSplitRanges());
    ASSERT_TRUE(mlir::succeeded(split.run(*cut_)));
    cut_->walk([](mlir::Operation *op) {
      EXPECT_FALSE((mlir::isa<tile::ForOp, tile::StepOp, tile::SkippableOp>(op)));
    });
  }

  void compare(const Bindings &bindings) {
    Expected<EvaluationResult> expected = evaluate(*before_, bindings);
    ASSERT_TRUE(expected) << expected.status().toString();
    for (auto &[name, module] : {std::pair("rotated", &rotated_), std::pair("cut", &cut_)}) {
      SCOPED_TRACE(name);
      Expected<EvaluationResult> found = evaluate(**module, bindings);
      ASSERT_TRUE(found) << found.status().toString();
      for (const auto &[array, values] : expected->arrays)
        EXPECT_TRUE(isSame(values, found->arrays.at(array))) << "array " << array;
    }
  }

private:
  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> before_, rotated_, cut_;
};

class RotationTest : public testing::TestWithParam<Loop> {};

TEST_P(RotationTest, KeepsTheMeaning) {
  Rotated module;
  ASSERT_NO_FATAL_FAILURE(module.parse(kHead + GetParam().text));
  for (int64_t trips : {0, 1, 2, 3, 7})
    for (int64_t step : {1, 3})
      for (int64_t first : {0, 1, 2, 7}) {
        if (first > trips)
          continue;
        // The ranges end after `first` trips and one before the last; the bound need not be met.
        int64_t lo = 2, hi = std::max(lo, lo + trips * step - (step > 1 ? 1 : 0));
        int64_t x = std::min(hi, lo + first * step);
        int64_t y = std::min(hi, std::max(x, lo + (trips - 1) * step));
        SCOPED_TRACE(testing::Message()
                     << trips << " trips of " << step << ", ranges cut at " << x << " and " << y);
        Bindings bindings;
        bindings.arrays = {{"a", numbers(kExtent * kExtent, 1)},
                           {"d", numbers(kExtent * kExtent, 2)},
                           {"e", numbers(kExtent * kExtent, 3)}};
        bindings.scalars = {{"lo", lo}, {"hi", hi}, {"x", x}, {"y", y}, {"step", step}};
        module.compare(bindings);
        if (testing::Test::HasFailure())
          return;
      }
}

INSTANTIATE_TEST_SUITE_P(Loops, RotationTest, testing::ValuesIn(kLoops),
                         [](const auto &info) { return std::string(info.param.name); });

/// Queries and keys of causal attention: query i sees the keys up to i + keys - queries.
struct Shape {
  int64_t queries, keys;
};

class RotatedAttentionTest : public testing::TestWithParam<Shape> {};

TEST_P(RotatedAttentionTest, KeepsTheMeaning) {
  auto buffer = llvm::MemoryBuffer::getFile(TW_SOURCE_DIR "/examples/attention.mlir");
  ASSERT_TRUE(static_cast<bool>(buffer));
  Rotated module;
  ASSERT_NO_FATAL_FAILURE(module.parse((*buffer)->getBuffer().str()));
  auto [queries, keys] = GetParam();
  constexpr int64_t kHeads = 2, kHeadDim = 64;
  Bindings bindings;
  bindings.arrays = {{"q", numbers(queries * kHeads * kHeadDim, 1)},
                     {"k", numbers(keys * kHeadDim, 2)},
                     {"v", numbers(keys * kHeadDim, 3)},
                     {"o", std::vector<double>(queries * kHeads * kHeadDim, 77)},
                     {"lse", std::vector<double>(kHeads * queries, 77)}};
  bindings.scalars = {{"batch", 1},         {"heads", kHeads}, {"kv_heads", 1},
                      {"queries", queries}, {"keys", keys},    {"scale_log2", 0.18}};
  module.compare(bindings);
}

INSTANTIATE_TEST_SUITE_P(Shapes, RotatedAttentionTest,
                         testing::Values(Shape{128, 128},  // one block, all diagonal
                                         Shape{1, 1},      // one row
                                         Shape{150, 150},  // two blocks, ragged
                                         Shape{130, 400},  // blocks before the diagonal
                                         Shape{200, 70})); // rows that see no key

} // namespace
} // namespace tilewright
