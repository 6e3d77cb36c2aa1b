// SPDX-License-Identifier: Apache-2.0
//
// tile.map, loops, reductions, and what steps and ranges mean.

#include "tests/compiler/evaluator/EvaluatorFixture.h"

#include <cmath>

namespace tilewright {
namespace {

/// A kernel on x, 3 x 4 numbers 0 … 11, that stores %y of the given type to d at (0, 0) or (0).
class TileOpsTest : public EvaluatorTest {
protected:
  std::vector<double> evaluateBody(const std::string &body, const std::string &shape,
                                   const std::string &type = "f32") {
    auto result = array(evaluateText(bodyText(body, shape, type)), "d");
    size_t columns = shape.find('x');
    int64_t count = std::stoll(shape);
    if (columns != std::string::npos)
      count *= std::stoll(shape.substr(columns + 1));
    result.resize(result.empty() ? 0 : count);
    return result;
  }

  Expected<EvaluationResult> evaluateText(const std::string &text) {
    Bindings bindings;
    bindings.arrays = {{"x", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
                       {"d", std::vector<double>(16, -1)}};
    return run(text, bindings);
  }

  static std::string bodyText(const std::string &body, const std::string &shape,
                              const std::string &type = "f32") {
    bool isVector = shape.find('x') == std::string::npos;
    std::string view = (isVector ? "!tile.view<?x" : "!tile.view<?x?x") + type + ">";
    std::string columns = isVector ? shape : shape.substr(shape.find('x') + 1);
    return R"(
      tile.kernel @k(%x: !tile.ptr<f32> {tile.name = "x"}, %d: !tile.ptr<)" +
           type +
           R"(> {tile.name = "d"}) form = program {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %c2 = arith.constant 2 : i32
        %c3 = arith.constant 3 : i32
        %c4 = arith.constant 4 : i32
        %ldx = arith.constant 4 : i64
        %ldd = arith.constant )" +
           columns + R"( : i64
        %rows = arith.constant )" +
           (isVector ? "1" : shape.substr(0, shape.find('x'))) + R"( : i32
        %columns = arith.constant )" +
           columns + R"( : i32
        %X = tile.view %x [%c3, %c4] strides [%ldx] : !tile.ptr<f32> -> !tile.view<3x4xf32>
        %D = tile.view %d )" +
           (isVector ? "[%columns]" : "[%rows, %columns] strides [%ldd]") + " : !tile.ptr<" + type +
           "> -> " + view + R"(
        %t = tile.load %X[%c0, %c0] via direct : !tile.view<3x4xf32> -> tensor<3x4xf32>
)" + body + "\n        tile.store %y, %D" +
           (isVector ? "[%c0]" : "[%c0, %c0]") + " via direct : tensor<" + shape + "x" + type +
           ">, " + view + "\n      }";
  }
};

TEST_F(TileOpsTest, Coordinates) {
  EXPECT_EQ(evaluateBody("%y = tile.coord 0 offset %c4 : tensor<3x4xi32>", "3x4", "i32"),
            (std::vector<double>{4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6}));
  EXPECT_EQ(evaluateBody("%y = tile.coord 1 : tensor<3x4xi32>", "3x4", "i32"),
            (std::vector<double>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST_F(TileOpsTest, ReduceAlongEitherDimension) {
  EXPECT_EQ(evaluateBody("%y = tile.reduce add %t along 1 : tensor<3x4xf32> -> tensor<3xf32>", "3"),
            (std::vector<double>{6, 22, 38}));
  EXPECT_EQ(evaluateBody("%y = tile.reduce max %t along 0 : tensor<3x4xf32> -> tensor<4xf32>", "4"),
            (std::vector<double>{8, 9, 10, 11}));
  EXPECT_EQ(evaluateBody("%y = tile.reduce min %t along 1 : tensor<3x4xf32> -> tensor<3xf32>", "3"),
            (std::vector<double>{0, 4, 8}));
}

TEST_F(TileOpsTest, PartialReductionIsWhole) {
  auto result = evaluateBody(R"(
    %p = tile.reduce add %t along 1 partial : tensor<3x4xf32> -> tensor<3xf32>
    %y = tile.reduce_finish add %p : tensor<3xf32>)",
                             "3");
  EXPECT_EQ(result, (std::vector<double>{6, 22, 38}));
}

TEST_F(TileOpsTest, ReductionOfNanIsNan) {
  auto result = evaluateBody(R"(
    %nan = arith.constant dense<0x7FC00000> : tensor<3x4xf32>
    %y = tile.reduce max %nan along 1 : tensor<3x4xf32> -> tensor<3xf32>)",
                             "3");
  EXPECT_TRUE(std::isnan(result[0]));
}

TEST_F(TileOpsTest, BroadcastAlongEitherDimension) {
  EXPECT_EQ(evaluateBody(R"(
    %v = tile.reduce max %t along 1 : tensor<3x4xf32> -> tensor<3xf32>
    %y = tile.broadcast %v along 1 : tensor<3xf32> -> tensor<3x4xf32>)",
                         "3x4"),
            (std::vector<double>{3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11}));
  EXPECT_EQ(evaluateBody(R"(
    %v = tile.reduce max %t along 0 : tensor<3x4xf32> -> tensor<4xf32>
    %y = tile.broadcast %v along 0 : tensor<4xf32> -> tensor<3x4xf32>)",
                         "3x4"),
            (std::vector<double>{8, 9, 10, 11, 8, 9, 10, 11, 8, 9, 10, 11}));
}

TEST_F(TileOpsTest, ExtractTakesColumns) {
  auto result =
      evaluateBody("%y = tile.extract %t columns %c2 : tensor<3x4xf32> -> tensor<3x2xf32>", "3x2");
  EXPECT_EQ(result, (std::vector<double>{2, 3, 6, 7, 10, 11}));
  EXPECT_EQ(evaluateBody(R"(
    %v = tile.reduce max %t along 0 : tensor<3x4xf32> -> tensor<4xf32>
    %w = tile.extract %v columns %c2 : tensor<4xf32> -> tensor<2xf32>
    %y = tile.broadcast %w along 0 : tensor<2xf32> -> tensor<3x2xf32>)",
                         "3x2"),
            (std::vector<double>{10, 11, 10, 11, 10, 11}));
}

TEST_F(TileOpsTest, ExtractOutsideIsAnError) {
  auto result = evaluateText(
      bodyText("%y = tile.extract %t columns %c3 : tensor<3x4xf32> -> tensor<3x2xf32>", "3x2"));
  EXPECT_NE(result.status().message().find("takes columns 3 to 5 of 'tensor<3x4xf32>'"),
            std::string::npos)
      << result.status().toString();
}

TEST_F(TileOpsTest, DenseConstants) {
  EXPECT_EQ(evaluateBody("%y = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], "
                         "[9.0, 10.0, 11.0, 12.0]]> : tensor<3x4xf32>",
                         "3x4"),
            (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST_F(TileOpsTest, MapSeesCoordinatesAndVectors) {
  // Vectors of three and four: their lengths say which dimension they run along.
  EXPECT_EQ(evaluateBody(R"(
    %r = tile.reduce min %t along 1 : tensor<3x4xf32> -> tensor<3xf32>
    %c = tile.reduce min %t along 0 : tensor<3x4xf32> -> tensor<4xf32>
    %y = tile.map ins(%t, %r, %c) : tensor<3x4xf32>, tensor<3xf32>, tensor<4xf32> -> tensor<3x4xf32> {
    ^bb0(%e: f32, %er: f32, %ec: f32, %row: i32, %col: i32):
      %s = arith.addf %er, %ec : f32
      %z = arith.subf %e, %s : f32
      %rc = arith.muli %row, %col : i32
      %f = arith.sitofp %rc : i32 to f32
      %w = arith.addf %z, %f : f32
      tile.yield %w : f32
    })",
                         "3x4"),
            (std::vector<double>{0, 0, 0, 0, 0, 1, 2, 3, 0, 2, 4, 6}));
}

TEST_F(TileOpsTest, MapOfSquareNeedsToKnowItsVectors) {
  std::string body = R"(
    %q = arith.constant dense<1.0> : tensor<4x4xf32>
    %v = tile.reduce min %t along 0 : tensor<3x4xf32> -> tensor<4xf32>
    %y = tile.map ins(%v) : tensor<4xf32> -> tensor<4x4xf32> {
    ^bb0(%e: f32, %row: i32, %col: i32):
      tile.yield %e : f32
    })";
  auto result = evaluateText(bodyText(body, "4x4"));
  EXPECT_NE(result.status().message().find("cannot tell whether"), std::string::npos)
      << result.status().toString();
}

TEST_F(TileOpsTest, MapWithControlFlowRunsElementByElement) {
  EXPECT_EQ(evaluateBody(R"(
    %y = tile.map ins(%t) : tensor<3x4xf32> -> tensor<3x4xf32> {
    ^bb0(%e: f32, %row: i32, %col: i32):
      %odd = arith.andi %col, %c1 : i32
      %is = arith.cmpi eq, %odd, %c1 : i32
      %z = scf.if %is -> (f32) {
        %n = arith.negf %e : f32
        scf.yield %n : f32
      } else {
        scf.yield %e : f32
      }
      tile.yield %z : f32
    })",
                         "3x4"),
            (std::vector<double>{0, -1, 2, -3, 4, -5, 6, -7, 8, -9, 10, -11}));
}

TEST_F(TileOpsTest, MapWithSeveralResultsAndConstants) {
  EXPECT_EQ(evaluateBody(R"(
    %one, %two = tile.map ins(%t) : tensor<3x4xf32> -> tensor<3x4xf32>, tensor<3x4xf32> {
    ^bb0(%e: f32, %row: i32, %col: i32):
      %k = arith.constant 5.0 : f32
      tile.yield %e, %k : f32, f32
    }
    %y = arith.mulf %one, %two : tensor<3x4xf32>)",
                         "3x4"),
            (std::vector<double>{0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55}));
}

TEST_F(TileOpsTest, LoopsAndBranches) {
  EXPECT_EQ(evaluateBody(R"(
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %c0) -> (i32) : i32 {
      %n = arith.addi %s, %i : i32
      scf.yield %n : i32
    }
    %count = scf.while (%i = %c0) : (i32) -> i32 {
      %go = arith.cmpi slt, %i, %sum : i32
      scf.condition(%go) %i : i32
    } do {
    ^bb0(%i: i32):
      %n = arith.addi %i, %c4 : i32
      scf.yield %n : i32
    }
    %big = arith.cmpi sgt, %count, %sum : i32
    %value = scf.if %big -> (i32) {
      scf.yield %count : i32
    } else {
      scf.yield %c0 : i32
    }
    %y = tile.splat %value : i32 -> tensor<3x4xi32>)",
                         "3x4", "i32"),
            std::vector<double>(12, 8));
}

TEST_F(TileOpsTest, StepsRunInTextOrderWhateverTheOrderSays) {
  EXPECT_EQ(evaluateBody(R"(
    %one = arith.constant dense<1.0> : tensor<3x4xf32>
    %y = tile.for %i = %c0 to %c3 step %c1 order [#tile.at<"second", 1>, #tile.at<"first", 0>]
        iter_args(%acc = %t) -> (tensor<3x4xf32>) {
      %a = tile.step "first" -> (tensor<3x4xf32>) {
        %n = arith.addf %acc, %one : tensor<3x4xf32>
        tile.yield %n : tensor<3x4xf32>
      }
      %b = tile.step "second" -> (tensor<3x4xf32>) {
        %n = arith.addf %a, %a : tensor<3x4xf32>
        tile.yield %n : tensor<3x4xf32>
      }
      tile.yield %b : tensor<3x4xf32>
    })",
                         "3x4"),
            (std::vector<double>{14, 22, 30, 38, 46, 54, 62, 70, 78, 86, 94, 102}));
}

/// Adds one in every trip of a loop whose second half promises that it does not.
std::string skippableText(const std::string &added) {
  return R"(
    %add = arith.constant dense<)" +
         added + R"(> : tensor<3x4xf32>
    %y = tile.for %i = %c0 to %c4 step %c1 ranges("edge" : %c0 to %c2, "interior" : %c2 to %c4)
        iter_args(%acc = %t) -> (tensor<3x4xf32>) {
      %n = tile.skippable in ["interior"] (%acc) : tensor<3x4xf32> {
        %early = arith.cmpi slt, %i, %c2 : i32
        %k = tile.splat %early : i1 -> tensor<3x4xi1>
        %sum = arith.addf %acc, %add : tensor<3x4xf32>
        %m = )";
}

TEST_F(TileOpsTest, SkippableThatKeepsItsPromise) {
  EXPECT_EQ(evaluateBody(skippableText("1.0") +
                             R"(arith.select %k, %sum, %acc : tensor<3x4xi1>, tensor<3x4xf32>
        tile.yield %m : tensor<3x4xf32>
      }
      tile.yield %n : tensor<3x4xf32>
    })",
                         "3x4"),
            (std::vector<double>{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
}

TEST_F(TileOpsTest, SkippableThatBreaksItsPromise) {
  auto result =
      evaluateText(bodyText(skippableText("1.0") + R"(arith.addf %sum, %acc : tensor<3x4xf32>
        tile.yield %m : tensor<3x4xf32>
      }
      tile.yield %n : tensor<3x4xf32>
    })",
                            "3x4"));
  EXPECT_EQ(result.status().code(), StatusCode::invalidArgument);
  EXPECT_NE(result.status().message().find("promises to change nothing in range \"interior\""),
            std::string::npos)
      << result.status().toString();
}

TEST_F(TileOpsTest, RangesOutOfOrder) {
  auto result = evaluateText(bodyText(R"(
    %y = tile.for %i = %c0 to %c2 step %c1 ranges("edge" : %c0 to %c4, "interior" : %c4 to %c2)
        iter_args(%acc = %t) -> (tensor<3x4xf32>) {
      tile.yield %acc : tensor<3x4xf32>
    })",
                                      "3x4"));
  EXPECT_NE(
      result.status().message().find("range \"interior\" begins at 4 and ends before it, at 2"),
      std::string::npos)
      << result.status().toString();
}

TEST_F(TileOpsTest, AnyIsTrueIfOneElementIs) {
  EXPECT_EQ(evaluateBody(R"(
    %limit = arith.constant dense<10.5> : tensor<3x4xf32>
    %over = arith.cmpf ogt, %t, %limit : tensor<3x4xf32>
    %some = tile.any %over : tensor<3x4xi1>
    %y = tile.splat %some : i1 -> tensor<3x4xi1>)",
                         "3x4", "i1"),
            std::vector<double>(12, 1));
}

} // namespace
} // namespace tilewright
