// SPDX-License-Identifier: Apache-2.0
//
// The compiler as others call it: text in, stages and plans out, failures as a Status.

#include "tests/compiler/PlanFixture.h"

namespace tilewright {
namespace {

class CompilerTest : public PlanTest {
protected:
  static std::string kernel(const std::string &roles, const std::string &body) {
    return R"mlir(
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<4, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @k(%a: !tile.ptr<bf16> {tile.name = "a"}, %d: !tile.ptr<bf16> {tile.name = "d"},
               %n: i32 {tile.name = "n"}, %ld: i64 {tile.name = "ld"}) form = program
    roles = [)mlir" +
           roles + R"mlir(] {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
)mlir" + body +
           "}\n";
  }
  static constexpr const char *kRoles =
      "#tile.role<load, warps = 1, regs = 40>, #tile.role<mma, warpgroups = 1, regs = 232>";
  static constexpr const char *kSquare = R"mlir(
  %x = tile.load %A[%c0, %c0] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
  %zero = tile.zero : tensor<64x64xf32>
  %s = tile.dot %x, %x, %zero kind wgmma trans_b : tensor<64x64xbf16, #sw>, tensor<64x64xbf16, #sw>, tensor<64x64xf32>
  %y = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %y, %D[%c0, %c0] via direct : tensor<64x64xbf16>, !view
)mlir";

  Expected<std::string> stage(Stage stage) {
    auto module = parseModule(*context_, kernel(kRoles, kSquare), "test.mlir");
    EXPECT_TRUE(module) << module.status().toString();
    return module ? printStage(**module, stage) : module.status();
  }
};

TEST_F(CompilerTest, StagesCanBeReadBack) {
  for (Stage each : {Stage::tile, Stage::scheduled, Stage::sm90}) {
    Expected<std::string> text = stage(each);
    ASSERT_TRUE(text) << text.status().toString();
    auto again = parseModule(*context_, *text, "again.mlir");
    EXPECT_TRUE(again) << again.status().toString() << *text;
  }
}

TEST_F(CompilerTest, StagesShowWhatTheySay) {
  EXPECT_NE(stage(Stage::tile)->find("form = program"), std::string::npos);
  EXPECT_NE(stage(Stage::scheduled)->find("tile.dot_start"), std::string::npos);
  EXPECT_NE(stage(Stage::sm90)->find("sm90.wgmma_ss"), std::string::npos);
  EXPECT_NE(stage(Stage::cuda)->find("tw::wgmma_ss"), std::string::npos);
}

TEST_F(CompilerTest, OneTextHasOnePlan) {
  Expected<Plan> first = compile(kernel(kRoles, kSquare)),
                 second = compile(kernel(kRoles, kSquare));
  ASSERT_TRUE(first) << first.status().toString();
  ASSERT_TRUE(second) << second.status().toString();
  EXPECT_EQ(*first, *second);
}

TEST_F(CompilerTest, TimesAreThoseOfTheStages) {
  auto module = parseModule(*context_, kernel(kRoles, kSquare), "test.mlir");
  ASSERT_TRUE(module);
  Expected<TimedPlan> timed = compileToTimedPlan(**module);
  ASSERT_TRUE(timed) << timed.status().toString();
  EXPECT_GT(timed->passSeconds, 0);
  EXPECT_GT(timed->emissionSeconds, 0);
}

TEST_F(CompilerTest, SyntaxErrorsHaveTheirPlace) {
  auto module = parseModule(*context_, "\n  tile.nothing\n", "broken.mlir");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.status().code(), StatusCode::invalidArgument);
  EXPECT_EQ(module.status().message().rfind("broken.mlir:2:3: ", 0), 0U)
      << module.status().message();
}

TEST_F(CompilerTest, VerifierErrorsHaveTheirPlace) {
  std::string text = kernel(kRoles, "  tile.store %c0, %D[%c0] via direct : i32, !view\n");
  auto module = parseModule(*context_, text, "wrong.mlir");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.status().code(), StatusCode::invalidArgument);
  EXPECT_EQ(module.status().message().rfind("wrong.mlir:13:", 0), 0U) << module.status().message();
}

TEST_F(CompilerTest, PassesSayWhereADirectiveCannotBeObeyed) {
  // The order of the loop asks for a step before the one that it needs.
  Status status = failureOf(kernel(kRoles, R"mlir(
  %c64 = arith.constant 64 : i32
  tile.for %i = %c0 to %n step %c64 order [#tile.at<"use">, #tile.at<"load">] {
    %y = tile.step "load" -> (tensor<64x64xbf16, #sw>) {
      %x = tile.load %A[%c0, %i] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
      tile.yield %x : tensor<64x64xbf16, #sw>
    }
    tile.step "use" {
      %zero = tile.zero : tensor<64x64xf32, #acc>
      %s = tile.dot %y, %y, %zero kind wgmma trans_b : tensor<64x64xbf16, #sw>, tensor<64x64xbf16, #sw>, tensor<64x64xf32, #acc>
      %t = arith.truncf %s : tensor<64x64xf32, #acc> to tensor<64x64xbf16, #acc>
      tile.store %t, %D[%c0, %i] via direct : tensor<64x64xbf16, #acc>, !view
      tile.yield
    }
  }
)mlir"));
  EXPECT_EQ(status.code(), StatusCode::compileFailed);
  EXPECT_EQ(status.message().rfind("test.mlir:15:3: ", 0), 0U) << status.message();
  EXPECT_NE(status.message().find("a use precedes its definition in the order"), std::string::npos);
  // Notes follow, each with its place; the module is not shown in the form of its parts.
  EXPECT_EQ(status.message().find("see current operation"), std::string::npos);
  EXPECT_NE(status.message().find("\ntest.mlir:20:5: needed here"), std::string::npos)
      << status.message();
}

TEST_F(CompilerTest, PlansOfSharedMemorySpellOutTheSum) {
  std::string text = kernel(kRoles, kSquare);
  text.replace(text.find("!tile.ring<4, "), 14, "!tile.ring<29, ");
  Status status = failureOf(text);
  EXPECT_EQ(status.code(), StatusCode::compileFailed);
  EXPECT_NE(status.message().find("needs 238032 bytes of shared memory, a CTA has 232448: 237568 "
                                  "(ring \"r\", 29 stages of 8192) + 464 (barriers of \"r\")"),
            std::string::npos)
      << status.message();
}

TEST_F(CompilerTest, DiagnosticsDoNotOutliveTheCall) {
  EXPECT_FALSE(compile(kernel("", kSquare)));
  Expected<Plan> plan = compile(kernel(kRoles, kSquare));
  EXPECT_TRUE(plan) << plan.status().toString();
}

} // namespace
} // namespace tilewright
