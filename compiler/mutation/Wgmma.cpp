// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

static bool isWgmma(Operation *op) { return isa<sm90::WgmmaSsOp, sm90::WgmmaRsOp>(op); }

static bool isDescriptor(Operation *op) { return isa<sm90::SmemDescriptorOp>(op); }

static bool hasOffsets(Operation *op) {
  auto descriptor = dyn_cast<sm90::SmemDescriptorOp>(op);
  return descriptor && descriptor.getLeading();
}

static bool isAdvance(Operation *op) { return isa<sm90::DescriptorAdvanceOp>(op); }

/// Whether a descriptor's leading offset is used: its operand is wider than one swizzled panel.
static bool hasPanels(Operation *op) {
  if (!hasOffsets(op))
    return false;
  constexpr int64_t kElementBytes = 2;
  const int64_t panel = cast<sm90::SmemDescriptorOp>(op).getSwizzle().getValue() / kElementBytes;
  auto isWide = [&](Operation *user) {
    auto ss = dyn_cast<sm90::WgmmaSsOp>(user);
    auto rs = dyn_cast<sm90::WgmmaRsOp>(user);
    return (ss && ss.getN().getValue() > panel) || (rs && rs.getN().getValue() > panel);
  };
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return isWide(user) ||
           (isa<sm90::DescriptorAdvanceOp>(user) && llvm::any_of(user->getUsers(), isWide));
  });
}

static MutableOperandRange scaleOf(Operation *op) {
  if (auto ss = dyn_cast<sm90::WgmmaSsOp>(op))
    return ss.getScaleDMutable();
  return cast<sm90::WgmmaRsOp>(op).getScaleDMutable();
}

static void setScale(Operation *op, llvm::function_ref<Value(Build &, Value)> scale) {
  OpOperand &operand = scaleOf(op)[0];
  Build build = Build::before(op);
  operand.set(scale(build, operand.get()));
}

/// The loop over the 16 columns that one instruction takes.
static bool isStepLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && llvm::any_of(*loop.getBody(), [](Operation &inner) { return isWgmma(&inner); }) &&
         constantOf(loop.getUpperBound()) > 1;
}

static const Kind kKinds[] = {
    {"descriptor-swizzle", FaultClass::failsOnCard,
     "A descriptor says a swizzle of 64 bytes for tiles of 128.",
     "wgmma looks for the rows elsewhere.", "output misaligned descriptor race-raw",
     [](Operation *op) {
       auto descriptor = dyn_cast<sm90::SmemDescriptorOp>(op);
       return descriptor && descriptor.getSwizzle().getValue() == 128;
     },
     [](Operation *op) { cast<sm90::SmemDescriptorOp>(op).setSwizzleAttr(number(op, 64)); }},
    {"descriptor-stride", FaultClass::failsOnCard,
     "A descriptor's stride between groups of 8 rows is half of what it is.",
     "Groups overlap: every second one is wrong.", "output misaligned descriptor", isDescriptor,
     [](Operation *op) {
       auto descriptor = cast<sm90::SmemDescriptorOp>(op);
       Build build = Build::before(op);
       if (hasOffsets(op)) {
         Value half = build.make<arith::DivSIOp>(descriptor.getStride(), build.number(2));
         descriptor.getStrideMutable().assign(half);
         return;
       }
       const int64_t rows = descriptor.getSwizzle().getValue() * 8;
       descriptor.getLeadingMutable().assign(build.number(16));
       descriptor.getStrideMutable().assign(build.number(static_cast<int32_t>(rows / 2)));
     }},
    {"descriptor-leading", FaultClass::failsOnCard,
     "A descriptor's leading offset is half of what it is.",
     "Panels of an MN-major operand overlap.", "output misaligned descriptor", hasPanels,
     [](Operation *op) {
       auto descriptor = cast<sm90::SmemDescriptorOp>(op);
       Build build = Build::before(op);
       Value half = build.make<arith::DivSIOp>(descriptor.getLeading(), build.number(2));
       descriptor.getLeadingMutable().assign(half);
     }},
    // PTX, matrix descriptor: leading and stride change their roles with the major-ness.
    {"descriptor-offsets-swapped", FaultClass::failsOnCard,
     "A descriptor's leading offset and stride are swapped.",
     "Panels are taken for groups of rows: it reads other tiles.",
     "output misaligned descriptor shared-out-of-bounds race-raw read-in-flight uninitialised-read",
     [](Operation *op) {
       auto descriptor = dyn_cast<sm90::SmemDescriptorOp>(op);
       return hasOffsets(op) &&
              constantOf(descriptor.getLeading()) != constantOf(descriptor.getStride());
     },
     [](Operation *op) {
       auto descriptor = cast<sm90::SmemDescriptorOp>(op);
       Value leading = descriptor.getLeading(), stride = descriptor.getStride();
       descriptor.getLeadingMutable().assign(stride);
       descriptor.getStrideMutable().assign(leading);
     }},
    {"descriptor-not-advanced", FaultClass::failsOnCard,
     "All instructions of a step read the first 16 columns of an operand.",
     "Three quarters of K are missing.", "output", isAdvance,
     [](Operation *op) {
       op->getResult(0).replaceAllUsesWith(op->getOperand(0));
       op->erase();
     }},
    {"descriptor-advance-half", FaultClass::failsOnCard,
     "An operand advances by half of what an instruction takes.",
     "Columns are read twice, others never.", "output misaligned descriptor", isAdvance,
     [](Operation *op) {
       rewriteOperand(op, cast<sm90::DescriptorAdvanceOp>(op).getBytes(),
                      [](Build &build, Value bytes) -> Value {
                        return build.make<arith::DivSIOp>(bytes, build.number(2));
                      });
     }},
    {"descriptor-of-next-stage", FaultClass::failsOnCard, "An operand is read 8192 bytes too far.",
     "Other rows, or another stage that may be being written.",
     "output race-raw read-in-flight uninitialised-read race-war write-in-flight "
     "shared-out-of-bounds poison barrier-overwritten",
     isDescriptor,
     [](Operation *op) {
       rewriteOperand(op, op->getOperand(0),
                      [](Build &build, Value address) { return build.add(address, 8192); });
     }},
    {"group-offset-missing", FaultClass::failsOnCard,
     "All warpgroups multiply the rows of the first.", "Half of the result is the other half.",
     "output",
     [](Operation *op) {
       if (!isDescriptor(op))
         return false;
       auto sum = op->getOperand(0).getDefiningOp<arith::AddIOp>();
       return sum && sum.getRhs().getDefiningOp<arith::MulIOp>() && consumers(op) > 1;
     },
     [](Operation *op) {
       op->setOperand(0, op->getOperand(0).getDefiningOp<arith::AddIOp>().getLhs());
     }},
    {"wave-offset-missing", FaultClass::failsOnCard,
     "The second 64 rows of a warpgroup are the first.", "A quarter of the result is wrong.",
     "output",
     [](Operation *op) {
       auto advance = dyn_cast<sm90::DescriptorAdvanceOp>(op);
       return advance && advance.getBytes().getDefiningOp<arith::AddIOp>();
     },
     [](Operation *op) {
       auto advance = cast<sm90::DescriptorAdvanceOp>(op);
       advance.getBytesMutable().assign(advance.getBytes().getDefiningOp<arith::AddIOp>().getLhs());
     }},
    {"wave-in-the-same-registers", FaultClass::failsOnCard,
     "The second 64 rows are added to the accumulator of the first.",
     "Both are wrong; the second accumulator is never written.",
     "output poison accumulator-in-flight",
     [](Operation *op) {
       auto wgmma = dyn_cast<sm90::WgmmaSsOp>(op);
       return wgmma && wgmma.getWave() && wgmma.getWave()->getValue() > 0;
     },
     [](Operation *op) { cast<sm90::WgmmaSsOp>(op).removeWaveAttr(); }},
    {"transposition-flipped", FaultClass::failsOnCard,
     "wgmma takes an MN-major operand for a K-major one, or the other way round.",
     "It reads other elements.", "output misaligned descriptor shared-out-of-bounds",
     [](Operation *op) { return isa<sm90::WgmmaSsOp>(op); },
     [](Operation *op) {
       auto wgmma = cast<sm90::WgmmaSsOp>(op);
       wgmma.setTransB(!wgmma.getTransB());
     }},
    {"element-type", FaultClass::failsOnCard, "wgmma takes bf16 for f16, or f16 for bf16.",
     "The bits mean something else.", "output",
     [](Operation *op) { return isa<sm90::WgmmaSsOp>(op); },
     [](Operation *op) {
       auto wgmma = cast<sm90::WgmmaSsOp>(op);
       Builder builder(op->getContext());
       wgmma.setElement(wgmma.getElement().isBF16() ? Type(builder.getF16Type())
                                                    : Type(builder.getBF16Type()));
     }},
    {"operands-swapped", FaultClass::failsOnCard, "wgmma gets A for B and B for A.",
     "Where it reads at all, the result is transposed.",
     "output shared-out-of-bounds race-raw read-in-flight uninitialised-read race-war",
     [](Operation *op) { return isa<sm90::WgmmaSsOp>(op); },
     [](Operation *op) {
       auto wgmma = cast<sm90::WgmmaSsOp>(op);
       Value a = wgmma.getDescriptorA(), b = wgmma.getDescriptorB();
       wgmma.getDescriptorAMutable().assign(b);
       wgmma.getDescriptorBMutable().assign(a);
     }},
    {"accumulate-from-the-start", FaultClass::failsOnCard,
     "The first wgmma of a tile adds to what is in the accumulator.",
     "Nothing is: the registers are not set.", "output poison uninitialised-read", isWgmma,
     [](Operation *op) { setScale(op, [](Build &build, Value) { return build.truth(true); }); }},
    {"accumulate-never", FaultClass::failsOnCard, "Each wgmma drops what is in the accumulator.",
     "Only the last 16 columns of K count.", "output", isWgmma,
     [](Operation *op) { setScale(op, [](Build &build, Value) { return build.truth(false); }); }},
    {"accumulate-within-a-step", FaultClass::failsOnCard,
     "Each step drops what the steps before have added up.", "Only the last step counts.", "output",
     [](Operation *op) {
       return isWgmma(op) && scaleOf(op)[0].get().getDefiningOp<arith::OrIOp>();
     },
     [](Operation *op) {
       setScale(op,
                [](Build &, Value scale) { return scale.getDefiningOp<arith::OrIOp>().getRhs(); });
     }},
    {"wgmma-loop-short", FaultClass::failsOnCard, "A step leaves out its last instruction.",
     "A quarter of K is missing.", "output", isStepLoop,
     [](Operation *op) {
       auto loop = cast<scf::ForOp>(op);
       Build build = Build::before(op);
       loop.getUpperBoundMutable().assign(build.add(loop.getUpperBound(), -1));
     }},
    // PTX, wgmma.mma_async: .sync.aligned, by all four warps of the warpgroup.
    {"wgmma-skipped-by-warp", FaultClass::failsOnCard,
     "Warp 3 of each warpgroup does not issue the wgmmas.",
     "PTX: undefined. Its operands belong to the whole.",
     "accumulator-divergent deadlock divergent-warp", isStepLoop,
     [](Operation *op) { guard(op, Build::before(op).groupWarpIsNot(3)); }},
    {"accumulator-read-before-wait", FaultClass::repairedByPtxas,
     "The wait for the accumulator stands behind the epilogue that reads it.",
     "PTX: undefined. ptxas sees the registers and waits earlier (C7514).",
     "accumulator-in-flight race-war write-in-flight poison",
     [](Operation *op) {
       return isAccumulatorWait(op) && nextOf<scf::ForOp>(op) && isa<scf::ForOp>(op->getParentOp());
     },
     [](Operation *op) {
       Operation *last = op;
       while (Operation *next = nextOf<scf::ForOp>(last))
         last = next;
       op->moveAfter(last);
     }},
};

ArrayRef<Kind> wgmmaKinds() { return kKinds; }

} // namespace tilewright::mutation
