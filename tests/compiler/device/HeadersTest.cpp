// SPDX-License-Identifier: Apache-2.0
// Each header compiles by itself, for the device and for the host.
#include "compiler/device/DeviceHeaders.h"
#include "tests/compiler/device/DeviceCompile.h"

#include <algorithm>

using namespace tilewright;

namespace {

class Header : public testing::TestWithParam<DeviceHeader> {};

std::string includeOnly(std::string_view name) {
  return "#include \"" + std::string(name) + "\"\n" +
         "extern \"C\" __global__ void k(int *p) { *p = 1; }\n";
}

TEST_P(Header, CompilesAloneForTheDevice) {
  EXPECT_EQ(compileDevice(includeOnly(GetParam().name)).kernels.size(), 1u);
}

TEST_P(Header, CompilesAloneForTheHost) {
  // The macros of CUDA's own words come with every header that declares anything for them.
  EXPECT_TRUE(compilesOnHost("#include \"" + std::string(GetParam().name) + "\"\n"));
}

INSTANTIATE_TEST_SUITE_P(Each, Header,
                         testing::ValuesIn(deviceHeaders().begin(), deviceHeaders().end()),
                         [](const testing::TestParamInfo<DeviceHeader> &info) {
                           std::string name(info.param.name.substr(11));
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(HostHeaders, RefuseWhatTheLibraryDoesNotHave) {
  EXPECT_FALSE(compilesOnHost(kernelText({}, "  tw::no_such_function(smem);")));
  EXPECT_FALSE(compilesOnHost(kernelText({}, "  u[0] = threadIdx.x;")));
  EXPECT_FALSE(compilesOnHost(kernelText({"mbarrier"}, "  tw::mbarrier_init(smem);")));
}

} // namespace
