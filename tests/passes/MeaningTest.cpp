// SPDX-License-Identifier: Apache-2.0
//
// Rewrites of the tile dialect keep the meaning: every kernel of their lit tests computes the same
// before and after, by the reference evaluator.

#include "compiler/Pipeline.h"
#include "compiler/Registration.h"
#include "compiler/evaluator/Evaluator.h"
#include "compiler/passes/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ostream>

namespace tilewright {
namespace {

/// Extents of the kernels' views: some of their tiles end outside.
constexpr int64_t kExtent = 200;
/// All other sizes: where tiles begin, how often loops run.
constexpr int64_t kSize = 64;

struct Rewrite {
  const char *name;
  const char *file; ///< under tests/
  std::function<void(mlir::OpPassManager &)> addPasses;
};

std::ostream &operator<<(std::ostream &os, const Rewrite &rewrite) { return os << rewrite.file; }

void inferLayouts(mlir::OpPassManager &module) {
  module.addNestedPass<tile::KernelOp>(createTileInferLayouts());
}
void splitEpilogue(mlir::OpPassManager &module) {
  module.addNestedPass<tile::KernelOp>(createTileSplitEpilogue());
}
void fuseMaps(mlir::OpPassManager &module) {
  module.addNestedPass<tile::KernelOp>(createTileFuseMaps());
}
void inferAndSplit(mlir::OpPassManager &module) {
  inferLayouts(module);
  splitEpilogue(module);
}
void inferSplitAndFuse(mlir::OpPassManager &module) {
  inferAndSplit(module);
  fuseMaps(module);
}

void assignRoles(mlir::OpPassManager &module) {
  module.addNestedPass<tile::KernelOp>(createTileAssignRoles());
}
void schedule(mlir::OpPassManager &module) {
  assignRoles(module);
  module.addNestedPass<tile::KernelOp>(createTilePlaceWaits());
  module.addNestedPass<tile::KernelOp>(createTileVerifyAsync());
}

const Rewrite kRewrites[] = {
    {"LayoutsOfADot", "passes/tile-infer-layouts.mlir", inferLayouts},
    {"LayoutsInRegions", "passes/tile-infer-layouts-regions.mlir", inferLayouts},
    {"LayoutsByClones", "passes/tile-infer-layouts-clone.mlir", inferLayouts},
    {"SplitChain", "passes/tile-split-epilogue.mlir", splitEpilogue},
    {"SplitStores", "passes/tile-split-epilogue-stores.mlir", splitEpilogue},
    {"SplitValues", "passes/tile-split-epilogue-values.mlir", splitEpilogue},
    {"FuseChain", "passes/tile-fuse-maps.mlir", fuseMaps},
    {"FuseBorders", "passes/tile-fuse-maps-split.mlir", fuseMaps},
    {"FuseMapsOfTheText", "passes/tile-fuse-maps-merge.mlir", fuseMaps},
    {"SplitAndFuseChain", "passes/tile-split-epilogue.mlir", inferSplitAndFuse},
    {"SplitAndFuseStores", "passes/tile-split-epilogue-stores.mlir", inferSplitAndFuse},
    {"SplitAndFuseValues", "passes/tile-split-epilogue-values.mlir", inferSplitAndFuse},
    {"FuseOnlineSoftmax", "passes/tile-infer-layouts-regions.mlir", inferSplitAndFuse},
    {"SplitGemm", "compiler/tile/gemm-program.mlir", inferAndSplit},
    {"FuseGemm", "compiler/tile/gemm-program.mlir", inferSplitAndFuse},
    {"Roles", "passes/tile-assign-roles.mlir", schedule},
    {"RolesAlike", "passes/tile-assign-roles-alike.mlir", assignRoles},
    {"RolesInBranches", "passes/tile-assign-roles-branch.mlir", schedule},
    {"RolesOfCarriedValues", "passes/tile-assign-roles-carried-values.mlir", schedule},
    {"RolesThatCompute", "passes/tile-assign-roles-consumers.mlir", schedule},
    {"RolesWithSkippableWork", "passes/tile-assign-roles-skippable.mlir", schedule},
    {"RolesOfSlots", "passes/tile-assign-roles-slots.mlir", schedule},
    {"RolesOfStages", "passes/tile-assign-roles-stages.mlir", schedule},
    {"ScheduleAttention", "passes/tile-place-waits-attention.mlir", schedule},
    {"ScheduleRotatedAttention", "passes/tile-place-waits-rotated.mlir", addSchedulePasses},
    {"ScheduleGemm", "compiler/tile/gemm-program.mlir", addSchedulePasses},
};

/// Memory, sizes and factors for the arguments of a program or kernel; its first i32 is the extent.
template <typename Function>
Bindings bind(Function function) {
  Bindings bindings;
  uint32_t state = 1;
  int64_t size = kExtent;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::string name = function.argumentName(index);
    if (llvm::isa<tile::PtrType>(type)) {
      std::vector<double> &numbers = bindings.arrays[name];
      numbers.resize(2 * kExtent * kExtent);
      for (double &number : numbers) {
        state = state * 1664525u + 1013904223u;
        number = (int(state >> 24) - 128) / 128.0;
      }
    } else if (type.isF32()) {
      bindings.scalars[name] = 0.5;
    } else if (type.isInteger(64)) {
      bindings.scalars[name] = kExtent;
    } else {
      bindings.scalars[name] = size;
      size = kSize;
    }
  }
  return bindings;
}

bool isSame(const std::vector<double> &a, const std::vector<double> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

class MeaningTest : public testing::TestWithParam<Rewrite> {
protected:
  MeaningTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context_.appendDialectRegistry(registry);
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse() {
    std::string path = std::string(TW_SOURCE_DIR "/tests/") + GetParam().file;
    return mlir::parseSourceFile<mlir::ModuleOp>(path, &context_);
  }

  /// Evaluates both on the same bindings.
  void compare(mlir::Operation *before, mlir::Operation *after, const Bindings &bindings) {
    Expected<EvaluationResult> expected = evaluate(before, bindings);
    Expected<EvaluationResult> found = evaluate(after, bindings);
    ASSERT_TRUE(expected) << expected.status().toString();
    ASSERT_TRUE(found) << found.status().toString();
    bool changes = false;
    for (const auto &[name, numbers] : expected->arrays) {
      EXPECT_TRUE(isSame(numbers, found->arrays.at(name))) << "array " << name;
      changes = changes || !isSame(numbers, bindings.arrays.at(name));
    }
    EXPECT_TRUE(changes) << "the kernel writes nothing: the test is empty";
  }

  mlir::MLIRContext context_;
};

TEST_P(MeaningTest, Stays) {
  mlir::OwningOpRef<mlir::ModuleOp> before = parse(), after = parse();
  ASSERT_TRUE(before && after);
  mlir::PassManager passes(&context_);
  GetParam().addPasses(passes);
  ASSERT_TRUE(mlir::succeeded(passes.run(*after)));

  auto programs = before->getOps<tile::ProgramOp>();
  if (!programs.empty())
    return compare(*before, *after, bind(*programs.begin()));
  for (tile::KernelOp kernel : before->getOps<tile::KernelOp>()) {
    if (kernel.getForm() != tile::Form::Program)
      continue; // parts of schedules, not whole ones
    SCOPED_TRACE(kernel.getSymName().str());
    compare(kernel, mlir::SymbolTable::lookupSymbolIn(*after, kernel.getSymNameAttr()),
            bind(kernel));
  }
}

INSTANTIATE_TEST_SUITE_P(Rewrites, MeaningTest, testing::ValuesIn(kRewrites),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace tilewright
