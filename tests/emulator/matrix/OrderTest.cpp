// SPDX-License-Identifier: Apache-2.0
//
// Operands of wgmma in shared memory: what has to be ordered before it, and what behind. Each
// finding is provoked, its legal neighbours stay silent.
#include "tests/emulator/matrix/Lab.h"

#include "tilewright/mbarrier.cuh"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

/// One wgmma of step k, waited for.
void multiplyAndWait(int32_t k = 0) {
  float acc[8];
  tw::fill(acc, 0.0F);
  tw::wgmma_fence(acc);
  tw::wgmma_ss<kColumns, tw::bf16>(acc, descriptorA(k), descriptorB(k), 1);
  tw::wgmma_commit();
  tw::wgmma_wait<0>(acc);
}

void store(const Operands128 &operands, int32_t first = 0) {
  storeImage(operands.a, kOperandA, first);
  storeImage(operands.b, kOperandB, first);
}

// --- before it ----------------------------------------------------------------------------------

TEST(Order, StoresNeedAProxyFence) {
  const Operands128 operands;
  EXPECT_EQ(kindsOf([&] {
              store(operands);
              tw::cta_sync();
              multiplyAndWait();
            }),
            "proxy-fence");
}

TEST(Order, AFenceBeforeTheStoresCoversNothing) {
  const Operands128 operands;
  EXPECT_EQ(kindsOf([&] {
              tw::fence_proxy_async_shared();
              store(operands);
              tw::cta_sync();
              multiplyAndWait();
            }),
            "proxy-fence");
}

TEST(Order, AFenceOfOneWarpCoversNotTheOthers) {
  const Operands128 operands;
  EXPECT_EQ(kindsOf([&] {
              store(operands);
              tw::cta_sync();
              if (tw::warp_id() == 0)
                tw::fence_proxy_async_shared();
              tw::cta_sync();
              multiplyAndWait();
            }),
            "proxy-fence");
}

TEST(Order, AFenceOfEachWriterBeforeTheBarrierIsLegal) {
  const Operands128 operands;
  EXPECT_EQ(kindsOf([&] {
              operands.put();
              multiplyAndWait();
            }),
            "");
}

TEST(Order, StoresNeedABarrier) {
  const Operands128 operands;
  EXPECT_EQ(kindsOf([&] {
              store(operands);
              tw::fence_proxy_async_shared();
              multiplyAndWait();
            }),
            "race-raw");
}

/// Warpgroup 1 stores for warpgroup 0, of which the first `Waiters` threads wait.
template <int Waiters>
std::string kindsOfHandOver() {
  const Operands128 operands;
  return kindsOf({.threads = 256}, [&] {
    if (tw::thread_id() >= 128) {
      store(operands, 128);
      tw::fence_proxy_async_shared();
      tw::barrier_arrive<128 + Waiters>(1);
      return;
    }
    if (tw::thread_id() < Waiters)
      tw::barrier_sync<128 + Waiters>(1);
    multiplyAndWait();
  });
}

TEST(Order, EachThreadOfTheWarpgroupHasToWait) {
  EXPECT_EQ(kindsOfHandOver<128>(), "");
  EXPECT_EQ(kindsOfHandOver<96>(), "race-raw");
  EXPECT_EQ(kindsOfHandOver<32>(), "race-raw");
}

/// Warpgroup 1 stores and then fences: warp 2 waits for the stores, and like the other warps for
/// the fence, or not.
template <bool Waits>
LabKernel lateFence() {
  const Operands128 operands;
  return [operands] {
    if (tw::thread_id() >= 128) {
      store(operands, 128);
      tw::barrier_arrive<160>(1);
      tw::fence_proxy_async_shared();
      tw::barrier_arrive<Waits ? 256 : 224>(2);
      return;
    }
    if (tw::warp_id() == 2)
      tw::barrier_sync<160>(1);
    if (Waits || tw::warp_id() != 2)
      tw::barrier_sync<Waits ? 256 : 224>(2);
    multiplyAndWait();
  };
}

TEST(Order, EachThreadOfTheWarpgroupHasToWaitForTheFence) {
  EXPECT_EQ(kindsOf({.threads = 256}, lateFence<true>()), "");
  EXPECT_EQ(kindsOf({.threads = 256}, lateFence<false>()), "proxy-fence");
  EXPECT_TRUE(isFoundInEverySchedule({.threads = 256}, lateFence<false>()));
}

TEST(Order, BytesThatNobodyWroteAreFound) {
  const Operands128 operands;
  EXPECT_EQ(kindsOf([&] {
              storeImage(operands.a, kOperandA);
              tw::fence_proxy_async_shared();
              tw::cta_sync();
              multiplyAndWait();
            }),
            "uninitialised-read");
}

TEST(Order, BytesOfABarrierAreFound) {
  const Operands128 operands;
  EXPECT_EQ(kindsOf([&] {
              operands.put();
              if (tw::thread_id() == 0)
                tw::mbarrier_init(tw::smem_base() + kOperandB, 1);
              tw::cta_sync();
              multiplyAndWait();
            }),
            "barrier-overwritten");
}

// --- behind it ----------------------------------------------------------------------------------

/// Two groups; the operands of one of them are overwritten behind a wait for all but `Outstanding`.
template <int Outstanding>
LabKernel reuse(int32_t group) {
  const Operands128 operands;
  return [operands, group] {
    static const std::vector<uint8_t> zeros(16);
    operands.put();
    float acc[8];
    tw::fill(acc, 0.0F);
    tw::wgmma_fence(acc);
    for (int32_t k = 0; k < 2; ++k) {
      tw::wgmma_ss<kColumns, tw::bf16>(acc, descriptorA(k), descriptorB(k), 1);
      tw::wgmma_commit();
    }
    tw::wgmma_wait<Outstanding>();
    tw::cta_sync();
    // The first row is not permuted: its bytes of step k are 32 * k and on.
    if (tw::thread_id() == 0)
      storeImage(zeros, kOperandA + 32 * group, 0, 1);
    tw::wgmma_wait<0>(acc);
  };
}

TEST(Order, OperandsOfAGroupAreReadUntilItsWait) {
  // In flight or landed by then: no order in both cases.
  EXPECT_EQ(kindsOf(reuse<2>(0)), "race-war write-in-flight");
  EXPECT_EQ(kindsOf(reuse<1>(1)), "race-war write-in-flight");
  EXPECT_TRUE(isFoundInEverySchedule({}, reuse<2>(0)));
  EXPECT_TRUE(isFoundInEverySchedule({}, reuse<1>(1)));
}

TEST(Order, OperandsAreFreeBehindTheWaitOfTheirGroup) {
  EXPECT_EQ(kindsOf(reuse<1>(0)), "");
  EXPECT_EQ(kindsOf(reuse<0>(1)), "");
}

// A wgmma ends as a whole: one thread's wait says that the operands of all have been read.
TEST(Order, OneThreadThatHasWaitedMayOverwriteForAll) {
  const Operands128 operands;
  EXPECT_EQ(kindsOf([&] {
              operands.put();
              multiplyAndWait();
              if (tw::thread_id() == 77)
                storeImage(operands.a, kOperandA, 77, 1);
            }),
            "");
}

/// Warpgroup 1 overwrites what warpgroup 0 has multiplied, behind a barrier or not.
LabKernel overwrite(bool isOrdered) {
  const Operands128 operands;
  return [operands, isOrdered] {
    if (tw::thread_id() < 128) {
      store(operands);
      tw::fence_proxy_async_shared();
    }
    tw::cta_sync();
    if (tw::thread_id() < 128)
      multiplyAndWait();
    if (isOrdered)
      tw::cta_sync();
    if (tw::thread_id() >= 128)
      storeImage(operands.a, kOperandA, 128);
  };
}

TEST(Order, AnotherWarpgroupMayOverwriteBehindABarrierOnly) {
  EXPECT_EQ(kindsOf({.threads = 256}, overwrite(true)), "");
  EXPECT_TRUE(isFoundInEverySchedule({.threads = 256}, overwrite(false)));
}

// --- addresses ----------------------------------------------------------------------------------

/// A wgmma with these descriptors, whose operands are all there.
template <int TransB>
std::string kindsOfDescriptors(const std::function<uint64_t()> &a,
                               const std::function<uint64_t()> &b) {
  const std::vector<uint8_t> zeros(32768);
  return kindsOf({.shared = 32768}, [&] {
    storeImage(zeros, 0);
    tw::fence_proxy_async_shared();
    tw::cta_sync();
    float acc[32];
    tw::fill(acc, 0.0F);
    tw::wgmma_fence(acc);
    tw::wgmma_ss<64, tw::bf16, 0, TransB>(acc, a(), b(), 1);
    tw::wgmma_commit();
    tw::wgmma_wait<0>(acc);
  });
}

TEST(Order, OperandsLieInSharedMemory) {
  const auto inside = [] { return tw::smem_descriptor<128>(tw::smem_base() + 32768 - 8192); };
  const auto behind = [] { return tw::smem_descriptor<128>(tw::smem_base() + 32768 - 7168); };
  const auto before = [] { return tw::smem_descriptor<128>(tw::smem_base() - 1024); };
  EXPECT_EQ(kindsOfDescriptors<0>(inside, inside), "");
  EXPECT_EQ(kindsOfDescriptors<0>(behind, inside), "shared-out-of-bounds");
  EXPECT_EQ(kindsOfDescriptors<0>(inside, behind), "shared-out-of-bounds");
  EXPECT_EQ(kindsOfDescriptors<0>(inside, before), "shared-out-of-bounds");
}

TEST(Order, GroupsOfRowsBeginWithTheSwizzlesPattern) {
  const auto stride = [](int32_t bytes) {
    return [bytes] { return tw::smem_descriptor<128>(tw::smem_base(), 16, bytes); };
  };
  EXPECT_EQ(kindsOfDescriptors<0>(stride(1024), stride(2048)), "");
  EXPECT_EQ(kindsOfDescriptors<0>(stride(512), stride(1024)), "descriptor");
  EXPECT_EQ(kindsOfDescriptors<0>(stride(1024), stride(1152)), "descriptor");
}

// An operand of one group of rows or one panel takes no step: its offset may be anything.
TEST(Order, OffsetsThatNoElementNeedsAreNotChecked) {
  const auto a = [] { return tw::smem_descriptor<128>(tw::smem_base()); };
  const auto panel = [] { return tw::smem_descriptor<128>(tw::smem_base(), 16, 8 * 128); };
  EXPECT_EQ(kindsOfDescriptors<1>(a, panel), "");
}

TEST(Order, ADescriptorIsOneFinding) {
  const Operands128 operands;
  MachineOptions options;
  options.maxErrors = 10;
  const std::vector<Finding> findings = findingsOf({}, options, [&] {
    operands.put();
    float acc[8];
    tw::fill(acc, 0.0F);
    tw::wgmma_fence(acc);
    tw::wgmma_ss<kColumns, tw::bf16>(acc, tw::smem_descriptor<128>(tw::smem_base(), 16, 1152),
                                     descriptorB(), 1);
    tw::wgmma_commit();
    tw::wgmma_wait<0>(acc);
  });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, FindingKind::descriptor);
}

TEST(Order, PanelsBeginWithTheSwizzlesPattern) {
  const auto a = [] { return tw::smem_descriptor<128>(tw::smem_base()); };
  const auto panels = [](int32_t leading) {
    return [leading] { return tw::smem_descriptor<64>(tw::smem_base(), leading, 8 * 64); };
  };
  EXPECT_EQ(kindsOfDescriptors<1>(a, panels(4096)), "");
  EXPECT_EQ(kindsOfDescriptors<1>(a, panels(4096 + 128)), "descriptor");
}

} // namespace
} // namespace tilewright::emulator
