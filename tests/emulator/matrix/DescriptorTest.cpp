// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/matrix/Descriptor.h"

#include "runtime/emulator/matrix/Multiply.h"
#include "tests/emulator/matrix/Layout.h"

#include "tilewright/wgmma.cuh"

#include <gtest/gtest.h>

#include <set>

namespace tilewright::emulator {
namespace {

constexpr int32_t kBase = 0x8000;

TEST(Descriptor, DecodesEachField) {
  const uint64_t bits = 0x1234 | uint64_t{0x0aaa} << 16 | uint64_t{0x1555} << 32 |
                        uint64_t{5} << 49 | uint64_t{2} << 62;
  const Descriptor descriptor = decodeDescriptor(bits);
  EXPECT_EQ(descriptor.start, 0x12340U);
  EXPECT_EQ(descriptor.leading, 0x0aaa0U);
  EXPECT_EQ(descriptor.stride, 0x15550U);
  EXPECT_EQ(descriptor.baseOffset, 5U);
  EXPECT_EQ(descriptor.swizzle, 64U);
}

TEST(Descriptor, IgnoresUnusedBits) {
  const uint64_t unused =
      uint64_t{3} << 14 | uint64_t{3} << 30 | uint64_t{7} << 46 | uint64_t{0x3ff} << 52;
  const Descriptor descriptor = decodeDescriptor(unused);
  EXPECT_EQ(descriptor.start, 0U);
  EXPECT_EQ(descriptor.leading, 0U);
  EXPECT_EQ(descriptor.stride, 0U);
  EXPECT_EQ(descriptor.baseOffset, 0U);
  EXPECT_EQ(descriptor.swizzle, 0U);
}

TEST(Descriptor, ReadsWhatKernelsEncode) {
  const Descriptor wide = decodeDescriptor(tw::smem_descriptor<128>(0x38400, 4096, 1024));
  EXPECT_EQ(wide.start, 0x38400U);
  EXPECT_EQ(wide.leading, 4096U);
  EXPECT_EQ(wide.stride, 1024U);
  EXPECT_EQ(wide.swizzle, 128U);
  EXPECT_EQ(decodeDescriptor(tw::smem_descriptor<64>(1024)).swizzle, 64U);
  EXPECT_EQ(decodeDescriptor(tw::smem_descriptor<32>(1024)).swizzle, 32U);
  EXPECT_EQ(decodeDescriptor(tw::smem_descriptor<0>(1024, 16, 128)).swizzle, 0U);
  const uint64_t further = tw::descriptor_advance(tw::smem_descriptor<128>(0x400), 96);
  EXPECT_EQ(decodeDescriptor(further).start, 0x460U);
}

/// All steps of K of a K-major operand, one descriptor each.
template <int Span>
void expectKMajor(uint32_t extent) {
  const OperandLayout layout = {.span = Span, .depth = Span / 2, .extent = extent};
  for (uint32_t first = 0; first < layout.depth; first += kMatrixDepth) {
    const Descriptor descriptor = decodeDescriptor(
        tw::descriptor_advance(tw::smem_descriptor<Span>(kBase), static_cast<int32_t>(2 * first)));
    for (uint32_t mn = 0; mn < extent; ++mn)
      for (uint32_t k = 0; k < kMatrixDepth; k += 8)
        ASSERT_EQ(addressKMajor(descriptor, mn, k), kBase + layout.offsetOf(mn, first + k))
            << "span " << Span << ", row " << mn << ", k " << first + k;
  }
}

TEST(Descriptor, KMajorIsWhatACopyLeaves) {
  expectKMajor<128>(64);
  expectKMajor<128>(256);
  expectKMajor<64>(64);
  expectKMajor<32>(64);
}

template <int Span>
void expectMnMajor(uint32_t extent) {
  const OperandLayout layout = {.isMnMajor = true, .span = Span, .extent = extent};
  for (uint32_t first = 0; first < layout.depth; first += kMatrixDepth) {
    const Descriptor descriptor = decodeDescriptor(
        tw::smem_descriptor<Span>(kBase + static_cast<int32_t>(first * Span),
                                  static_cast<int32_t>(layout.panelBytes()), 8 * Span));
    for (uint32_t k = 0; k < kMatrixDepth; ++k)
      for (uint32_t mn = 0; mn < extent; mn += 8)
        ASSERT_EQ(addressMnMajor(descriptor, mn, k), kBase + layout.offsetOf(mn, first + k))
            << "span " << Span << ", column " << mn << ", k " << first + k;
  }
}

TEST(Descriptor, MnMajorIsWhatACopyLeaves) {
  expectMnMajor<128>(64);
  expectMnMajor<128>(256);
  expectMnMajor<64>(128);
  expectMnMajor<32>(128);
}

TEST(Descriptor, KMajorWithoutASwizzleHasColumnsOf16Bytes) {
  const OperandLayout layout = {.span = 0, .depth = 16, .extent = 64};
  const Descriptor descriptor = decodeDescriptor(tw::smem_descriptor<0>(kBase, 64 * 16, 128));
  for (uint32_t mn = 0; mn < 64; ++mn)
    for (uint32_t k = 0; k < kMatrixDepth; k += 8)
      ASSERT_EQ(addressKMajor(descriptor, mn, k), kBase + layout.offsetOf(mn, k));
}

// Not pinned by a card; CUTLASS's canonical layout of MN-major INTERLEAVE: the stride is between
// groups along M or N, the leading offset between groups along K.
TEST(Descriptor, MnMajorWithoutASwizzleHasItsOffsetsTheOtherWayRound) {
  const Descriptor descriptor = decodeDescriptor(tw::smem_descriptor<0>(kBase, 4096, 128));
  EXPECT_EQ(addressMnMajor(descriptor, 8, 0), kBase + 128U);
  EXPECT_EQ(addressMnMajor(descriptor, 0, 8), kBase + 4096U);
  EXPECT_EQ(addressMnMajor(descriptor, 24, 11), kBase + 4096U + 3 * 128 + 3 * 16);
}

TEST(Descriptor, EachByteOfATileIsReadOnce) {
  std::set<uint32_t> addresses;
  for (int32_t k = 0; k < 64; k += kMatrixDepth) {
    const Descriptor descriptor =
        decodeDescriptor(tw::descriptor_advance(tw::smem_descriptor<128>(kBase), 2 * k));
    for (uint32_t mn = 0; mn < 128; ++mn)
      for (uint32_t half = 0; half < kMatrixDepth; half += 8)
        addresses.insert(addressKMajor(descriptor, mn, half));
  }
  EXPECT_EQ(addresses.size(), 128U * 128 / 16);
  EXPECT_EQ(*addresses.begin(), static_cast<uint32_t>(kBase));
  EXPECT_EQ(*addresses.rbegin(), kBase + 128U * 128 - 16);
}

// The swizzle is of address bits: a tile that begins off its pattern is read as TMA wrote it there.
TEST(Descriptor, SwizzlesAddressesAndNotOffsets) {
  const Descriptor off = decodeDescriptor(tw::smem_descriptor<128>(kBase + 3 * 128));
  EXPECT_EQ(addressKMajor(off, 0, 0), kBase + 3U * 128 + 3 * 16);
  const uint64_t based = tw::smem_descriptor<128>(kBase + 3 * 128) | uint64_t{3} << 49;
  EXPECT_EQ(addressKMajor(decodeDescriptor(based), 0, 0), kBase + 3U * 128);
}

} // namespace
} // namespace tilewright::emulator
