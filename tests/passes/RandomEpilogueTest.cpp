// SPDX-License-Identifier: Apache-2.0
//
// Epilogues that nobody wrote: random graphs of tile arithmetic with one or several stores go
// through the rewrites and must compute the same as before.

#include "compiler/Registration.h"
#include "compiler/evaluator/Evaluator.h"
#include "compiler/passes/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace tilewright {
namespace {

/// Extent of the views; tiles of 64 x 64 begin at 0 and at 40, so that some end outside.
constexpr int kExtent = 90;

/// Writes the text of one kernel over three arrays. The same seed gives the same kernel.
class KernelWriter {
public:
  explicit KernelWriter(uint32_t seed) : random_(seed) {}

  std::string write() {
    text_ = R"(
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xf32, #acc>
!row = tensor<64xf32, #tile.slice<1, #acc>>
!col = tensor<64xf32, #tile.slice<0, #acc>>
!mask = tensor<64x64xi1, #acc>
!matrix = !tile.view<?x?xf32>
!vector = !tile.view<?xf32>
tile.kernel @random(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %v: !tile.ptr<f32>, %m: i32, %ld: i64,
                    %alpha: f32) form = program threads = 128 {
  %A = tile.view %a [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %B = tile.view %b [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %C = tile.view %c [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %V = tile.view %v [%m] : !tile.ptr<f32> -> !vector
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c40 = arith.constant 40 : i32
  %zero = tile.zero : !t
)";
    // A value that is no elementwise work, as a dot's result is none.
    std::string loop = "scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %zero) -> (!t) : i32 {\n"
                       "    %one = tile.load %A[%c0, %c40] via direct : !matrix -> !t\n"
                       "    %next = arith.addf %s, %one : !t\n"
                       "    scf.yield %next : !t\n  }";
    matrices_ = {define(loop)};
    int stores = pick(3) + 1;
    for (int store = 0; store < stores; ++store) {
      int steps = pick(12) + 1;
      for (int step = 0; step < steps; ++step)
        matrices_.push_back(addMatrix());
      static const char *kSubtiles[] = {"", " subtile 16", " subtile 32", " subtile 32",
                                        " subtile 32"};
      text_ += "  tile.store " + matrices_.back() + ", %" + "BC"[store % 2] + "[%c0, " + offset() +
               "] via direct" + kSubtiles[pick(5)] + " : !t, !matrix\n";
    }
    return text_ + "}\n";
  }

private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  std::string offset() { return pick(2) ? "%c0" : "%c40"; }
  std::string matrix() { return matrices_[pick(static_cast<int>(matrices_.size()))]; }

  std::string define(const std::string &operation) {
    std::string name = "%x" + std::to_string(count_++);
    text_ += "  " + name + " = " + operation + "\n";
    return name;
  }

  /// A vector along the rows (dimension 1 removed) or along the columns.
  std::string addVector(bool rows) {
    std::string type = rows ? "!row" : "!col";
    std::string vector;
    switch (pick(3)) {
    case 0:
      vector = define("tile.splat %alpha : f32 -> " + type);
      break;
    case 1:
      vector = define((pick(2) ? "tile.reduce add " : "tile.reduce max ") + matrix() + " along " +
                      (rows ? "1" : "0") + " : !t -> " + type);
      break;
    default:
      vector = define("tile.load %V[" + offset() + "] via direct : !vector -> " + type);
    }
    return pick(2) ? define("math.absf " + vector + " : " + type) : vector;
  }

  std::string addMatrix() {
    switch (pick(11)) {
    case 0:
      return define("tile.splat %alpha : f32 -> !t");
    case 1:
      return define("arith.constant dense<0.25> : !t");
    case 2:
      return define(std::string("tile.load %") + (pick(8) ? 'A' : 'B') + "[" + offset() + ", " +
                    offset() + "] via direct : !matrix -> !t");
    case 3: {
      bool rows = pick(2);
      return define("tile.broadcast " + addVector(rows) + " along " +
                    (rows ? "1 : !row" : "0 : !col") + " -> !t");
    }
    case 4: {
      std::string row = define("tile.coord 0 offset " + offset() + " : tensor<64x64xi32, #acc>");
      std::string column = define("tile.coord 1 : tensor<64x64xi32, #acc>");
      std::string mask =
          define("arith.cmpi sle, " + column + ", " + row + " : tensor<64x64xi32, #acc>");
      return define("arith.select " + mask + ", " + matrix() + ", " + matrix() + " : !mask, !t");
    }
    case 5:
      return define("math.tanh " + matrix() + " : !t");
    case 6:
      return define("tile.map ins(" + matrix() + ", " + matrix() +
                    ") : !t, !t -> !t {\n"
                    "  ^bb0(%e: f32, %f: f32, %r: i32, %k: i32):\n"
                    "    %g = arith.sitofp %k : i32 to f32\n"
                    "    %h = math.fma %e, %f, %g : f32\n"
                    "    tile.yield %h : f32\n  }");
    case 7:
      return define("math.fma " + matrix() + ", " + matrix() + ", " + matrix() + " : !t");
    case 8: {
      std::string half = define("arith.truncf " + matrix() + " : !t to tensor<64x64xbf16, #acc>");
      return define("arith.extf " + half + " : tensor<64x64xbf16, #acc> to !t");
    }
    default:
      return define(std::string(pick(2) ? "arith.addf " : "arith.mulf ") + matrix() + ", " +
                    matrix() + " : !t");
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> matrices_;
  int count_ = 0;
};

class RandomEpilogueTest : public testing::Test {
protected:
  RandomEpilogueTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context_.appendDialectRegistry(registry);
    for (std::string name : {"arg0", "arg1", "arg2", "arg3"}) {
      std::vector<double> &numbers = bindings_.arrays[name];
      for (int i = 0; i < kExtent * kExtent; ++i)
        numbers.push_back((i * 37 + numbers.size() * 11 + name.back()) % 256 / 128.0 - 1.0);
    }
    bindings_.scalars = {{"arg4", int64_t{kExtent}}, {"arg5", int64_t{kExtent}}, {"arg6", 0.5}};
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
  }

  mlir::MLIRContext context_;
  Bindings bindings_;
};

TEST_F(RandomEpilogueTest, RewritesKeepTheMeaning) {
  constexpr int kKernels = 200;
  int rewritten = 0;
  for (int seed = 0; seed < kKernels; ++seed) {
    std::string text = KernelWriter(seed).write();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    auto before = parse(text), after = parse(text);
    ASSERT_TRUE(before && after);

    std::string errors;
    mlir::ScopedDiagnosticHandler handler(&context_,
                                          [&](mlir::Diagnostic &error) { errors += error.str(); });
    mlir::PassManager passes(&context_);
    passes.addNestedPass<tile::KernelOp>(createTileInferLayouts());
    passes.addNestedPass<tile::KernelOp>(createTileSplitEpilogue());
    passes.addNestedPass<tile::KernelOp>(createTileFuseMaps());
    if (mlir::failed(passes.run(*after))) {
      // The one reason that these kernels give: a load that stands before a store of another loop.
      ASSERT_NE(errors.find("is read slice by slice next to the store"), std::string::npos)
          << errors;
      continue;
    }
    ++rewritten;
    auto expected = evaluate(*before, bindings_), found = evaluate(*after, bindings_);
    ASSERT_TRUE(expected) << expected.status().toString();
    ASSERT_TRUE(found) << found.status().toString();
    ASSERT_EQ(expected->arrays, found->arrays);
  }
  EXPECT_GE(rewritten, kKernels / 2);
}

} // namespace
} // namespace tilewright
