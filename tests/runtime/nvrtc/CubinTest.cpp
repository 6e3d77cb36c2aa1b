// SPDX-License-Identifier: Apache-2.0
#include "runtime/nvrtc/Cubin.h"

#include "runtime/nvrtc/Nvrtc.h"

#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>

using namespace tilewright;

namespace {

std::string compiled() {
  const Expected<Nvrtc> nvrtc = Nvrtc::find({.env = Env::fromProcess()});
  const Expected<NvrtcOutput> output = nvrtc->compile(
      {.text =
           "extern \"C\" __global__ void one(int *p) { *p = 1; }\n"
           "extern \"C\" __global__ void two(int *p) { __shared__ int s[32]; s[threadIdx.x] = 1;"
           " __syncthreads(); *p = s[*p]; }\n"});
  return output ? output->cubin : "";
}

TEST(Cubin, ListsKernelsWithTheirCode) {
  const std::string cubin = compiled();
  const Expected<std::vector<CubinKernel>> kernels = readCubin(cubin);
  ASSERT_TRUE(kernels) << kernels.status().toString();
  ASSERT_EQ(kernels->size(), 2u);
  for (const CubinKernel &kernel : *kernels) {
    EXPECT_TRUE(kernel.name == "one" || kernel.name == "two") << kernel.name;
    EXPECT_GT(kernel.code.size(), 0u);
    EXPECT_EQ(kernel.code.size() % 16, 0u);
    EXPECT_GE(kernel.code.data(), cubin.data());
  }
}

TEST(Cubin, RefusesWhatIsNoElfFile) {
  EXPECT_EQ(readCubin("").status().code(), StatusCode::internal);
  EXPECT_EQ(readCubin("text").status().code(), StatusCode::internal);
  EXPECT_FALSE(readCubin(std::string(4096, 'x')));
  EXPECT_FALSE(readCubin(std::string(4096, '\0')));
}

TEST(Cubin, SurvivesTruncation) {
  const std::string cubin = compiled();
  ASSERT_TRUE(readCubin(cubin));
  Elf64_Ehdr header;
  std::memcpy(&header, cubin.data(), sizeof header);
  const size_t needed = header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr);
  for (size_t size = 0; size < needed; size += 61)
    EXPECT_FALSE(readCubin(cubin.substr(0, size))) << size;
}

TEST(Cubin, SurvivesWrongOffsets) {
  const std::string cubin = compiled();
  Elf64_Ehdr header;
  std::memcpy(&header, cubin.data(), sizeof header);
  const auto with = [&](auto change) {
    Elf64_Ehdr changed = header;
    change(changed);
    std::string result = cubin;
    std::memcpy(result.data(), &changed, sizeof changed);
    return result;
  };
  EXPECT_FALSE(readCubin(with([](Elf64_Ehdr &h) { h.e_shoff = ~uint64_t{0}; })));
  EXPECT_FALSE(readCubin(with([](Elf64_Ehdr &h) { h.e_shnum = 0xffff; })));
  EXPECT_FALSE(readCubin(with([](Elf64_Ehdr &h) { h.e_shstrndx = h.e_shnum; })));
  EXPECT_FALSE(readCubin(with([](Elf64_Ehdr &h) { h.e_shentsize = 1; })));
  EXPECT_FALSE(readCubin(with([](Elf64_Ehdr &h) { h.e_shnum = 0; })));
  std::string outside = cubin;
  const uint64_t far = ~uint64_t{0} - 7;
  std::memcpy(outside.data() + header.e_shoff + sizeof(Elf64_Shdr) +
                  offsetof(Elf64_Shdr, sh_offset),
              &far, sizeof far);
  EXPECT_FALSE(readCubin(outside));
}

} // namespace
