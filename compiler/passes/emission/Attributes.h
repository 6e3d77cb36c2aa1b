// SPDX-License-Identifier: Apache-2.0
//
// The discardable attributes that the emission passes and the printer (compiler/EmitCuda.h) speak.
// Upstream tools ignore them: the module stays plain EmitC.

#pragma once

#include "llvm/ADT/StringRef.h"

namespace tilewright::emission {

/// On scf.for and emitc.for: unit = `#pragma unroll`, an i32 = `#pragma unroll N`.
inline constexpr llvm::StringLiteral kUnroll = "tw.unroll";
/// On arith.ceildivsi, unit: the dividend is not negative. sm90-to-emitc sets it itself where the
/// dividend is a parameter of the kernel: a size.
inline constexpr llvm::StringLiteral kNotNegative = "tw.not_negative";
/// On emitc.call_opaque, unit: calling it has no effect and its value depends on nothing but its
/// operands.
inline constexpr llvm::StringLiteral kPure = "tw.pure";
/// On emitc.call_opaque, string: a name for the result if nobody gave it one.
inline constexpr llvm::StringLiteral kHint = "tw.hint";
/// Written by emitc-prepare, unit: the value has no variable, it is printed where it is used.
inline constexpr llvm::StringLiteral kInline = "tw.inline";
/// Written by emitc-prepare, string: the name of the variable; on emitc.for that of its counter, on
/// an argument of emitc.func that of the parameter.
inline constexpr llvm::StringLiteral kName = "tw.name";
/// On emitc.func, strings: the headers that it includes, sorted.
inline constexpr llvm::StringLiteral kIncludes = "tw.includes";
/// On emitc.func, dictionaries {name, value}: its named constants in the order of their first use.
inline constexpr llvm::StringLiteral kConstants = "tw.constants";
/// On emitc.func: facts of the launch, as on sm90.kernel.
inline constexpr llvm::StringLiteral kThreads = "tw.threads";
inline constexpr llvm::StringLiteral kCluster = "tw.cluster";
inline constexpr llvm::StringLiteral kSharedBytes = "tw.shared_bytes";

} // namespace tilewright::emission
