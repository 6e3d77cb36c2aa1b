// SPDX-License-Identifier: Apache-2.0
// wgmma of every N, type, and kind of operand A.
#include "tests/compiler/device/DeviceCompile.h"

#include <algorithm>
#include <regex>

using namespace tilewright;

namespace {

class Wgmma : public testing::TestWithParam<int> {};

/// Both types, A from shared memory and from registers, on the second of two accumulator tiles.
std::string wgmmaBody(int n) {
  const std::string size = std::to_string(n);
  std::string body = "  float acc[" + size +
                     "];\n  uint32_t a[8] = {};\n"
                     "  const uint64_t d = tw::smem_descriptor<128>(smem);\n"
                     "  for (int j = 0; j < " +
                     size +
                     "; ++j) acc[j] = 0.0f;\n"
                     "  tw::wgmma_fence(acc, a);\n";
  for (const std::string type : {"tw::bf16", "tw::half"}) {
    body += "  tw::wgmma_ss<" + size + ", " + type + ", 0, 1, 1>(acc, d, d, n);\n";
    body += "  tw::wgmma_rs<" + size + ", " + type + ", 1, 1, 1>(acc, a, d, 1);\n";
  }
  return body +
         "  tw::wgmma_commit();\n  tw::wgmma_wait<0>(acc);\n"
         "  for (int j = 0; j < " +
         size + "; ++j) f[j * 128 + i] = acc[j];\n";
}

TEST_P(Wgmma, HasEveryTypeAndOperandKind) {
  const std::string n = std::to_string(GetParam());
  const NvrtcOutput output = compileDevice(kernelText({"wgmma_n" + n}, wgmmaBody(GetParam())));
  const std::string ptx = std::regex_replace(output.ptx, std::regex("\\s+"), " ");
  for (const std::string type : {"bf16", "f16"}) {
    const std::string start =
        "wgmma.mma_async.sync.aligned.m64n" + n + "k16.f32." + type + "." + type + " {";
    std::vector<size_t> found;
    for (size_t at = ptx.find(start); at != ptx.npos; at = ptx.find(start, at + 1))
      found.push_back(at + start.size());
    ASSERT_EQ(found.size(), 2u) << output.ptx;
    const auto accumulators = [&](size_t at) {
      return std::count(ptx.begin() + at, ptx.begin() + ptx.find('}', at), ',') + 1;
    };
    EXPECT_EQ(accumulators(found[0]), GetParam() / 2);
    EXPECT_EQ(accumulators(found[1]), GetParam() / 2);
    const std::regex ss("^\\}, %rd\\d+, %rd\\d+, p, 1, 1, 0, 1;");
    const std::regex rs("^\\}, \\{%r\\d+, %r\\d+, %r\\d+, %r\\d+\\}, %rd\\d+, p, 1, 1, 1;");
    EXPECT_TRUE(std::regex_search(ptx.substr(ptx.find('}', found[0]), 200), ss));
    EXPECT_TRUE(std::regex_search(ptx.substr(ptx.find('}', found[1]), 200), rs));
  }
  ASSERT_EQ(output.kernels.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(N, Wgmma, testing::Range(8, 257, 8));

TEST(WgmmaTypes, ShortArraysAreRefused) {
  const auto accepts = [](const std::string &body) {
    const testing::AssertionResult result =
        compilesOnHost(kernelText({"wgmma_n16"}, "  float acc[8];\n" + body));
    return static_cast<bool>(result);
  };
  EXPECT_TRUE(accepts("  tw::wgmma_ss<16, tw::bf16>(acc, 0, 0, 1);"));
  EXPECT_FALSE(accepts("  tw::wgmma_ss<16, tw::bf16>(f, 0, 0, 1);"));
}

} // namespace
