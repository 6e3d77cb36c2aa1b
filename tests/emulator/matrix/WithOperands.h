// SPDX-License-Identifier: Apache-2.0
//
// The fixture of tests about registers: operands are in shared memory, fenced, known to all.

#pragma once

#include "tests/emulator/matrix/Lab.h"

#include <gtest/gtest.h>

#include <string>

namespace tilewright::emulator {

/// Kernels whose operands are in place.
class WithOperands : public testing::Test {
protected:
  std::string kinds(const LabKernel &kernel) {
    return kindsOf([&] {
      operands_.put();
      kernel();
    });
  }
  Finding finding(FindingKind kind, const LabKernel &kernel) {
    return findingOf(kind, [&] {
      operands_.put();
      kernel();
    });
  }

  const Operands128 operands_;
};

/// One wgmma of step k.
inline void multiply(float (&acc)[8], int32_t k = 0, int32_t line = __builtin_LINE()) {
  tw::wgmma_ss<kColumns, tw::bf16>(acc, descriptorA(k), descriptorB(k), 1, line);
}
inline void multiplyFragments(float (&acc)[8], const uint32_t (&a)[4],
                              int32_t line = __builtin_LINE()) {
  tw::wgmma_rs<kColumns, tw::bf16>(acc, a, descriptorB(), 1, line);
}
inline void finish(float (&acc)[8]) {
  tw::wgmma_commit();
  tw::wgmma_wait<0>(acc);
}

} // namespace tilewright::emulator
