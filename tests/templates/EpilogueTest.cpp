// SPDX-License-Identifier: Apache-2.0
//
// How good the activations are when their ops are computed as the device does: in fp32.

#include "templates/Epilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/TypeSwitch.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tilewright;

namespace {

/// An activation as the IR that it builds, on one number.
class Activation {
public:
  explicit Activation(TileValue (*build)(TileValue)) {
    TileBuilder builder(*module_);
    builder.kernel("kernel", {{"x", builder.f32()}}, {.threads = 128},
                   [&](const TileArguments &arguments) {
                     argument_ = arguments["x"];
                     result_ = build(arguments["x"]);
                   });
  }

  float operator()(float x) const {
    llvm::DenseMap<mlir::Value, float> values = {{argument_, x}};
    mlir::Value result = result_;
    for (mlir::Operation &op : result.getParentBlock()->without_terminator())
      values[op.getResult(0)] = compute(op, values);
    return values.lookup(result);
  }

private:
  static float compute(mlir::Operation &op, const llvm::DenseMap<mlir::Value, float> &values) {
    auto in = [&](unsigned index) { return values.lookup(op.getOperand(index)); };
    using namespace mlir;
    return llvm::TypeSwitch<Operation *, float>(&op)
        .Case([&](arith::ConstantOp constant) {
          return cast<FloatAttr>(constant.getValue()).getValue().convertToFloat();
        })
        .Case([&](arith::AddFOp) { return in(0) + in(1); })
        .Case([&](arith::MulFOp) { return in(0) * in(1); })
        .Case([&](arith::DivFOp) { return in(0) * (1 / in(1)); }) // marked arcp
        .Case([&](arith::MaximumFOp) { return std::isnan(in(0)) ? in(0) : std::max(in(0), in(1)); })
        .Case([&](math::FmaOp) { return std::fma(in(0), in(1), in(2)); })
        .Case([&](math::Exp2Op) { return std::exp2(in(0)); })
        .Case([&](math::ErfOp) { return std::erf(in(0)); })
        .Default([](Operation *op) {
          ADD_FAILURE() << "no meaning for " << op->getName().getStringRef().str();
          return 0.0F;
        });
  }

  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_ =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context_));
  mlir::Value argument_;
  mlir::Value result_;
};

double exactGelu(double x) {
  double u = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * u));
}
double exactSilu(double x) { return x / (1 + std::exp(-x)); }
double exactGeluErf(double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }

/// The largest error relative to the value, over [-limit, limit].
double relativeError(const Activation &function, double (*exact)(double), float limit) {
  double worst = 0;
  for (float x = -limit; x <= limit; x += limit / 4096)
    if (x != 0)
      worst = std::max(worst, std::fabs(function(x) - exact(x)) / std::fabs(exact(x)));
  return worst;
}

TEST(Activations, SigmoidFormsAreExactInTheTail) {
  // Far below half an ulp of fp16, 2^-12, also where the result is tiny.
  EXPECT_LT(relativeError(Activation(gelu), exactGelu, 5), 0x1p-18);
  EXPECT_LT(relativeError(Activation(silu), exactSilu, 20), 0x1p-18);
}

TEST(Activations, ErfFormIsExactNextToItsArgument) {
  Activation function(geluErf);
  double worst = 0;
  for (float x = -8; x <= 8; x += 1.0F / 512)
    worst =
        std::max(worst, std::fabs(function(x) - exactGeluErf(x)) / std::max(1.0F, std::fabs(x)));
  EXPECT_LT(worst, 0x1p-22);
}

TEST(Activations, LargeArgumentsNeitherOverflowNorTurnIntoNan) {
  for (auto build : {gelu, silu, geluErf, relu}) {
    Activation function(build);
    for (float x : {1e4F, 1e20F, 3e38F}) {
      EXPECT_EQ(function(x), x);
      EXPECT_EQ(function(-x), 0);
    }
    EXPECT_EQ(function(0), 0);
    EXPECT_TRUE(std::isnan(function(NAN)));
  }
}

} // namespace
