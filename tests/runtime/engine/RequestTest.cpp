// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/EngineCore.h"
#include "templates/gemm/Space.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

GemmRequest sampleRequest() { return {.problem = {.m = 4096, .n = 4096, .k = 4096}}; }

void expectStatus(const Status &status, StatusCode code, std::string_view part) {
  EXPECT_EQ(status.code(), code) << status.toString();
  EXPECT_NE(status.message().find(part), std::string::npos) << status.toString();
}

TEST(GemmRequest, EqualRequestsHaveEqualHashes) {
  GemmRequest left = sampleRequest();
  GemmRequest right = sampleRequest();
  left.problem.beta = 0.0F;
  right.problem.beta = -0.0F;
  EXPECT_EQ(left, right);
  EXPECT_EQ(GemmRequestHash()(left), GemmRequestHash()(right));
}

TEST(GemmRequest, EveryFieldChangesTheHash) {
  const GemmRequest base = sampleRequest();
  std::vector<GemmRequest> changed;
  const auto add = [&](auto change) { change(changed.emplace_back(base)); };
  add([](GemmRequest &r) { r.problem.m = 1; });
  add([](GemmRequest &r) { r.problem.n = 1; });
  add([](GemmRequest &r) { r.problem.k = 1; });
  add([](GemmRequest &r) { r.problem.a = DType::fp16; });
  add([](GemmRequest &r) { r.problem.b = DType::fp16; });
  add([](GemmRequest &r) { r.problem.c = DType::bf16; });
  add([](GemmRequest &r) { r.problem.d = DType::fp32; });
  add([](GemmRequest &r) { r.problem.layout = GemmLayout::tt; });
  add([](GemmRequest &r) { r.problem.alpha = 2; });
  add([](GemmRequest &r) { r.problem.beta = 1; });
  add([](GemmRequest &r) { r.problem.batch = 2; });
  add([](GemmRequest &r) { r.problem.lda = 8192; });
  add([](GemmRequest &r) { r.problem.ldb = 8192; });
  add([](GemmRequest &r) { r.problem.ldc = 8192; });
  add([](GemmRequest &r) { r.problem.ldd = 8192; });
  add([](GemmRequest &r) { r.problem.epilogue.bias(); });
  add([](GemmRequest &r) { r.problem.epilogue.bias(DType::fp32); });
  add([](GemmRequest &r) { r.problem.epilogue.residual({}, 8192); });
  add([](GemmRequest &r) { r.flags.deterministic = true; });
  add([](GemmRequest &r) { r.flags.batchInvariant = true; });
  add([](GemmRequest &r) { r.flags.pdl = false; });
  add([](GemmRequest &r) { r.flags.smCap = 1; });
  add([](GemmRequest &r) { r.flags.pointerAlignment = 32; });
  add([](GemmRequest &r) { r.config = "bm=128"; });
  for (size_t i = 0; i < changed.size(); ++i) {
    EXPECT_NE(changed[i], base) << i;
    EXPECT_NE(GemmRequestHash()(changed[i]), GemmRequestHash()(base)) << i;
  }
}

TEST(GemmRequest, ValidatesProblemAndFlags) {
  EXPECT_TRUE(sampleRequest().validate().isOk());
  GemmRequest request = sampleRequest();
  request.problem.m = -1;
  expectStatus(request.validate(), StatusCode::invalidArgument, "m is -1");
  request = sampleRequest();
  request.flags.smCap = -1;
  expectStatus(request.validate(), StatusCode::invalidArgument, "sm_cap is -1");
  request = sampleRequest();
  request.flags.pointerAlignment = 24;
  expectStatus(request.validate(), StatusCode::invalidArgument, "power of two");
  request.flags.pointerAlignment = 8;
  expectStatus(request.validate(), StatusCode::unsupported, "multiples of 16 bytes");
}

TEST(ChooseConfig, TakesTheModelsChoiceAndTheCallersKnobs) {
  const DeviceInfo device = *DeviceInfo::forTarget("h200");
  GemmRequest request = sampleRequest();
  const Expected<GemmConfig> heuristic = heuristicConfig(request.problem, device);
  ASSERT_TRUE(heuristic);
  Expected<GemmConfig> config = chooseConfig(request, device);
  ASSERT_TRUE(config) << config.status().toString();
  EXPECT_EQ(*config, *heuristic);

  request.config = "stages=3,group=4";
  config = chooseConfig(request, device);
  ASSERT_TRUE(config) << config.status().toString();
  GemmConfig expected = *heuristic;
  expected.stages = 3;
  expected.group = 4;
  EXPECT_EQ(*config, expected);
}

TEST(ChooseConfig, RefusesWhatCannotBeBuilt) {
  const DeviceInfo device = *DeviceInfo::forTarget("h200");
  GemmRequest request = sampleRequest();
  request.config = "bm=128,bn=256,consumers=2,stages=8";
  expectStatus(chooseConfig(request, device).status(), StatusCode::invalidArgument,
               "breaks the rule shared_memory");
  request.config = "color=red";
  expectStatus(chooseConfig(request, device).status(), StatusCode::invalidArgument, "'color'");
}

TEST(ChooseConfig, BatchInvariantKernelsSumInOnePiece) {
  const DeviceInfo device = *DeviceInfo::forTarget("h200");
  GemmRequest request = sampleRequest();
  request.flags.batchInvariant = true;
  for (int64_t m : {1, 8, 64, 1000, 8192}) {
    request.problem.m = m;
    const Expected<GemmConfig> config = chooseConfig(request, device);
    ASSERT_TRUE(config) << config.status().toString();
    EXPECT_EQ(config->split, 1) << m;
  }
  request.config = "split=2";
  expectStatus(chooseConfig(request, device).status(), StatusCode::invalidArgument, "use split=1");
}

TEST(ChooseConfig, PlansForTheSmsThatItMayUse) {
  const DeviceInfo device = *DeviceInfo::forTarget("h200");
  DeviceInfo small = device;
  small.smCount = 16;
  GemmRequest request{.problem = {.m = 512, .n = 2048, .k = 512}};
  request.flags.smCap = 16;
  const Expected<GemmConfig> config = chooseConfig(request, device);
  ASSERT_TRUE(config) << config.status().toString();
  EXPECT_EQ(*config, *heuristicConfig(request.problem, small));
}

} // namespace
