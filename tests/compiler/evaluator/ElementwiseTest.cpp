// SPDX-License-Identifier: Apache-2.0
//
// Each arith and math op on numbers, through a kernel that stores its result.

#include "tests/compiler/evaluator/EvaluatorFixture.h"

#include <cmath>

namespace tilewright {
namespace {

class ElementwiseTest : public EvaluatorTest {
protected:
  /// Result of `op` (text such as "arith.addf %x, %y : f32") on numbers x, y, z of `type`.
  double number(const std::string &op, const std::string &type, double x, double y = 0,
                double z = 0, const std::string &resultType = "") {
    std::string to = resultType.empty() ? type : resultType;
    std::string text = R"(
      tile.kernel @k(%in: !tile.ptr<)" +
                       type + R"(> {tile.name = "in"},
                     %out: !tile.ptr<)" +
                       to + R"(> {tile.name = "out"}) form = program {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %c2 = arith.constant 2 : i32
        %c3 = arith.constant 3 : i32
        %in_view = tile.view %in [%c3] : !tile.ptr<)" +
                       type + "> -> !tile.view<?x" + type + R"(>
        %out_view = tile.view %out [%c1] : !tile.ptr<)" +
                       to + "> -> !tile.view<?x" + to + R"(>
        %x = tile.read %in_view[%c0] : !tile.view<?x)" +
                       type + "> -> " + type + R"(
        %y = tile.read %in_view[%c1] : !tile.view<?x)" +
                       type + "> -> " + type + R"(
        %z = tile.read %in_view[%c2] : !tile.view<?x)" +
                       type + "> -> " + type + R"(
        %r = )" + op + R"(
        %t = tile.splat %r : )" +
                       to + " -> tensor<1x" + to + R"(>
        tile.store %t, %out_view[%c0] via direct : tensor<1x)" +
                       to + ">, !tile.view<?x" + to + R"(>
      })";
    Bindings bindings;
    bindings.arrays = {{"in", {x, y, z}}, {"out", {-77}}};
    auto result = array(run(text, bindings, {.round = false}), "out");
    return result.empty() ? std::nan("") : result[0];
  }

  double f64(const std::string &op, double x, double y = 0, double z = 0) {
    return number(op + " : f64", "f64", x, y, z);
  }
  double i32(const std::string &op, double x, double y = 0) {
    return number(op + " : i32", "i32", x, y);
  }
};

TEST_F(ElementwiseTest, FloatArithmetic) {
  EXPECT_EQ(f64("arith.addf %x, %y", 1.5, 2), 3.5);
  EXPECT_EQ(f64("arith.subf %x, %y", 1.5, 2), -0.5);
  EXPECT_EQ(f64("arith.mulf %x, %y", 1.5, 2), 3);
  EXPECT_EQ(f64("arith.divf %x, %y", 1, 4), 0.25);
  EXPECT_EQ(f64("arith.remf %x, %y", -7.5, 2), -1.5);
  EXPECT_EQ(f64("arith.negf %x", 2), -2);
  EXPECT_EQ(f64("math.fma %x, %y, %z", 2, 3, 4), 10);
}

TEST_F(ElementwiseTest, MaximumPropagatesNanAndMaxnumDoesNot) {
  double nan = std::nan("");
  EXPECT_EQ(f64("arith.maximumf %x, %y", 2, 3), 3);
  EXPECT_EQ(f64("arith.minimumf %x, %y", 2, 3), 2);
  EXPECT_TRUE(std::isnan(f64("arith.maximumf %x, %y", nan, 3)));
  EXPECT_TRUE(std::isnan(f64("arith.minimumf %x, %y", 2, nan)));
  EXPECT_EQ(f64("arith.maxnumf %x, %y", nan, 3), 3);
  EXPECT_EQ(f64("arith.minnumf %x, %y", 2, nan), 2);
}

TEST_F(ElementwiseTest, Functions) {
  EXPECT_EQ(f64("math.exp2 %x", -3), 0.125);
  EXPECT_EQ(f64("math.exp2 %x", -HUGE_VAL), 0);
  EXPECT_EQ(f64("math.log2 %x", 8), 3);
  EXPECT_EQ(f64("math.sqrt %x", 9), 3);
  EXPECT_EQ(f64("math.rsqrt %x", 4), 0.5);
  EXPECT_EQ(f64("math.absf %x", -4), 4);
  EXPECT_EQ(f64("math.floor %x", -1.5), -2);
  EXPECT_EQ(f64("math.ceil %x", -1.5), -1);
  EXPECT_EQ(f64("math.trunc %x", -1.5), -1);
  EXPECT_EQ(f64("math.round %x", 2.5), 3);
  EXPECT_EQ(f64("math.roundeven %x", 2.5), 2);
  EXPECT_DOUBLE_EQ(f64("math.exp %x", 1), 2.718281828459045);
  EXPECT_DOUBLE_EQ(f64("math.tanh %x", 0.5), 0.46211715726000976);
  EXPECT_DOUBLE_EQ(f64("math.erf %x", 0.5), 0.5204998778130465);
  EXPECT_DOUBLE_EQ(f64("math.sin %x", 0.5), 0.479425538604203);
  EXPECT_DOUBLE_EQ(f64("math.cos %x", 0.5), 0.8775825618903728);
  EXPECT_DOUBLE_EQ(f64("math.powf %x, %y", 2, 0.5), 1.4142135623730951);
}

TEST_F(ElementwiseTest, IntegersWrap) {
  EXPECT_EQ(i32("arith.addi %x, %y", 2147483647, 1), -2147483648.0);
  EXPECT_EQ(i32("arith.subi %x, %y", -2147483648.0, 1), 2147483647);
  EXPECT_EQ(i32("arith.muli %x, %y", 65536, 65537), 65536);
}

TEST_F(ElementwiseTest, DivisionsRoundAsTheirNamesSay) {
  EXPECT_EQ(i32("arith.divsi %x, %y", -7, 2), -3);
  EXPECT_EQ(i32("arith.remsi %x, %y", -7, 2), -1);
  EXPECT_EQ(i32("arith.floordivsi %x, %y", -7, 2), -4);
  EXPECT_EQ(i32("arith.floordivsi %x, %y", -8, 2), -4);
  EXPECT_EQ(i32("arith.ceildivsi %x, %y", 7, 2), 4);
  EXPECT_EQ(i32("arith.ceildivsi %x, %y", -7, 2), -3);
  EXPECT_EQ(i32("arith.divui %x, %y", -1, 2), 2147483647);
  EXPECT_EQ(i32("arith.remui %x, %y", -1, 16), 15);
  EXPECT_EQ(i32("arith.ceildivui %x, %y", 9, 4), 3);
  EXPECT_EQ(i32("arith.divsi %x, %y", -2147483648.0, -1), -2147483648.0) << "wraps, no trap";
}

TEST_F(ElementwiseTest, BitOps) {
  EXPECT_EQ(i32("arith.andi %x, %y", 12, 10), 8);
  EXPECT_EQ(i32("arith.ori %x, %y", 12, 10), 14);
  EXPECT_EQ(i32("arith.xori %x, %y", 12, -1), -13);
  EXPECT_EQ(i32("arith.shli %x, %y", 3, 30), -1073741824.0);
  EXPECT_EQ(i32("arith.shrsi %x, %y", -8, 1), -4);
  EXPECT_EQ(i32("arith.shrui %x, %y", -8, 28), 15);
}

TEST_F(ElementwiseTest, SignedAndUnsignedExtremes) {
  EXPECT_EQ(i32("arith.maxsi %x, %y", -1, 2), 2);
  EXPECT_EQ(i32("arith.minsi %x, %y", -1, 2), -1);
  EXPECT_EQ(i32("arith.maxui %x, %y", -1, 2), -1);
  EXPECT_EQ(i32("arith.minui %x, %y", -1, 2), 2);
  EXPECT_EQ(i32("math.absi %x", -5), 5);
}

TEST_F(ElementwiseTest, IntegerComparisons) {
  auto compare = [&](const std::string &predicate, double x, double y) {
    return number("arith.cmpi " + predicate + ", %x, %y : i32", "i32", x, y, 0, "i1");
  };
  EXPECT_EQ(compare("eq", 1, 1), 1);
  EXPECT_EQ(compare("ne", 1, 1), 0);
  EXPECT_EQ(compare("slt", -1, 1), 1);
  EXPECT_EQ(compare("sle", 1, 1), 1);
  EXPECT_EQ(compare("sgt", -1, 1), 0);
  EXPECT_EQ(compare("sge", -1, 1), 0);
  EXPECT_EQ(compare("ult", -1, 1), 0);
  EXPECT_EQ(compare("ule", 1, -1), 1);
  EXPECT_EQ(compare("ugt", -1, 1), 1);
  EXPECT_EQ(compare("uge", 1, -1), 0);
}

TEST_F(ElementwiseTest, FloatComparisonsKnowNan) {
  auto compare = [&](const std::string &predicate, double x, double y) {
    return number("arith.cmpf " + predicate + ", %x, %y : f64", "f64", x, y, 0, "i1");
  };
  double nan = std::nan("");
  for (std::string predicate : {"oeq", "ogt", "oge", "olt", "ole", "one", "ord"})
    EXPECT_EQ(compare(predicate, nan, 1), 0) << predicate;
  for (std::string predicate : {"ueq", "ugt", "uge", "ult", "ule", "une", "uno"})
    EXPECT_EQ(compare(predicate, nan, 1), 1) << predicate;
  EXPECT_EQ(compare("olt", 1, 2), 1);
  EXPECT_EQ(compare("oge", 1, 2), 0);
  EXPECT_EQ(compare("one", 1, 2), 1);
  EXPECT_EQ(compare("ueq", 1, 2), 0);
  EXPECT_EQ(compare("uno", 1, 2), 0);
}

TEST_F(ElementwiseTest, Conversions) {
  EXPECT_EQ(number("arith.sitofp %x : i32 to f64", "i32", -3, 0, 0, "f64"), -3);
  EXPECT_EQ(number("arith.uitofp %x : i32 to f64", "i32", -1, 0, 0, "f64"), 4294967295.0);
  EXPECT_EQ(number("arith.fptosi %x : f64 to i32", "f64", -2.9, 0, 0, "i32"), -2);
  EXPECT_EQ(number("arith.fptosi %x : f64 to i32", "f64", 1e20, 0, 0, "i32"), 2147483647);
  EXPECT_EQ(number("arith.fptoui %x : f64 to i32", "f64", 4294967295.0, 0, 0, "i32"), -1);
  EXPECT_EQ(number("arith.extsi %x : i32 to i64", "i32", -3, 0, 0, "i64"), -3);
  EXPECT_EQ(number("arith.extui %x : i32 to i64", "i32", -1, 0, 0, "i64"), 4294967295.0);
  EXPECT_EQ(number("arith.trunci %x : i32 to i8", "i32", 200, 0, 0, "i8"), -56);
  EXPECT_EQ(number("arith.bitcast %x : f32 to i32", "f32", 1, 0, 0, "i32"), 0x3F800000);
  EXPECT_EQ(number("arith.bitcast %x : i32 to f32", "i32", 0x40000000, 0, 0, "f32"), 2);
}

} // namespace
} // namespace tilewright
