// SPDX-License-Identifier: Apache-2.0
//
// The text form of Expr: infix, as a person would write it. Pure functions, safe from any thread.

#pragma once

#include "tilewright/Expr.h"
#include "tilewright/Plan.h"

#include <span>
#include <string>
#include <string_view>

namespace tilewright {

/// `expr` as text over the names of `arguments`: "ceildiv(m, 128) * min(sm_count, 4)". Operators
/// are + - * with their usual precedence; functions are ceildiv, floordiv, mod, min and max;
/// sm_count is the device's. Parentheses stand exactly where the tree needs them.
/// Every argument that `expr` reads must be in `arguments`.
std::string printExpr(const Expr &expr, std::span<const PlanArgument> arguments);

/// Reads what printExpr wrote back to an equal expression. invalidArgument shows the position and
/// what was expected there.
Expected<Expr> parseExpr(std::string_view text, std::span<const PlanArgument> arguments);

/// Whether `name` can stand for an argument in an expression: a letter or '_', then letters,
/// digits and '_', and none of the words that expressions use themselves.
bool isExprName(std::string_view name);

} // namespace tilewright
