// SPDX-License-Identifier: Apache-2.0
// What the ops promise about the device library holds: each calls a function that its header has,
// with arguments that the function takes. The ops are those of the lit tests beside this file.
#include "compiler/EmitCuda.h"
#include "compiler/Registration.h"
#include "compiler/device/DeviceHeaders.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/emission/Attributes.h"
#include "compiler/sm90/Sm90Ops.h"
#include "tests/compiler/device/DeviceCompile.h"
#include "tests/compiler/device/HeaderText.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace tilewright;

namespace {

constexpr const char *kFiles[] = {"barriers", "fragments", "global", "kernel", "launch",
                                  "shared",   "tma",       "warp",   "wgmma"};

class DeviceCalls : public testing::Test {
protected:
  DeviceCalls() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &name) {
    const std::string path = TW_SOURCE_DIR "/tests/compiler/sm90/" + name + ".mlir";
    return mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  }

  mlir::LogicalResult run(mlir::ModuleOp module, std::unique_ptr<mlir::Pass> pass) {
    mlir::PassManager passes(&context);
    passes.addPass(std::move(pass));
    return passes.run(module);
  }

  mlir::MLIRContext context;
};

// The functions of a header and of those that it includes.
void addFunctions(const std::string &header, std::set<std::string> &functions) {
  const std::optional<DeviceHeader> found = findDeviceHeader(header);
  ASSERT_TRUE(found) << header;
  functions.merge(functionNames(found->text));
  const std::string text(found->text);
  const std::string include = "#include \"";
  for (size_t at = text.find(include); at != text.npos; at = text.find(include, at + 1)) {
    const size_t begin = at + include.size();
    addFunctions(text.substr(begin, text.find('"', begin) - begin), functions);
  }
}

TEST_F(DeviceCalls, EveryOpNamesAFunctionOfItsHeader) {
  std::set<std::string> untested;
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations())
    if (op.hasInterface<sm90::DeviceCallOpInterface>())
      untested.insert(op.getStringRef().str());
  EXPECT_GT(untested.size(), 80u);
  for (const char *file : kFiles) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(file);
    ASSERT_TRUE(module) << file;
    module->walk([&](sm90::DeviceCallOpInterface op) {
      untested.erase(op->getName().getStringRef().str());
      std::set<std::string> functions;
      addFunctions(op.getDeviceHeader(), functions);
      EXPECT_TRUE(op.getDeviceFunction().starts_with("tw::"));
      EXPECT_TRUE(functions.contains(op.getDeviceFunction().drop_front(4).str()))
          << op->getName().getStringRef().str() << " calls " << op.getDeviceFunction().str()
          << ", which " << op.getDeviceHeader() << " does not have";
    });
  }
  EXPECT_TRUE(untested.empty()) << "no kernel of this folder has " << *untested.begin();
}

TEST_F(DeviceCalls, EveryOpIsPureOrKeepsItsPlace) {
  size_t ordered = 0;
  for (const char *file : kFiles) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(file);
    ASSERT_TRUE(module) << file;
    module->walk([&](mlir::MemoryEffectOpInterface op) {
      if (op->getName().getDialectNamespace() != "sm90" || mlir::isPure(op))
        return;
      ++ordered;
      mlir::SmallVector<mlir::MemoryEffects::EffectInstance> effects;
      op.getEffects(effects);
      EXPECT_TRUE(llvm::any_of(effects, [](const mlir::MemoryEffects::EffectInstance &effect) {
        return mlir::isa<mlir::MemoryEffects::Write>(effect.getEffect()) &&
               mlir::isa<sm90::SyncResource>(effect.getResource());
      })) << op->getName().getStringRef().str();
    });
  }
  EXPECT_GT(ordered, 60u);
}

TEST_F(DeviceCalls, EveryCallCompiles) {
  for (const char *file : kFiles) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(file);
    ASSERT_TRUE(module) << file;
    ASSERT_TRUE(mlir::succeeded(run(*module, createSm90ToEmitc()))) << file;
    // Calls whose results nobody uses must stay: they are what is tested.
    module->walk([](mlir::emitc::CallOpaqueOp call) { call->removeAttr(emission::kPure); });
    ASSERT_TRUE(mlir::succeeded(run(*module, createEmitcPrepare()))) << file;
    const mlir::FailureOr<std::vector<PlanKernel>> kernels = emitCuda(*module);
    ASSERT_TRUE(mlir::succeeded(kernels)) << file;
    ASSERT_EQ(kernels->size(), 1u);
    const PlanKernel &kernel = kernels->front();
    EXPECT_FALSE(compileDevice(kernel.text).kernels.empty()) << kernel.text;
    EXPECT_TRUE(compilesOnHost(kernel.text)) << kernel.text;
  }
}

TEST_F(DeviceCalls, KernelFactsReachThePlan) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse("kernel");
  ASSERT_TRUE(module);
  ASSERT_TRUE(mlir::succeeded(run(*module, createSm90ToEmitc())));
  ASSERT_TRUE(mlir::succeeded(run(*module, createEmitcPrepare())));
  const mlir::FailureOr<std::vector<PlanKernel>> kernels = emitCuda(*module);
  ASSERT_TRUE(mlir::succeeded(kernels));
  const PlanKernel &kernel = kernels->front();
  EXPECT_EQ(kernel.entry, "kernel");
  EXPECT_EQ(kernel.threads, 384);
  EXPECT_EQ(kernel.cluster, (std::array<int32_t, 3>{2, 1, 1}));
  EXPECT_EQ(kernel.sharedBytes, 200704);
  EXPECT_EQ(kernel.headers, std::vector<std::string>{"tilewright/types.cuh"});
}

TEST_F(DeviceCalls, WholeKernelCompiles) {
  const std::string text = readInput("../../sm90/Inputs/gemm.cu.golden");
  ASSERT_FALSE(text.empty());
  const NvrtcOutput output = compileDevice(text);
  ASSERT_EQ(output.kernels.size(), 1u) << output.log;
  EXPECT_TRUE(rejections(output.kernels, output.advisories).empty()) << output.log;
  EXPECT_TRUE(compilesOnHost(text));
}

} // namespace
