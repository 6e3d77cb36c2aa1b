// SPDX-License-Identifier: Apache-2.0
// `tilewright compile`: a program of the user's own through the same stages, and its check.
#include "tests/tools/Tool.h"

using namespace tilewright;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

const std::string kExample = "compile examples/quick_gelu_gemm.mlir ";
const std::string kSizes = "-s m=200,n=136,k=72,lda=72,ldb=80,ldd=144 ";

class Compile : public ToolTest {
protected:
  /// The example with one piece of its text replaced, as a file.
  [[nodiscard]] std::string changed(const std::string &from, const std::string &to) const {
    std::string text = read(TW_SOURCE_DIR "/examples/quick_gelu_gemm.mlir");
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos)
      text.replace(at, from.size(), to);
    return scratch.write("changed.mlir", text);
  }
};

TEST_F(Compile, MakesACubinOfAnEpilogueThatNoCodeOfOursNames) {
  const std::string file = scratch.path("quick_gelu.cubin");
  const nlohmann::json json = parse(run(kExample + "--json -o " + file));
  EXPECT_THAT(read(file), StartsWith("\177ELF"));
  EXPECT_EQ(json["kernels"][0]["entry"], "quick_gelu_gemm_kernel");
  EXPECT_EQ(json["kernels"][0]["spill_store_bytes"], 0);
  EXPECT_TRUE(json["rejections"].empty());
}

TEST_F(Compile, ShowsResourcesUnlessAskedOtherwise) {
  const Result result = run(kExample);
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("quick_gelu_gemm_kernel\n  launch "));
  EXPECT_THAT(result.out, HasSubstr("advisories none"));
}

TEST_F(Compile, ShowsTheSameStagesAsEmit) {
  EXPECT_THAT(run(kExample + "--stage tile").out, HasSubstr("form = program"));
  EXPECT_THAT(run(kExample + "--stage scheduled").out, HasSubstr("form = scheduled"));
  EXPECT_THAT(run(kExample + "--stage sm90").out, HasSubstr("sm90.kernel"));
  EXPECT_THAT(run(kExample + "--stage cuda").out, HasSubstr("extern \"C\" __global__"));
  EXPECT_THAT(run(kExample + "--stage ptx").out, HasSubstr(".target sm_90a"));
}

TEST_F(Compile, ChecksAProgramBeforeAndAfterScheduling) {
  const nlohmann::json json = parse(run(kExample + "--check --json " + kSizes));
  const nlohmann::json &output = json["check"]["outputs"]["d"];
  // Rows are 144 apart; the gaps of 8 between the first 199 are nobody's.
  EXPECT_EQ(output["elements"], 199 * 144 + 136);
  EXPECT_EQ(output["nan"], 199 * 8);
  EXPECT_GE(output["min"], -1);
  EXPECT_LE(output["max"], 6);
  EXPECT_TRUE(json["check"]["scheduled"]["agrees"]);
  EXPECT_EQ(json["check"]["outputs"].size(), 1u);
}

TEST_F(Compile, DrawsTheSameOperandsForTheSameSeed) {
  const auto checksum = [&](const std::string &seed) {
    return parse(
        run(kExample + "--check --json " + kSizes + seed))["check"]["outputs"]["d"]["checksum"];
  };
  EXPECT_EQ(checksum(""), checksum("--seed 1"));
  EXPECT_NE(checksum(""), checksum("--seed 2"));
}

TEST_F(Compile, ChecksAgainstAPlainProgram) {
  const Result same =
      run(kExample + "--check " + kSizes + "--against examples/quick_gelu_gemm.mlir");
  EXPECT_EQ(same.exitCode, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("against examples/quick_gelu_gemm.mlir: agrees"));
  const Result other =
      run(kExample + "--check " + kSizes + "--against " + changed("dense<-1.702>", "dense<-1.5>"));
  EXPECT_EQ(other.exitCode, 5);
  EXPECT_THAT(other.err, HasSubstr("output 'd' differs"));
  EXPECT_THAT(other.out, HasSubstr("DIFFERS"));
}

TEST_F(Compile, ChecksAndShowsAStageAtOnce) {
  const nlohmann::json json = parse(run(kExample + "--check --json --stage cuda " + kSizes));
  EXPECT_TRUE(json["check"]["scheduled"]["agrees"]);
  EXPECT_THAT(json["text"].get<std::string>(), HasSubstr("__global__"));
  EXPECT_THAT(run(kExample + "--check --stage cuda " + kSizes).out, StartsWith("#include"));
}

TEST_F(Compile, ChecksWithoutNvrtc) {
  EXPECT_EQ(run(kExample + "--check " + kSizes, "TILEWRIGHT_NVRTC=/nowhere").exitCode, 0);
}

TEST_F(Compile, TakesTheCanonicalFormsOfTheTests) {
  EXPECT_EQ(run("compile tests/compiler/tile/gemm-scheduled.mlir --stage sm90").exitCode, 0);
}

} // namespace
