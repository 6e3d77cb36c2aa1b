// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilewright {

#define GEN_PASS_DEF_TILEPLANSHAREDMEMORY
#include "compiler/passes/Passes.h.inc"

namespace {

/// What a CTA may have at most on sm_90 (CUDA C++ Programming Guide, "Compute Capabilities").
constexpr int64_t kMaxSharedBytes = 232448;
/// smem_base() is aligned to this; slots with a 128-byte swizzle need it.
constexpr int64_t kBaseAlignment = 1024;
constexpr int64_t kBarrierBytes = 8;

struct PlanSharedMemory : impl::TilePlanSharedMemoryBase<PlanSharedMemory> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (kernel.getForm() != tile::Form::Scheduled) {
      kernel.emitOpError() << "shared memory is planned for the scheduled form";
      return signalPassFailure();
    }
    Builder builder(&getContext());
    int64_t total = 0;
    std::string sum;
    auto reserve = [&](int64_t bytes, int64_t alignment, const Twine &what) {
      total = llvm::alignTo(total, alignment);
      int64_t offset = total;
      total += bytes;
      sum += (sum.empty() ? "" : " + ") + std::to_string(bytes) + " (" + what.str() + ")";
      return offset;
    };

    WalkResult placed = kernel.walk([&](tile::RingOp ring) {
      if (ring->getParentOp() == kernel)
        return WalkResult::advance();
      ring.emitOpError() << "stands at the top of its kernel: barriers are set up before the roles "
                            "begin";
      return WalkResult::interrupt();
    });
    if (placed.wasInterrupted())
      return signalPassFailure();

    // Slots first, by descending alignment of need: they are what alignment matters to.
    SmallVector<tile::RingOp> rings(kernel.getBody().getOps<tile::RingOp>());
    for (tile::RingOp ring : rings) {
      SmallVector<int64_t> offsets;
      int64_t stages = ring.getType().getStages();
      // Each instance of a role has its private rings for itself.
      int64_t copies = ring.isPrivate() ? kernel.findRole(ring.getProducer()).instances() : 1;
      for (auto [index, type] : llvm::enumerate(ring.getType().getTiles())) {
        tile::SharedLayout layout = tile::sharedLayoutOf(cast<RankedTensorType>(type));
        if (layout.sizeBytes() % layout.alignment()) {
          ring.emitOpError() << "slot " << index << " has " << layout.sizeBytes()
                             << " bytes, stages need a multiple of " << layout.alignment();
          return signalPassFailure();
        }
        std::string what = (Twine("ring \"") + ring.getName() + "\", " + Twine(stages) +
                            " stages of " + Twine(layout.sizeBytes()))
                               .str();
        if (copies > 1)
          what += " for each of " + std::to_string(copies) + " warpgroups";
        offsets.push_back(reserve(copies * stages * layout.sizeBytes(),
                                  std::min(layout.alignment(), kBaseAlignment), what));
      }
      ring->setAttr("slot_offsets", builder.getDenseI64ArrayAttr(offsets));
    }
    // A full and an empty barrier for each stage; private rings are guarded by bulk groups.
    for (tile::RingOp ring : rings)
      if (!ring.isPrivate())
        ring->setAttr("barrier_offset",
                      builder.getI64IntegerAttr(
                          reserve(2 * kBarrierBytes * ring.getType().getStages(), kBarrierBytes,
                                  Twine("barriers of \"") + ring.getName() + "\"")));
    if (total > kMaxSharedBytes) {
      kernel.emitOpError() << "needs " << total << " bytes of shared memory, a CTA has "
                           << kMaxSharedBytes << ": " << sum
                           << "; use fewer stages or smaller tiles";
      return signalPassFailure();
    }
    kernel->setAttr("shared_bytes", builder.getI64IntegerAttr(total));
  }
};

} // namespace

} // namespace tilewright
