// SPDX-License-Identifier: Apache-2.0
//
// What the tests of compiled modules share: text to plan, and the numbers that a plan computes.

#pragma once

#include "compiler/Compiler.h"
#include "support/PlanCheck.h"
#include "support/PlanText.h"

#include <gtest/gtest.h>

namespace tilewright {

class PlanTest : public testing::Test {
protected:
  /// Compiles the text of a module.
  Expected<Plan> compile(const std::string &text) {
    auto module = parseModule(*context_, text, "test.mlir");
    return module ? compileToPlan(**module) : Expected<Plan>(module.status());
  }

  /// The failure to compile the text.
  Status failureOf(const std::string &text) {
    Expected<Plan> plan = compile(text);
    EXPECT_FALSE(plan) << "there is a plan";
    return plan.status();
  }

  /// The plan's argument of that name; the test fails if there is none.
  static const PlanArgument &argument(const Plan &plan, std::string_view name) {
    for (const PlanArgument &candidate : plan.arguments)
      if (candidate.name == name)
        return candidate;
    ADD_FAILURE() << "no argument " << name;
    static const PlanArgument none;
    return none;
  }

  static int64_t valueOf(const Expr &expr, const std::vector<int64_t> &arguments,
                         int32_t smCount = 132) {
    Expected<int64_t> value = expr.evaluate({arguments, smCount});
    EXPECT_TRUE(value) << value.status().toString();
    return value ? *value : -1;
  }

  /// Each of `exprs`, evaluated.
  static std::vector<int64_t> valuesOf(const std::vector<Expr> &exprs,
                                       const std::vector<int64_t> &arguments) {
    std::vector<int64_t> values;
    for (const Expr &expr : exprs)
      values.push_back(valueOf(expr, arguments));
    return values;
  }

  /// A plan survives being written and read, and is consistent.
  static void expectSound(const Plan &plan) {
    EXPECT_EQ(checkPlan(plan), Status::ok());
    Expected<std::string> text = planToText(plan);
    ASSERT_TRUE(text) << text.status().toString();
    Expected<Plan> back = planFromText(*text);
    ASSERT_TRUE(back) << back.status().toString();
    EXPECT_EQ(*back, plan);
  }

  std::unique_ptr<mlir::MLIRContext> context_ = makeCompilerContext();
};

} // namespace tilewright
