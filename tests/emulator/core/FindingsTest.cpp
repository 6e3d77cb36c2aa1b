// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/core/Findings.h"

#include <gtest/gtest.h>

#include <set>

namespace tilewright::emulator {
namespace {

Finding sample() {
  Finding finding;
  finding.kind = FindingKind::raceRaw;
  finding.kernel = "gemm_kernel";
  finding.line = 91;
  finding.lineText = "tw::ldmatrix<4>(tile, a);";
  finding.place = {1, 4, 3};
  finding.object = "shared memory 0x2400 to 0x2404 of CTA 1";
  finding.other = {"tma_load by CTA 1, warp 0, lane 5", 60};
  finding.message = "ldmatrix reads too early; wait";
  return finding;
}

TEST(Findings, TextSaysBothSides) {
  EXPECT_EQ(toText(sample()),
            "error: race-raw: ldmatrix reads too early; wait\n"
            "  at    gemm_kernel:91 (CTA 1, warp 4, lane 3): tw::ldmatrix<4>(tile, a);\n"
            "  about shared memory 0x2400 to 0x2404 of CTA 1\n"
            "  with  tma_load by CTA 1, warp 0, lane 5, line 60\n");
}

TEST(Findings, TextLeavesOutWhatIsUnknown) {
  Finding finding;
  finding.kind = FindingKind::deadlock;
  finding.severity = Severity::warning;
  finding.message = "stuck";
  EXPECT_EQ(toText(finding), "warning: deadlock: stuck\n  at    kernel\n");
}

TEST(Findings, JsonIsOneLine) {
  EXPECT_EQ(toJson(sample()),
            "{\"kind\":\"race-raw\",\"severity\":\"error\",\"kernel\":\"gemm_kernel\",\"line\":91,"
            "\"text\":\"tw::ldmatrix<4>(tile, a);\",\"cta\":1,\"warp\":4,\"lane\":3,"
            "\"object\":\"shared memory 0x2400 to 0x2404 of CTA 1\","
            "\"other\":{\"what\":\"tma_load by CTA 1, warp 0, lane 5\",\"line\":60},"
            "\"message\":\"ldmatrix reads too early; wait\"}");
}

TEST(Findings, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(FindingKind::poison); ++kind)
    EXPECT_TRUE(names.insert(findingKindName(static_cast<FindingKind>(kind))).second) << kind;
  EXPECT_EQ(names.count("unknown"), 0u);
}

} // namespace
} // namespace tilewright::emulator
