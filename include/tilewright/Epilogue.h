// SPDX-License-Identifier: Apache-2.0
//
// Epilogue: what happens to the fp32 result of a GEMM before it is stored, as an ordered list
// of named ops. The same list, with the same names, is used in C++, C, Python, the command line
// and the suites. Plain values; safe to copy between threads.

#pragma once

#include "tilewright/DType.h"
#include "tilewright/Status.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// One epilogue operation. x is the value so far, (i, j) its row and column in D.
enum class EpilogueKind : uint8_t {
  bias,       ///< x + bias[j]
  biasRow,    ///< x + bias_row[i]
  relu,       ///< max(x, 0)
  gelu,       ///< GELU in its tanh form
  geluErf,    ///< GELU in its exact (erf) form
  silu,       ///< x * sigmoid(x)
  swiglu,     ///< silu(x[2j]) * x[2j+1]: halves the columns
  geglu,      ///< gelu(x[2j]) * x[2j+1]: halves the columns
  residual,   ///< x + residual[i, j]
  gate,       ///< x * gate[i, j]
  scaleRow,   ///< x * scale_row[i]
  scaleCol,   ///< x * scale_col[j]
  accumulate, ///< x + D[i, j] as it was before the launch
};

/// The shape of the operand that an epilogue op reads besides x.
enum class EpilogueOperand : uint8_t {
  none,
  rowVector,    ///< one value for each row of D (length M)
  columnVector, ///< one value for each column of D (length N)
  matrix,       ///< one value for each element of D, row-major
};

/// One row of the table of epilogue ops.
struct EpilogueInfo {
  EpilogueKind kind;
  /// The op in lists, and the role under which its operand is bound.
  std::string_view name;
  EpilogueOperand operand;
  /// Whether this version generates it.
  bool supported;
};

/// Every epilogue op, in the order of the enum.
inline constexpr std::array<EpilogueInfo, 13> kEpilogueOps = {{
    {EpilogueKind::bias, "bias", EpilogueOperand::columnVector, true},
    {EpilogueKind::biasRow, "bias_row", EpilogueOperand::rowVector, true},
    {EpilogueKind::relu, "relu", EpilogueOperand::none, true},
    {EpilogueKind::gelu, "gelu", EpilogueOperand::none, true},
    {EpilogueKind::geluErf, "gelu_erf", EpilogueOperand::none, true},
    {EpilogueKind::silu, "silu", EpilogueOperand::none, true},
    {EpilogueKind::swiglu, "swiglu", EpilogueOperand::none, false},
    {EpilogueKind::geglu, "geglu", EpilogueOperand::none, false},
    {EpilogueKind::residual, "residual", EpilogueOperand::matrix, true},
    {EpilogueKind::gate, "gate", EpilogueOperand::matrix, false},
    {EpilogueKind::scaleRow, "scale_row", EpilogueOperand::rowVector, true},
    {EpilogueKind::scaleCol, "scale_col", EpilogueOperand::columnVector, true},
    {EpilogueKind::accumulate, "accumulate", EpilogueOperand::none, false},
}};

/// The row of `kind`.
constexpr const EpilogueInfo &epilogueInfo(EpilogueKind kind) {
  return kEpilogueOps[static_cast<size_t>(kind)];
}

/// One entry of an epilogue: the op, and what is particular about its operand.
struct EpilogueOp {
  EpilogueKind kind = EpilogueKind::bias;
  /// Element type of the operand; unset: fp32 for scales, else the type of D.
  std::optional<DType> dtype = std::nullopt;
  /// Elements from one row of a matrix operand to the next; 0: tight.
  int64_t ld = 0;

  /// The name in lists and of the operand's role: "bias_row".
  [[nodiscard]] std::string_view name() const { return epilogueInfo(kind).name; }
  [[nodiscard]] EpilogueOperand operand() const { return epilogueInfo(kind).operand; }
  [[nodiscard]] bool hasOperand() const { return operand() != EpilogueOperand::none; }

  /// The operand's element type for a result of type `d`.
  [[nodiscard]] DType operandType(DType d) const {
    bool isScale = kind == EpilogueKind::scaleRow || kind == EpilogueKind::scaleCol;
    return dtype.value_or(isScale ? DType::fp32 : d);
  }

  friend bool operator==(const EpilogueOp &, const EpilogueOp &) = default;
};

/// An ordered list of epilogue ops, built fluently:
///
///   problem.epilogue.bias().gelu().residual();
///
/// or from text with parse("bias,gelu,residual"). Ops apply in list order, after alpha and beta.
class Epilogue {
public:
  using Type = std::optional<DType>;

  Epilogue &bias(Type type = {}) { return add({EpilogueKind::bias, type}); }
  Epilogue &biasRow(Type type = {}) { return add({EpilogueKind::biasRow, type}); }
  Epilogue &relu() { return add({EpilogueKind::relu}); }
  Epilogue &gelu() { return add({EpilogueKind::gelu}); }
  Epilogue &geluErf() { return add({EpilogueKind::geluErf}); }
  Epilogue &silu() { return add({EpilogueKind::silu}); }
  Epilogue &swiglu() { return add({EpilogueKind::swiglu}); }
  Epilogue &geglu() { return add({EpilogueKind::geglu}); }
  Epilogue &residual(Type type = {}, int64_t ld = 0) {
    return add({EpilogueKind::residual, type, ld});
  }
  Epilogue &gate(Type type = {}, int64_t ld = 0) { return add({EpilogueKind::gate, type, ld}); }
  Epilogue &scaleRow(Type type = {}) { return add({EpilogueKind::scaleRow, type}); }
  Epilogue &scaleCol(Type type = {}) { return add({EpilogueKind::scaleCol, type}); }
  Epilogue &accumulate() { return add({EpilogueKind::accumulate}); }

  /// Appends any op.
  Epilogue &add(EpilogueOp op) {
    ops_.push_back(op);
    return *this;
  }

  [[nodiscard]] const std::vector<EpilogueOp> &ops() const { return ops_; }
  [[nodiscard]] bool empty() const { return ops_.empty(); }
  /// Whether an op of this kind is in the list.
  [[nodiscard]] bool has(EpilogueKind kind) const {
    for (const EpilogueOp &op : ops_)
      if (op.kind == kind)
        return true;
    return false;
  }

  /// The list as text: ops joined by ','; an operand's type and pitch follow where they are set:
  /// "bias:fp32,gelu,residual:bf16:ld8192". parse() reads it back to an equal list.
  [[nodiscard]] std::string toString() const;

  /// Reads a list; empty text is the empty list. invalidArgument names the faulty entry.
  static Expected<Epilogue> parse(std::string_view text);

  friend bool operator==(const Epilogue &, const Epilogue &) = default;

private:
  static Expected<EpilogueOp> parseOp(std::string_view text);

  std::vector<EpilogueOp> ops_;
};

inline std::string Epilogue::toString() const {
  std::string text;
  for (const EpilogueOp &op : ops_) {
    text += (text.empty() ? "" : ",") + std::string(op.name());
    if (op.dtype)
      text += ":" + std::string(dtypeName(*op.dtype));
    if (op.ld != 0)
      text += ":ld" + std::to_string(op.ld);
  }
  return text;
}

inline Expected<EpilogueOp> Epilogue::parseOp(std::string_view text) {
  std::string_view name = text.substr(0, text.find(':'));
  const EpilogueInfo *info = nullptr;
  std::string known;
  for (const EpilogueInfo &candidate : kEpilogueOps) {
    if (candidate.name == name)
      info = &candidate;
    known += (known.empty() ? "" : ", ") + std::string(candidate.name);
  }
  if (!info)
    return Status::invalidArgument("epilogue: '" + std::string(name) + "' is no op; use " + known);

  EpilogueOp op{info->kind};
  size_t position = name.size();
  while (position < text.size()) {
    std::string_view suffix = text.substr(position + 1);
    suffix = suffix.substr(0, suffix.find(':'));
    position += 1 + suffix.size();
    if (!op.hasOperand())
      return Status::invalidArgument("epilogue: '" + std::string(text) + "': " + std::string(name) +
                                     " reads no operand, so it takes no ':'");
    if (suffix.substr(0, 2) == "ld") {
      const char *end = suffix.data() + suffix.size();
      auto [rest, error] = std::from_chars(suffix.data() + 2, end, op.ld);
      if (error != std::errc() || rest != end || op.ld <= 0)
        return Status::invalidArgument("epilogue: '" + std::string(suffix) + "' in '" +
                                       std::string(text) + "': ld takes a positive number");
      continue;
    }
    Expected<DType> type = parseDType(suffix);
    if (!type)
      return type.status().withContext("epilogue: '" + std::string(text) + "'");
    op.dtype = *type;
  }
  return op;
}

inline Expected<Epilogue> Epilogue::parse(std::string_view text) {
  Epilogue epilogue;
  if (text.empty())
    return epilogue;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    Expected<EpilogueOp> op = parseOp(text.substr(begin, end - begin));
    if (!op)
      return op.status();
    epilogue.add(*op);
    begin = end + 1;
  }
  return epilogue;
}

} // namespace tilewright
