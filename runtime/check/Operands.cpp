// SPDX-License-Identifier: Apache-2.0
#include "runtime/check/Operands.h"

#include "runtime/check/InParallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

namespace tilewright {

namespace {

constexpr size_t kQuantiles = 65536;

/// The quantiles of N(0, 1) at (i + 1/2) / 65536: 16 random bits make a normal number.
std::vector<double> normalQuantiles() {
  std::vector<double> table(kQuantiles);
  double z = 0;
  for (size_t i = kQuantiles / 2; i < kQuantiles; ++i) {
    const double wanted = (static_cast<double>(i) + 0.5) / kQuantiles;
    // Newton's method, from the neighbour. Of the tail, so that nothing cancels at its end.
    for (int step = 0; step < 6; ++step) {
      const double tail = std::erfc(z / std::numbers::sqrt2) / 2;
      const double density = std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
      z += (tail - (1 - wanted)) / density;
    }
    table[i] = z;
    table[kQuantiles - 1 - i] = -z;
  }
  return table;
}

/// The quantiles as memory of an element type.
class NormalElements {
public:
  /// Made once for each type: that takes some milliseconds.
  static const NormalElements &of(DType type) {
    static const std::vector<double> kTable = normalQuantiles();
    static const NormalElements kBf16(DType::bf16, kTable), kFp16(DType::fp16, kTable),
        kFp32(DType::fp32, kTable);
    return type == DType::bf16 ? kBf16 : type == DType::fp16 ? kFp16 : kFp32;
  }
  void copy(size_t index, uint8_t *to) const { std::memcpy(to, &bytes_[index * size_], size_); }

private:
  NormalElements(DType type, const std::vector<double> &table)
      : size_(static_cast<size_t>(dtypeBytes(type))) {
    bytes_.resize(kQuantiles * size_);
    for (size_t i = 0; i < kQuantiles; ++i)
      encodeElement(type, table[i], &bytes_[i * size_]);
  }

  size_t size_;
  std::vector<uint8_t> bytes_;
};

/// One round of splitmix64: well mixed bits of a counter.
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

uint64_t streamOf(std::string_view role, uint64_t seed) {
  uint64_t stream = mix(seed);
  for (char letter : role)
    stream = mix(stream ^ static_cast<unsigned char>(letter));
  return stream;
}

} // namespace

size_t GemmOperand::bytes() const {
  return rows == 0 || columns == 0
             ? 0
             : static_cast<size_t>(((rows - 1) * pitch + columns) * dtypeBytes(type));
}

std::vector<GemmOperand> gemmOperands(const GemmProblem &problem) {
  const int64_t m = problem.m, n = problem.n, k = problem.k;
  std::vector<GemmOperand> list;
  list.push_back({"a", problem.a, m, k, problem.pitchA()});
  list.push_back({"b", problem.b, n, k, problem.pitchB()});
  if (problem.usesC())
    list.push_back({"c", problem.typeC(), m, n, problem.pitchC()});
  list.push_back({"d", problem.d, m, n, problem.pitchD(), /*isOutput=*/true});
  for (const EpilogueOp &op : problem.epilogue.ops()) {
    const DType type = op.operandType(problem.d);
    if (op.operand() == EpilogueOperand::matrix)
      list.push_back({std::string(op.name()), type, m, n, op.ld != 0 ? op.ld : n});
    else if (op.hasOperand()) {
      const int64_t length = op.operand() == EpilogueOperand::rowVector ? m : n;
      list.push_back({std::string(op.name()), type, 1, length, length});
    }
  }
  return list;
}

size_t guardBytes(const GemmOperand &operand) {
  const auto twoRows = static_cast<size_t>(2 * operand.pitch * dtypeBytes(operand.type));
  const size_t clamped = std::clamp<size_t>(twoRows, 4096, size_t{1} << 20);
  return (clamped + 255) / 256 * 256;
}

OperandImage makeImage(const GemmOperand &operand, size_t guard, uint64_t seed) {
  OperandImage image{operand, guard, {}};
  image.bytes.assign(operand.bytes() + 2 * guard, kPoisonByte);
  if (operand.isOutput || operand.bytes() == 0)
    return image;
  const NormalElements &normal = NormalElements::of(operand.type);
  const uint64_t stream = streamOf(operand.role, seed);
  const auto size = static_cast<size_t>(dtypeBytes(operand.type));
  // Long rows are cut, so that a vector too is shared by all cores.
  constexpr int64_t kPiece = 1 << 16;
  const int64_t piecesPerRow = (operand.columns + kPiece - 1) / kPiece;
  inParallel(static_cast<size_t>(operand.rows * piecesPerRow), [&](size_t piece) {
    const int64_t row = static_cast<int64_t>(piece) / piecesPerRow;
    const int64_t begin = static_cast<int64_t>(piece) % piecesPerRow * kPiece;
    const int64_t end = std::min(begin + kPiece, operand.columns);
    uint8_t *to = image.bytes.data() + guard + operand.offset(row, begin);
    const uint64_t rowStream = mix(stream ^ static_cast<uint64_t>(row));
    uint64_t bits = 0;
    for (int64_t column = begin; column < end; ++column, to += size, bits >>= 16) {
      if (column % 4 == 0)
        bits = mix(rowStream + static_cast<uint64_t>(column));
      normal.copy(bits & 0xffff, to);
    }
  });
  return image;
}

Damage findDamage(const OperandImage &image) {
  Damage damage;
  const auto look = [&](size_t begin, size_t end) {
    const auto isPoisoned = [](uint8_t byte) { return byte == kPoisonByte; };
    const auto first = image.bytes.begin() + static_cast<int64_t>(begin);
    const auto last = image.bytes.begin() + static_cast<int64_t>(end);
    const auto at = std::find_if_not(first, last, isPoisoned);
    if (at == last)
      return;
    if (damage.bytes == 0)
      damage.first = at - image.bytes.begin() - static_cast<int64_t>(image.guard);
    damage.bytes += (last - at) - std::count_if(at, last, isPoisoned);
  };
  const GemmOperand &operand = image.operand;
  look(0, image.guard);
  if (operand.bytes() != 0)
    for (int64_t row = 0; row + 1 < operand.rows && operand.pitch > operand.columns; ++row)
      look(image.guard + operand.offset(row, operand.columns),
           image.guard + operand.offset(row + 1, 0));
  look(image.bytes.size() - image.guard, image.bytes.size());
  return damage;
}

} // namespace tilewright
