// SPDX-License-Identifier: Apache-2.0
// The example of a user's own epilogue, against three plain loops.
#include "compiler/Compiler.h"
#include "compiler/evaluator/Evaluator.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

using namespace tilewright;

namespace {

struct Sizes {
  int64_t m, n, k, lda, ldb, ldd;
};

class QuickGelu : public testing::TestWithParam<Sizes> {
protected:
  QuickGelu() : context(makeCompilerContext()) {}

  void SetUp() override {
    const Sizes &s = GetParam();
    std::mt19937 random(7);
    // Numbers that bf16 holds.
    const auto numbers = [&](int64_t count, double scale) {
      std::vector<double> list(count);
      for (double &number : list)
        number = (static_cast<int>(random() % 257) - 128) / 128.0 * scale;
      return list;
    };
    bindings.arrays["a"] = numbers(s.m * s.lda, 1);
    bindings.arrays["b"] = numbers(s.n * s.ldb, 1);
    bindings.arrays["bias"] = numbers(s.n, 8);
    bindings.arrays["d"] = std::vector<double>(s.m * s.ldd, -12288);
    bindings.scalars = {{"m", s.m},     {"n", s.n},     {"k", s.k},
                        {"lda", s.lda}, {"ldb", s.ldb}, {"ldd", s.ldd}};
  }

  /// The example's text.
  static std::string text() {
    std::ifstream file(TW_SOURCE_DIR "/examples/quick_gelu_gemm.mlir");
    std::stringstream stream;
    stream << file.rdbuf();
    return stream.str();
  }

  /// D of a module's text, in exact arithmetic.
  std::vector<double> evaluateText(const std::string &text) {
    auto module = parseModule(*context, text, "quick_gelu_gemm.mlir");
    EXPECT_TRUE(module) << module.status().toString();
    if (!module)
      return {};
    const Expected<EvaluationResult> result = evaluate(**module, bindings, {.round = false});
    EXPECT_TRUE(result) << result.status().toString();
    return result ? result->arrays.at("d") : std::vector<double>();
  }

  std::vector<double> reference() const {
    const Sizes &s = GetParam();
    std::vector<double> d = bindings.arrays.at("d");
    for (int64_t i = 0; i < s.m; ++i)
      for (int64_t j = 0; j < s.n; ++j) {
        double y = bindings.arrays.at("bias")[j];
        for (int64_t l = 0; l < s.k; ++l)
          y += bindings.arrays.at("a")[i * s.lda + l] * bindings.arrays.at("b")[j * s.ldb + l];
        // The constants of the example are fp32.
        const double gated = y / (1 + std::exp(-static_cast<double>(1.702F) * y));
        d[i * s.ldd + j] = std::clamp(gated, -1.0, 6.0);
      }
    return d;
  }

  static void expectNear(const std::vector<double> &found, const std::vector<double> &expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], 1e-12) << "element " << i;
  }

  std::unique_ptr<mlir::MLIRContext> context;
  Bindings bindings;
};

TEST_P(QuickGelu, EvaluatesToPlainLoops) { expectNear(evaluateText(text()), reference()); }

TEST_P(QuickGelu, EvaluatesToPlainLoopsAfterScheduling) {
  auto module = parseModule(*context, text(), "quick_gelu_gemm.mlir");
  ASSERT_TRUE(module);
  const Expected<std::string> scheduled = printStage(**module, Stage::scheduled);
  ASSERT_TRUE(scheduled) << scheduled.status().toString();
  expectNear(evaluateText(*scheduled), reference());
}

INSTANTIATE_TEST_SUITE_P(Sizes, QuickGelu,
                         testing::Values(Sizes{200, 136, 72, 72, 72, 136},
                                         Sizes{128, 256, 64, 64, 64, 256},
                                         Sizes{1, 8, 8, 16, 24, 32},
                                         Sizes{130, 264, 136, 136, 144, 272},
                                         Sizes{16, 16, 0, 8, 8, 16}));

} // namespace
