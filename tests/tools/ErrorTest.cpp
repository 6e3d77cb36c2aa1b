// SPDX-License-Identifier: Apache-2.0
// What users get wrong, and what their machines lack: a clear message and the stated exit code.
#include "tests/tools/Tool.h"

using namespace tilewright;
using testing::HasSubstr;

namespace {

const std::string kGemm = "emit gemm -m 512 -n 512 -k 512 --target h200 ";
const std::string kExample = "compile examples/quick_gelu_gemm.mlir ";

class Errors : public ToolTest {};

// 2: the command line.

TEST_F(Errors, UnknownFlag) {
  expectFailure(kGemm + "--frobnicate", 2, "--frobnicate");
  EXPECT_THAT(run(kGemm + "--frobnicate").err, HasSubstr("see tilewright emit gemm --help"));
}

TEST_F(Errors, BytesThatAreNoTextAreShownAsFarAsTheyAre) {
  const std::string path = "compile '/nowhere/\xff\xfe.mlir' --json";
  EXPECT_THAT(run(path).out, HasSubstr("\"code\": \"not_found\""));
}

TEST_F(Errors, NoCommand) { expectFailure("", 2, "doctor, gemm, emit or compile"); }

TEST_F(Errors, UnknownCommand) { expectFailure("frobnicate", 2, "frobnicate"); }

TEST_F(Errors, EmitWithoutFamily) { expectFailure("emit", 2, "subcommand"); }

TEST_F(Errors, MissingSizes) {
  expectFailure("emit gemm -m 512 -n 512 --target h200", 2, "-m, -n and -k, or --case");
}

TEST_F(Errors, NegativeSize) {
  expectFailure("emit gemm -m -5 -n 512 -k 512 --target h200", 2, "m is -5; a size is 0 or more");
}

TEST_F(Errors, SizeThatIsNoNumber) {
  expectFailure("emit gemm -m many -n 512 -k 512 --target h200", 2, "-m");
}

TEST_F(Errors, UnknownType) {
  expectFailure(kGemm + "--a float16", 2, "--a: 'float16' is no element type; use one of bf16");
}

TEST_F(Errors, UnknownLayout) { expectFailure(kGemm + "--layout row", 2, "use nt, nn, tn or tt"); }

TEST_F(Errors, UnknownEpilogueOp) {
  expectFailure(kGemm + "--epilogue bias,swish", 2, "'swish' is no op; use bias");
}

TEST_F(Errors, UnknownTarget) {
  expectFailure("emit gemm -m 512 -n 512 -k 512 --target b200", 2, "use h100 or h200");
}

TEST_F(Errors, UnknownStage) {
  expectFailure(kGemm + "--stage llvm", 2, "'llvm' is no stage; use tile, scheduled");
  expectFailure(kExample + "--stage llvm", 2, "'llvm' is no stage; use tile, scheduled");
}

TEST_F(Errors, UnknownConfigKey) {
  expectFailure(kGemm + "--config warps=4", 2, "'warps' is no field; use bm, bn, bk");
}

TEST_F(Errors, ConfigValueOfNoKind) {
  expectFailure(kGemm + "--config cluster=4x4", 2, "'4x4' is not one of 1x1, 2x1, 1x2");
}

TEST_F(Errors, IllegalConfigSaysWhichRuleItBreaks) {
  expectFailure(kGemm + "--config bm=128,bn=256,bk=128,consumers=2,stages=8", 2,
                "breaks the rule shared_memory");
  EXPECT_THAT(run(kGemm + "--config bm=128,bn=256,bk=128,consumers=2,stages=8").err,
              HasSubstr("8 stages of"));
}

TEST_F(Errors, PitchBelowTheRowLength) {
  expectFailure(kGemm + "--lda 256", 2, "lda is 256; it is 0 (tight) or from the row length 512");
}

TEST_F(Errors, MissingSuite) {
  expectFailure("emit gemm --case nowhere.json:sq1k --target h200", 2, "there is no file nowhere");
}

TEST_F(Errors, UnknownCase) {
  expectFailure("emit gemm --case bench/suites/gemm.json:nothing --target h200", 2,
                "no case 'nothing'; it has sq1k");
}

TEST_F(Errors, TypeThatACaseDoesNotHave) {
  expectFailure("emit gemm --case bench/suites/gemm.json:sq1k:fp64 --target h200", 2,
                "has no type 'fp64'; it has bf16");
}

TEST_F(Errors, MissingProgram) {
  expectFailure("compile nowhere.mlir", 2, "there is no file nowhere.mlir");
}

TEST_F(Errors, ProgramThatIsAFolder) {
  expectFailure("compile examples", 2, "cannot read examples");
}

TEST_F(Errors, UnwritableOutput) {
  expectFailure(kGemm + "--stage tile -o /nowhere/gemm.mlir", 2, "cannot write /nowhere/gemm.mlir");
  expectFailure(kGemm + "--stage tile -o /dev/full", 2, "cannot write /dev/full");
}

TEST_F(Errors, UnwritableStdout) {
  const int state = std::system("'" TW_BINARY_DIR "/bin/tilewright' emit gemm -m 8 -n 8 -k 8 "
                                "--target h200 --stage tile >/dev/full 2>/dev/null");
  EXPECT_EQ(WEXITSTATUS(state), 2);
}

TEST_F(Errors, CubinOnATextStream) {
  const Result result = run(kGemm + "--stage cubin --json");
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.out, HasSubstr("name a file for it with -o"));
}

TEST_F(Errors, UnknownLogLevel) {
  expectFailure(kGemm + "--stage tile", 2, "TILEWRIGHT_LOG: 'loud' is no log level",
                "TILEWRIGHT_LOG=loud");
}

TEST_F(Errors, CheckWithoutSizes) {
  expectFailure(kExample + "--check -s m=8", 2, "a value for each scalar of the program: -s n=…");
  expectFailure(kExample + "--check -s m", 2, "'m' is not of the form name=value");
  expectFailure(kExample + "--check -s rows=8", 2, "no scalar 'rows'; it has m (i32)");
  expectFailure(kExample + "--check -s m=-8", 2, "m=-8; sizes and strides are 0 or more");
  expectFailure(kExample + "--check -s m=big", 2, "m is 'big', expected a whole number");
  expectFailure(kExample + "-s m=8", 2, "--check");
}

TEST_F(Errors, CheckThatMeetsAPrecondition) {
  expectFailure(kExample + "--check -s m=8,n=8,k=9,lda=9,ldb=9,ldd=8", 2,
                "lda must be a multiple of 8 elements");
}

// 3: a problem that makes sense, but that this version does not build.

TEST_F(Errors, MisalignedStride) {
  expectFailure("emit gemm -m 512 -n 512 -k 510 --target h200", 3,
                "lda is 510 elements; this version needs a multiple of 8 (16 bytes)");
  expectFailure(kGemm + "--ldb 513", 3, "ldb is 513 elements");
}

TEST_F(Errors, UnsupportedType) {
  expectFailure(kGemm + "--a e4m3 --d bf16", 3, "this version supports both bf16 or both fp16");
}

TEST_F(Errors, UnsupportedLayout) { expectFailure(kGemm + "--layout nn", 3, "layout is nn"); }

TEST_F(Errors, UnsupportedEpilogueOp) {
  expectFailure(kGemm + "--epilogue swiglu", 3, "swiglu is not built yet");
}

TEST_F(Errors, UnsupportedBatch) { expectFailure(kGemm + "--batch 2", 3, "batch is 2"); }

TEST_F(Errors, UnsupportedCaseOfASuite) {
  expectFailure("emit gemm --case bench/suites/gemm.json:sq4k:fp8_block --target h200", 3,
                "fp8_block");
}

// 4: something is missing on this machine.

TEST_F(Errors, NoTargetAndNoGpu) {
  const Result result = run("emit gemm -m 512 -n 512 -k 512 --stage tile");
  if (result.exitCode == 0)
    GTEST_SKIP() << "this machine has a Hopper GPU";
  expectFailure("emit gemm -m 512 -n 512 -k 512", 4, "--target h100 or --target h200");
}

TEST_F(Errors, NoNvrtc) {
  expectFailure(kGemm + "--stage ptx --nvrtc /nowhere/libnvrtc.so", 4, "no usable NVRTC");
  expectFailure(kGemm + "--stage ptx", 4, "pip install nvidia-cuda-nvrtc",
                "TILEWRIGHT_NVRTC=/nowhere");
  expectFailure(kExample, 4, "no usable NVRTC", "TILEWRIGHT_NVRTC=/nowhere");
}

TEST_F(Errors, NvrtcOfTheWrongVersion) {
  const std::string old = scratch.place("fake_nvrtc_11.8", "old/libnvrtc.so");
  expectFailure(kGemm + "--stage ptx --nvrtc " + old, 4,
                "NVRTC 11.8 is not supported: 12.4 to 13.x");
  const std::string unknown = scratch.place("fake_nvrtc_14.0", "new/libnvrtc.so");
  expectFailure(kGemm + "--stage ptx --nvrtc " + unknown, 4, "NVRTC 14.0 is not supported");
}

TEST_F(Errors, LibraryThatIsNoNvrtc) {
  const std::string empty = scratch.place("fake_empty", "libnvrtc.so");
  expectFailure(kGemm + "--stage ptx --nvrtc " + empty, 4, "it is no NVRTC");
}

TEST_F(Errors, MissingBuiltinsLibrary) {
  const std::string alone = scratch.place("fake_nvrtc_12.9", "libnvrtc.so");
  expectFailure(kGemm + "--stage ptx --nvrtc " + alone, 4,
                "libnvrtc-builtins.so.12.9 is missing: NVRTC 12.9 needs it beside");
}

TEST_F(Errors, NoDisassembler) {
  if (run("doctor --json").out.find("\"nvdisasm\": {\n      \"path\"") != std::string::npos)
    GTEST_SKIP() << "this machine has nvdisasm";
  expectFailure(kGemm + "--stage sass", 4, "nvdisasm is in none of CUDA_HOME");
}

// 6: text that does not compile.

TEST_F(Errors, MalformedProgram) {
  const std::string file = scratch.write("broken.mlir", "tile.kernel @k(%a: !tile.ptr<bf16> {\n");
  expectFailure("compile " + file, 6, "broken.mlir:1:");
  const std::string unknown = scratch.write("unknown.mlir", "tile.frobnicate\n");
  expectFailure("compile " + unknown, 6, "tile.frobnicate");
}

TEST_F(Errors, ProgramWithNothingInIt) {
  expectFailure("compile " + scratch.write("empty.mlir", "// Nothing.\n"), 6,
                "empty.mlir: there is no tile.kernel in it");
}

TEST_F(Errors, ProgramThatBreaksARule) {
  std::string text = read(TW_SOURCE_DIR "/examples/quick_gelu_gemm.mlir");
  const size_t at = text.find("tile.launch @quick_gelu_gemm_kernel");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, sizeof("tile.launch @quick_gelu_gemm_kernel") - 1, "tile.launch @nothing");
  expectFailure("compile " + scratch.write("launch.mlir", text), 6, "nothing");
}

TEST_F(Errors, ProgramThatNeedsTooMuchSharedMemory) {
  std::string text = read(TW_SOURCE_DIR "/examples/quick_gelu_gemm.mlir");
  const size_t at = text.find("tile.ring<4,");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 12, "tile.ring<8,");
  expectFailure("compile " + scratch.write("large.mlir", text) + " --stage cuda", 6, "232448");
}

} // namespace
