// SPDX-License-Identifier: Apache-2.0
#include "runtime/nvrtc/Discovery.h"

#include "tests/runtime/nvrtc/ScratchFolder.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

std::vector<std::string> paths(const std::vector<NvrtcCandidate> &candidates) {
  std::vector<std::string> result;
  for (const NvrtcCandidate &candidate : candidates)
    result.push_back(candidate.path);
  return result;
}

/// Only what a test names.
NvrtcSearch nowhere() { return {.loaderPath = false, .toolkit = ""}; }

TEST(NvrtcDiscovery, TheOptionIsTriedAlone) {
  const ScratchFolder folder;
  folder.write("cuda/lib64/libnvrtc.so", "");
  NvrtcSearch search;
  search.env = search.env.with(EnvKey::cudaHome, folder.path("cuda"))
                   .with(EnvKey::nvrtc, "/elsewhere/libnvrtc.so");
  search.library = "/no/such/libnvrtc.so.12";
  EXPECT_EQ(nvrtcCandidates(search),
            (std::vector<NvrtcCandidate>{{"/no/such/libnvrtc.so.12", "the option"}}));
}

TEST(NvrtcDiscovery, TheVariableIsTriedAloneWithoutTheOption) {
  NvrtcSearch search;
  search.env = search.env.with(EnvKey::nvrtc, "/elsewhere/libnvrtc.so");
  EXPECT_EQ(nvrtcCandidates(search),
            (std::vector<NvrtcCandidate>{{"/elsewhere/libnvrtc.so", "TILEWRIGHT_NVRTC"}}));
}

TEST(NvrtcDiscovery, AFolderStandsForItsLibrary) {
  const ScratchFolder folder;
  NvrtcSearch search = nowhere();
  search.library = folder.path();
  EXPECT_TRUE(nvrtcCandidates(search).empty());
  const std::string twelve = folder.write("libnvrtc.so.12", "");
  EXPECT_EQ(paths(nvrtcCandidates(search)), std::vector{twelve});
  const std::string thirteen = folder.write("libnvrtc.so.13", "");
  EXPECT_EQ(paths(nvrtcCandidates(search)), std::vector{thirteen});
  const std::string plain = folder.write("libnvrtc.so", "");
  EXPECT_EQ(paths(nvrtcCandidates(search)), std::vector{plain});
}

TEST(NvrtcDiscovery, LooksInOrder) {
  const ScratchFolder folder;
  const std::string home = folder.write("home/lib64/libnvrtc.so", "");
  const std::string toolkit = folder.write("toolkit/lib64/libnvrtc.so.12", "");
  const std::string wheel13 =
      folder.write("venv/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13", "");
  const std::string wheel12 =
      folder.write("venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "");
  NvrtcSearch search;
  search.toolkit = folder.path("toolkit");
  search.env = search.env.with(EnvKey::cudaHome, folder.path("home"))
                   .with(EnvKey::virtualEnv, folder.path("venv"));
  EXPECT_EQ(paths(nvrtcCandidates(search)),
            (std::vector<std::string>{"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", home,
                                      toolkit, wheel13, wheel12}));
}

TEST(NvrtcDiscovery, AsksThePythonInUse) {
  const ScratchFolder folder;
  const std::string wheel = folder.write("packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "");
  const std::string python =
      folder.write("bin/python3",
                   "#!/bin/sh\necho\necho /no/such/folder\necho " + folder.path("packages") + "\n");
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  NvrtcSearch search = nowhere();
  search.env = search.env.with(EnvKey::path, "/no/such/bin::" + folder.path("bin"));
  const std::vector<NvrtcCandidate> found = nvrtcPythonCandidates(search);
  EXPECT_EQ(found, (std::vector<NvrtcCandidate>{{wheel, "wheels of " + python}}));
  EXPECT_TRUE(nvrtcCandidates(search).empty()) << "it is not asked before the rest has failed";
}

TEST(NvrtcDiscovery, DoesWithoutPython) {
  const ScratchFolder folder;
  NvrtcSearch search = nowhere();
  EXPECT_TRUE(nvrtcPythonCandidates(search).empty());
  search.env = search.env.with(EnvKey::path, folder.path());
  folder.write("python3", "not executable");
  EXPECT_TRUE(nvrtcPythonCandidates(search).empty());
}

} // namespace
