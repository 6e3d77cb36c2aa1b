// SPDX-License-Identifier: Apache-2.0
//
// GEMM kernels against a naive fp64 loop.

#include "compiler/evaluator/Rounding.h"
#include "tests/compiler/evaluator/EvaluatorFixture.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

namespace tilewright {
namespace {

struct Shape {
  int64_t m, n, k;
};

/// Rows padded to a multiple of eight elements, as TMA asks.
int64_t padded(int64_t columns) { return (columns + 7) / 8 * 8; }

/// The naive loop: element (m, n) of A (m x k, rows `lda` apart) times B (n x k) transposed.
double product(const std::vector<double> &a, int64_t lda, const std::vector<double> &b, int64_t ldb,
               int64_t row, int64_t col, int64_t k) {
  double sum = 0;
  for (int64_t i = 0; i < k; ++i)
    sum += a[row * lda + i] * b[col * ldb + i];
  return sum;
}

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.797884583473205566 * (x + 0.0447149984538555145 * x * x * x)));
}

/// A kernel D = epilogue(A·Bᵀ) with tiles of 32 x 48 x 16, an f32 result, and row-major operands
/// that may have any stride. `epilogue` turns %acc into %y, both tensor<32x48xf32>, at tile (%mi,
/// %ni).
std::string gemmText(const std::string &epilogue, const std::string &out = "f32") {
  return R"(
    !matrix = !tile.view<?x?xbf16>
    tile.kernel @gemm(%a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"},
                      %c: !tile.ptr<bf16> {tile.name = "c"}, %bias: !tile.ptr<bf16> {tile.name = "bias"},
                      %d: !tile.ptr<)" +
         out + R"(> {tile.name = "d"},
                      %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"},
                      %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"},
                      %ldd: i64 {tile.name = "ldd"},
                      %alpha: f32 {tile.name = "alpha"}, %beta: f32 {tile.name = "beta"}) form = program {
      %A = tile.view %a [%m, %k] strides [%lda] : !tile.ptr<bf16> -> !matrix
      %B = tile.view %b [%n, %k] strides [%ldb] : !tile.ptr<bf16> -> !matrix
      %C = tile.view %c [%m, %n] strides [%ldd] : !tile.ptr<bf16> -> !matrix
      %Bias = tile.view %bias [%n] : !tile.ptr<bf16> -> !tile.view<?xbf16>
      %D = tile.view %d [%m, %n] strides [%ldd] : !tile.ptr<)" +
         out + R"(> -> !tile.view<?x?x)" + out + R"(>
      %c0 = arith.constant 0 : i32
      %c16 = arith.constant 16 : i32
      %s = tile.raster (%m by 32, %n by 48) order snake : !tile.schedule<2>
      tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
        %zero = tile.zero : tensor<32x48xf32>
        %acc = tile.for %kk = %c0 to %k step %c16 iter_args(%sum = %zero) -> (tensor<32x48xf32>) {
          %ta = tile.load %A[%mi, %kk] via direct : !matrix -> tensor<32x16xbf16>
          %tb = tile.load %B[%ni, %kk] via direct : !matrix -> tensor<48x16xbf16>
          %next = tile.dot %ta, %tb, %sum kind fma trans_b : tensor<32x16xbf16>, tensor<48x16xbf16>, tensor<32x48xf32>
          tile.yield %next : tensor<32x48xf32>
        }
)" + epilogue +
         R"(
        tile.store %y, %D[%mi, %ni] via direct : tensor<32x48x)" +
         out + R"(>, !tile.view<?x?x)" + out + R"(>
      }
    })";
}

/// Element (row, col) of the expected result from the product there.
using Epilogue = std::function<double(double product, int64_t row, int64_t col)>;

class GemmTest : public EvaluatorTest, public testing::WithParamInterface<Shape> {
protected:
  /// Runs the kernel with padded strides and compares what it stored, and what it must not touch.
  void check(const std::string &text, Shape shape, const Epilogue &epilogue, double bound,
             bool round = false) {
    int64_t lda = shape.k + 3, ldb = shape.k + 1, ldd = shape.n + 5;
    Bindings bindings;
    bindings.arrays = {{"a", exampleNumbers(shape.m * lda, 1)},
                       {"b", exampleNumbers(shape.n * ldb, 2)},
                       {"c", exampleNumbers(shape.m * ldd, 3)},
                       {"bias", exampleNumbers(shape.n, 4)},
                       {"d", std::vector<double>(shape.m * ldd, -1000)}};
    bindings.scalars = {{"m", shape.m}, {"n", shape.n}, {"k", shape.k},  {"lda", lda},
                        {"ldb", ldb},   {"ldd", ldd},   {"alpha", 0.75}, {"beta", -0.5}};
    c_ = [=](int64_t r, int64_t c) { return bindings.arrays.at("c")[r * ldd + c]; };
    bias_ = [=](int64_t c) { return bindings.arrays.at("bias")[c]; };
    std::vector<double> expected(shape.m * ldd, -1000);
    for (int64_t r = 0; r < shape.m; ++r)
      for (int64_t c = 0; c < shape.n; ++c)
        expected[r * ldd + c] = epilogue(
            product(bindings.arrays["a"], lda, bindings.arrays["b"], ldb, r, c, shape.k), r, c);
    auto result = array(run(text, bindings, {.round = round}), "d");
    EXPECT_LE(largestDifference(result, expected), bound);
  }

  std::function<double(int64_t, int64_t)> c_;
  std::function<double(int64_t)> bias_;
};

TEST_P(GemmTest, Plain) {
  check(
      gemmText("%y = tile.extract %acc columns %c0 : tensor<32x48xf32> -> tensor<32x48xf32>"),
      GetParam(), [](double x, int64_t, int64_t) { return x; }, 1e-12);
}

TEST_P(GemmTest, AlphaBetaAndBias) {
  check(
      gemmText(R"(
        %av = tile.splat %alpha : f32 -> tensor<32x48xf32>
        %bv = tile.splat %beta : f32 -> tensor<32x48xf32>
        %tc = tile.load %C[%mi, %ni] via direct : !matrix -> tensor<32x48xbf16>
        %fc = arith.extf %tc : tensor<32x48xbf16> to tensor<32x48xf32>
        %scaled = arith.mulf %acc, %av : tensor<32x48xf32>
        %sum = math.fma %fc, %bv, %scaled : tensor<32x48xf32>
        %tb = tile.load %Bias[%ni] via direct : !tile.view<?xbf16> -> tensor<48xbf16>
        %fb = arith.extf %tb : tensor<48xbf16> to tensor<48xf32>
        %spread = tile.broadcast %fb along 0 : tensor<48xf32> -> tensor<32x48xf32>
        %y = arith.addf %sum, %spread : tensor<32x48xf32>)"),
      GetParam(),
      [&](double x, int64_t r, int64_t c) { return 0.75 * x - 0.5 * c_(r, c) + bias_(c); }, 1e-12);
}

TEST_P(GemmTest, MapWithBiasResidualAndGelu) {
  check(
      gemmText(R"(
        %tc = tile.load %C[%mi, %ni] via direct : !matrix -> tensor<32x48xbf16>
        %y = tile.map ins(%acc, %tc) : tensor<32x48xf32>, tensor<32x48xbf16> -> tensor<32x48xf32> {
        ^bb0(%e: f32, %res: bf16, %row: i32, %col: i32):
          %n0 = arith.addi %ni, %col : i32
          %bv = tile.read %Bias[%n0] : !tile.view<?xbf16> -> bf16
          %bf = arith.extf %bv : bf16 to f32
          %x = arith.addf %e, %bf : f32
          %half = arith.constant 0.5 : f32
          %one = arith.constant 1.0 : f32
          %k0 = arith.constant 0.797884583 : f32
          %k1 = arith.constant 0.044715 : f32
          %sq = arith.mulf %x, %x : f32
          %in = math.fma %sq, %k1, %one : f32
          %sx = arith.mulf %x, %k0 : f32
          %arg = arith.mulf %sx, %in : f32
          %th = math.tanh %arg : f32
          %hx = arith.mulf %x, %half : f32
          %g = math.fma %hx, %th, %hx : f32
          %rf = arith.extf %res : bf16 to f32
          %z = arith.addf %g, %rf : f32
          tile.yield %z : f32
        })"),
      GetParam(), [&](double x, int64_t r, int64_t c) { return gelu(x + bias_(c)) + c_(r, c); },
      1e-12);
}

TEST_P(GemmTest, RoundedOnceToBf16) {
  // Sums of products of numbers with eight fraction bits are exact in fp64, so this is equality.
  check(
      gemmText("%y = arith.truncf %acc : tensor<32x48xf32> to tensor<32x48xbf16>", "bf16"),
      GetParam(), [](double x, int64_t, int64_t) { return roundTo(kBf16, x); }, 0, true);
}

TEST_P(GemmTest, RoundedOnceToFp16) {
  check(
      gemmText("%y = arith.truncf %acc : tensor<32x48xf32> to tensor<32x48xf16>", "f16"),
      GetParam(), [](double x, int64_t, int64_t) { return roundTo(kFp16, x); }, 0, true);
}

TEST_P(GemmTest, WithoutRoundingBf16IsExact) {
  check(
      gemmText("%y = arith.truncf %acc : tensor<32x48xf32> to tensor<32x48xbf16>", "bf16"),
      GetParam(), [](double x, int64_t, int64_t) { return x; }, 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, GemmTest,
                         testing::Values(Shape{1, 1, 1}, Shape{32, 48, 16}, Shape{33, 47, 17},
                                         Shape{70, 100, 40}, Shape{5, 3, 0}));

class OperandMajorTest : public EvaluatorTest, public testing::WithParamInterface<int> {};

TEST_P(OperandMajorTest, TransposedOperands) {
  bool transA = GetParam() & 1, transB = GetParam() & 2;
  std::string a = transA ? "16x32" : "32x16", b = transB ? "24x16" : "16x24";
  std::string text = R"(
    tile.kernel @k(%a: !tile.ptr<f16> {tile.name = "a"}, %b: !tile.ptr<f16> {tile.name = "b"},
                   %d: !tile.ptr<f32> {tile.name = "d"}) form = program {
      %c0 = arith.constant 0 : i32
      %c16 = arith.constant 16 : i32
      %c24 = arith.constant 24 : i32
      %c32 = arith.constant 32 : i32
      %lda = arith.constant )" +
                     std::string(transA ? "32" : "16") + R"( : i64
      %ldb = arith.constant )" +
                     std::string(transB ? "16" : "24") + R"( : i64
      %ldd = arith.constant 24 : i64
      %A = tile.view %a [)" +
                     std::string(transA ? "%c16, %c32" : "%c32, %c16") +
                     R"(] strides [%lda] : !tile.ptr<f16> -> !tile.view<)" + a + R"(xf16>
      %B = tile.view %b [)" +
                     std::string(transB ? "%c24, %c16" : "%c16, %c24") +
                     R"(] strides [%ldb] : !tile.ptr<f16> -> !tile.view<)" + b + R"(xf16>
      %D = tile.view %d [%c32, %c24] strides [%ldd] : !tile.ptr<f32> -> !tile.view<32x24xf32>
      %ta = tile.load %A[%c0, %c0] via direct : !tile.view<)" +
                     a + R"(xf16> -> tensor<)" + a + R"(xf16>
      %tb = tile.load %B[%c0, %c0] via direct : !tile.view<)" +
                     b + R"(xf16> -> tensor<)" + b + R"(xf16>
      %z = tile.zero : tensor<32x24xf32>
      %y = tile.dot %ta, %tb, %z kind fma)" +
                     (transA ? " trans_a" : "") + (transB ? " trans_b" : "") + " : tensor<" + a +
                     "xf16>, tensor<" + b + R"(xf16>, tensor<32x24xf32>
      tile.store %y, %D[%c0, %c0] via direct : tensor<32x24xf32>, !tile.view<32x24xf32>
    })";
  Bindings bindings;
  bindings.arrays = {{"a", exampleNumbers(32 * 16, 5)},
                     {"b", exampleNumbers(16 * 24, 6)},
                     {"d", std::vector<double>(32 * 24)}};
  std::vector<double> expected;
  for (int64_t r = 0; r < 32; ++r)
    for (int64_t c = 0; c < 24; ++c) {
      double sum = 0;
      for (int64_t i = 0; i < 16; ++i)
        sum += bindings.arrays["a"][transA ? i * 32 + r : r * 16 + i] *
               bindings.arrays["b"][transB ? c * 16 + i : i * 24 + c];
      expected.push_back(sum);
    }
  EXPECT_LE(largestDifference(array(run(text, bindings), "d"), expected), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, OperandMajorTest, testing::Values(0, 1, 2, 3));

TEST_F(EvaluatorTest, DotWithScales) {
  std::string text = R"(
    tile.kernel @k(%a: !tile.ptr<f32> {tile.name = "a"}, %sa: !tile.ptr<f32> {tile.name = "sa"},
                   %sb: !tile.ptr<f32> {tile.name = "sb"}, %d: !tile.ptr<f32> {tile.name = "d"}) form = program {
      %c0 = arith.constant 0 : i32
      %c2 = arith.constant 2 : i32
      %ld = arith.constant 2 : i64
      %A = tile.view %a [%c2, %c2] strides [%ld] : !tile.ptr<f32> -> !tile.view<2x2xf32>
      %D = tile.view %d [%c2, %c2] strides [%ld] : !tile.ptr<f32> -> !tile.view<2x2xf32>
      %SA = tile.view %sa [%c2] : !tile.ptr<f32> -> !tile.view<2xf32>
      %SB = tile.view %sb [%c2] : !tile.ptr<f32> -> !tile.view<2xf32>
      %ta = tile.load %A[%c0, %c0] via direct : !tile.view<2x2xf32> -> tensor<2x2xf32>
      %ts = tile.load %SA[%c0] via direct : !tile.view<2xf32> -> tensor<2xf32>
      %tt = tile.load %SB[%c0] via direct : !tile.view<2xf32> -> tensor<2xf32>
      %y = tile.dot %ta, %ta, %ta scales(%ts, %tt) kind fma : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32> scales tensor<2xf32>, tensor<2xf32>
      tile.store %y, %D[%c0, %c0] via direct : tensor<2x2xf32>, !tile.view<2x2xf32>
    })";
  Bindings bindings;
  bindings.arrays = {{"a", {1, 2, 3, 4}}, {"sa", {10, 100}}, {"sb", {2, 3}}, {"d", {0, 0, 0, 0}}};
  // [[1, 2], [3, 4]] squared is [[7, 10], [15, 22]].
  EXPECT_EQ(array(run(text, bindings), "d"),
            (std::vector<double>{1 + 7 * 20, 2 + 10 * 30, 3 + 15 * 200, 4 + 22 * 300}));
}

/// The dialect's own example of a whole program: clusters, rings, TMA, multicast, sub-tiles.
class ProgramGemmTest : public EvaluatorTest, public testing::WithParamInterface<Shape> {};

TEST_P(ProgramGemmTest, GeluOfBiasAndResidual) {
  std::ifstream file(TW_SOURCE_DIR "/tests/compiler/tile/gemm-program.mlir");
  std::stringstream text;
  text << file.rdbuf();
  auto [m, n, k] = GetParam();
  int64_t lda = padded(k), ldd = padded(n);
  Bindings bindings;
  bindings.arrays = {{"a", exampleNumbers(m * lda, 1)},
                     {"b", exampleNumbers(n * lda, 2)},
                     {"d", std::vector<double>(m * ldd, 9)},
                     {"bias", exampleNumbers(n, 3)},
                     {"residual", exampleNumbers(m * ldd, 4)}};
  bindings.scalars = {{"m", m},     {"n", n},     {"k", k},     {"lda", lda},
                      {"ldb", lda}, {"ldd", ldd}, {"ldr", ldd}, {"alpha", 0.5}};
  std::vector<double> expected(m * ldd, 9);
  for (int64_t r = 0; r < m; ++r)
    for (int64_t c = 0; c < n; ++c) {
      double x = 0.5 * product(bindings.arrays["a"], lda, bindings.arrays["b"], lda, r, c, k) +
                 bindings.arrays["bias"][c];
      expected[r * ldd + c] = gelu(x) + bindings.arrays["residual"][r * ldd + c];
    }
  auto exact = array(run(text.str(), bindings, {.round = false}), "d");
  EXPECT_LE(largestDifference(exact, expected), 1e-12);
  for (double &number : expected)
    number = roundTo(kBf16, number);
  auto rounded = array(run(text.str(), bindings), "d");
  // Equal but where the two sums differ in fp64's last bit next to a tie.
  EXPECT_LE(largestDifference(rounded, expected), 0x1p-5);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ProgramGemmTest,
                         testing::Values(Shape{1, 1, 1}, Shape{128, 256, 64}, Shape{129, 257, 65},
                                         Shape{300, 120, 200}));

} // namespace
} // namespace tilewright
