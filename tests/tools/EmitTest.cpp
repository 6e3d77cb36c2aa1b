// SPDX-License-Identifier: Apache-2.0
// `tilewright emit gemm`: each stage, the space of configs, the split of compile time.
#include "tests/tools/Tool.h"

using namespace tilewright;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

const std::string kGemm = "emit gemm -m 512 -n 512 -k 512 --target h200 ";

class Emit : public ToolTest {};

TEST_F(Emit, ShowsIrAtEachStage) {
  const Result tile = run(kGemm + "--stage tile");
  EXPECT_EQ(tile.exitCode, 0) << tile.err;
  EXPECT_THAT(tile.out, HasSubstr("form = program"));
  const Result scheduled = run(kGemm + "--stage scheduled");
  EXPECT_EQ(scheduled.exitCode, 0) << scheduled.err;
  EXPECT_THAT(scheduled.out, HasSubstr("form = scheduled"));
  const Result sm90 = run(kGemm + "--stage sm90");
  EXPECT_EQ(sm90.exitCode, 0) << sm90.err;
  EXPECT_THAT(sm90.out, HasSubstr("sm90.kernel"));
}

TEST_F(Emit, ShowsCudaUnlessAskedOtherwise) {
  const Result result = run(kGemm);
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("extern \"C\" __global__"));
  EXPECT_EQ(run(kGemm + "--stage cuda").out, result.out);
}

TEST_F(Emit, ShowsPtx) {
  const Result result = run(kGemm + "--stage ptx");
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(".target sm_90a"));
  EXPECT_THAT(result.out, HasSubstr(".entry gemm_kernel"));
}

TEST_F(Emit, WritesACubin) {
  const std::string file = scratch.path("gemm.cubin");
  const nlohmann::json json = parse(run(kGemm + "--stage cubin -o " + file + " --json"));
  EXPECT_THAT(read(file), StartsWith("\177ELF"));
  EXPECT_EQ(json["output"][0], file);
  EXPECT_EQ(json["kernels"][0]["cubin_bytes"], read(file).size());
}

TEST_F(Emit, WritesACubinToAPipe) {
  const Result result = run(kGemm + "--stage cubin");
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("\177ELF"));
}

TEST_F(Emit, WritesACubinForEachKernelOfAPlan) {
  const std::string command = "emit gemm -m 512 -n 512 -k 4096 --target h200 --config split=4 ";
  const nlohmann::json json =
      parse(run(command + "--stage cubin --json -o " + scratch.path("gemm.cubin")));
  ASSERT_EQ(json["output"].size(), 2u);
  EXPECT_EQ(json["output"][0], scratch.path("gemm.gemm_partial.cubin"));
  EXPECT_EQ(json["output"][1], scratch.path("gemm.gemm_reduce.cubin"));
  for (const auto &file : json["output"])
    EXPECT_THAT(read(file), StartsWith("\177ELF"));
}

TEST_F(Emit, ShowsResources) {
  const nlohmann::json json = parse(run(kGemm + "--stage resources --json"));
  const nlohmann::json &kernel = json["kernels"][0];
  EXPECT_EQ(kernel["entry"], "gemm_kernel");
  EXPECT_GT(kernel["registers"], 0);
  EXPECT_EQ(kernel["spill_store_bytes"], 0);
  EXPECT_GT(kernel["code_bytes"], 0);
  EXPECT_GT(kernel["shared_bytes"], 0);
  EXPECT_TRUE(kernel["advisories"].empty());
  EXPECT_TRUE(json["rejections"].empty());
  EXPECT_THAT(run(kGemm + "--stage resources").out, HasSubstr("registers"));
}

TEST_F(Emit, ShowsThePlan) {
  const nlohmann::json json = parse(run(kGemm + "--stage plan --json"));
  EXPECT_EQ(json["plan"]["launches"].size(), 1u);
  EXPECT_THAT(run(kGemm + "--stage plan").out, HasSubstr("\"launches\""));
}

TEST_F(Emit, SaysWhatItShows) {
  const nlohmann::json json =
      parse(run(kGemm + "--stage tile --epilogue bias,gelu --beta 0.5 --d fp32 --json"));
  EXPECT_EQ(json["stage"], "tile");
  EXPECT_EQ(json["problem"]["m"], 512);
  EXPECT_EQ(json["problem"]["a"], "bf16");
  EXPECT_EQ(json["problem"]["b"], "bf16");
  EXPECT_EQ(json["problem"]["c"], "fp32");
  EXPECT_EQ(json["problem"]["d"], "fp32");
  EXPECT_EQ(json["problem"]["epilogue"], "bias,gelu");
  EXPECT_THAT(json["config"].get<std::string>(), StartsWith("bm="));
  EXPECT_THAT(json["text"].get<std::string>(), HasSubstr("tile.program"));
}

TEST_F(Emit, OneTypeStandsForAll) {
  const nlohmann::json json = parse(run(kGemm + "--a fp16 --stage tile --json"));
  EXPECT_EQ(json["problem"]["b"], "fp16");
  EXPECT_EQ(json["problem"]["d"], "fp16");
}

TEST_F(Emit, TakesAConfigAndFillsInTheRest) {
  const nlohmann::json json = parse(
      run(kGemm + "--config bm=64,bn=128,consumers=1,stages=4,cluster=1x1 --stage tile --json"));
  EXPECT_THAT(json["config"].get<std::string>(),
              StartsWith("bm=64,bn=128,bk=64,consumers=1,stages=4,cluster=1x1,"));
}

TEST_F(Emit, TakesACaseOfASuiteThatOptionsChange) {
  const std::string command = "emit gemm --case bench/suites/gemm.json:sq4k --target h100 --json "
                              "--stage tile ";
  EXPECT_EQ(parse(run(command))["problem"]["m"], 4096);
  EXPECT_EQ(parse(run(command))["problem"]["a"], "bf16");
  EXPECT_EQ(parse(run(command + "-m 128"))["problem"]["m"], 128);
  EXPECT_EQ(parse(run("emit gemm --case bench/suites/gemm.json:sq4k:fp16 --target h100 --json "
                      "--stage tile"))["problem"]["d"],
            "fp16");
}

TEST_F(Emit, WritesTextToAFile) {
  const std::string file = scratch.path("gemm.mlir");
  const Result result = run(kGemm + "--stage tile -o " + file);
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(read(file), run(kGemm + "--stage tile").out);
}

TEST_F(Emit, WritesListsToAFile) {
  const std::string file = scratch.path("configs.txt");
  const Result result = run(kGemm + "--list-configs -o " + file);
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(read(file), HasSubstr("configs can be built"));
}

TEST_F(Emit, WhatItWritesCompilesAsAProgramOfTheUser) {
  const std::string file = scratch.path("gemm.mlir");
  ASSERT_EQ(run(kGemm + "--stage tile -o " + file).exitCode, 0);
  // The text does not keep the names of values; what the kernel uses is the same.
  EXPECT_EQ(run("compile " + file + " --stage resources").out,
            run(kGemm + "--stage resources").out);
}

TEST_F(Emit, EmptyProblemsAreNoError) {
  for (const char *sizes : {"-m 0 -n 512 -k 512", "-m 512 -n 0 -k 512", "-m 512 -n 512 -k 0"}) {
    const Result result = run(std::string("emit gemm --target h200 --stage tile ") + sizes);
    EXPECT_EQ(result.exitCode, 0) << sizes << ": " << result.err;
  }
}

TEST_F(Emit, ListsTheSpaceWithReasons) {
  const nlohmann::json json =
      parse(run("emit gemm -m 4096 -n 4096 -k 4096 --target h200 --list-configs --json"));
  EXPECT_GE(json["legal_count"], 300);
  EXPECT_EQ(json["legal"].size(), json["legal_count"]);
  EXPECT_EQ(json["rejected"].size(), json["rejected_count"]);
  size_t sum = 0;
  for (const auto &count : json["rejected_by_rule"])
    sum += count.get<size_t>();
  EXPECT_EQ(sum, json["rejected_count"]);
  for (const auto &rejected : json["rejected"])
    EXPECT_NE(rejected["reason"], "") << rejected["config"];

  const Result text = run("emit gemm -m 4096 -n 4096 -k 4096 --target h200 --list-configs");
  EXPECT_THAT(text.out, HasSubstr("configs can be built"));
  EXPECT_THAT(text.out, HasSubstr("rejected bm="));
}

TEST_F(Emit, SplitsTheTimeOfACompile) {
  const nlohmann::json json = parse(run(kGemm + "--time 2 --json"));
  EXPECT_EQ(json["repetitions"], 2);
  for (const char *part : {"template", "passes", "emission", "nvrtc", "total"})
    EXPECT_GT(json["median_ms"][part], 0) << part;
  EXPECT_GE(json["median_ms"]["ptxas"], 0);
  EXPECT_THAT(run(kGemm + "--time 1").out, HasSubstr("CUDA text to PTX"));
}

TEST_F(Emit, ShowsSassByTheDisassemblerThatItFinds) {
  const std::string program = scratch.write(
      "cuda/bin/nvdisasm", "#!/bin/sh\necho \"sass of $(head -c 4 \"$2\" | tail -c 3)\"\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const Result result = run(kGemm + "--stage sass", "CUDA_HOME=" + scratch.path("cuda"));
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_EQ(result.out, "sass of ELF\n");
}

TEST_F(Emit, LogsToStderrOnly) {
  const Result result = run(kGemm + "--stage tile", "TILEWRIGHT_LOG=info");
  EXPECT_THAT(result.err, HasSubstr("tilewright: info: gemm 512x512x512 bf16 nt"));
  EXPECT_THAT(result.out, Not(HasSubstr("info:")));
}

} // namespace
