// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/Vectors.h"

#include "tests/vectors/Texts.h"

#include <nlohmann/json.hpp>

#include <array>
#include <bit>

namespace tilewright {

namespace {

constexpr int32_t kThreads = 128;
/// Beyond the data: a barrier.
constexpr int32_t kCopyShared = 8192 + 64;
constexpr int32_t kMatrixShared = 49152 + 64;

std::string textOf(std::string_view name) {
  for (const auto &[file, text] : vectorTexts())
    if (file == name)
      return std::string(text);
  return {};
}

/// Builds one vector: arguments first, then the launch.
class Builder {
public:
  Builder(std::string name, std::string_view file, std::string entry,
          std::vector<std::string> headers) {
    vector_.name = name;
    vector_.plan.name = std::move(name);
    PlanKernel kernel{.text = textOf(file), .entry = std::move(entry), .threads = kThreads};
    for (const std::string &header : headers)
      kernel.headers.push_back("tilewright/" + header + ".cuh");
    vector_.plan.kernels = {std::move(kernel)};
    vector_.plan.launches = {PlanLaunch{}};
  }

  PlanKernel &kernel() { return vector_.plan.kernels.front(); }

  int32_t input(std::vector<uint8_t> bytes, DType type) {
    vector_.inputs.push_back(std::move(bytes));
    return argument("in" + std::to_string(vector_.inputs.size()), type, Access::read);
  }
  int32_t output(size_t bytes, DType type, uint8_t filling = 0xab) {
    vector_.output.assign(bytes, filling);
    return argument("out", type, Access::readWrite);
  }

  void map(int32_t base, DType type, std::array<int64_t, 2> dims, int64_t stride,
           std::array<int32_t, 2> box, int32_t swizzle) {
    TensorMapRecipe recipe{.base = {.index = base},
                           .dtype = type,
                           .dims = {Expr(dims[0]), Expr(dims[1])},
                           .strides = {Expr(stride)},
                           .box = {box[0], box[1]},
                           .swizzle = swizzle};
    parameters().emplace_back(std::move(recipe));
  }
  void pointer(int32_t base) {
    parameters().emplace_back(PointerParameter{.base = {.index = base}});
  }
  void scalar(int64_t value) { parameters().emplace_back(ScalarParameter{.value = Expr(value)}); }
  void grid(int64_t ctas) { vector_.plan.launches.front().grid[0] = Expr(ctas); }

  Vector take() { return std::move(vector_); }

private:
  int32_t argument(std::string name, DType type, Access access) {
    vector_.plan.arguments.push_back({.name = std::move(name),
                                      .kind = ArgumentKind::pointer,
                                      .dtype = type,
                                      .alignment = 16,
                                      .access = access});
    return static_cast<int32_t>(vector_.plan.arguments.size()) - 1;
  }
  std::vector<PlanParameter> &parameters() { return vector_.plan.launches.front().parameters; }

  Vector vector_;
};

/// 0, 1, 2, … as 16-bit numbers.
std::vector<uint8_t> counting(size_t elements) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < elements; ++i) {
    bytes.push_back(static_cast<uint8_t>(i));
    bytes.push_back(static_cast<uint8_t>(i >> 8));
  }
  return bytes;
}

/// Small whole numbers as bf16, none of them alike for long: sums of 128 products are exact.
std::vector<uint8_t> smallNumbers(size_t elements, uint32_t seed) {
  std::vector<uint8_t> bytes;
  uint32_t state = seed;
  for (size_t i = 0; i < elements; ++i) {
    state = state * 1664525 + 1013904223;
    const auto number = static_cast<float>(static_cast<int32_t>(state >> 24 & 31) - 15);
    const uint32_t bits = std::bit_cast<uint32_t>(number) >> 16;
    bytes.push_back(static_cast<uint8_t>(bits));
    bytes.push_back(static_cast<uint8_t>(bits >> 8));
  }
  return bytes;
}

const std::vector<std::string> kCopyHeaders = {"barriers", "fences", "global", "mbarrier",
                                               "shared",   "tma",    "types",  "warp"};

/// A box of 16 rows, `mode` bytes wide (64 elements without a swizzle), at (x, y) of a tensor of 80
/// columns and 20 rows.
Vector loadVector(int32_t mode, int32_t x, int32_t y, const std::string &what) {
  Builder builder("load-" + what + "-" + std::to_string(mode), "tma.cu", "load", kCopyHeaders);
  const int32_t columns = mode ? mode / 2 : 64;
  const int32_t in = builder.input(counting(size_t{80} * 20), DType::bf16);
  const int32_t out = builder.output(static_cast<size_t>(columns) * 2 * 16, DType::int32);
  builder.kernel().sharedBytes = kCopyShared;
  builder.map(in, DType::bf16, {80, 20}, 160, {columns, 16}, mode);
  builder.pointer(out);
  builder.scalar(x);
  builder.scalar(y);
  builder.scalar(int64_t{columns} * 2 * 16);
  return builder.take();
}

Vector multicastVector() {
  Builder builder("multicast-128", "tma.cu", "multicast", kCopyHeaders);
  const int32_t in = builder.input(counting(size_t{64} * 16), DType::bf16);
  const int32_t out = builder.output(size_t{2} * 128 * 16, DType::int32);
  builder.kernel().sharedBytes = kCopyShared;
  builder.kernel().cluster = {2, 1, 1};
  builder.grid(2);
  builder.map(in, DType::bf16, {64, 16}, 128, {64, 8}, 128);
  builder.pointer(out);
  builder.scalar(128 * 16);
  return builder.take();
}

/// Stores a box of 16 rows, `mode` bytes wide, at (x, y) of a tensor of 72 columns and 20 rows.
Vector storeVector(int32_t mode, int32_t x, int32_t y) {
  Builder builder("store-" + std::to_string(mode), "tma.cu", "store", kCopyHeaders);
  const int32_t columns = mode ? mode / 2 : 64;
  const int32_t out = builder.output(size_t{80} * 2 * 20, DType::bf16);
  builder.kernel().sharedBytes = kCopyShared;
  builder.map(out, DType::bf16, {72, 20}, 160, {columns, 16}, mode);
  builder.scalar(x);
  builder.scalar(y);
  builder.scalar(int64_t{columns} * 2 * 16);
  return builder.take();
}

Vector reduceVector() {
  Builder builder("reduce-128", "tma.cu", "reduce", kCopyHeaders);
  const int32_t out = builder.output(size_t{40} * 4 * 20, DType::fp32, 0);
  builder.kernel().sharedBytes = kCopyShared;
  builder.map(out, DType::fp32, {36, 20}, 160, {32, 16}, 128);
  builder.scalar(8);
  builder.scalar(6);
  builder.scalar(128 * 16);
  return builder.take();
}

const std::vector<std::string> kMatrixHeaders = {"barriers",   "fragment", "global", "mbarrier",
                                                 "shared",     "tma",      "types",  "warp",
                                                 "wgmma_n128", "wgmma_n16"};

Vector matrixVector(const std::string &entry, std::array<int64_t, 2> a, std::array<int32_t, 2> boxA,
                    std::array<int64_t, 2> b, std::array<int32_t, 2> boxB, int32_t swizzle,
                    int32_t accumulators) {
  Builder builder("wgmma-" + entry, "wgmma.cu", entry, kMatrixHeaders);
  const int32_t inA = builder.input(smallNumbers(static_cast<size_t>(a[0] * a[1]), 1), DType::bf16);
  const int32_t inB = builder.input(smallNumbers(static_cast<size_t>(b[0] * b[1]), 2), DType::bf16);
  const int32_t out = builder.output(static_cast<size_t>(kThreads * accumulators) * 4, DType::fp32);
  builder.kernel().sharedBytes = kMatrixShared;
  builder.map(inA, DType::bf16, a, a[0] * 2, boxA, swizzle);
  builder.map(inB, DType::bf16, b, b[0] * 2, boxB, swizzle);
  builder.pointer(out);
  return builder.take();
}

Vector lanesVector(const std::string &entry, bool reads) {
  Builder builder(entry, "matrix.cu", entry, {"barriers", "global", "shared", "types", "warp"});
  builder.kernel().threads = 32;
  builder.kernel().sharedBytes = 1024;
  if (reads)
    builder.pointer(builder.input(counting(256), DType::bf16));
  builder.pointer(builder.output(512, DType::int32));
  return builder.take();
}

} // namespace

std::vector<Vector> allVectors() {
  std::vector<Vector> vectors;
  for (int32_t mode : {0, 32, 64, 128}) {
    vectors.push_back(loadVector(mode, 8, 2, "inside"));
    vectors.push_back(loadVector(mode, -8, 10, "corner"));
    vectors.push_back(storeVector(mode, 56, 10));
  }
  vectors.push_back(loadVector(128, 48, -3, "edge"));
  vectors.push_back(multicastVector());
  vectors.push_back(reduceVector());
  for (int32_t swizzle : {32, 64, 128}) {
    const int32_t columns = swizzle / 2;
    const std::string mode = std::to_string(swizzle);
    vectors.push_back(matrixVector("k_major_" + mode, {columns, 64}, {columns, 64}, {columns, 16},
                                   {columns, 16}, swizzle, 8));
    vectors.push_back(matrixVector("mn_major_" + mode, {64, 64}, {columns, 64}, {128, 64},
                                   {columns, 64}, swizzle, 64));
  }
  vectors.push_back(matrixVector("k_major_0", {16, 64}, {8, 64}, {16, 16}, {8, 16}, 0, 8));
  vectors.push_back(matrixVector("a_in_registers", {64, 64}, {64, 64}, {64, 16}, {64, 16}, 128, 8));
  for (const char *entry : {"stmatrix", "stmatrix_trans", "ldmatrix", "ldmatrix_trans"})
    vectors.push_back(lanesVector(entry, /*reads=*/false));
  vectors.push_back(lanesVector("cp_async", /*reads=*/true));
  return vectors;
}

std::string recordText(const std::map<std::string, std::vector<uint8_t>> &results) {
  nlohmann::ordered_json json;
  for (const auto &[name, bytes] : results) {
    std::string digits;
    for (uint8_t byte : bytes) {
      digits += "0123456789abcdef"[byte >> 4];
      digits += "0123456789abcdef"[byte & 15];
    }
    json[name] = digits;
  }
  return json.dump(1) + "\n";
}

Expected<std::map<std::string, std::vector<uint8_t>>> readRecord(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return Status::invalidArgument("the record of vectors is no JSON object");
  std::map<std::string, std::vector<uint8_t>> results;
  for (const auto &[name, value] : json.items()) {
    const auto digits = value.get<std::string>();
    std::vector<uint8_t> &bytes = results[name];
    const auto number = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
    for (size_t i = 0; i + 1 < digits.size(); i += 2)
      bytes.push_back(static_cast<uint8_t>(number(digits[i]) << 4 | number(digits[i + 1])));
  }
  return results;
}

} // namespace tilewright
