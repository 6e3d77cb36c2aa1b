// SPDX-License-Identifier: Apache-2.0
//
// Preparing plans: what is evaluated, and what is refused.
#include "tests/runtime/driver/OnFakeDriver.h"

using namespace tilewright;

namespace {

struct Prepare : OnFakeDriver {
  /// The failure to prepare sampleGemmPlan after `change`.
  template <typename Change>
  Status refusal(Change change, std::vector<ArgumentValue> scalars = gemmScalars()) const {
    Plan plan = sampleGemmPlan();
    change(plan);
    return PreparedPlan::prepare(context, plan, gemmCubins(), scalars, {}).status();
  }
  Status refusal(const std::vector<ArgumentValue> &scalars) const {
    return refusal([](Plan &) {}, scalars);
  }
};

TEST_F(Prepare, EvaluatesTheGrid) {
  // ceildiv(ceildiv(1000, 128), 2) * ceildiv(512, 256) = 8 clusters of 2.
  const auto plan = prepareGemm();
  EXPECT_EQ(plan->launches(), (std::vector<PreparedLaunch>{{.kernel = 0, .grid = {16, 1, 1}}}));
  EXPECT_EQ(plan->pointerNames(), (std::vector<std::string>{"a", "b", "d"}));
  EXPECT_EQ(plan->workspaceBytes(), 0U);
}

TEST_F(Prepare, CountsOnNoMoreSmsThanAllowed) {
  const auto grid = [&](int32_t smCap) {
    const auto plan = valueOf(PreparedPlan::prepare(context, sampleGemmPlan(), gemmCubins(),
                                                    gemmScalars(100000, 4096), {.smCap = smCap}));
    return plan->launches().front().grid[0];
  };
  EXPECT_EQ(grid(0), 132U);
  EXPECT_EQ(grid(100), 100U);
  EXPECT_EQ(grid(7), 6U);
  EXPECT_EQ(grid(1000), 132U);
}

TEST_F(Prepare, PlacesTheWorkspace) {
  const auto plan =
      valueOf(PreparedPlan::prepare(context, sampleSplitPlan(), splitCubins(), splitScalars(), {}));
  // 2 x 256 x 128 floats, then 2 counters.
  EXPECT_EQ(plan->workspaceBytes(), 262144U + 8U);
  EXPECT_EQ(plan->workspaceAlignment(), 256);
  EXPECT_EQ(plan->launches().size(), 2U);
}

TEST_F(Prepare, LoadsNothingForAnEmptyGrid) {
  for (const auto &[m, n] : {std::pair{0, 512}, std::pair{1000, 0}}) {
    const auto plan =
        valueOf(PreparedPlan::prepare(context, sampleGemmPlan(), {}, gemmScalars(m, n), {}));
    EXPECT_TRUE(plan->launches().empty());
    // No pointer is looked at.
    const std::vector<uint64_t> pointers = {0, 1, 2};
    EXPECT_TRUE(plan->run(pointers, 0, 0, nullptr).isOk());
  }
  EXPECT_EQ(fake::calls("cuModuleLoadData"), 0);
  EXPECT_TRUE(fake::launches().empty());
}

TEST_F(Prepare, TellsWhatItLoaded) {
  EXPECT_EQ(prepareGemm()->loaded()->kernel(0).facts.registers, 168);
  EXPECT_FALSE(
      valueOf(PreparedPlan::prepare(context, sampleGemmPlan(), {}, gemmScalars(0), {}))->loaded());
}

TEST_F(Prepare, SharesLoadedKernels) {
  const auto loaded = valueOf(LoadedPlan::load(context, sampleGemmPlan(), gemmCubins(), {13, 0}));
  EXPECT_EQ(loaded->kernelCount(), 1U);
  EXPECT_EQ(loaded->kernel(0).facts.registers, 168);
  for (int64_t m : {1, 64, 1000})
    EXPECT_TRUE(PreparedPlan::prepare(loaded, sampleGemmPlan(), gemmScalars(m), {}));
  EXPECT_EQ(fake::calls("cuModuleLoadData"), 1);
  expectFailure(PreparedPlan::prepare(loaded, sampleSplitPlan(), splitScalars(), {}).status(),
                StatusCode::invalidArgument, "not the one that was loaded");
}

TEST_F(Prepare, RefusesWrongScalars) {
  expectFailure(refusal({int64_t{1}, int64_t{1}}), StatusCode::invalidArgument,
                "no value for 'k': 2 scalars are too few");
  std::vector<ArgumentValue> scalars = gemmScalars();
  scalars.push_back(int64_t{1});
  expectFailure(refusal(scalars), StatusCode::invalidArgument, "takes 5 scalars, found 6");
  scalars = gemmScalars();
  scalars[0] = 1.5F;
  expectFailure(refusal(scalars), StatusCode::invalidArgument,
                "'m' is an integer; a float was passed");
  scalars = gemmScalars();
  scalars[4] = int64_t{1};
  expectFailure(refusal(scalars), StatusCode::invalidArgument,
                "'alpha' is a float; an integer was passed");
  expectFailure(refusal(gemmScalars(int64_t{1} << 31)), StatusCode::invalidArgument,
                "'m' is 2147483648, which does not fit 32 bits");
}

TEST_F(Prepare, RefusesWhatAPreconditionForbids) {
  expectFailure(refusal(gemmScalars(1000, 512, 257)), StatusCode::invalidArgument,
                "lda must be a multiple of 8 elements (16 bytes)");
}

TEST_F(Prepare, RefusesABadGrid) {
  expectFailure(refusal([](Plan &plan) { plan.launches[0].grid[1] = 65536; }),
                StatusCode::unsupported, "a grid of 65536 CTAs along dimension 1");
  expectFailure(refusal([](Plan &plan) { plan.launches[0].grid[0] = -2; }), StatusCode::unsupported,
                "a grid of -2 CTAs");
  expectFailure(refusal([](Plan &plan) { plan.launches[0].grid[0] = 3; }), StatusCode::internal,
                "is no multiple of the cluster's 2");
  expectFailure(
      refusal([](Plan &plan) { plan.launches[0].grid[0] = Expr::floorDiv(Expr::argument(3), 0); }),
      StatusCode::invalidArgument, "launch 0 of plan 'gemm bf16 nt': grid: division");
}

TEST_F(Prepare, RefusesValuesThatDoNotFit) {
  expectFailure(refusal([](Plan &plan) {
                  std::get<ScalarParameter>(plan.launches[0].parameters[3]).value =
                      Expr::argument(3) * (int64_t{1} << 30);
                }),
                StatusCode::invalidArgument,
                "parameter 3: the value 1073741824000 does not fit 32 bits");
  expectFailure(refusal([](Plan &plan) {
                  std::get<TensorMapRecipe>(plan.launches[0].parameters[1]).strides[0] = 8;
                }),
                StatusCode::invalidArgument, "parameter 1: dimension 1 has a stride of 8 bytes");
}

TEST_F(Prepare, RefusesToComputeWithAddresses) {
  const Expr address = Expr::argument(0);
  const std::vector<std::function<void(Plan &)>> changes = {
      [&](Plan &plan) { plan.launches[0].grid[2] = address; },
      [&](Plan &plan) { plan.preconditions[0].right = address; },
      [&](Plan &plan) { plan.buffers = {{.name = "x", .bytes = address}}; },
      [&](Plan &plan) {
        std::get<PointerParameter>(plan.launches[0].parameters[2]).byteOffset = address;
      },
      [&](Plan &plan) {
        std::get<ScalarParameter>(plan.launches[0].parameters[3]).value = address;
      },
      [&](Plan &plan) {
        std::get<TensorMapRecipe>(plan.launches[0].parameters[0]).dims[0] = address;
      },
  };
  for (const std::function<void(Plan &)> &change : changes)
    expectFailure(refusal(change), StatusCode::unsupported, "computes with an address");
}

TEST_F(Prepare, RefusesAnInconsistentPlan) {
  expectFailure(refusal([](Plan &plan) { plan.launches[0].kernel = 7; }), StatusCode::internal,
                "there is no kernel 7");
}

TEST_F(Prepare, RefusesAnotherArchitecture) {
  expectFailure(refusal([](Plan &plan) { plan.arch = "sm_100a"; }), StatusCode::unsupported,
                "is for sm_100a, device 0 is Fake GPU 0 (sm_90a)");
}

TEST_F(Prepare, RefusesBadCubins) {
  const auto prepare = [&](const std::vector<std::string> &cubins) {
    return PreparedPlan::prepare(context, sampleGemmPlan(), cubins, gemmScalars(), {}).status();
  };
  expectFailure(prepare({}), StatusCode::invalidArgument, "has 1 kernels, found 0 cubins");
  expectFailure(prepare({"text"}), StatusCode::internal, "kernel 'gemm': a cubin of 4 bytes");
  expectFailure(prepare({fake::makeCubin({{.entry = "other"}})}), StatusCode::notFound,
                "find the kernel 'gemm'");
}

TEST_F(Prepare, RefusesMoreThanARunHasRoomFor) {
  expectFailure(refusal([](Plan &plan) {
                  const PlanParameter map = plan.launches[0].parameters[0];
                  plan.launches[0].parameters.assign(17, map);
                }),
                StatusCode::unsupported, "17 tensor maps; a run has room for 32 and 16");
  expectFailure(
      refusal([](Plan &plan) { plan.launches[0].parameters.assign(65, ScalarParameter{}); }),
      StatusCode::unsupported, "65 parameters; a run has room for 64");
}

TEST_F(Prepare, RefusesABufferOfNegativeSize) {
  expectFailure(refusal([](Plan &plan) {
                  plan.buffers = {{.name = "partials", .bytes = Expr(0) - Expr::argument(3)}};
                }),
                StatusCode::invalidArgument, "buffer 'partials' would have -1000 bytes");
}

TEST_F(Prepare, NamesBothVersionsWhereTheDriverIsTooOld) {
  fake::setNewestCubin(0);
  const Status status = PreparedPlan::prepare(context, sampleGemmPlan(), gemmCubins(),
                                              gemmScalars(), {.cubinVersion = {13, 2}})
                            .status();
  expectFailure(status, StatusCode::unavailable, "supports CUDA 13.0");
  expectFailure(status, StatusCode::unavailable, "made by CUDA 13.2");
}

TEST_F(Prepare, ReportsMemoryThatIsUsedUp) {
  fake::failNext("cuModuleLoadData", cu::kOutOfMemory);
  expectFailure(refusal(gemmScalars()), StatusCode::outOfMemory, "kernel 'gemm'");
}

} // namespace
