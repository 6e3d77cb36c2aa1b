// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/TensorMap.h"

#include "tests/runtime/driver/OnFakeDriver.h"

using namespace tilewright;

namespace {

struct TensorMapOf : OnFakeDriver {
  /// m x k elements with rows `lda` apart; the arguments are m, k, lda.
  static TensorMapRecipe matrix(DType dtype = DType::bf16) {
    const Expr pitch = Expr::argument(2) * dtypeBytes(dtype);
    return {.base = {},
            .dtype = dtype,
            .dims = {Expr::argument(1), Expr::argument(0)},
            .strides = {pitch},
            .box = {16, 128},
            .swizzle = 32,
            .l2Promotion = TensorMapRecipe::L2Promotion::bytes128};
  }

  static Expected<BoundTensorMap> bind(const TensorMapRecipe &recipe, int64_t m, int64_t k,
                                       int64_t lda) {
    const std::vector<int64_t> arguments = {m, k, lda};
    return bindTensorMap(recipe, {.arguments = arguments, .smCount = 132});
  }

  fake::DecodedMap encode(const BoundTensorMap &bound, uint64_t address) const {
    cu::TensorMap map;
    EXPECT_EQ(encodeTensorMap(driver->functions(), bound, address, map), cu::kSuccess);
    return fake::decode(map);
  }
};

TEST_F(TensorMapOf, AMatrixIsEncoded) {
  const BoundTensorMap bound = valueOf(bind(matrix(), 100, 60, 64));
  EXPECT_FALSE(bound.isEmpty);
  const fake::DecodedMap map = encode(bound, 4096);
  EXPECT_EQ(map.address, 4096U);
  EXPECT_EQ(map.type, 9);
  EXPECT_EQ(map.rank, 2U);
  EXPECT_EQ(map.dims, (std::array<uint64_t, 5>{60, 100}));
  EXPECT_EQ(map.strides, (std::array<uint64_t, 4>{128}));
  EXPECT_EQ(map.box, (std::array<uint32_t, 5>{16, 128}));
  EXPECT_EQ(map.swizzle, 1);
  EXPECT_EQ(map.l2Promotion, 2);
}

TEST_F(TensorMapOf, EachTypeAndSpanHasItsNumber) {
  const std::pair<DType, int> types[] = {{DType::bf16, 9},  {DType::fp16, 6}, {DType::fp32, 7},
                                         {DType::tf32, 11}, {DType::e4m3, 0}, {DType::e5m2, 0},
                                         {DType::int8, 0},  {DType::int32, 3}};
  for (const auto &[dtype, number] : types)
    EXPECT_EQ(valueOf(bind(matrix(dtype), 1, 16, 64)).type, number);
  const std::pair<int, int> swizzles[] = {{0, 0}, {32, 1}, {64, 2}, {128, 3}};
  for (const auto &[bytes, number] : swizzles) {
    TensorMapRecipe recipe = matrix();
    recipe.swizzle = bytes;
    EXPECT_EQ(valueOf(bind(recipe, 1, 16, 64)).swizzle, number);
  }
  using L2Promotion = TensorMapRecipe::L2Promotion;
  const std::pair<L2Promotion, int> promotions[] = {{L2Promotion::none, 0},
                                                    {L2Promotion::bytes64, 1},
                                                    {L2Promotion::bytes128, 2},
                                                    {L2Promotion::bytes256, 3}};
  for (const auto &[promotion, number] : promotions) {
    TensorMapRecipe recipe = matrix();
    recipe.l2Promotion = promotion;
    EXPECT_EQ(valueOf(bind(recipe, 1, 16, 64)).l2Promotion, number);
  }
}

TEST_F(TensorMapOf, RulesOfTheDriverAreNamed) {
  expectFailure(bind(matrix(), 2, int64_t{1} << 33, 64).status(), StatusCode::invalidArgument,
                "dimension 0 has 8589934592 elements; a tensor map takes 0 to 2^32");
  expectFailure(bind(matrix(), -1, 16, 64).status(), StatusCode::invalidArgument,
                "dimension 1 has -1 elements");
  expectFailure(bind(matrix(), 2, 16, 17).status(), StatusCode::invalidArgument,
                "dimension 1 has a stride of 34 bytes; a tensor map takes multiples of 16");
  for (int64_t lda : {int64_t{0}, int64_t{-64}, int64_t{1} << 40})
    expectFailure(bind(matrix(), 2, 16, lda).status(), StatusCode::invalidArgument, "a stride of");
  expectFailure(bind(matrix(), 2, 16, int64_t{1} << 62).status(), StatusCode::invalidArgument,
                "leaves the range of int64");
  TensorMapRecipe recipe = matrix();
  recipe.box = {16};
  expectFailure(bind(recipe, 2, 16, 16).status(), StatusCode::internal, "1 to 5 dimensions");
}

TEST_F(TensorMapOf, OneRowMayHaveAnyPitch) {
  EXPECT_EQ(valueOf(bind(matrix(), 1, 16, 128)).strides[0], 256U);
  // 17 elements of 2 bytes: rounded up to what a stride must be a multiple of.
  EXPECT_EQ(encode(valueOf(bind(matrix(), 1, 17, 17)), 256).strides[0], 48U);
  EXPECT_EQ(valueOf(bind(matrix(), 1, 16, 0)).strides[0], 32U);
}

TEST_F(TensorMapOf, AnEmptyTensorIsEncodedAtNoAddress) {
  for (const auto &[m, k] : {std::pair{0, 16}, std::pair{16, 0}, std::pair{0, 0}}) {
    const BoundTensorMap bound = valueOf(bind(matrix(), m, k, 0));
    EXPECT_TRUE(bound.isEmpty);
    const fake::DecodedMap map = encode(bound, 0);
    EXPECT_EQ(map.address, kEmptyTensorAddress);
    EXPECT_EQ(map.dims, (std::array<uint64_t, 5>{1, 1}));
  }
}

TEST_F(TensorMapOf, HasUpToFiveDimensions) {
  TensorMapRecipe recipe = matrix();
  recipe.dims = {8, 4, 1, 5, 6};
  recipe.strides = {16, 64, 64, 320};
  recipe.box = {8, 2, 1, 1, 1};
  const fake::DecodedMap map = encode(valueOf(bind(recipe, 0, 0, 0)), 256);
  EXPECT_EQ(map.rank, 5U);
  EXPECT_EQ(map.dims, (std::array<uint64_t, 5>{8, 4, 1, 5, 6}));
  EXPECT_EQ(map.strides, (std::array<uint64_t, 4>{16, 64, 64, 320}));
}

} // namespace
