// SPDX-License-Identifier: Apache-2.0
//
// The same kernels by the oldest NVRTC that we support. scripts/setup.sh --nvrtc12 installs one in
// build/nvrtc12; TILEWRIGHT_NVRTC12 names another (its library, or a folder).

#include "tests/engine/CompileCases.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace tilewright;

namespace {

/// The library, or empty.
std::string oldestLibrary() {
  if (const char *named = std::getenv("TILEWRIGHT_NVRTC12"))
    return named;
  const std::filesystem::path folder = TW_SOURCE_DIR "/build/nvrtc12";
  if (std::filesystem::exists(folder))
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().filename() == "libnvrtc.so.12")
        return entry.path().string();
  return "";
}

TEST(OldestNvrtc, CompilesKernelsCleanly) {
  const std::string library = oldestLibrary();
  if (library.empty()) {
    const char *ci = std::getenv("CI");
    ASSERT_FALSE(ci && std::string_view(ci) == "true")
        << "no NVRTC 12 in build/nvrtc12: scripts/setup.sh --nvrtc12 installs it";
    GTEST_SKIP() << "no NVRTC 12: run scripts/setup.sh --nvrtc12, or name one by "
                    "TILEWRIGHT_NVRTC12";
  }
  Expected<Nvrtc> nvrtc = Nvrtc::find({.library = library});
  ASSERT_TRUE(nvrtc) << nvrtc.status().message();
  ASSERT_EQ(nvrtc->version().major, 12);

  // Winners have the largest tiles, samples the strangest epilogues.
  const std::vector<KernelCase> all = knownWinners();
  std::vector<KernelCase> winners;
  for (size_t i = 0; i < all.size(); i += 4)
    winners.push_back(all[i]);
  const std::vector<KernelCase> samples = sampledCases(16, 12);
  EXPECT_GE(winners.size() + samples.size(), 20U);

  // As with the newest: a sampled config may spill, then it is refused by name; a winner may not.
  const std::vector<CompiledCase> compiledWinners = compileCases(winners, *nvrtc);
  expectAccepted(compiledWinners);
  const std::vector<CompiledCase> compiledSamples = compileCases(samples, *nvrtc);
  expectCompiled(compiledSamples);
  std::printf("%zu configs by NVRTC %s; spills of winners: %s; of samples: %s\n",
              winners.size() + samples.size(), nvrtc->version().toString().c_str(),
              spillDistribution(compiledWinners).c_str(),
              spillDistribution(compiledSamples).c_str());
}

} // namespace
