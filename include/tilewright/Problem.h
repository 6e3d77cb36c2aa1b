// SPDX-License-Identifier: Apache-2.0
//
// GemmProblem: what a caller asks for, free of every choice of schedule.
// A plain value; safe to copy between threads.

#pragma once

#include "tilewright/DType.h"
#include "tilewright/Epilogue.h"
#include "tilewright/Status.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

/// How A and B lie in memory; the first letter is A's, the second B's. Storage is row-major:
/// n is A[M, K] and B[K, N], t is the transposed storage A[K, M] and B[N, K].
enum class GemmLayout : uint8_t {
  nt, ///< A[M, K], B[N, K]: the usual layout of a weight
  nn, ///< A[M, K], B[K, N]
  tn, ///< A[K, M], B[K, N]
  tt, ///< A[K, M], B[N, K]
};

/// The spelling in flags and suites: "nt".
constexpr std::string_view layoutName(GemmLayout layout) {
  constexpr std::array<std::string_view, 4> kNames = {"nt", "nn", "tn", "tt"};
  return kNames[static_cast<size_t>(layout)];
}

/// The layout of the given name; invalidArgument when there is none.
inline Expected<GemmLayout> parseLayout(std::string_view name) {
  for (GemmLayout layout : {GemmLayout::nt, GemmLayout::nn, GemmLayout::tn, GemmLayout::tt})
    if (layoutName(layout) == name)
      return layout;
  return Status::invalidArgument("'" + std::string(name) +
                                 "' is no layout; use nt, nn, tn or tt (first letter A, second B)");
}

/// D[M, N] = epilogue(alpha * A·B + beta * C), with sums in fp32. Fill in what differs from the
/// defaults and add the epilogue:
///
///   GemmProblem p{.m = 4096, .n = 6144, .k = 4096, .a = DType::bf16, .b = DType::bf16};
///   p.epilogue.bias().gelu();
///   if (Status status = p.validate(); !status.isOk()) …
///
/// m = 0 or n = 0 asks for nothing and succeeds; k = 0 gives the epilogue of zero.
struct GemmProblem {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  DType a = DType::bf16;
  DType b = DType::bf16;
  /// Type of C; unset: the type of D. C is read only when beta is not 0.
  std::optional<DType> c = std::nullopt;
  DType d = DType::bf16;
  GemmLayout layout = GemmLayout::nt;
  float alpha = 1.0F;
  float beta = 0.0F;
  int64_t batch = 1;
  /// Elements from one stored row to the next; 0: tight.
  int64_t lda = 0;
  int64_t ldb = 0;
  int64_t ldc = 0;
  int64_t ldd = 0;
  Epilogue epilogue = {};

  /// Columns of A's stored rows: the contiguous extent.
  [[nodiscard]] int64_t contiguousA() const { return isTransposedA() ? m : k; }
  /// Columns of B's stored rows.
  [[nodiscard]] int64_t contiguousB() const { return isTransposedB() ? k : n; }
  [[nodiscard]] bool isTransposedA() const {
    return layout == GemmLayout::tn || layout == GemmLayout::tt;
  }
  [[nodiscard]] bool isTransposedB() const {
    return layout == GemmLayout::nt || layout == GemmLayout::tt;
  }

  /// Leading dimensions with 0 resolved to the tight pitch.
  [[nodiscard]] int64_t pitchA() const { return lda != 0 ? lda : contiguousA(); }
  [[nodiscard]] int64_t pitchB() const { return ldb != 0 ? ldb : contiguousB(); }
  [[nodiscard]] int64_t pitchC() const { return ldc != 0 ? ldc : n; }
  [[nodiscard]] int64_t pitchD() const { return ldd != 0 ? ldd : n; }

  [[nodiscard]] DType typeC() const { return c.value_or(d); }
  /// Whether the kernel reads C.
  [[nodiscard]] bool usesC() const { return beta != 0.0F; }
  /// Whether the kernel multiplies by alpha.
  [[nodiscard]] bool usesAlpha() const { return alpha != 1.0F; }

  /// 2·M·N·K·batch.
  [[nodiscard]] double flops() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) *
           static_cast<double>(batch);
  }

  /// Whether the problem makes sense by itself: invalidArgument names the field, its value and
  /// the rule.
  [[nodiscard]] Status checkWellFormed() const;
  /// Whether this version builds it: unsupported says what it does support.
  /// Expects a well-formed problem.
  [[nodiscard]] Status checkSupported() const;
  /// Both checks, the first failure.
  [[nodiscard]] Status validate() const {
    Status status = checkWellFormed();
    return status.isOk() ? checkSupported() : status;
  }

  friend bool operator==(const GemmProblem &, const GemmProblem &) = default;
};

inline Status GemmProblem::checkWellFormed() const {
  struct Named {
    std::string_view name;
    int64_t value;
  };
  constexpr int64_t kMaxSize = std::numeric_limits<int32_t>::max();
  for (auto [name, value] : {Named{"m", m}, Named{"n", n}, Named{"k", k}}) {
    if (value < 0)
      return Status::invalidArgument(std::string(name) + " is " + std::to_string(value) +
                                     "; a size is 0 or more");
    if (value > kMaxSize)
      return Status::invalidArgument(std::string(name) + " is " + std::to_string(value) +
                                     "; a size is below 2^31, split the problem");
  }
  if (batch < 1)
    return Status::invalidArgument("batch is " + std::to_string(batch) + "; it is 1 or more");

  struct Pitch {
    std::string_view name;
    int64_t value;
    int64_t tight;
  };
  for (auto [name, value, tight] :
       {Pitch{"lda", lda, contiguousA()}, Pitch{"ldb", ldb, contiguousB()}, Pitch{"ldc", ldc, n},
        Pitch{"ldd", ldd, n}}) {
    if (value != 0 && (value < tight || value > kMaxSize))
      return Status::invalidArgument(std::string(name) + " is " + std::to_string(value) +
                                     "; it is 0 (tight) or from the row length " +
                                     std::to_string(tight) + " to 2^31 - 1");
  }

  if (!std::isfinite(alpha))
    return Status::invalidArgument("alpha is not finite; pass a finite factor");
  if (!std::isfinite(beta))
    return Status::invalidArgument("beta is not finite; pass a finite factor");
  if (dtypeInfo(a).isFloat != dtypeInfo(b).isFloat)
    return Status::invalidArgument("a is " + std::string(dtypeName(a)) + " and b is " +
                                   std::string(dtypeName(b)) +
                                   "; both are floating point or both are integers");

  const std::vector<EpilogueOp> &ops = epilogue.ops();
  for (size_t i = 0; i < ops.size(); ++i) {
    std::string where =
        "epilogue op " + std::to_string(i) + " (" + std::string(ops[i].name()) + ")";
    for (size_t earlier = 0; earlier < i; ++earlier)
      if (ops[i].hasOperand() && ops[earlier].kind == ops[i].kind)
        return Status::invalidArgument(where + " repeats op " + std::to_string(earlier) +
                                       "; an op that reads an operand may appear once");
    bool isMatrix = ops[i].operand() == EpilogueOperand::matrix;
    if (ops[i].ld != 0 && (!isMatrix || ops[i].ld < n || ops[i].ld > kMaxSize))
      return Status::invalidArgument(
          where + " has ld " + std::to_string(ops[i].ld) +
          (isMatrix ? "; it is 0 (tight) or from n = " + std::to_string(n) + " to 2^31 - 1"
                    : "; only a matrix operand has one"));
    if (ops[i].dtype && !ops[i].hasOperand())
      return Status::invalidArgument(where + " has an operand type but reads no operand");
    bool isPaired = ops[i].kind == EpilogueKind::swiglu || ops[i].kind == EpilogueKind::geglu;
    if (isPaired && n % 2 != 0)
      return Status::invalidArgument(where + " joins pairs of columns; n is " + std::to_string(n) +
                                     ", make it even");
  }
  return Status::ok();
}

inline Status GemmProblem::checkSupported() const {
  auto isHalf = [](DType type) { return type == DType::bf16 || type == DType::fp16; };
  auto isOutput = [&](DType type) { return isHalf(type) || type == DType::fp32; };
  if (layout != GemmLayout::nt)
    return Status::unsupported("layout is " + std::string(layoutName(layout)) +
                               "; this version supports nt (A[M, K], B[N, K])");
  if (a != b || !isHalf(a))
    return Status::unsupported("a is " + std::string(dtypeName(a)) + " and b is " +
                               std::string(dtypeName(b)) +
                               "; this version supports both bf16 or both fp16");
  if (!isOutput(d))
    return Status::unsupported("d is " + std::string(dtypeName(d)) +
                               "; this version supports bf16, fp16 and fp32");
  if (usesC() && !isOutput(typeC()))
    return Status::unsupported("c is " + std::string(dtypeName(typeC())) +
                               "; this version supports bf16, fp16 and fp32");
  if (batch != 1)
    return Status::unsupported("batch is " + std::to_string(batch) +
                               "; this version supports 1, call it once for each matrix");

  // NOTE: TMA steps between rows in multiples of 16 bytes, and a bulk copy is the only way in
  // which this version reads A and B.
  struct Pitch {
    std::string_view name;
    int64_t value;
  };
  const int64_t unit = 16 / dtypeBytes(a);
  for (auto [name, value] : {Pitch{"lda", pitchA()}, Pitch{"ldb", pitchB()}})
    if (value % unit != 0)
      return Status::unsupported(std::string(name) + " is " + std::to_string(value) +
                                 " elements; this version needs a multiple of " +
                                 std::to_string(unit) + " (16 bytes), pad rows to " +
                                 std::to_string((value / unit + 1) * unit));

  std::string supported;
  for (const EpilogueInfo &info : kEpilogueOps)
    if (info.supported)
      supported += (supported.empty() ? "" : ", ") + std::string(info.name);
  for (const EpilogueOp &op : epilogue.ops()) {
    if (!epilogueInfo(op.kind).supported)
      return Status::unsupported("epilogue op " + std::string(op.name()) +
                                 " is not built yet; this version supports " + supported);
    if (op.hasOperand() && !isOutput(op.operandType(d)))
      return Status::unsupported("epilogue operand " + std::string(op.name()) + " is " +
                                 std::string(dtypeName(op.operandType(d))) +
                                 "; this version supports bf16, fp16 and fp32");
  }
  return Status::ok();
}

} // namespace tilewright
