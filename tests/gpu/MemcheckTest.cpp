// SPDX-License-Identifier: Apache-2.0
// Kernels for compute-sanitizer: one case per kernel, operands without guard zones, so that the
// tool sees each access beyond an operand. scripts/gpu_check.sh runs these under it.
#include "tests/gpu/GemmCase.h"

using namespace tilewright;

namespace {

class Memcheck : public GpuTest, public testing::WithParamInterface<NamedCase> {};

TEST_P(Memcheck, StaysInside) { expectRight({GetParam().gemm}, {.hasGuards = false}); }

INSTANTIATE_TEST_SUITE_P(Kernel, Memcheck, testing::ValuesIn(memcheckCases()),
                         [](const auto &info) { return info.param.name; });

} // namespace
