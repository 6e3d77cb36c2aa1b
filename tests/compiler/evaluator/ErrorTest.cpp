// SPDX-License-Identifier: Apache-2.0
//
// What callers and modules can get wrong, and what they are told.

#include "tests/compiler/evaluator/EvaluatorFixture.h"

namespace tilewright {
namespace {

const char kCopy[] = R"(
  tile.kernel @copy(%x: !tile.ptr<bf16> {tile.name = "x"}, %i: !tile.ptr<i32> {tile.name = "i"},
                    %m: i32 {tile.name = "m"}, %ld: i64 {tile.name = "ld"},
                    %alpha: f32 {tile.name = "alpha"}) form = program {
    %X = tile.view %x [%m, %m] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 16>
  })";

class ErrorTest : public EvaluatorTest {
protected:
  ErrorTest() {
    bindings_.arrays = {{"x", std::vector<double>(64)}, {"i", {1, 2}}};
    bindings_.scalars = {{"m", 8}, {"ld", 8}, {"alpha", 0.5}};
  }

  void expectError(const std::string &text, StatusCode code, const std::string &part) {
    auto result = run(text, bindings_);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.status().code(), code);
    EXPECT_NE(result.status().message().find(part), std::string::npos)
        << "expected: " << part << "\nfound: " << result.status().message();
  }
  void expectInvalid(const std::string &part) {
    expectError(kCopy, StatusCode::invalidArgument, part);
  }

  Bindings bindings_;
};

TEST_F(ErrorTest, NothingIsWrongWithTheExample) {
  auto result = run(kCopy, bindings_);
  EXPECT_TRUE(result) << result.status().toString();
}

TEST_F(ErrorTest, MissingArray) {
  bindings_.arrays.erase("x");
  expectInvalid("pointer argument \"x\" has no array bound to it");
}

TEST_F(ErrorTest, MissingScalar) {
  bindings_.scalars.erase("ld");
  expectInvalid("scalar argument \"ld\" (i64) has no value bound to it");
}

TEST_F(ErrorTest, UnknownArray) {
  bindings_.arrays["y"] = {};
  expectInvalid("\"y\" is bound, but no pointer argument has that name; there are: x, i");
}

TEST_F(ErrorTest, UnknownScalar) {
  bindings_.scalars["n"] = 1;
  expectInvalid("\"n\" is bound, but no scalar argument has that name; there are: m, ld, alpha");
}

TEST_F(ErrorTest, ScalarOfTheWrongKind) {
  bindings_.scalars["m"] = 8.0;
  expectInvalid("\"m\" is bound to a floating-point number, but is i32; bind an integer");
}

TEST_F(ErrorTest, ScalarTooLarge) {
  bindings_.scalars["m"] = int64_t{1} << 40;
  expectInvalid("\"m\" is bound to 1099511627776, which does not fit i32");
}

TEST_F(ErrorTest, FractionInAnIntegerArray) {
  bindings_.arrays["i"] = {1, 2.5};
  expectInvalid("the array bound to \"i\" holds 2.500000, which is no i32");
}

TEST_F(ErrorTest, ArrayTooSmall) {
  bindings_.arrays["x"].resize(63);
  expectInvalid(
      "reaches element 63 of \"x\" (sizes [8, 8], strides [8, 1]), which holds 63 elements; "
      "bind a larger array or smaller sizes");
}

TEST_F(ErrorTest, NegativeSize) {
  bindings_.scalars["m"] = -3;
  expectInvalid("needs sizes and strides of at least 0, found sizes [-3, -3]");
}

TEST_F(ErrorTest, StrideThatBreaksTheAlignment) {
  bindings_.scalars["ld"] = 9;
  expectInvalid("promises align = 16, but stride 9 of dimension 0 is 18 bytes");
}

TEST_F(ErrorTest, MessagesSayWhere) {
  bindings_.scalars["ld"] = 9;
  expectInvalid("test.mlir:5:10: 'tile.view' op promises");
}

TEST_F(ErrorTest, IntegersAreAcceptedForFloats) {
  bindings_.scalars["alpha"] = 1;
  EXPECT_TRUE(run(kCopy, bindings_));
}

TEST_F(ErrorTest, UnknownOperation) {
  bindings_ = {};
  expectError(R"(
    tile.kernel @k() form = program {
      %f = arith.constant 1.0 : f32
      %s, %c = math.sincos %f : f32
    })",
              StatusCode::unsupported,
              "test.mlir:4:16: 'math.sincos' op is not known to the evaluator");
}

TEST_F(ErrorTest, DivisionByZero) {
  bindings_ = {};
  expectError(R"(
    tile.kernel @k() form = program {
      %c0 = arith.constant 0 : i32
      %q = arith.divsi %c0, %c0 : i32
    })",
              StatusCode::invalidArgument, "'arith.divsi' op divides by zero");
}

TEST_F(ErrorTest, StepOfZero) {
  bindings_ = {};
  expectError(R"(
    tile.kernel @k() form = program {
      %c0 = arith.constant 0 : i32
      tile.for %i = %c0 to %c0 step %c0 {
      }
    })",
              StatusCode::invalidArgument, "needs a step of at least 1, found 0");
}

TEST_F(ErrorTest, ModuleWithTwoKernelsAndNoProgram) {
  bindings_ = {};
  expectError(
      "tile.kernel @a() form = program {}\ntile.kernel @b() form = program {}",
      StatusCode::invalidArgument,
      "expected a module with one tile.program, or with one tile.kernel and no program, found "
      "0 programs and 2 kernels");
}

TEST_F(ErrorTest, OperationThatIsNoProgram) {
  auto module = parse("tile.kernel @a() form = program { %c0 = arith.constant 0 : i32 }");
  mlir::Operation *constant = nullptr;
  module->walk([&](mlir::arith::ConstantOp op) { constant = op; });
  auto result = evaluate(constant, {});
  EXPECT_EQ(result.status().message(),
            "expected a module, a tile.program or a tile.kernel, found arith.constant");
}

TEST_F(ErrorTest, OneKernelOfManyCanBeChosen) {
  auto module = parse("tile.kernel @a() form = program {}\ntile.kernel @b() form = program {}");
  auto kernel = *module->getOps<tile::KernelOp>().begin();
  EXPECT_TRUE(evaluate(kernel, {}));
}

TEST_F(ErrorTest, ArgumentsWithoutNamesAreCountedOff) {
  bindings_ = {};
  bindings_.scalars = {{"arg0", 1}};
  auto result = run("tile.kernel @a(%m: i32) form = program {}", bindings_);
  EXPECT_TRUE(result) << result.status().toString();
}

} // namespace
} // namespace tilewright
