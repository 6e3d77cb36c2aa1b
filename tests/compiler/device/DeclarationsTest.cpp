// SPDX-License-Identifier: Apache-2.0
// The device and the host headers declare the same.
#include "compiler/device/DeviceHeaders.h"
#include "tests/compiler/device/HeaderText.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <regex>

using namespace tilewright;

namespace {

std::map<std::string_view, std::string_view> table(std::span<const DeviceHeader> headers) {
  std::map<std::string_view, std::string_view> result;
  for (const DeviceHeader &header : headers)
    result.emplace(header.name, header.text);
  return result;
}

TEST(HeaderText, FindsFunctionsAndTypes) {
  const std::string text =
      "#define A \\\n  f(\n"
      "namespace tw {\n"
      "// g();\n"
      "struct s {\n  int x;\n};\n"
      "template <int N>\n__device__ __forceinline__ int  f(s a,\n int b = 1) {\n"
      "  if (b) { asm(\"x { y\"); }\n  return 0;\n}\n"
      "namespace detail {\nvoid hidden();\n} // namespace detail\n"
      "int h(s a);\n"
      "} // namespace tw\n";
  EXPECT_EQ(declarations(text), (std::set<std::string>{"struct s { int x; }", "int h(s a)",
                                                       "template <int N> int f(s a, int b = 1)"}));
  EXPECT_EQ(functionNames(text), (std::set<std::string>{"f", "h"}));
}

TEST(Declarations, BothSetsHaveTheSameNamesButForTheTable) {
  std::vector<std::string_view> device;
  std::vector<std::string_view> host;
  for (const DeviceHeader &header : deviceHeaders())
    device.push_back(header.name);
  for (const DeviceHeader &header : hostHeaders())
    host.push_back(header.name);
  EXPECT_EQ(std::erase(host, "tilewright/emulator.cuh"), 1u);
  EXPECT_EQ(device, host);
  EXPECT_TRUE(std::is_sorted(device.begin(), device.end()));
  EXPECT_EQ(std::count_if(device.begin(), device.end(),
                          [](std::string_view name) { return name.find("wgmma_n") != name.npos; }),
            32);
}

TEST(Declarations, BothSetsDeclareTheSame) {
  const auto host = table(hostHeaders());
  size_t functions = 0;
  for (const DeviceHeader &header : deviceHeaders()) {
    EXPECT_EQ(declarations(header.text), declarations(host.at(header.name))) << header.name;
    functions += functionNames(header.text).size();
  }
  EXPECT_GT(functions, 100u);
}

TEST(Declarations, EveryFunctionWithAsmNamesItsSection) {
  size_t seen = 0;
  for (const DeviceHeader &header : deviceHeaders()) {
    // A blank line stands between declarations and nowhere else.
    std::string_view rest = header.text;
    while (!rest.empty()) {
      const size_t end = rest.find("\n\n");
      const std::string_view block = rest.substr(0, end);
      if (block.find("__forceinline__") != block.npos &&
          std::regex_search(std::string(block), std::regex("asm.*\\(\n? *\"[^\"]"))) {
        ++seen;
        EXPECT_NE(block.find("PTX ISA: \""), block.npos) << header.name << ":\n" << block;
      }
      rest = end == rest.npos ? std::string_view() : rest.substr(end + 2);
    }
  }
  EXPECT_GT(seen, 50u);
}

TEST(DeviceHeaders, FindsByName) {
  ASSERT_TRUE(findDeviceHeader("tilewright/mbarrier.cuh").has_value());
  EXPECT_NE(findDeviceHeader("tilewright/mbarrier.cuh")->text.find("try_wait"), std::string::npos);
  EXPECT_FALSE(findDeviceHeader("tilewright/mbarrier").has_value());
  EXPECT_FALSE(findDeviceHeader("tilewright/zzz.cuh").has_value());
  const std::string_view text = findDeviceHeader("tilewright/tma.cuh")->text;
  EXPECT_EQ(text.data()[text.size()], '\0') << "a C string";
}

} // namespace
