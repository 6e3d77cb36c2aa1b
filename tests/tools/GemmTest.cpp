// SPDX-License-Identifier: Apache-2.0
// `tilewright gemm`, for a named target and on the fake driver, whose kernels do nothing.
#include "tests/tools/Tool.h"

using namespace tilewright;
using testing::ContainsRegex;
using testing::HasSubstr;

namespace {

const std::string kProblem = "gemm -m 300 -n 264 -k 136 --epilogue bias,gelu ";

class Gemm : public ToolTest {
protected:
  /// A cache of this test's own, and the fake driver; `more` as env(1) takes it.
  [[nodiscard]] std::string onFake(const std::string &more = "") const {
    return "TILEWRIGHT_DRIVER='" TW_BINARY_DIR "/tests/bin/libcuda_fake.so' " + withoutDevice() +
           more;
  }
  [[nodiscard]] std::string withoutDevice() const {
    return "TILEWRIGHT_CACHE_DIR='" + scratch.path("cache") + "' ";
  }
};

TEST_F(Gemm, BuildsForATargetAndFindsItAgain) {
  nlohmann::json json = parse(run(kProblem + "--target h200 --json", withoutDevice()));
  EXPECT_EQ(json["source"], "heuristic");
  EXPECT_EQ(json["mlir"], true);
  EXPECT_EQ(json["nvrtc_calls"], 1);
  EXPECT_EQ(json["problem"]["epilogue"], "bias,gelu");
  EXPECT_GT(json["kernel"]["registers"], 0);
  EXPECT_FALSE(json.contains("check"));
  EXPECT_FALSE(json.contains("bench"));

  // Another process, without a compiler.
  json = parse(run(kProblem + "--target h200 --json --nvrtc /nowhere", withoutDevice()));
  EXPECT_EQ(json["source"], "disk");
  EXPECT_EQ(json["mlir"], false);
  EXPECT_EQ(json["nvrtc_calls"], 0);

  json = parse(run(kProblem + "--target h200 --json --no-cache", withoutDevice()));
  EXPECT_EQ(json["source"], "heuristic");
}

TEST_F(Gemm, SaysWhatItBuilt) {
  const Result result = run(kProblem + "--target h200", withoutDevice());
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("gemm 300x264x136 bf16 nt bias,gelu\n"));
  EXPECT_THAT(result.out, ContainsRegex("device +NVIDIA H200 SXM5, 132 SMs\n"));
  EXPECT_THAT(result.out, ContainsRegex("kernel +from heuristic in [0-9.]+ ms; compiled by NVRTC"));
  EXPECT_THAT(result.out, ContainsRegex("config +bm=[0-9]+,bn="));
  EXPECT_THAT(result.out, ContainsRegex("launch +[0-9]+ CTAs; [0-9]+ registers, 0 bytes spilled"));
}

TEST_F(Gemm, TakesAConfig) {
  const nlohmann::json json = parse(run("gemm -m 300 -n 264 -k 4096 --target h200 --json --config "
                                        "bm=64,bn=64,consumers=1,cluster=1x1,stages=4,split=4",
                                        withoutDevice()));
  EXPECT_EQ(json["source"], "config");
  EXPECT_EQ(json["kernel"]["launches"], 2);
  EXPECT_GE(json["kernel"]["workspace_bytes"], 4 * 300 * 264 * 4);
  expectFailure(kProblem + "--target h200 --config bm=100", 2, "config: bm=100,", withoutDevice());
}

TEST_F(Gemm, WithoutADeviceItNamesTheWayOut) {
  const std::string nowhere = withoutDevice() + "TILEWRIGHT_DRIVER=/nowhere/libcuda.so";
  expectFailure(kProblem, 4, "--target h100 or --target h200", nowhere);
  expectFailure(kProblem + "--check", 4, "/nowhere/libcuda.so", nowhere);
}

TEST_F(Gemm, ATargetCannotBeRun) {
  expectFailure(kProblem + "--target h200 --check", 2, "leave out --target", withoutDevice());
  expectFailure(kProblem + "--target h200 --bench", 2, "leave out --target", withoutDevice());
}

TEST_F(Gemm, AKernelThatDoesNothingIsWrong) {
  const Result result = run(kProblem + "--check --bench", onFake());
  EXPECT_EQ(result.exitCode, 5);
  EXPECT_THAT(result.out, HasSubstr("device   Fake GPU 0"));
  EXPECT_THAT(result.out, ContainsRegex("check +WRONG: 79200 elements"));
  EXPECT_THAT(result.out, Not(HasSubstr("bench")));
  EXPECT_THAT(result.err, HasSubstr("79200 of them never written"));

  const nlohmann::json json = parse(run(kProblem + "--check --seed 7 --json", onFake()), 5);
  EXPECT_EQ(json["check"]["passed"], false);
  EXPECT_EQ(json["check"]["unwritten"], 79200);
  EXPECT_EQ(json["check"]["damaged_bytes"], 0);
  EXPECT_EQ(json["check"]["seed"], 7);
  EXPECT_EQ(json["error"]["code"], "check_failed");
  EXPECT_EQ(json["source"], "disk");
}

TEST_F(Gemm, MeasuresGraphsOnRotatingOperands) {
  const std::string log = scratch.path("launches");
  const Result result = run(kProblem + "--bench --rounds 3", onFake("TW_FAKE_LOG=" + log));
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("bench +[0-9.]+ us +[0-9.]+ TFLOP/s +[0-9]+ GB/s +[0-9.]+ "
                                        "% of the datasheet's roofline .(compute|memory): "));
  EXPECT_THAT(result.out, ContainsRegex("median of 3 rounds of [0-9]+ runs"));
  EXPECT_THAT(result.out, ContainsRegex("cold: [0-9]+ sets of 0\\.[0-9] MB in rotation"));
  EXPECT_THAT(read(log), HasSubstr("launch "));

  const nlohmann::json json = parse(run(kProblem + "--bench --rounds 3 --json", onFake()));
  for (const char *field : {"ours_us", "ours_us_min", "ours_us_max", "ours_tflops", "ours_gbs",
                            "bound_us", "bound_share", "rounds", "runs_per_round", "sets"})
    EXPECT_GT(json["bench"][field], 0) << field;
  EXPECT_EQ(json["bench"]["l2"], "cold");
  EXPECT_EQ(json["bench"]["regime"], "sustained");
  EXPECT_EQ(json["bench"]["bound"], "memory");
}

TEST_F(Gemm, NothingToComputeIsDone) {
  for (const char *problem : {"gemm -m 0 -n 264 -k 136 ", "gemm -m 300 -n 0 -k 136 "}) {
    const nlohmann::json json =
        parse(run(std::string(problem) + "--check --bench --json", onFake()));
    EXPECT_EQ(json["source"], "none");
    EXPECT_EQ(json["nvrtc_calls"], 0);
    EXPECT_EQ(json["kernel"]["launches"], 0);
    EXPECT_EQ(json["check"]["passed"], true);
    EXPECT_TRUE(json["bench"].is_null());
  }
  EXPECT_THAT(run("gemm -m 0 -n 264 -k 136 --bench", onFake()).out,
              HasSubstr("there is nothing to launch"));
}

TEST_F(Gemm, DevicesThatCannotRunItAreNamed) {
  expectFailure(kProblem, 4, "compute capability 8.0", onFake("TW_FAKE_CAPABILITY=80"));
  expectFailure(kProblem, 4, "no device", onFake("TW_FAKE_DEVICES=0"));
  expectFailure(kProblem, 4, "12.0", onFake("TW_FAKE_VERSION=12000"));
  expectFailure(kProblem + "--device 99", 2, "no device 99", onFake());
}

TEST_F(Gemm, ADriverTooOldForTheCubinIsNamed) {
  const std::string old = onFake("TW_FAKE_NEWEST_CUBIN=0 TW_FAKE_VERSION=12060");
  expectFailure(kProblem, 4, "12.6", old);
  expectFailure(kProblem, 4, "13.", old);
}

TEST_F(Gemm, TooLittleMemoryIsNamed) {
  expectFailure("gemm -m 4096 -n 4096 -k 4096 --check", 4, "operand a",
                onFake("TW_FAKE_MEMORY=1000000"));
}

TEST_F(Gemm, ACheckNeedsACompilerForItsReference) {
  EXPECT_EQ(run(kProblem, onFake()).exitCode, 0);
  expectFailure(kProblem + "--check --nvrtc /nowhere", 4, "--check compiles a reference", onFake());
}

} // namespace
