// SPDX-License-Identifier: Apache-2.0
//
// The form of the modules that the template makes. Golden files are rewritten by
//
//   build/dev/tests/bin/test_gemm --update-golden

#include "compiler/tile/TileDialect.h"
#include "templates/gemm/Arguments.h"
#include "templates/gemm/Gemm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

using namespace tilewright;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace {

bool updateGolden = false;

const DeviceInfo kDevice = *DeviceInfo::forTarget("h200");
const GemmProblem kLarge{.m = 8192, .n = 28672, .k = 4096};

class GemmModule : public testing::Test {
protected:
  OwningOpRef<ModuleOp> build(const GemmProblem &problem, std::string_view config) {
    auto module = buildGemm(context, problem, *GemmConfig::parse(config), kDevice);
    EXPECT_TRUE(module) << module.status().toString();
    return module ? *std::move(module) : OwningOpRef<ModuleOp>();
  }

  template <typename Op>
  static std::vector<Op> all(mlir::Operation *root) {
    std::vector<Op> found;
    root->walk([&](Op op) { found.push_back(op); });
    return found;
  }
  template <typename Op>
  static Op only(mlir::Operation *root) {
    std::vector<Op> found = all<Op>(root);
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? Op() : found.front();
  }
  static tile::KernelOp kernel(ModuleOp module, llvm::StringRef name = "gemm_kernel") {
    return module.lookupSymbol<tile::KernelOp>(name);
  }
  static tile::RingOp ring(mlir::Operation *root, llvm::StringRef name) {
    for (tile::RingOp op : all<tile::RingOp>(root))
      if (op.getName() == name)
        return op;
    return {};
  }

  mlir::MLIRContext context;
};

std::string text(mlir::Operation *op) {
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  op->print(stream, mlir::OpPrintingFlags().printNameLocAsPrefix());
  return printed;
}

std::string text(mlir::Attribute attribute) {
  std::string printed;
  llvm::raw_string_ostream(printed) << attribute;
  return printed;
}

std::string text(mlir::Type type) {
  std::string printed;
  llvm::raw_string_ostream(printed) << type;
  return printed;
}

std::string readFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

//===-- The whole text -----------------------------------------------------------------------===//

/// The first line in which two texts differ, with its number; empty if there is none.
std::string firstDifference(const std::string &expected, const std::string &found) {
  std::istringstream left(expected), right(found);
  std::string a, b;
  for (int line = 1;; ++line) {
    bool hasLeft = static_cast<bool>(std::getline(left, a));
    bool hasRight = static_cast<bool>(std::getline(right, b));
    if (!hasLeft && !hasRight)
      return "";
    if (hasLeft != hasRight || a != b)
      return "line " + std::to_string(line) + "\n  expected: " + (hasLeft ? a : "the end") +
             "\n  found:    " + (hasRight ? b : "the end");
  }
}

void expectGolden(ModuleOp module, const std::string &name) {
  std::string path = std::string(TW_SOURCE_DIR) + "/tests/templates/gemm/golden/" + name + ".mlir";
  std::string printed =
      "// RUN: tw-opt %s\n// Written by test_gemm --update-golden.\n" + text(module);
  if (updateGolden)
    std::ofstream(path) << printed;
  EXPECT_EQ(firstDifference(readFile(path), printed), "")
      << path << ": the module changed; if that is meant, run test_gemm --update-golden and "
      << "explain the difference";
}

TEST_F(GemmModule, GoldenOfTheDefaultConfig) {
  GemmProblem problem = kLarge;
  problem.alpha = 0.5F;
  problem.epilogue.bias().gelu().residual();
  expectGolden(*build(problem, ""), "default");
}

TEST_F(GemmModule, GoldenOfDirectStoresFromDeepTiles) {
  GemmProblem problem{
      .m = 1000, .n = 1001, .k = 512, .a = DType::fp16, .b = DType::fp16, .d = DType::fp32};
  problem.beta = 1;
  problem.epilogue.scaleRow().biasRow().silu();
  expectGolden(*build(problem, "bm=128,bn=64,bk=128,stages=4,cluster=1x2,group=4,along=n,"
                               "store=direct"),
               "direct");
}

TEST_F(GemmModule, GoldenOfAlternatingTiles) {
  GemmProblem problem = kLarge;
  problem.epilogue.bias();
  expectGolden(*build(problem, "bn=128,stages=6,schedule=pingpong"), "pingpong");
}

TEST_F(GemmModule, GoldenOfSplitK) {
  GemmProblem problem{.m = 512, .n = 512, .k = 65536};
  problem.epilogue.bias().relu();
  expectGolden(*build(problem, "bm=128,bn=128,cluster=2x1,stages=6,split=8"), "split");
}

// The template writes what stands in the hand-written GEMM: same ops of the dialect in the same
// order, with the same directives.
TEST_F(GemmModule, EmitsTheCanonicalGemm) {
  context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect>();
  std::string path = std::string(TW_SOURCE_DIR) + "/tests/compiler/tile/gemm-program.mlir";
  auto canonical = mlir::parseSourceFile<ModuleOp>(path, &context);
  ASSERT_TRUE(canonical);
  GemmProblem problem = kLarge;
  problem.alpha = 0.5F;
  problem.epilogue.bias().gelu().residual();
  OwningOpRef<ModuleOp> module = build(problem, "");

  auto directives = [&](ModuleOp module) {
    tile::KernelOp op = kernel(module);
    std::string lines = text(op.getRolesAttr()) + text(op.getFunctionType());
    op.getBody().walk([&](mlir::Operation *inner) {
      if (!mlir::isa<tile::TileDialect>(inner->getDialect()) || mlir::isa<tile::ViewOp>(inner))
        return;
      lines += "\n" + inner->getName().getStringRef().str();
      for (mlir::NamedAttribute attribute : inner->getAttrs())
        lines += " " + attribute.getName().str() + "=" + text(attribute.getValue());
      for (mlir::Type type : inner->getResultTypes())
        lines += " " + text(type);
    });
    return lines;
  };
  EXPECT_EQ(directives(*module), directives(*canonical));
}

//===-- What each knob does ------------------------------------------------------------------===//

TEST_F(GemmModule, EveryLegalConfigVerifies) {
  GemmProblem ragged{.m = 1000, .n = 3001, .k = 5000, .a = DType::fp16, .b = DType::fp16};
  ragged.epilogue.scaleCol().biasRow().silu().residual();
  GemmProblem wide{.m = 4104, .n = 4104, .k = 4104, .d = DType::fp32};
  wide.alpha = 2;
  wide.beta = 1;
  wide.epilogue.geluErf().scaleRow();
  for (const GemmProblem &problem : {kLarge, ragged, wide}) {
    Expected<GemmSpace> space = enumerateGemm(problem, kDevice);
    ASSERT_TRUE(space);
    for (const GemmConfig &config : sampleConfigs(space->legal, 120, 3)) {
      auto module = buildGemm(context, problem, config, kDevice);
      ASSERT_TRUE(module) << config.toString() << ": " << module.status().toString();
    }
  }
}

TEST_F(GemmModule, RolesFollowTheConsumers) {
  OwningOpRef<ModuleOp> module = build(kLarge, "bm=192,bn=128,consumers=3");
  tile::KernelOp three = kernel(*module);
  EXPECT_EQ(three.findRole("mma").getWarpgroups(), 3);
  EXPECT_EQ(three.findRole("mma").getRegs(), 160);
  EXPECT_EQ(three.findRole("load").getWarps(), 1);
  EXPECT_EQ(three.findRole("load").getRegs(), 32);
  EXPECT_EQ(three.ctaThreads(), 512);
}

TEST_F(GemmModule, OneConsumerLeavesRegistersAlone) {
  OwningOpRef<ModuleOp> module = build(kLarge, "bm=64,bn=128,consumers=1");
  EXPECT_EQ(kernel(*module).findRole("mma").getRegs(), 0);
  EXPECT_EQ(kernel(*module).findRole("load").getRegs(), 0);
}

TEST_F(GemmModule, ClustersShareTheOperandAcrossTheirAxis) {
  struct Case {
    const char *cluster;
    std::vector<int64_t> extents;
    std::optional<uint64_t> a, b;
  };
  for (const Case &c : {Case{"cluster=1x1", {1, 1}, {}, {}}, Case{"cluster=2x1", {2, 1}, {}, 0},
                        Case{"cluster=1x2", {1, 2}, 1, {}}}) {
    OwningOpRef<ModuleOp> module = build(kLarge, c.cluster);
    EXPECT_EQ(kernel(*module).getCluster(), llvm::ArrayRef(c.extents));
    std::vector<tile::LoadOp> loads = all<tile::LoadOp>(*module);
    ASSERT_EQ(loads.size(), 2U);
    EXPECT_EQ(loads[0].getMulticast(), c.a) << c.cluster;
    EXPECT_EQ(loads[1].getMulticast(), c.b) << c.cluster;
    EXPECT_EQ(ring(*module, "ab").getMulticast(), c.a ? c.a : c.b);
  }
}

TEST_F(GemmModule, RingHoldsStagesOfSwizzledPanels) {
  OwningOpRef<ModuleOp> module = build(kLarge, "bn=128,bk=128,stages=3");
  tile::RingType type = ring(*module, "ab").getType();
  EXPECT_EQ(type.getStages(), 3);
  EXPECT_EQ(type.getStageBytes(), 2 * 128 * 128 * 2);
  auto a = mlir::cast<mlir::RankedTensorType>(type.getTiles()[0]);
  EXPECT_EQ(a.getEncoding(), tile::SmemAttr::get(&context, 64, 0, 128, {})); // two panels
}

TEST_F(GemmModule, SharedMemoryIsWhatTheSpaceCounted) {
  for (const GemmConfig &config : sampleConfigs(enumerateGemm(kLarge, kDevice)->legal, 60, 9)) {
    auto module = buildGemm(context, kLarge, config, kDevice);
    ASSERT_TRUE(module);
    int64_t bytes = 0;
    // Consumers that take whole tiles each have staging of their own.
    int64_t copies = config.schedule == GemmSchedule::pingpong ? config.consumers : 1;
    for (tile::RingOp op : all<tile::RingOp>(module->get()))
      bytes +=
          op.getType().getStages() * op.getType().getStageBytes() * (op.isPrivate() ? copies : 1);
    GemmSharedMemory shared = deriveGemm(kLarge, kDevice, config).shared;
    EXPECT_EQ(bytes, shared.total() - shared.barrierBytes - shared.alignmentBytes)
        << config.toString();
  }
}

TEST_F(GemmModule, RasterFollowsGroupAndAxis) {
  OwningOpRef<ModuleOp> row = build(kLarge, "group=1,along=m");
  EXPECT_EQ(only<tile::RasterOp>(*row).getOrder(), tile::Order::Row);
  OwningOpRef<ModuleOp> column = build(kLarge, "group=1,along=n");
  EXPECT_EQ(only<tile::RasterOp>(*column).getOrder(), tile::Order::Grouped);
  EXPECT_EQ(only<tile::RasterOp>(*column).getGroup(), 1U);
  EXPECT_EQ(only<tile::RasterOp>(*column).getAlong(), 1U);
  OwningOpRef<ModuleOp> grouped = build(kLarge, "bn=160,group=16,along=m");
  EXPECT_EQ(only<tile::RasterOp>(*grouped).getGroup(), 16U);
  EXPECT_EQ(only<tile::RasterOp>(*grouped).getAlong(), 0U);
  EXPECT_EQ(only<tile::RasterOp>(*grouped).getTiles(), (llvm::ArrayRef<int64_t>{128, 160}));
}

TEST_F(GemmModule, StagedStoresStateTheirSubtile) {
  OwningOpRef<ModuleOp> module = build(kLarge, "bn=160,stages=4");
  tile::StoreOp store = only<tile::StoreOp>(*module);
  EXPECT_EQ(store.getVia(), tile::Via::Tma);
  EXPECT_EQ(store.getSubtile(), 32U);
  tile::RingType staging = ring(*module, "staging").getType();
  auto slot = mlir::cast<mlir::RankedTensorType>(staging.getTiles()[0]);
  EXPECT_EQ(slot.getShape(), (llvm::ArrayRef<int64_t>{128, 32}));
  EXPECT_EQ(slot.getEncoding(), tile::SmemAttr::get(&context, 32, 0, 64, {}));
}

TEST_F(GemmModule, DirectStoresNeedNoStagingAndPromiseOnlyWhatThePitchHas) {
  GemmProblem odd{.m = 1000, .n = 1001, .k = 512};
  OwningOpRef<ModuleOp> module = build(odd, "store=direct");
  EXPECT_FALSE(ring(*module, "staging"));
  tile::StoreOp store = only<tile::StoreOp>(*module);
  EXPECT_EQ(store.getVia(), tile::Via::Direct);
  EXPECT_EQ(store.getView().getType().getAlign(), 2);
  OwningOpRef<ModuleOp> even = build({.m = 1000, .n = 1004, .k = 512}, "store=direct");
  EXPECT_EQ(only<tile::StoreOp>(*even).getView().getType().getAlign(), 8);
}

TEST_F(GemmModule, TypesAreThoseOfTheProblem) {
  GemmProblem problem{
      .m = 512, .n = 512, .k = 512, .a = DType::fp16, .b = DType::fp16, .d = DType::fp32};
  problem.epilogue.bias(DType::bf16).residual();
  OwningOpRef<ModuleOp> module = build(problem, "");
  EXPECT_EQ(text(module->lookupSymbol<tile::ProgramOp>("gemm").getFunctionType()),
            "(!tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, !tile.ptr<bf16>, !tile.ptr<f32>, "
            "i32, i32, i32, i64, i64, i64, i64) -> ()");
  // fp32 sums go to memory as they are.
  EXPECT_TRUE(all<mlir::arith::TruncFOp>(*module).empty());
}

TEST_F(GemmModule, ArgumentsAreNamedByRole) {
  GemmProblem problem = kLarge;
  problem.beta = 1;
  problem.epilogue.scaleRow().gelu().residual();
  OwningOpRef<ModuleOp> module = build(problem, "");
  auto program = module->lookupSymbol<tile::ProgramOp>("gemm");
  std::vector<GemmArgument> arguments = gemmArguments(problem);
  ASSERT_EQ(program.getNumArguments(), arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    EXPECT_EQ(program.argumentName(i), arguments[i].name);
}

TEST_F(GemmModule, NeutralFactorsEmitNothing) {
  OwningOpRef<ModuleOp> module = build(kLarge, "");
  EXPECT_TRUE(all<mlir::arith::MulFOp>(*module).empty());
  EXPECT_TRUE(all<tile::SplatOp>(*module).empty());
}

TEST_F(GemmModule, SplitMakesTwoLaunchesOverOneBuffer) {
  GemmProblem problem = kLarge;
  problem.epilogue.bias().gelu();
  OwningOpRef<ModuleOp> module = build(problem, "bm=128,bn=128,split=4");
  std::vector<tile::LaunchOp> launches = all<tile::LaunchOp>(*module);
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_EQ(launches[0].getKernel(), "gemm_partial");
  EXPECT_EQ(launches[1].getKernel(), "gemm_reduce");
  EXPECT_EQ(only<tile::BufferOp>(*module).getName(), "partials");
  // The epilogue is in the second kernel alone.
  EXPECT_TRUE(all<mlir::math::Exp2Op>(kernel(*module, "gemm_partial")).empty());
  tile::KernelOp reduce = kernel(*module, "gemm_reduce");
  EXPECT_EQ(all<mlir::math::Exp2Op>(reduce).size(), 1U);
  EXPECT_FALSE(reduce.getRolesAttr());
  EXPECT_EQ(reduce.ctaThreads(), 128);
  EXPECT_EQ(only<tile::RasterOp>(kernel(*module, "gemm_partial")).getTiles(),
            (llvm::ArrayRef<int64_t>{1, 128, 128}));
}

//===-- What cannot be built -----------------------------------------------------------------===//

struct Refusal {
  const char *name;
  GemmProblem problem;
  const char *config;
  StatusCode code;
  const char *message;
};

void PrintTo(const Refusal &refusal, std::ostream *out) { *out << refusal.name; }

GemmProblem change(void (*edit)(GemmProblem &)) {
  GemmProblem problem = kLarge;
  edit(problem);
  return problem;
}

class GemmRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(GemmRefusal, SaysWhatToDo) {
  mlir::MLIRContext context;
  const Refusal &refusal = GetParam();
  auto module = buildGemm(context, refusal.problem, *GemmConfig::parse(refusal.config), kDevice);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.status().code(), refusal.code);
  EXPECT_NE(module.status().message().find(refusal.message), std::string::npos)
      << module.status().message();
}

INSTANTIATE_TEST_SUITE_P(
    Gemm, GemmRefusal,
    testing::Values(Refusal{"Layout", change([](GemmProblem &p) { p.layout = GemmLayout::nn; }), "",
                            StatusCode::unsupported, "this version supports nt"},
                    Refusal{"InputType", change([](GemmProblem &p) { p.a = p.b = DType::e4m3; }),
                            "", StatusCode::unsupported, "both bf16 or both fp16"},
                    Refusal{"OutputType", change([](GemmProblem &p) { p.d = DType::e4m3; }), "",
                            StatusCode::unsupported, "bf16, fp16 and fp32"},
                    Refusal{"Batch", change([](GemmProblem &p) { p.batch = 2; }), "",
                            StatusCode::unsupported, "call it once for each matrix"},
                    Refusal{"Pitch", change([](GemmProblem &p) { p.lda = 4097; }), "",
                            StatusCode::unsupported, "pad rows to 4104"},
                    Refusal{"Epilogue", change([](GemmProblem &p) { p.epilogue.swiglu(); }), "",
                            StatusCode::unsupported, "swiglu is not built yet"},
                    Refusal{"Operand", change([](GemmProblem &p) { p.epilogue.bias(DType::int8); }),
                            "", StatusCode::unsupported, "epilogue operand bias is int8"},
                    Refusal{"Negative", change([](GemmProblem &p) { p.m = -4; }), "",
                            StatusCode::invalidArgument, "m is -4; a size is 0 or more"},
                    Refusal{"Config", kLarge, "bn=272", StatusCode::invalidArgument,
                            "breaks the rule 'range': bn is 272"},
                    Refusal{"SharedMemory", kLarge, "stages=8", StatusCode::invalidArgument,
                            "breaks the rule 'shared_memory': 8 stages of 49152"},
                    Refusal{"Store", change([](GemmProblem &p) { p.n = 301; }), "cluster=2x1",
                            StatusCode::invalidArgument, "use store direct"},
                    Refusal{"Split", change([](GemmProblem &p) { p.k = 64; }), "split=2",
                            StatusCode::invalidArgument,
                            "split 2 makes more slices than the 1 steps"}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i)
    updateGolden |= std::string_view(argv[i]) == "--update-golden";
  return RUN_ALL_TESTS();
}
