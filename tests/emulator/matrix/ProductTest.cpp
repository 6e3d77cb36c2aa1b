// SPDX-License-Identifier: Apache-2.0
//
// What wgmma computes: layouts, types, fragments, chains.
#include "tests/emulator/matrix/Lab.h"

#include "runtime/emulator/matrix/Multiply.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

/// One operand in shared memory, described.
template <int Span>
uint64_t describe(const OperandLayout &layout, int32_t offset, int32_t step) {
  const int32_t base = tw::smem_base() + offset;
  if constexpr (Span == 0)
    return tw::smem_descriptor<0>(base + 2 * step * static_cast<int32_t>(layout.extent) * 16,
                                  static_cast<int32_t>(layout.extent) * 16, 128);
  else if (layout.isMnMajor)
    return tw::smem_descriptor<Span>(base + step * 16 * Span,
                                     static_cast<int32_t>(layout.panelBytes()), 8 * Span);
  else
    return tw::descriptor_advance(tw::smem_descriptor<Span>(base), 32 * step);
}

/// All steps of a tile with A and B in the same swizzle, each major as told.
template <int Span, class T, int TransA, int TransB, int N>
void expectProduct() {
  const uint32_t depth = Span == 0 || TransA || TransB ? 64 : Span / 2;
  const OperandLayout a = {.isMnMajor = TransA != 0, .span = Span, .depth = depth, .extent = 64};
  const OperandLayout b = {.isMnMajor = TransB != 0, .span = Span, .depth = depth, .extent = N};
  const std::vector<uint8_t> imageA = imageOf<T>(a, true), imageB = imageOf<T>(b, false);
  Results results(N);
  EXPECT_EQ(kindsOf(
                [&] {
                  storeImage(imageA, kOperandA);
                  storeImage(imageB, kOperandB);
                  tw::fence_proxy_async_shared();
                  tw::cta_sync();
                  float acc[N / 2];
                  tw::leave_unset(acc);
                  tw::wgmma_fence(acc);
                  for (int32_t k = 0; k < static_cast<int32_t>(depth) / 16; ++k)
                    tw::wgmma_ss<N, T, TransA, TransB>(acc, describe<Span>(a, kOperandA, k),
                                                       describe<Span>(b, kOperandB, k), k != 0);
                  tw::wgmma_commit();
                  tw::wgmma_wait<0>(acc);
                  results.take(acc);
                },
                [&] { results.expectProducts(0, depth); }),
            "");
}

TEST(Product, KMajorInEverySwizzle) {
  expectProduct<128, tw::bf16, 0, 0, 128>();
  expectProduct<64, tw::bf16, 0, 0, 64>();
  expectProduct<32, tw::bf16, 0, 0, 32>();
  expectProduct<0, tw::bf16, 0, 0, 32>();
}

TEST(Product, MnMajorInEverySwizzle) {
  expectProduct<128, tw::bf16, 1, 1, 128>();
  expectProduct<64, tw::bf16, 1, 1, 64>();
  expectProduct<32, tw::bf16, 1, 1, 32>();
}

TEST(Product, MajorsMix) {
  expectProduct<128, tw::bf16, 0, 1, 64>();
  expectProduct<128, tw::bf16, 1, 0, 64>();
}

TEST(Product, Half) {
  expectProduct<128, tw::half, 0, 0, 64>();
  expectProduct<128, tw::half, 1, 1, 64>();
}

TEST(Product, OddAndExtremeN) {
  expectProduct<128, tw::bf16, 0, 0, 8>();
  expectProduct<128, tw::bf16, 0, 0, 24>();
  expectProduct<128, tw::bf16, 0, 0, 248>();
  expectProduct<128, tw::bf16, 0, 0, 256>();
}

TEST(Product, ScaleAddsToWhatIsThere) {
  const Operands128 operands;
  Results results(kColumns);
  EXPECT_EQ(kindsOf(
                [&] {
                  operands.put();
                  float acc[8];
                  tw::fill(acc, 1000.0F);
                  tw::wgmma_fence(acc);
                  tw::wgmma_ss<kColumns, tw::bf16>(acc, descriptorA(), descriptorB(), 1);
                  tw::wgmma_commit();
                  tw::wgmma_wait<0>(acc);
                  for (float &value : acc)
                    value -= 1000.0F;
                  results.take(acc);
                },
                [&] { results.expectProducts(0, 16); }),
            "");
}

/// The fragments of A of this thread, `steps` of them.
template <class T, int M>
void packA(uint32_t (&fragments)[M], int32_t tile = 0) {
  const int32_t thread = tw::thread_id() % kWarpgroup;
  for (int32_t i = 0; i < M; ++i) {
    const int32_t k = i / 4 * 16 + fragmentDepth(thread, i % 4, 0);
    const auto row = static_cast<uint32_t>(fragmentRow(thread, i % 4));
    fragments[i] = tw::pack_pair<T>(elementA(tile, row, static_cast<uint32_t>(k)),
                                    elementA(tile, row, static_cast<uint32_t>(k + 1)));
  }
}

TEST(Product, AFromRegisters) {
  const Operands128 operands;
  Results results(kColumns);
  EXPECT_EQ(kindsOf(
                [&] {
                  operands.put();
                  uint32_t a[8];
                  packA<tw::bf16>(a);
                  float acc[8];
                  tw::fill(acc, 0.0F);
                  tw::wgmma_fence(acc, a);
                  tw::wgmma_rs<kColumns, tw::bf16, 0, 0, 0>(acc, a, descriptorB(0), 1);
                  tw::wgmma_rs<kColumns, tw::bf16, 0, 0, 1>(acc, a, descriptorB(1), 1);
                  tw::wgmma_commit();
                  tw::wgmma_wait<0>(acc);
                  results.take(acc);
                },
                [&] { results.expectProducts(0, 32); }),
            "");
}

// The compiler renames registers: what is written to the array after the call is another value.
TEST(Product, FragmentsAreThoseOfTheCall) {
  const Operands128 operands;
  Results results(kColumns);
  EXPECT_EQ(kindsOf(
                [&] {
                  operands.put();
                  uint32_t a[4];
                  packA<tw::bf16>(a);
                  float acc[8];
                  tw::fill(acc, 0.0F);
                  tw::wgmma_fence(acc, a);
                  tw::wgmma_rs<kColumns, tw::bf16>(acc, a, descriptorB(), 1);
                  tw::wgmma_commit();
                  tw::fill(a, 0U);
                  tw::wgmma_wait<0>(acc);
                  results.take(acc);
                },
                [&] { results.expectProducts(0, 16); }),
            "");
}

TEST(Product, WavesOfOneArrayAreTilesOfTheirOwn) {
  const Operands128 operands;
  Results first(kColumns), second(kColumns);
  EXPECT_EQ(kindsOf(
                [&] {
                  operands.put();
                  float acc[16];
                  tw::fill(acc, 0.0F);
                  tw::wgmma_fence(acc);
                  tw::wgmma_ss<kColumns, tw::bf16, 0, 0, 0>(acc, descriptorA(0), descriptorB(0), 1);
                  tw::wgmma_ss<kColumns, tw::bf16, 0, 0, 1>(acc, descriptorA(1), descriptorB(1), 1);
                  tw::wgmma_commit();
                  tw::wgmma_wait<0>(acc);
                  first.take(acc);
                  second.take(acc + 8);
                },
                [&] {
                  first.expectProducts(0, 16);
                  second.expectProducts(0, 16, 1, 16);
                }),
            "");
}

// Warps issue the next chain on the same registers before their neighbours have taken back the
// last one: results belong to the chain.
TEST(Product, ChainsKeepTheirResultsWhileWarpsDrift) {
  const Operands128 operands;
  std::vector<Results> results(4, Results(kColumns));
  EXPECT_EQ(kindsOf(
                [&] {
                  operands.put();
                  float acc[8];
                  for (int32_t round = 0; round < 4; ++round) {
                    tw::fill(acc, 0.0F);
                    tw::wgmma_fence(acc);
                    for (int32_t k = 0; k <= round; ++k)
                      tw::wgmma_ss<kColumns, tw::bf16>(acc, descriptorA(k), descriptorB(k), 1);
                    tw::wgmma_commit();
                    tw::wgmma_wait<0>(acc);
                    results[static_cast<size_t>(round)].take(acc);
                  }
                },
                [&] {
                  for (uint32_t round = 0; round < 4; ++round)
                    results[round].expectProducts(0, 16 * (round + 1));
                }),
            "");
}

TEST(Product, WarpgroupsHaveQueuesOfTheirOwn) {
  const Operands128 operands;
  Results lower(kColumns), upper(kColumns);
  EXPECT_EQ(kindsOf(
                {.threads = 256},
                [&] {
                  const bool isUpper = tw::thread_id() >= 128;
                  if (!isUpper) {
                    storeImage(operands.a, kOperandA);
                    storeImage(operands.b, kOperandB);
                    tw::fence_proxy_async_shared();
                  }
                  tw::cta_sync();
                  float acc[8];
                  tw::fill(acc, 0.0F);
                  tw::wgmma_fence(acc);
                  if (isUpper)
                    tw::wgmma_ss<kColumns, tw::bf16>(acc, descriptorA(1), descriptorB(1), 1);
                  else
                    tw::wgmma_ss<kColumns, tw::bf16>(acc, descriptorA(0), descriptorB(0), 1);
                  tw::wgmma_commit();
                  tw::wgmma_wait<0>(acc);
                  (isUpper ? upper : lower).take(acc);
                },
                [&] {
                  lower.expectProducts(0, 16);
                  upper.expectProducts(0, 16, 1, 16);
                }),
            "");
}

} // namespace
} // namespace tilewright::emulator
