// SPDX-License-Identifier: Apache-2.0
// Every function of the device library, instantiated: the PTX that it becomes, and that the host
// declarations accept the same call.
#include "compiler/device/DeviceHeaders.h"
#include "tests/compiler/device/DeviceCompile.h"
#include "tests/compiler/device/FunctionCases.h"
#include "tests/compiler/device/HeaderText.h"

#include <regex>

using namespace tilewright;

namespace {

class Function : public testing::TestWithParam<FunctionCase> {};

/// One line, single blanks, without ptx comments and directives of the inline assembler.
std::string squeeze(const std::string &ptx) {
  const std::string code = std::regex_replace(ptx, std::regex("//[^\n]*"), "");
  return std::regex_replace(code, std::regex("\\s+"), " ");
}

TEST_P(Function, BecomesItsInstruction) {
  const FunctionCase &test = GetParam();
  const std::string text = kernelText(test.headers, "  " + test.body);
  const NvrtcOutput output = compileDevice(text);
  const std::string ptx = squeeze(output.ptx);
  for (const std::string &pattern : test.expected)
    EXPECT_TRUE(std::regex_search(ptx, std::regex(pattern))) << pattern << "\n" << output.ptx;
  for (const std::string &pattern : test.forbidden)
    EXPECT_FALSE(std::regex_search(ptx, std::regex(pattern))) << pattern << "\n" << output.ptx;
  EXPECT_TRUE(output.advisories.empty()) << output.log;
}

TEST_P(Function, IsAcceptedOnTheHost) {
  EXPECT_TRUE(compilesOnHost(kernelText(GetParam().headers, "  " + GetParam().body)));
}

INSTANTIATE_TEST_SUITE_P(Each, Function, testing::ValuesIn(functionCases()),
                         [](const testing::TestParamInfo<FunctionCase> &info) {
                           return info.param.name;
                         });

TEST(Functions, EveryOneHasACase) {
  std::string bodies = "tw::wgmma_ss< tw::wgmma_rs<"; // WgmmaTest.cpp
  for (const FunctionCase &test : functionCases())
    bodies += test.body + "\n";
  for (const DeviceHeader &header : deviceHeaders())
    for (const std::string &name : functionNames(header.text))
      EXPECT_TRUE(std::regex_search(bodies, std::regex("tw::" + name + "[<(]"))) << name;
}

} // namespace
