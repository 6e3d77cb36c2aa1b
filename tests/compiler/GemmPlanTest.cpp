// SPDX-License-Identifier: Apache-2.0
//
// Plans of GEMMs: what their numbers are for given sizes, for one launch and for two.

#include "templates/gemm/Arguments.h"
#include "templates/gemm/Gemm.h"
#include "tests/compiler/PlanFixture.h"

namespace tilewright {
namespace {

const DeviceInfo kDevice = *DeviceInfo::forTarget("h200");

class GemmPlanTest : public PlanTest {
protected:
  Plan planOf(const GemmProblem &problem, std::string_view config) {
    auto module = buildGemm(*context_, problem, *GemmConfig::parse(config), kDevice);
    EXPECT_TRUE(module) << module.status().toString();
    Expected<Plan> plan = module ? compileToPlan(**module) : Expected<Plan>(module.status());
    EXPECT_TRUE(plan) << plan.status().toString();
    return plan ? *std::move(plan) : Plan();
  }

  /// Values for the plan's arguments by name; pointers are well aligned.
  static std::vector<int64_t> bind(const Plan &plan,
                                   std::vector<std::pair<std::string_view, int64_t>> scalars) {
    std::vector<int64_t> values;
    for (const PlanArgument &argument : plan.arguments) {
      int64_t value = argument.kind == ArgumentKind::pointer ? 4096 : 0;
      for (auto [name, number] : scalars)
        if (name == argument.name)
          value = number;
      values.push_back(value);
    }
    return values;
  }

  static const TensorMapRecipe *mapOf(const Plan &plan, size_t launch, std::string_view name) {
    for (const PlanParameter &parameter : plan.launches[launch].parameters)
      if (const auto *map = std::get_if<TensorMapRecipe>(&parameter))
        if (map->base.source == MemoryRef::Source::argument &&
            plan.arguments[map->base.index].name == name)
          return map;
    ADD_FAILURE() << "no tensor map of " << name;
    return nullptr;
  }

  static int64_t grid(const Plan &plan, size_t launch, const std::vector<int64_t> &arguments,
                      int32_t smCount = 132) {
    const PlanLaunch &at = plan.launches[launch];
    return valueOf(at.grid[0], arguments, smCount) * valueOf(at.grid[1], arguments, smCount) *
           valueOf(at.grid[2], arguments, smCount);
  }
};

TEST_F(GemmPlanTest, OneLaunch) {
  GemmProblem problem{.m = 4096, .n = 6144, .k = 4096, .alpha = 0.5F};
  problem.epilogue.bias().gelu();
  std::string_view config = "bm=128,bn=256,consumers=2,stages=3,cluster=2x1";
  Plan plan = planOf(problem, config);
  expectSound(plan);

  std::vector<std::string> names;
  for (const PlanArgument &each : plan.arguments)
    names.push_back(each.name);
  std::vector<std::string> expected;
  for (const GemmArgument &each : gemmArguments(problem)) {
    expected.push_back(each.name);
    EXPECT_EQ(argument(plan, each.name).kind, each.kind) << each.name;
    if (each.kind != ArgumentKind::pointer)
      continue;
    EXPECT_EQ(argument(plan, each.name).access, each.access) << each.name;
    EXPECT_EQ(argument(plan, each.name).dtype, each.dtype) << each.name;
  }
  EXPECT_EQ(names, expected);
  EXPECT_EQ(argument(plan, "a").alignment, 16);
  EXPECT_EQ(argument(plan, "d").alignment, 16);

  ASSERT_EQ(plan.kernels.size(), 1U);
  ASSERT_EQ(plan.launches.size(), 1U);
  EXPECT_TRUE(plan.buffers.empty());
  GemmDerived derived = deriveGemm(problem, kDevice, *GemmConfig::parse(config));
  EXPECT_EQ(plan.kernels[0].threads, derived.threads);
  EXPECT_EQ(plan.kernels[0].cluster, (std::array<int32_t, 3>{2, 1, 1}));
  EXPECT_LE(plan.kernels[0].sharedBytes, derived.shared.total());
  EXPECT_GT(plan.kernels[0].sharedBytes, derived.shared.stageBytes * derived.shared.stages);
}

TEST_F(GemmPlanTest, TensorMapsFollowTheSizes) {
  GemmProblem problem{.m = 512, .n = 512, .k = 512};
  Plan plan = planOf(problem, "bm=128,bn=128,bk=128,consumers=2,stages=3,cluster=2x1");
  ASSERT_FALSE(plan.launches.empty());
  std::vector<int64_t> arguments =
      bind(plan, {{"m", 300}, {"n", 200}, {"k", 136}, {"lda", 144}, {"ldb", 152}, {"ldd", 208}});
  const TensorMapRecipe *a = mapOf(plan, 0, "a"), *b = mapOf(plan, 0, "b"),
                        *d = mapOf(plan, 0, "d");
  ASSERT_TRUE(a && b && d);
  using Numbers = std::vector<int64_t>;
  EXPECT_EQ(valuesOf(a->dims, arguments), (Numbers{136, 300}));
  EXPECT_EQ(valuesOf(a->strides, arguments), (Numbers{288}));
  EXPECT_EQ(a->box, (std::vector<int32_t>{64, 128}));
  EXPECT_EQ(a->swizzle, 128);
  // The cluster shares B: each CTA fetches half of its rows for both.
  EXPECT_EQ(valuesOf(b->dims, arguments), (Numbers{136, 200}));
  EXPECT_EQ(valuesOf(b->strides, arguments), (Numbers{304}));
  EXPECT_EQ(b->box, (std::vector<int32_t>{64, 64}));
  // Each consumer stores its own rows of a sub-tile.
  EXPECT_EQ(valuesOf(d->dims, arguments), (Numbers{200, 300}));
  EXPECT_EQ(valuesOf(d->strides, arguments), (Numbers{416}));
  EXPECT_EQ(d->box[1], 64);
}

TEST_F(GemmPlanTest, GridsCoverTheTilesInWholeClusters) {
  GemmProblem problem{.m = 512, .n = 512, .k = 512};
  for (const char *text :
       {"bm=128,bn=128,cluster=1x1", "bm=128,bn=128,cluster=2x1", "bm=128,bn=128,cluster=1x2"}) {
    SCOPED_TRACE(text);
    Plan plan = planOf(problem, text);
    if (plan.launches.empty())
      continue;
    GemmConfig config = *GemmConfig::parse(text);
    for (auto [m, n] : {std::pair<int64_t, int64_t>{1, 8},
                        {129, 128},
                        {128, 129},
                        {640, 640},
                        {8192, 8192},
                        {0, 64},
                        {64, 0}}) {
      SCOPED_TRACE(testing::Message() << m << " x " << n);
      GemmProblem at{.m = m, .n = n, .k = 512};
      GemmDerived derived = deriveGemm(at, kDevice, config);
      std::vector<int64_t> arguments =
          bind(plan, {{"m", m}, {"n", n}, {"k", 512}, {"lda", 512}, {"ldb", 512}, {"ldd", n}});
      EXPECT_EQ(grid(plan, 0, arguments), derived.gridCtas);
      EXPECT_EQ(grid(plan, 0, arguments) % config.clusterSize(), 0);
    }
  }
}

TEST_F(GemmPlanTest, PitchesAreRequired) {
  Plan plan = planOf({.m = 512, .n = 512, .k = 512}, "bm=128,bn=128,cluster=1x1");
  auto check = [&](int64_t lda, int64_t address) {
    std::vector<int64_t> arguments = bind(
        plan,
        {{"m", 64}, {"n", 64}, {"k", 64}, {"lda", lda}, {"ldb", 64}, {"ldd", 64}, {"a", address}});
    return checkPreconditions(plan, {arguments, 132});
  };
  EXPECT_TRUE(check(64, 4096).isOk()) << check(64, 4096).toString();
  EXPECT_EQ(check(68, 4096).code(), StatusCode::invalidArgument);
  EXPECT_NE(check(68, 4096).message().find("lda"), std::string::npos);
  EXPECT_EQ(check(64, 4104).code(), StatusCode::invalidArgument);
}

TEST_F(GemmPlanTest, TwoLaunchesShareWorkspace) {
  GemmProblem problem{.m = 256, .n = 512, .k = 8192, .alpha = 2};
  problem.epilogue.bias().relu();
  Plan plan = planOf(problem, "bm=128,bn=128,stages=4,cluster=1x1,split=4");
  expectSound(plan);
  ASSERT_EQ(plan.kernels.size(), 2U);
  ASSERT_EQ(plan.launches.size(), 2U);
  ASSERT_EQ(plan.buffers.size(), 1U);
  EXPECT_NE(plan.launches[0].kernel, plan.launches[1].kernel);

  // The slices of K lie one behind the other in fp32, whatever the sizes are.
  std::vector<int64_t> arguments =
      bind(plan, {{"m", 300}, {"n", 200}, {"k", 4096}, {"lda", 4096}, {"ldb", 4096}, {"ldd", 200}});
  EXPECT_GE(valueOf(plan.buffers[0].bytes, arguments), 4 * 300 * 200 * 4);
  EXPECT_LE(valueOf(plan.buffers[0].bytes, arguments), 4 * 300 * 256 * 4);
  EXPECT_EQ(grid(plan, 0, arguments), 3 * 2 * 4);
  EXPECT_GT(grid(plan, 1, arguments), 0);

  // The first launch writes the workspace, by tensor map; the second reads it and writes d.
  bool writes = false, reads = false;
  for (const PlanParameter &parameter : plan.launches[0].parameters)
    if (const auto *map = std::get_if<TensorMapRecipe>(&parameter))
      if (map->base.source == MemoryRef::Source::buffer) {
        writes = true;
        EXPECT_EQ(map->dtype, DType::fp32);
        EXPECT_EQ(valuesOf(map->dims, arguments).back(), 4);
        EXPECT_EQ(map->rank(), 3U);
      }
  for (const PlanParameter &parameter : plan.launches[1].parameters)
    if (const auto *pointer = std::get_if<PointerParameter>(&parameter))
      reads |= pointer->base == MemoryRef{MemoryRef::Source::buffer, 0};
  EXPECT_TRUE(writes && reads);
  EXPECT_EQ(argument(plan, "d").access, Access::write);
  EXPECT_EQ(argument(plan, "a").access, Access::read);
}

} // namespace
} // namespace tilewright
