// SPDX-License-Identifier: Apache-2.0
#include "runtime/nvrtc/NvrtcLibrary.h"

#include "runtime/nvrtc/Nvrtc.h"
#include "tests/runtime/nvrtc/ScratchFolder.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilewright;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

NvrtcSearch only(const std::string &library) { return {.library = library}; }

std::string failure(const NvrtcSearch &search) {
  const Expected<NvrtcLibrary> library = NvrtcLibrary::find(search);
  EXPECT_FALSE(library.hasValue());
  EXPECT_EQ(library.status().code(), StatusCode::unavailable);
  return library.status().message();
}

TEST(NvrtcLibrary, NoneAtAllNamesThePlacesAndTheCure) {
  NvrtcSearch search = {.loaderPath = false, .toolkit = "/no/such/toolkit"};
  search.env = search.env.with(EnvKey::cudaHome, "/no/such/home");
  EXPECT_THAT(failure(search),
              AllOf(HasSubstr("/no/such/toolkit"), HasSubstr("CUDA_HOME (/no/such/home)"),
                    HasSubstr("pip install nvidia-cuda-nvrtc"), HasSubstr("TILEWRIGHT_NVRTC"),
                    Not(HasSubstr("Tried"))));
}

TEST(NvrtcLibrary, AFileThatIsNoLibrary) {
  const ScratchFolder folder;
  const std::string path = folder.write("libnvrtc.so.13", "text");
  EXPECT_THAT(failure(only(path)), AllOf(HasSubstr(path), HasSubstr("can't be loaded")));
}

TEST(NvrtcLibrary, ALibraryThatIsNoNvrtc) {
  const ScratchFolder folder;
  const std::string path = folder.place("fake_empty", "libnvrtc.so.13");
  EXPECT_THAT(failure(only(path)), AllOf(HasSubstr(path), HasSubstr("lacks nvrtcVersion")));
}

TEST(NvrtcLibrary, TooOld) {
  const ScratchFolder folder;
  EXPECT_THAT(failure(only(folder.place("fake_nvrtc_11.8", "libnvrtc.so.11.2"))),
              HasSubstr("NVRTC 11.8 is not supported: 12.4 to 13.x is needed"));
}

TEST(NvrtcLibrary, TooNew) {
  const ScratchFolder folder;
  EXPECT_THAT(failure(only(folder.place("fake_nvrtc_14.0", "libnvrtc.so.14"))),
              HasSubstr("NVRTC 14.0 is not supported"));
}

TEST(NvrtcLibrary, WithoutItsBuiltins) {
  const ScratchFolder folder;
  const std::string path = folder.place("fake_nvrtc_12.6", "libnvrtc.so.12");
  EXPECT_THAT(failure(only(path)), AllOf(HasSubstr("libnvrtc-builtins.so.12.6 is missing"),
                                         HasSubstr("beside " + path), HasSubstr("install")));
}

TEST(NvrtcLibrary, WithBrokenBuiltins) {
  const ScratchFolder folder;
  const std::string path = folder.place("fake_nvrtc_12.6", "libnvrtc.so.12");
  const std::string builtins = folder.write("libnvrtc-builtins.so.12.6", "text");
  EXPECT_THAT(failure(only(path)), HasSubstr(builtins + " can't be loaded"));
}

TEST(NvrtcLibrary, WithItsBuiltins) {
  const ScratchFolder folder;
  const std::string path = folder.place("fake_nvrtc_12.6", "libnvrtc.so.12");
  folder.place("fake_empty", "libnvrtc-builtins.so.12.6");
  const Expected<NvrtcLibrary> library = NvrtcLibrary::find(only(path));
  ASSERT_TRUE(library) << library.status().toString();
  EXPECT_EQ(library->version(), (NvrtcVersion{12, 6}));
  EXPECT_EQ(library->path(), std::filesystem::canonical(path));
  EXPECT_EQ(library->origin(), "the option");
}

TEST(NvrtcLibrary, GoesOnAfterAnUnfitOne) {
  const ScratchFolder folder;
  folder.place("fake_nvrtc_11.8", "home/lib64/libnvrtc.so");
  folder.place("fake_nvrtc_12.9", "toolkit/lib64/libnvrtc.so");
  folder.place("fake_empty", "toolkit/lib64/libnvrtc-builtins.so.12.9");
  NvrtcSearch search = {.loaderPath = false, .toolkit = folder.path("toolkit")};
  search.env = search.env.with(EnvKey::cudaHome, folder.path("home"));
  const Expected<NvrtcLibrary> library = NvrtcLibrary::find(search);
  ASSERT_TRUE(library) << library.status().toString();
  EXPECT_EQ(library->version().toString(), "12.9");
  EXPECT_EQ(library->origin(), "the CUDA toolkit");
}

TEST(NvrtcLibrary, ListsEveryUnfitOne) {
  const ScratchFolder folder;
  folder.place("fake_nvrtc_11.8", "home/lib64/libnvrtc.so");
  folder.place("fake_nvrtc_14.0", "toolkit/lib64/libnvrtc.so");
  NvrtcSearch search = {.loaderPath = false, .toolkit = folder.path("toolkit")};
  search.env = search.env.with(EnvKey::cudaHome, folder.path("home"));
  EXPECT_THAT(failure(search), AllOf(HasSubstr("(CUDA_HOME): NVRTC 11.8"),
                                     HasSubstr("(the CUDA toolkit): NVRTC 14.0")));
}

TEST(Nvrtc, MissingBuiltinsInTheMiddleOfACompile) {
  const ScratchFolder folder;
  folder.place("fake_nvrtc_12.6", "libnvrtc.so.12");
  folder.place("fake_empty", "libnvrtc-builtins.so.12.6");
  const Expected<Nvrtc> nvrtc = Nvrtc::find(only(folder.path()));
  ASSERT_TRUE(nvrtc) << nvrtc.status().toString();
  const Expected<NvrtcOutput> output = nvrtc->compile({.text = "int x;"});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.status().code(), StatusCode::unavailable);
  EXPECT_THAT(output.status().message(), HasSubstr("libnvrtc-builtins.so.12.6 is missing"));
}

TEST(Nvrtc, TurnsItsCacheOffWhereThereIsOne) {
  const ScratchFolder folder;
  for (const std::string version : {"12.6", "12.9"}) {
    folder.place("fake_nvrtc_" + version, version + "/libnvrtc.so.12");
    folder.place("fake_empty", version + "/libnvrtc-builtins.so." + version);
    const Expected<Nvrtc> nvrtc = Nvrtc::find(only(folder.path(version)));
    ASSERT_TRUE(nvrtc) << nvrtc.status().toString();
    const std::vector<std::string> options =
        nvrtc->options({.text = "", .extraOptions = {"-DX=1"}});
    EXPECT_EQ(std::count(options.begin(), options.end(), "--no-cache"), version == "12.9");
    EXPECT_EQ(options.front(), "--gpu-architecture=sm_90a");
    EXPECT_EQ(options.back(), "-DX=1");
  }
}

} // namespace
