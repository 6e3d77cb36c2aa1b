// SPDX-License-Identifier: Apache-2.0
#include "templates/TileBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

class TileBuilderTest : public testing::Test {
protected:
  /// Runs `body` in a kernel with the arguments x (i32), y (i64), f (f32) and p (to bf16).
  void inKernel(llvm::function_ref<void(const TileArguments &)> body) {
    TileParameter parameters[] = {{"x", builder.i32()},
                                  {"y", builder.i64()},
                                  {"f", builder.f32()},
                                  {"p", builder.pointer(DType::bf16)}};
    builder.kernel("kernel", parameters, {.threads = 128}, body);
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
  }

  TileValue tile(DType type = DType::fp32) { return builder.zero(builder.tileOf({64, 32}, type)); }

  /// Names of the operations in the body of the last function, in order.
  std::vector<std::string> opNames() {
    std::vector<std::string> names;
    module->getBody()->back().getRegion(0).walk(
        [&](mlir::Operation *op) { names.push_back(op->getName().getStringRef().str()); });
    return names;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  TileBuilder builder{*module};
};

using Names = std::vector<std::string>;

TEST_F(TileBuilderTest, OperatorsFollowTheElementType) {
  inKernel([&](const TileArguments &arguments) {
    TileValue sum = arguments["x"] + arguments["x"];
    (void)ceilDiv(sum, 4);
    (void)(arguments["f"] * arguments["f"]);
    (void)(tile() - tile());
  });
  EXPECT_EQ(opNames(), (Names{"arith.addi", "arith.constant", "arith.ceildivsi", "arith.mulf",
                              "tile.zero", "tile.zero", "arith.subf", "tile.end"}));
}

TEST_F(TileBuilderTest, NumbersTakeTheTypeOfTheOtherSide) {
  inKernel([&](const TileArguments &arguments) {
    EXPECT_EQ((arguments["y"] % 8).type(), builder.i64());
    EXPECT_EQ((arguments["f"] + 1.0).type(), builder.f32());
    TileValue half = tile() * 0.5;
    auto constant = half.operator mlir::Value().getDefiningOp()->getOperand(1);
    EXPECT_EQ(constant.getType(), half.type());
  });
}

TEST_F(TileBuilderTest, ScalarsAreSpreadOverTiles) {
  inKernel([&](const TileArguments &arguments) { (void)(tile() * arguments["f"]); });
  EXPECT_EQ(opNames(), (Names{"tile.zero", "tile.splat", "arith.mulf", "tile.end"}));
}

TEST_F(TileBuilderTest, ABlockHoldsEachConstantOnce) {
  inKernel([&](const TileArguments &arguments) {
    (void)(arguments["x"] + 3);
    (void)(arguments["x"] * 3);
    (void)(arguments["y"] * 3); // another type
  });
  EXPECT_EQ(opNames(), (Names{"arith.constant", "arith.addi", "arith.muli", "arith.constant",
                              "arith.muli", "tile.end"}));
}

TEST_F(TileBuilderTest, ConstantsOfOuterBlocksAreNotUsedInside) {
  inKernel([&](const TileArguments &arguments) {
    TileValue zero = builder.constant(0);
    TileValue one = builder.constant(1);
    builder.loop("i", zero, arguments["x"], one, tile(), [&](TileValue i, TileValue carried) {
      (void)max(i, 0);
      return carried;
    });
  });
  EXPECT_EQ(opNames(), (Names{"arith.constant", "arith.constant", "tile.zero", "arith.constant",
                              "arith.maxsi", "tile.yield", "tile.for", "tile.end"}));
}

TEST_F(TileBuilderTest, ConversionsAreLeftOutWhereNoneIsNeeded) {
  inKernel([&](const TileArguments &) {
    TileValue x = tile();
    EXPECT_EQ(mlir::Value(convert(x, DType::fp32)), mlir::Value(x));
    TileValue narrow = convert(x, DType::fp16);
    EXPECT_TRUE(narrow.tileType().getElementType().isF16());
    EXPECT_TRUE(convert(narrow, DType::fp32).tileType().getElementType().isF32());
  });
  EXPECT_EQ(opNames(), (Names{"tile.zero", "arith.truncf", "arith.extf", "tile.end"}));
}

TEST_F(TileBuilderTest, VectorsGetTheSliceOfTheirMatrix) {
  auto layout = tile::BlockedAttr::get(&context, 4, 32, 4);
  mlir::RankedTensorType matrix = builder.tileOf({8, 128}, DType::fp32, layout);
  EXPECT_EQ(builder.vectorOf(matrix, 1, builder.f32()),
            builder.tileOf({128}, DType::fp32, tile::SliceAttr::get(&context, 0, layout)));
  EXPECT_EQ(builder.vectorOf(builder.tileOf({8, 128}, DType::fp32), 0, builder.f32()),
            builder.tileOf({8}, DType::fp32));
}

TEST_F(TileBuilderTest, QuickDivisionIsMarked) {
  inKernel([&](const TileArguments &arguments) {
    mlir::Value quotient = quickDivide(arguments["f"], 3.0);
    auto division = quotient.getDefiningOp<mlir::arith::DivFOp>();
    ASSERT_TRUE(division);
    EXPECT_EQ(division.getFastmath(), mlir::arith::FastMathFlags::arcp);
    mlir::Value exact = arguments["f"] / 3.0;
    EXPECT_EQ(exact.getDefiningOp<mlir::arith::DivFOp>().getFastmath(),
              mlir::arith::FastMathFlags::none);
  });
}

TEST_F(TileBuilderTest, NamesAreLocations) {
  inKernel([&](const TileArguments &arguments) {
    mlir::Value sum = (arguments["x"] + 1).named("sum");
    auto location = mlir::dyn_cast<mlir::NameLoc>(sum.getLoc());
    ASSERT_TRUE(location);
    EXPECT_EQ(location.getName(), "sum");
    auto argument = mlir::dyn_cast<mlir::NameLoc>(mlir::Value(arguments["p"]).getLoc());
    ASSERT_TRUE(argument);
    EXPECT_EQ(argument.getName(), "p");
  });
}

TEST_F(TileBuilderTest, ArgumentsAreSelectedByName) {
  inKernel([&](const TileArguments &arguments) {
    TileArguments known = arguments;
    known.add("x", arguments["y"]);
    TileParameter wanted[] = {{"p", builder.pointer(DType::bf16)}, {"x", builder.i64()}};
    llvm::SmallVector<mlir::Value> selected = known.select(wanted);
    ASSERT_EQ(selected.size(), 2U);
    EXPECT_EQ(selected[0], mlir::Value(arguments["p"]));
    EXPECT_EQ(selected[1], mlir::Value(arguments["y"]));
  });
}

} // namespace
