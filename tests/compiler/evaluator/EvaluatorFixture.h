// SPDX-License-Identifier: Apache-2.0
//
// What the evaluator's tests share: parsing module text, evaluating it, and numbers to feed it.

#pragma once

#include "compiler/evaluator/Evaluator.h"
#include "compiler/tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

class EvaluatorTest : public testing::Test {
protected:
  EvaluatorTest() {
    context_.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                         mlir::scf::SCFDialect>();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context_, "test.mlir");
    EXPECT_TRUE(module) << text;
    return module;
  }

  Expected<EvaluationResult> run(const std::string &text, const Bindings &bindings,
                                 const EvaluationOptions &options = {}) {
    auto module = parse(text);
    return module ? evaluate(*module, bindings, options) : Status::internal("no module");
  }

  /// The array of a run that must succeed.
  std::vector<double> array(const Expected<EvaluationResult> &result, const std::string &name) {
    EXPECT_TRUE(result) << result.status().toString();
    return result ? result->arrays.at(name) : std::vector<double>();
  }

  mlir::MLIRContext context_;
};

/// Numbers between -1 and 1 that bf16 holds exactly; the same for the same seed.
inline std::vector<double> exampleNumbers(int64_t count, uint32_t seed) {
  std::vector<double> numbers(count);
  uint32_t state = seed * 2654435761u + 12345u;
  for (double &number : numbers) {
    state = state * 1664525u + 1013904223u;
    number = (int(state >> 24) - 128) / 128.0;
  }
  return numbers;
}

/// The largest difference of two arrays, infinite if a number is missing or is no number.
inline double largestDifference(const std::vector<double> &a, const std::vector<double> &b) {
  if (a.size() != b.size())
    return HUGE_VAL;
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    double difference = a[i] == b[i] ? 0 : std::abs(a[i] - b[i]); // infinities may be equal
    if (!(difference <= largest))
      largest = std::isnan(difference) ? HUGE_VAL : difference;
  }
  return largest;
}

} // namespace tilewright
