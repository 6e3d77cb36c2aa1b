// SPDX-License-Identifier: Apache-2.0
//
// The kernel around the roles, which op is lowered where, and scalars.

#include "compiler/passes/tosm90/KernelLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::tosm90 {

KernelLowering::KernelLowering(tile::KernelOp kernel)
    : kernel(kernel), b(kernel), loc(sm90::withoutName(kernel.getLoc())) {}

/// What becomes an address, a barrier or a parameter is known by the op that makes it: no other op
/// may hand it on.
static LogicalResult checkHandles(tile::KernelOp kernel) {
  auto isHandle = [](Type type) {
    return isa<tile::PtrType, tile::ViewType, tile::RingType, tile::SlotType, tile::ScheduleType,
               tile::TurnType>(type);
  };
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (isa<tile::TileDialect>(op->getDialect()))
      return WalkResult::advance();
    for (Type type : op->getOperandTypes())
      if (isHandle(type) ||
          (isa<tile::PendingType>(type) && !isa<scf::SCFDialect>(op->getDialect())))
        return op->emitOpError() << "hands on " << type
                                 << "; it has a lowering only where it is used as it was made";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

FailureOr<sm90::KernelOp> KernelLowering::run() {
  auto bytes = kernel->getAttrOfType<IntegerAttr>("shared_bytes");
  if (kernel.getForm() != tile::Form::Scheduled || !bytes)
    return kernel.emitOpError() << "is lowered from the scheduled form with its shared memory "
                                   "planned; run the rewrites and tile-plan-shared-memory first",
           failure();
  if (failed(checkHandles(kernel)))
    return failure();
  result = sm90::KernelOp::create(b, loc, kernel.getSymName(), TypeRange(),
                                  static_cast<int32_t>(kernel.ctaThreads()));
  result->setAttr("shared_bytes", b.getI32IntegerAttr(static_cast<int32_t>(bytes.getInt())));
  if (kernel.clusterSize() > 1)
    result->setAttr("cluster",
                    b.getDenseI32ArrayAttr({static_cast<int32_t>(kernel.clusterSize()), 1, 1}));
  b.setInsertionPointToStart(&result.getBody().front());
  if (failed(declareParameters()))
    return result.erase(), failure();
  emitPrologue();
  if (failed(lowerKernelLevel()))
    return result.erase(), failure();
  emitEpilogue();
  emit<sm90::ReturnOp>();
  // What was made in advance and not used: coordinates of a layout, parameters.
  bool changed = true;
  while (changed) {
    changed = false;
    result.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
      if (op != result && isOpTriviallyDead(op)) {
        op->erase();
        changed = true;
      }
    });
  }
  finishParameters();
  return result;
}

/// Whether threads of the kernel hold tiles in the fragments of warpgroups.
static bool holdsAccumulators(tile::KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) {
    for (Type type : op->getResultTypes())
      if (RankedTensorType tile = tile::tileOf(type)) {
        Attribute layout = tile.getEncoding();
        if (auto slice = dyn_cast_or_null<tile::SliceAttr>(layout))
          layout = slice.getParent();
        if (isa_and_nonnull<tile::AccAttr>(layout))
          return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

void KernelLowering::emitPrologue() {
  bool shared = !kernel.getBody().getOps<tile::RingOp>().empty();
  if (shared) {
    smem = emit<sm90::SmemBaseOp>();
    declareRings();
  }
  if (shared || kernel.getRolesAttr() || holdsAccumulators(kernel))
    warp = as("warp", emit<sm90::WarpIdOp>());
  if (!shared)
    return;
  bool barriers =
      llvm::any_of(rings, [](auto &entry) { return static_cast<bool>(entry.second.full); });
  if (barriers || !maps.empty()) {
    emit<sm90::CommentOp>("One thread sets up the barriers and fetches the tensor maps.");
    emitIf(compare(arith::CmpIPredicate::eq, emit<sm90::ThreadIdOp>(), i32(0)), [&] {
      for (auto &[key, map] : maps)
        emit<sm90::PrefetchTensormapOp>(map.value);
      initBarriers();
      if (barriers)
        emit<sm90::FenceMbarrierInitOp>();
    });
  }
  if (!barriers)
    return;
  if (kernel.clusterSize() > 1) {
    // NOTE: peers arrive on these barriers and copy into this CTA, so the whole cluster waits.
    emit<sm90::ClusterArriveOp>();
    emit<sm90::ClusterWaitOp>();
  } else {
    emit<sm90::CtaSyncOp>();
  }
}

LogicalResult KernelLowering::lowerKernelLevel() {
  if (!kernel.getRolesAttr())
    enterRole(kernel, 0, kernel.ctaThreads(), holdsAccumulators(kernel));
  return lowerBlock(kernel.getBody().front());
}

void KernelLowering::emitEpilogue() {
  bool remote = kernel.clusterSize() > 1 &&
                llvm::any_of(rings, [&](auto &entry) { return ringFanOut(entry.second.op) > 1; });
  if (!remote)
    return;
  emit<sm90::CommentOp>("A CTA stays until its peers have made their last arrival here.");
  emit<sm90::WarpSyncOp>();
  emit<sm90::ClusterArriveOp>();
  emit<sm90::ClusterWaitOp>();
}

LogicalResult KernelLowering::lowerBlock(Block &block) {
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    Location outer = loc;
    loc = sm90::withoutName(op.getLoc());
    LogicalResult status = lowerOp(&op);
    loc = outer;
    if (failed(status))
      return failure();
  }
  return success();
}

/// Whether the op is work of a role's threads and not of the whole kernel.
static bool belongsToRole(Operation *op) {
  return isa<tile::CursorOp, tile::AcquireOp, tile::WaitOp, tile::ReleaseOp, tile::CommitOp,
             tile::CopyOp, tile::CopyOutOp, tile::DrainOp, tile::DotStartOp, tile::MapOp,
             tile::ReduceOp, tile::StoreOp, tile::FragmentStoreOp, tile::TurnWaitOp,
             tile::TurnPassOp>(op);
}

LogicalResult KernelLowering::lowerOp(Operation *op) {
  if (!role.thread && belongsToRole(op))
    return op->emitOpError() << "stands outside of the kernel's roles: no threads run it";
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tile::RingOp, tile::ViewOp, tile::RasterOp, tile::WorkListOp>(
          [](auto) { return success(); })
      .Case([&](tile::TurnOp) { return success(); }) // its barriers are counted by NamedBarriers
      .Case([&](tile::TurnWaitOp o) { return lowerTurnWait(o); })
      .Case([&](tile::TurnPassOp o) { return lowerTurnPass(o); })
      .Case([&](tile::InstanceOp o) {
        scalars.map(o.getResult(), role.group());
        return success();
      })
      .Case([&](tile::RolesOp o) {
        LogicalResult status = emitRoles(o);
        role = {};
        return status;
      })
      .Case([&](tile::ScheduleRangeOp o) { return lowerScheduleRange(o); })
      .Case([&](tile::DecodeOp o) { return lowerDecode(o); })
      .Case([&](tile::CursorOp o) {
        Value cursor = o.getSide() == tile::CursorSide::Producer
                           ? emit<sm90::ProducerCursorOp>().getResult()
                           : emit<sm90::ConsumerCursorOp>().getResult();
        scalars.map(o.getResult(), cursor);
        return success();
      })
      .Case([&](tile::AdvanceOp o) {
        Ring &ring = rings.find(o.getRing())->second;
        sm90::ConstAttr stages =
            constant("k" + ring.name + "Stages", ring.op.getType().getStages());
        Value count = o.getCount() ? scalar(o.getCount()) : Value();
        scalars.map(o.getResult(), emit<sm90::AdvanceOp>(scalar(o.getCursor()), count, stages));
        return success();
      })
      .Case([&](tile::AcquireOp o) { return lowerAcquire(o); })
      .Case([&](tile::WaitOp o) { return lowerWait(o); })
      .Case([&](tile::ReleaseOp o) { return lowerRelease(o); })
      .Case([&](tile::CommitOp o) { return lowerCommit(o); })
      .Case([&](tile::CopyOp o) { return lowerCopy(o); })
      .Case([&](tile::CopyOutOp o) { return lowerCopyOut(o); })
      .Case([&](tile::DrainOp) {
        if (role.leader)
          waitForStores(0);
        return success();
      })
      .Case([&](tile::RebindOp o) {
        slots[o.getResult()] = {o.getType().getTile(), slots.lookup(o.getSlot()).address};
        return success();
      })
      .Case([&](tile::DotStartOp o) { return lowerDotStart(o); })
      .Case([&](tile::DotWaitOp o) { return lowerDotWait(o); })
      .Case([&](tile::DotRetireOp o) { return lowerDotRetire(o); })
      .Case([&](tile::ZeroOp o) -> LogicalResult {
        RankedTensorType type = tile::tileOf(o.getType());
        if (isa<tile::PendingType>(o.getType())) {
          // Several dots that start from one zero get registers of their own, each at its start.
          bool shared = !o.getResult().hasOneUse();
          Value frag = shared ? Value() : newFrag(fragRegisters(type), b.getF32Type(), "acc");
          pendings[o.getResult()] = {type, frag, {}};
          return success();
        }
        Value frag = newFrag(fragRegisters(type), b.getF32Type(), "zero");
        emit<sm90::FragFillOp>(frag, f32(0));
        bindTile(o.getResult(), frag);
        return success();
      })
      .Case([&](tile::ExtractOp o) { return lowerExtract(o); })
      .Case([&](tile::MapOp o) { return lowerMap(o); })
      .Case([&](tile::ReduceOp o) { return lowerReduce(o); })
      .Case([&](tile::StoreOp o) { return lowerDirectStore(o); })
      .Case([&](tile::FragmentStoreOp o) { return lowerFragmentStore(o); })
      .Case([&](tile::PdlWaitOp) { return emit<sm90::GridDependencyWaitOp>(), success(); })
      .Case([&](tile::PdlTriggerOp) { return emit<sm90::GridDependencyLaunchOp>(), success(); })
      .Case([&](tile::ExtentOp o) {
        scalars.map(o.getResult(),
                    scalar(o.getView().getDefiningOp<tile::ViewOp>().getSizes()[o.getDim()]));
        return success();
      })
      .Case([&](scf::ForOp o) { return lowerFor(o); })
      .Case([&](scf::IfOp o) { return lowerIf(o); })
      .Default([&](Operation *o) { return lowerScalar(o); });
}

/// Scalar arithmetic stays what it is. 16-bit floats are f32 in registers; rounding is kept.
LogicalResult KernelLowering::lowerScalar(Operation *op) {
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) || op->getNumRegions() ||
      llvm::any_of(op->getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); }))
    return op->emitOpError() << "has no lowering to sm90 here"
                             << (isa<RankedTensorType>(op->getNumResults()
                                                           ? op->getResult(0).getType()
                                                           : Type(b.getI32Type()))
                                     ? "; tile-fuse-maps turns tile arithmetic into tile.map first"
                                     : "");
  auto narrow = [](Type type) { return type.isBF16() || type.isF16(); };
  if (isa<arith::ExtFOp>(op) && narrow(op->getOperand(0).getType())) {
    scalars.map(op->getResult(0), scalar(op->getOperand(0)));
    return success();
  }
  if (auto truncate = dyn_cast<arith::TruncFOp>(op); truncate && narrow(truncate.getType())) {
    Value value = scalar(truncate.getIn());
    // Where the value is only handed on, the store or the packing rounds it.
    bool handedOn = llvm::all_of(truncate->getUsers(),
                                 [](Operation *user) { return isa<tile::YieldOp>(user); });
    if (!handedOn)
      value = arith::ExtFOp::create(
          b, loc, b.getF32Type(),
          arith::TruncFOp::create(b, loc, truncate.getType(), value).getResult());
    scalars.map(truncate.getResult(), value);
    return success();
  }
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op)) {
    TypedAttr value = constantOp.getValue();
    StringRef name = sm90::nameOf(op->getLoc());
    if (auto number = dyn_cast<FloatAttr>(value); number && narrow(number.getType()))
      scalars.map(constantOp.getResult(), f32(number.getValueAsDouble()));
    else if (auto integer = dyn_cast<IntegerAttr>(value);
             integer && !name.empty() && integer.getType().isInteger(32))
      scalars.map(constantOp.getResult(), named(name, integer.getInt()));
    else
      scalars.map(constantOp.getResult(), arith::ConstantOp::create(b, loc, value));
    return success();
  }
  if (llvm::any_of(op->getOperandTypes(), narrow) || llvm::any_of(op->getResultTypes(), narrow))
    return op->emitOpError()
           << "computes in a 16-bit float; widen to f32 with arith.extf, arithmetic is done there";
  if (auto quotient = dyn_cast<arith::DivFOp>(op);
      quotient && arith::bitEnumContainsAny(quotient.getFastmath(), arith::FastMathFlags::arcp)) {
    Value inverse = emit<sm90::RcpOp>(scalar(quotient.getRhs()));
    bool one = matchPattern(quotient.getLhs(), m_OneFloat());
    scalars.map(
        quotient.getResult(),
        one ? inverse
            : arith::MulFOp::create(b, loc, scalar(quotient.getLhs()), inverse).getResult());
    return success();
  }
  Operation *clone = b.clone(*op, scalars);
  clone->setLoc(op->getLoc());
  return success();
}

} // namespace tilewright::tosm90
