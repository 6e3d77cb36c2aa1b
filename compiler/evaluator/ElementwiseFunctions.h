// SPDX-License-Identifier: Apache-2.0
//
// What each `arith` and `math` op computes from single numbers. Pure functions; thread-safe.

#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <variant>

namespace tilewright::evaluator {

/// Functions of the table, by the kinds of their operands and result. Integer functions get the
/// width of their type, and results are wrapped to it afterwards.
using Float1 = double (*)(double);
using Float2 = double (*)(double, double);
using Float3 = double (*)(double, double, double);
using Int1 = int64_t (*)(int64_t);
using Int2 = int64_t (*)(int64_t, int64_t, unsigned width);
using Function = std::variant<Float1, Float2, Float3, Int1, Int2>;

/// Every op that is one function of its operands, by its name.
const llvm::StringMap<Function> &elementwiseFunctions();

/// The low `width` bits of a number, which is its unsigned reading.
uint64_t unsignedOf(int64_t number, unsigned width);

/// `arith.cmpi` on integers of `width` bits.
bool compareInts(mlir::arith::CmpIPredicate predicate, int64_t a, int64_t b, unsigned width);

/// `arith.cmpf`.
bool compareFloats(mlir::arith::CmpFPredicate predicate, double a, double b);

} // namespace tilewright::evaluator
