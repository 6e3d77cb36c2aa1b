// SPDX-License-Identifier: Apache-2.0
//
// Kernel text with copies, compiled into the test: that of tests/vectors, whose results a device
// pins too.
#include "tests/emulator/copies/Lab.h"

#include "tests/vectors/tma.cu"

#include <gtest/gtest.h>

#include <cstring>

namespace tilewright::emulator {
namespace {

/// The map as kernels take it.
tw::tensor_map argument(const LabMap &map) {
  tw::tensor_map argument;
  std::memcpy(argument.bytes, map.bytes.data(), sizeof argument.bytes);
  return argument;
}

LabKernel bind(std::function<void()> kernel) {
  return [kernel = std::move(kernel)](const Api &t) {
    tw::emulator::api = &t;
    kernel();
  };
}

/// 64 columns by 20 rows of 16-bit numbers that count up, and room for a dump.
class Text : public testing::Test {
protected:
  Prepare prepare() {
    return [this](GlobalMemory &memory) {
      source_.count();
      out_.fill(-1);
      source_.addTo(memory, "tensor", true, true);
      out_.addTo(memory, "out", true, true);
    };
  }
  LabMap map(uint32_t width, uint32_t height, int32_t swizzle) {
    return LabMap(planeOf(source_.data(), ElementType::bfloat16, 64, 20, width, height, swizzle));
  }
  /// 16-bit word of the dump.
  uint16_t dumped(size_t i) {
    uint16_t word;
    std::memcpy(&word, reinterpret_cast<const uint8_t *>(out_.data()) + 2 * i, 2);
    return word;
  }

  Buffer<uint16_t> source_{64 * 20};
  Buffer<int32_t> out_{2048};
};

TEST_F(Text, LoadDumpsSwizzledTiles) {
  for (const int32_t swizzle : {32, 64, 128}) {
    const auto width = static_cast<uint32_t>(swizzle) / 2;
    const tw::tensor_map tile = argument(map(width, 16, swizzle));
    const auto bytes = static_cast<int32_t>(width * 2 * 16);
    EXPECT_EQ(kindsOf({.threads = 128}, prepare(),
                      bind([&] { load(tile, out_.data(), 8, 6, bytes); }),
                      [&] {
                        for (uint32_t i = 0; i < width * 16; ++i) {
                          const uint32_t x = 8 + i % width, y = 6 + i / width;
                          ASSERT_EQ(dumped(swizzled(2 * i, swizzle) / 2),
                                    x < 64 && y < 20 ? y * 64 + x : 0);
                        }
                      }),
              "");
  }
}

TEST_F(Text, MulticastGivesBothAll) {
  const tw::tensor_map tile = argument(map(64, 8, 128));
  EXPECT_EQ(kindsOf({.threads = 128, .grid = 2, .cluster = 2}, prepare(),
                    bind([&] { multicast(tile, out_.data(), 2048); }),
                    [&] {
                      for (uint32_t i = 0; i < 2048; ++i)
                        ASSERT_EQ(dumped(i), swizzled(2 * (i % 1024), 128) / 2);
                    }),
            "");
}

TEST_F(Text, StoreUnswizzles) {
  const tw::tensor_map tile = argument(map(64, 8, 128));
  EXPECT_EQ(kindsOf({.threads = 128}, prepare(), bind([&] { store(tile, 32, 16, 1024); }),
                    [&] {
                      for (uint32_t y = 0; y < 4; ++y)
                        for (uint32_t x = 0; x < 32; ++x)
                          ASSERT_EQ(source_[(16 + y) * 64 + 32 + x],
                                    swizzled(2 * (y * 64 + x), 128) / 2);
                      ASSERT_EQ(source_[15 * 64 + 63], 15 * 64 + 63);
                    }),
            "");
}

TEST_F(Text, ReduceAdds) {
  Buffer<float> sum(32 * 8);
  const tw::tensor_map tile =
      argument(LabMap(planeOf(sum.data(), ElementType::float32, 32, 8, 32, 8, 128)));
  EXPECT_EQ(kindsOf(
                {.threads = 128},
                [&](GlobalMemory &memory) {
                  sum.fill(0.5f);
                  sum.addTo(memory, "d", true, true);
                },
                bind([&] { reduce(tile, 0, 0, 1024); }),
                [&] {
                  for (uint32_t i = 0; i < 256; ++i)
                    ASSERT_EQ(sum[i], 0.5f + static_cast<float>(swizzled(4 * i, 128) / 4));
                }),
            "");
}

} // namespace
} // namespace tilewright::emulator
