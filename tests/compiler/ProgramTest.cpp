// SPDX-License-Identifier: Apache-2.0
//
// Programs as plans: arguments, buffers, preconditions, launches, what kernels are passed, and what
// a plan cannot hold.

#include "tests/compiler/PlanFixture.h"

namespace tilewright {
namespace {

class ProgramTest : public PlanTest {
protected:
  /// A program with this body, before two kernels: @add(x, y, n, ld, f) loads x, adds f and stores
  /// to y, through views of aligned rows; @accumulate(y, n) adds to y.
  static std::string program(const std::string &signature, const std::string &body) {
    return "tile.program @p(" + signature + ") {\n" + body + R"mlir(
}
#b = #tile.blocked<threads = [4, 32], vec = 2>
!t = tensor<4x64xf32, #b>
tile.kernel @add(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %ld: i64, %f: f32) form = program threads = 128 {
  %X = tile.view %x [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32, align = 16>
  %Y = tile.view %y [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32, align = 8>
  %s = tile.raster (%n by 4, %n by 64) order row : !tile.schedule<2>
  tile.for_tiles (%i, %j) in %s : !tile.schedule<2> {
    %a = tile.load %X[%i, %j] via direct : !tile.view<?x?xf32, align = 16> -> !t
    %b = tile.splat %f : f32 -> !t
    %c = arith.addf %a, %b : !t
    tile.store %c, %Y[%i, %j] via direct : !t, !tile.view<?x?xf32, align = 8>
  }
}
tile.kernel @accumulate(%y: !tile.ptr<f32>, %n: i32) form = program threads = 128 {
  %c0 = arith.constant 0 : i32
  %ld = arith.constant 128 : i64
  %Y = tile.view %y [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32, align = 4>
  %e = tile.extent %Y, 0 : !tile.view<?x?xf32, align = 4>
  %one = arith.constant dense<1.0> : !t
  tile.store %one, %Y[%c0, %e] via reduce_add : !t, !tile.view<?x?xf32, align = 4>
}
)mlir";
  }

  static std::string kSizes() {
    return R"(%n: i32 {tile.name = "n"}, %ld: i64 {tile.name = "ld"}, %f: f32 {tile.name = "f"})";
  }
  static std::string kPointers() {
    return R"(%x: !tile.ptr<f32> {tile.name = "x"}, %y: !tile.ptr<f32> {tile.name = "y"}, )";
  }
  static std::string kLaunchAdd() {
    return "  tile.launch @add grid(%n) (%x, %y, %n, %ld, %f) : "
           "!tile.ptr<f32>, !tile.ptr<f32>, i32, i64, f32\n";
  }
};

TEST_F(ProgramTest, ArgumentsHaveNameKindAndAccess) {
  Expected<Plan> plan = compile(program(kPointers() + kSizes(), kLaunchAdd()));
  ASSERT_TRUE(plan) << plan.status().toString();
  EXPECT_EQ(plan->name, "p");
  std::vector<PlanArgument> expected = {
      {.name = "x", .kind = ArgumentKind::pointer, .dtype = DType::fp32, .alignment = 16},
      {.name = "y",
       .kind = ArgumentKind::pointer,
       .dtype = DType::fp32,
       .alignment = 8,
       .access = Access::write},
      {.name = "n"},
      {.name = "ld", .kind = ArgumentKind::i64},
      {.name = "f", .kind = ArgumentKind::f32}};
  EXPECT_EQ(plan->arguments, expected);
  expectSound(*plan);
}

TEST_F(ProgramTest, ArgumentsWithoutANameAreNumbered) {
  Expected<Plan> plan = compile(program(kPointers() + "%n: i32, %ld: i64, %f: f32", kLaunchAdd()));
  ASSERT_TRUE(plan) << plan.status().toString();
  EXPECT_EQ(plan->arguments[2].name, "arg2");
}

TEST_F(ProgramTest, AccessesOfAllLaunchesCount) {
  // y is written by the first launch and read by the second, and aligned for both.
  Expected<Plan> plan = compile(program(
      kPointers() + kSizes(), kLaunchAdd() + "  tile.launch @add grid(%n) (%y, %x, %n, %ld, %f) : "
                                             "!tile.ptr<f32>, !tile.ptr<f32>, i32, i64, f32\n"));
  ASSERT_TRUE(plan) << plan.status().toString();
  EXPECT_EQ(argument(*plan, "y").access, Access::readWrite);
  EXPECT_EQ(argument(*plan, "y").alignment, 16);
  EXPECT_EQ(argument(*plan, "x").access, Access::readWrite);
  ASSERT_EQ(plan->launches.size(), 2U);
  EXPECT_EQ(plan->launches[0].kernel, plan->launches[1].kernel);
}

TEST_F(ProgramTest, AddingReadsAndWrites) {
  Expected<Plan> plan =
      compile(program(R"(%y: !tile.ptr<f32> {tile.name = "y"}, %n: i32 {tile.name = "n"})",
                      "  tile.launch @accumulate grid(%n) (%y, %n) : !tile.ptr<f32>, i32\n"));
  ASSERT_TRUE(plan) << plan.status().toString();
  EXPECT_EQ(argument(*plan, "y").access, Access::readWrite);
  EXPECT_EQ(argument(*plan, "y").alignment, 4);
}

TEST_F(ProgramTest, GridsAreExpressions) {
  Expected<Plan> plan = compile(program(kPointers() + kSizes(), R"mlir(
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %rows = arith.ceildivsi %n, %c4 : i32
  %cols = arith.ceildivsi %n, %c64 : i32
  %tiles = arith.muli %rows, %cols : i32
  %sms = tile.sm_count
  %grid = arith.minsi %tiles, %sms : i32
  %more = arith.addi %rows, %c4 : i32
  %less = arith.subi %more, %cols : i32
  %half = arith.divsi %less, %c4 : i32
  %rest = arith.remsi %less, %c4 : i32
  %most = arith.maxsi %half, %rest : i32
  tile.launch @add grid(%grid, %most, %c4) (%x, %y, %n, %ld, %f) pdl : !tile.ptr<f32>, !tile.ptr<f32>, i32, i64, f32
)mlir"));
  ASSERT_TRUE(plan) << plan.status().toString();
  ASSERT_EQ(plan->launches.size(), 1U);
  const PlanLaunch &launch = plan->launches[0];
  EXPECT_TRUE(launch.pdl);
  for (int64_t n : {1, 63, 200, 1000}) {
    std::vector<int64_t> arguments = {0, 0, n, n, 0};
    int64_t rows = (n + 3) / 4, cols = (n + 63) / 64;
    int64_t less = rows + 4 - cols;
    EXPECT_EQ(valueOf(launch.grid[0], arguments), std::min<int64_t>(rows * cols, 132));
    EXPECT_EQ(valueOf(launch.grid[1], arguments), std::max(less / 4, less % 4));
    EXPECT_EQ(valueOf(launch.grid[2], arguments), 4);
  }
  expectSound(*plan);
}

TEST_F(ProgramTest, ParametersFollowFromTheArguments) {
  // What a launch passes may be an expression, a constant or a buffer.
  Expected<Plan> plan = compile(program(kPointers() + kSizes(), R"mlir(
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i64
  %n2 = arith.muli %n, %c2 : i32
  %wide = arith.extsi %n2 : i32 to i64
  %row = arith.addi %wide, %c8 : i64
  %c4 = arith.constant 4 : i64
  %bytes = arith.muli %row, %c4 : i64
  %ws = tile.buffer "scratch" %bytes zeroed : !tile.ptr<f32>
  tile.launch @add grid(%n) (%x, %ws, %n2, %row, %f) : !tile.ptr<f32>, !tile.ptr<f32>, i32, i64, f32
  tile.launch @add grid(%n) (%ws, %y, %c2, %c8, %f) : !tile.ptr<f32>, !tile.ptr<f32>, i32, i64, f32
)mlir"));
  ASSERT_TRUE(plan) << plan.status().toString();
  ASSERT_EQ(plan->buffers.size(), 1U);
  EXPECT_EQ(plan->buffers[0].name, "scratch");
  EXPECT_TRUE(plan->buffers[0].zeroInit);
  EXPECT_EQ(plan->buffers[0].alignment, 256);
  std::vector<int64_t> arguments = {0, 0, 100, 100, 0};
  EXPECT_EQ(valueOf(plan->buffers[0].bytes, arguments), 4 * 208);

  ASSERT_EQ(plan->launches.size(), 2U);
  const auto &first = plan->launches[0].parameters, &second = plan->launches[1].parameters;
  ASSERT_EQ(first.size(), 5U);
  ASSERT_EQ(second.size(), 5U);
  using Source = MemoryRef::Source;
  EXPECT_EQ(std::get<PointerParameter>(first[0]).base, (MemoryRef{Source::argument, 0}));
  EXPECT_EQ(std::get<PointerParameter>(first[1]).base, (MemoryRef{Source::buffer, 0}));
  EXPECT_EQ(std::get<PointerParameter>(second[0]).base, (MemoryRef{Source::buffer, 0}));
  EXPECT_EQ(std::get<PointerParameter>(second[1]).base, (MemoryRef{Source::argument, 1}));
  EXPECT_EQ(std::get<ScalarParameter>(first[2]).width, ScalarParameter::Width::i32);
  EXPECT_EQ(valueOf(std::get<ScalarParameter>(first[2]).value, arguments), 200);
  EXPECT_EQ(std::get<ScalarParameter>(first[3]).width, ScalarParameter::Width::i64);
  EXPECT_EQ(valueOf(std::get<ScalarParameter>(first[3]).value, arguments), 208);
  EXPECT_EQ(std::get<ScalarParameter>(second[2]).value, Expr(2));
  EXPECT_EQ(std::get<FloatParameter>(first[4]).argument, 4);
  // The workspace has no say in what callers bind.
  EXPECT_EQ(argument(*plan, "x").access, Access::read);
  EXPECT_EQ(argument(*plan, "y").access, Access::write);
  expectSound(*plan);
}

TEST_F(ProgramTest, PreconditionsKeepTheirMessage) {
  Expected<Plan> plan = compile(program(kPointers() + kSizes(), R"mlir(
  %c4 = arith.constant 4 : i64
  %c0 = arith.constant 0 : i64
  %c0_i32 = arith.constant 0 : i32
  %rest = arith.remsi %ld, %c4 : i64
  tile.require %rest eq %c0, "ld must be a multiple of 4" : i64
  tile.require %n gt %c0_i32, "n must be positive" : i32
)mlir" + kLaunchAdd()));
  ASSERT_TRUE(plan) << plan.status().toString();
  ASSERT_EQ(plan->preconditions.size(), 2U);
  EXPECT_EQ(plan->preconditions[0].message, "ld must be a multiple of 4");
  EXPECT_EQ(plan->preconditions[0].comparison, Precondition::Comparison::eq);
  EXPECT_EQ(plan->preconditions[1].comparison, Precondition::Comparison::gt);
  auto check = [&](int64_t n, int64_t ld) {
    std::vector<int64_t> arguments = {256, 256, n, ld, 0};
    return checkPreconditions(*plan, {arguments, 132});
  };
  EXPECT_TRUE(check(8, 8).isOk());
  EXPECT_NE(check(8, 9).message().find("ld must be a multiple of 4"), std::string::npos);
  EXPECT_NE(check(0, 8).message().find("n must be positive"), std::string::npos);
  expectSound(*plan);
}

TEST_F(ProgramTest, KernelsStateTheirLaunchFacts) {
  Expected<Plan> plan = compile(program(kPointers() + kSizes(), kLaunchAdd()));
  ASSERT_TRUE(plan) << plan.status().toString();
  ASSERT_EQ(plan->kernels.size(), 2U);
  const PlanKernel &kernel = plan->kernels[plan->launches[0].kernel];
  EXPECT_EQ(kernel.entry, "add");
  EXPECT_EQ(kernel.threads, 128);
  EXPECT_EQ(kernel.sharedBytes, 0);
  EXPECT_EQ(kernel.cluster, (std::array<int32_t, 3>{1, 1, 1}));
  EXPECT_NE(kernel.text.find("add("), std::string::npos);
}

TEST_F(ProgramTest, AModuleWithoutAProgramHasKernelsOnly) {
  std::string text = program("", "");
  Expected<Plan> plan = compile(text.substr(text.find("#b =")));
  ASSERT_TRUE(plan) << plan.status().toString();
  EXPECT_EQ(plan->kernels.size(), 2U);
  EXPECT_TRUE(plan->launches.empty());
  EXPECT_TRUE(plan->arguments.empty());
  EXPECT_EQ(plan->name, "");
}

TEST_F(ProgramTest, NumbersThatAPlanCannotHoldAreRefused) {
  struct Case {
    const char *body;
    const char *message;
  };
  const Case kCases[] = {
      {"  %c1 = arith.constant 1 : i32\n  %g = arith.shli %n, %c1 : i32\n",
       "arith.shli in a tile.program has no place in a plan"},
      {"  %c1 = arith.constant 1 : i32\n  %b = arith.cmpi sgt, %n, %c1 : i32\n"
       "  %g = arith.select %b, %n, %c1 : i32\n",
       "arith.cmpi in a tile.program has no place in a plan"},
      {"  %c1 = arith.constant 1 : i32\n  %g = scf.for %i = %c1 to %n step %c1 iter_args(%v = %n) "
       "-> (i32) : i32 {\n    scf.yield %i : i32\n  }\n",
       "scf.for in a tile.program has no place in a plan"},
  };
  for (const Case &unsupported : kCases) {
    SCOPED_TRACE(unsupported.message);
    Status status = failureOf(
        program(kPointers() + kSizes(), std::string(unsupported.body) +
                                            "  tile.launch @add grid(%g) (%x, %y, %n, %ld, %f) : "
                                            "!tile.ptr<f32>, !tile.ptr<f32>, i32, i64, f32\n"));
    EXPECT_EQ(status.code(), StatusCode::unsupported);
    // The first thing in the way is named, with its place.
    EXPECT_NE(status.message().find(unsupported.message), std::string::npos) << status.message();
    EXPECT_EQ(status.message().rfind("test.mlir:", 0), 0U) << status.message();
  }
}

TEST_F(ProgramTest, FloatsArePassedUnchanged) {
  Status status = failureOf(program(
      kPointers() + kSizes(),
      "  %two = arith.constant 2.0 : f32\n  tile.launch @add grid(%n) (%x, %y, %n, %ld, %two) : "
      "!tile.ptr<f32>, !tile.ptr<f32>, i32, i64, f32\n"));
  EXPECT_EQ(status.code(), StatusCode::unsupported);
  EXPECT_NE(status.message().find("an f32 parameter of @add must be an argument of the program"),
            std::string::npos)
      << status.message();
}

TEST_F(ProgramTest, ElementsWithoutATypeInPlansAreRefused) {
  Status status = failureOf(R"mlir(
tile.program @p(%x: !tile.ptr<i16> {tile.name = "x"}) {
  %c1 = arith.constant 1 : i32
  tile.launch @k grid(%c1) (%x) : !tile.ptr<i16>
}
tile.kernel @k(%x: !tile.ptr<i16>) form = program threads = 32 {
}
)mlir");
  EXPECT_EQ(status.code(), StatusCode::unsupported);
  EXPECT_NE(status.message().find("argument x: a plan has no type"), std::string::npos)
      << status.message();
}

} // namespace
} // namespace tilewright
