// SPDX-License-Identifier: Apache-2.0
//
// The kernel around the instructions: prologue, role dispatch, loops, scalars, schedules.

#include "compiler/passes/tosm90/KernelLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilewright::tosm90 {

KernelLowering::KernelLowering(tile::KernelOp kernel)
    : kernel(kernel), b(kernel), loc(sm90::withoutName(kernel.getLoc())) {}

FailureOr<sm90::KernelOp> KernelLowering::run() {
  auto bytes = kernel->getAttrOfType<IntegerAttr>("shared_bytes");
  if (kernel.getForm() != tile::Form::Scheduled || !bytes)
    return kernel.emitOpError() << "is lowered from the scheduled form with its shared memory "
                                   "planned; run the rewrites and "
                                   "tile-plan-shared-memory first",
           failure();
  result = sm90::KernelOp::create(b, loc, kernel.getSymName(), TypeRange(),
                                  static_cast<int32_t>(kernel.ctaThreads()));
  result->setAttr("shared_bytes", b.getI32IntegerAttr(static_cast<int32_t>(bytes.getInt())));
  if (kernel.clusterSize() > 1)
    result->setAttr("cluster",
                    b.getDenseI32ArrayAttr({static_cast<int32_t>(kernel.clusterSize()), 1, 1}));
  b.setInsertionPointToStart(&result.getBody().front());
  declareParameters();
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

//===-- Prologue and roles -------------------------------------------------------------------===//

void KernelLowering::emitPrologue() {
  bool shared = !kernel.getBody().getOps<tile::RingOp>().empty();
  if (!shared)
    return;
  smem = emit<sm90::SmemBaseOp>();
  declareRings();
  bool barriers =
      llvm::any_of(rings, [](auto &entry) { return static_cast<bool>(entry.second.full); });
  warp = as("warp", emit<sm90::WarpIdOp>());
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
    enterRole(kernel, 0, kernel.ctaThreads(), /*warpgroups=*/false);
  return lowerBlock(kernel.getBody().front());
}

/// Threads at the launch get what the register file divides into; setmaxnreg then moves registers
/// between roles.
static int64_t launchRegisters(int64_t threads) {
  return std::min<int64_t>(255, 65536 / threads) / 8 * 8;
}

LogicalResult KernelLowering::emitRoles(tile::RolesOp roles) {
  int64_t launch = launchRegisters(kernel.ctaThreads());
  auto setRegisters = [&](tile::RoleAttr attr) {
    if (!attr.getRegs() || attr.getRegs() == launch)
      return;
    if (attr.getRegs() > launch)
      emit<sm90::SetmaxnregIncOp>(constant(attr.getRegs()));
    else
      emit<sm90::SetmaxnregDecOp>(constant(attr.getRegs()));
  };
  SmallVector<tile::RoleOp> single, grouped;
  for (auto op : roles.getBody().getOps<tile::RoleOp>())
    (kernel.findRole(op.getRole()).getWarps() ? single : grouped).push_back(op);

  // `if (warpgroup 0) { warp roles } else if (…) { role of warpgroups } …`, the last one in the
  // else branch.
  std::function<LogicalResult(size_t)> dispatch = [&](size_t index) -> LogicalResult {
    bool warpRoles = !single.empty() && index == 0;
    size_t groupIndex = index - (single.empty() ? 0 : 1);
    bool last = warpRoles ? grouped.empty() : groupIndex + 1 == grouped.size();
    auto body = [&]() -> LogicalResult {
      if (!warpRoles) {
        setRegisters(kernel.findRole(grouped[groupIndex].getRole()));
        return emitRole(grouped[groupIndex]);
      }
      setRegisters(kernel.findRole(single.front().getRole()));
      for (tile::RoleOp op : single) {
        int64_t firstWarp = kernel.firstThread(kernel.findRole(op.getRole())) / 32;
        int64_t warps = kernel.findRole(op.getRole()).getWarps();
        Value mine = warps == 1
                         ? compare(arith::CmpIPredicate::eq, warp, i32(firstWarp))
                         : both(compare(arith::CmpIPredicate::sge, warp, i32(firstWarp)),
                                compare(arith::CmpIPredicate::slt, warp, i32(firstWarp + warps)));
        LogicalResult status = success();
        emitIf(mine, [&] { status = emitRole(op); });
        if (failed(status))
          return failure();
      }
      return success();
    };
    if (last)
      return body();
    int64_t end = warpRoles
                      ? kernel.firstThread(kernel.findRole(grouped.front().getRole()))
                      : kernel.firstThread(kernel.findRole(grouped[groupIndex + 1].getRole()));
    Value mine = compare(arith::CmpIPredicate::slt, warp, i32(end / 32));
    auto branch = scf::IfOp::create(b, loc, mine, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    if (failed(body()))
      return failure();
    b.setInsertionPointToStart(branch.elseBlock());
    return dispatch(index + 1);
  };
  return dispatch(0);
}

/// Whether one lane can run the whole role: it only waits, copies and counts.
static bool runsInOneLane(tile::RoleOp role, tile::KernelOp kernel) {
  if (kernel.findRole(role.getRole()).getWarps() != 1)
    return false;
  WalkResult result = role.getBody().walk([&](Operation *op) {
    bool simple = isa<tile::AcquireOp, tile::CopyOp, tile::AdvanceOp, tile::CursorOp,
                      tile::ScheduleRangeOp, tile::DecodeOp, tile::EndOp, tile::ExtentOp,
                      tile::WaitOp, tile::ReleaseOp, tile::PdlWaitOp, tile::PdlTriggerOp>(op) ||
                  isa<arith::ArithDialect, scf::SCFDialect>(op->getDialect());
    return simple && !llvm::any_of(op->getOperandTypes(), tile::isRegisterTile)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

void KernelLowering::enterRole(Operation *body, int64_t firstThread, int64_t threads,
                               bool warpgroups) {
  role = {};
  role.threads = threads;
  role.warpgroups = warpgroups ? threads / 128 : 0;
  Value thread = emit<sm90::ThreadIdOp>();
  role.thread = firstThread ? as("role_thread", sub(thread, i32(firstThread))) : thread;
  role.threadInGroup = as("group_thread", rem(thread, warpgroups ? 128 : 32));
  role.lane = as("lane", emit<sm90::LaneIdOp>());
  if (!warpgroups)
    return;
  role.warpgroup = role.warpgroups == 1
                       ? i32(0)
                       : as("group", sub(emit<sm90::WarpgroupIdOp>(), i32(firstThread / 128)));
  role.warpInGroup = as("group_warp", rem(warp, 4));
  bool stores = false;
  body->walk([&](Operation *op) { stores |= isa<tile::CopyOutOp>(op); });
  if (stores) {
    // NOTE: bulk groups are counted by thread, so one and the same thread issues a warpgroup's
    // stores and waits for them.
    Value firstWarp = compare(arith::CmpIPredicate::eq, role.warpInGroup, i32(0));
    Value elected = emit<sm90::ElectOneOp>();
    role.leader = as("store_leader", both(firstWarp, elected));
  }
}

LogicalResult KernelLowering::emitRole(tile::RoleOp op) {
  tile::RoleAttr attr = kernel.findRole(op.getRole());
  emit<sm90::CommentOp>(
      ("Role " + op.getRole() + ": " +
       (attr.getWarps() ? Twine(attr.getWarps()) + (attr.getWarps() == 1 ? " warp." : " warps.")
                        : Twine(attr.getWarpgroups()) +
                              (attr.getWarpgroups() == 1 ? " warpgroup." : " warpgroups.")))
          .str());
  if (runsInOneLane(op, kernel)) {
    LogicalResult status = success();
    emitIf(emit<sm90::ElectOneOp>(), [&] {
      role = {};
      role.elected = true;
      role.thread = role.threadInGroup = i32(0);
      status = lowerBlock(op.getBody().front());
    });
    return status;
  }
  enterRole(op, kernel.firstThread(attr), attr.threads(), attr.getWarpgroups() > 0);
  return lowerBlock(op.getBody().front());
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

//===-- Ops ----------------------------------------------------------------------------------===//

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

LogicalResult KernelLowering::lowerOp(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tile::RingOp, tile::ViewOp, tile::RasterOp, tile::WorkListOp>(
          [](auto) { return success(); })
      .Case([&](tile::RolesOp o) { return emitRoles(o); })
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
          pendings[o.getResult()] = {type, newFrag(fragRegisters(type), b.getF32Type(), "acc"), {}};
          return success();
        }
        Value frag = newFrag(fragRegisters(type), b.getF32Type(), "zero");
        emit<sm90::FragFillOp>(frag, f32(0));
        tiles[o.getResult()] = {type, frag, {}, {}, fragRegisters(type) / wavesOf(type)};
        return success();
      })
      .Case([&](tile::ExtractOp o) -> LogicalResult {
        RegisterTile from = tileOf(o.getValue());
        if (from.columnOffset || !from.frag)
          return o.emitOpError() << "is lowered on whole tiles of 32-bit elements";
        auto layout = dyn_cast<tile::AccAttr>(from.type.getEncoding());
        if (layout && layout.getWgsN() != 1)
          return o.emitOpError() << "has no lowering for columns that are split over warpgroups";
        if (!layout)
          return o.emitOpError() << "has a lowering for #tile.acc only, found " << from.type;
        // A thread holds two columns of each eight, in two rows: column c begins at register c / 2
        // of a wave.
        Value offset = div(scalar(o.getColumn()), 2);
        tiles[o.getResult()] = {o.getType(), from.frag, {}, offset, from.registersPerWave};
        return success();
      })
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

/// "ab_at" for a cursor that walks ring "ab", "ab_done" for one that only releases, seen through
/// the loops that carry it.
static std::string cursorName(Value cursor) {
  SmallVector<Value> work{cursor};
  std::string done;
  for (size_t next = 0; next < work.size() && work.size() < 32; ++next)
    for (OpOperand &use : work[next].getUses()) {
      Operation *user = use.getOwner();
      if (auto release = dyn_cast<tile::ReleaseOp>(user)) {
        if (auto ring = release.getRing().getDefiningOp<tile::RingOp>())
          done = (ring.getName() + "_done").str();
      } else if (isa<tile::AcquireOp, tile::WaitOp, tile::AdvanceOp, tile::CopyOp>(user)) {
        for (Value operand : user->getOperands())
          if (auto ring = operand.getDefiningOp<tile::RingOp>())
            return (ring.getName() + "_at").str();
      } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
        if (BlockArgument inner = loop.getTiedLoopRegionIterArg(&use))
          work.push_back(inner);
      }
    }
  return done.empty() ? "cursor" : done;
}

LogicalResult KernelLowering::lowerFor(scf::ForOp loop) {
  // Register arrays are carried by reference: those of accumulators are the initial value's, those
  // of tiles are fresh.
  SmallVector<Value> inits;
  DenseMap<unsigned, Value> carriedFrags;
  for (auto [index, init] : llvm::enumerate(loop.getInits())) {
    if (isa<tile::PendingType>(init.getType())) {
      Pending pending = pendings.lookup(init);
      inits.push_back(pending.accumulate ? pending.accumulate
                                         : arith::ConstantIntOp::create(b, loc, b.getI1Type(), 0));
    } else if (isa<RankedTensorType>(init.getType())) {
      RegisterTile &from = tileOf(init);
      if (!from.frag || from.columnOffset)
        return loop.emitOpError() << "carries a tile that is not whole or not of 32-bit elements";
      Value frag = newFrag(fragRegisters(from.type), b.getF32Type(), "carried");
      emit<sm90::FragCopyOp>(frag, from.frag);
      carriedFrags[index] = frag;
    } else {
      inits.push_back(scalar(init));
    }
  }
  auto lowered = scf::ForOp::create(b, loc, scalar(loop.getLowerBound()),
                                    scalar(loop.getUpperBound()), scalar(loop.getStep()), inits);
  if (Attribute unroll = loop->getAttr("tw.unroll"))
    lowered->setAttr("tw.unroll", unroll);
  StringRef counter = sm90::nameOf(loop.getInductionVar().getLoc());
  if (counter.empty())
    counter = llvm::any_of(loop.getInductionVar().getUsers(), llvm::IsaPred<tile::DecodeOp>)
                  ? "unit"
                  : "i";
  lowered.getInductionVar().setLoc(sm90::withName(loc, counter));
  scalars.map(loop.getInductionVar(), lowered.getInductionVar());

  unsigned next = 0;
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (Value frag = carriedFrags.lookup(index)) {
      auto type = cast<RankedTensorType>(argument.getType());
      tiles[argument] = {type, frag, {}, {}, fragRegisters(type) / wavesOf(type)};
      tiles[loop.getResult(index)] = tiles[argument];
      continue;
    }
    Value inner = lowered.getRegionIterArg(next), outer = lowered.getResult(next);
    ++next;
    if (isa<tile::PendingType>(argument.getType())) {
      Pending from = pendings.lookup(loop.getInits()[index]);
      inner.setLoc(sm90::withName(loc, "accumulate"));
      pendings[argument] = {from.type, from.frag, inner};
      pendings[loop.getResult(index)] = {from.type, from.frag, outer};
      continue;
    }
    if (isa<tile::CursorType>(argument.getType()))
      inner.setLoc(sm90::withName(loc, cursorName(argument)));
    scalars.map(argument, inner);
    scalars.map(loop.getResult(index), outer);
  }

  OpBuilder::InsertionGuard guard(b);
  if (!lowered.getBody()->empty() && lowered.getBody()->back().hasTrait<OpTrait::IsTerminator>())
    lowered.getBody()->back().erase();
  b.setInsertionPointToEnd(lowered.getBody());
  if (failed(lowerBlock(*loop.getBody())))
    return failure();
  SmallVector<Value> yields;
  SmallVector<std::pair<Value, Value>> copies;
  for (auto [index, value] : llvm::enumerate(loop.getYieldedValues())) {
    if (isa<tile::PendingType>(value.getType())) {
      Pending pending = pendings.lookup(value);
      if (pending.frag != pendings.lookup(loop.getRegionIterArgs()[index]).frag)
        return loop.emitOpError() << "yields another accumulator than it carries: pending "
                                     "accumulators are chained in place";
      yields.push_back(pending.accumulate);
    } else if (Value frag = carriedFrags.lookup(index)) {
      RegisterTile &from = tileOf(value);
      if (from.columnOffset || !from.frag)
        return loop.emitOpError() << "yields a tile that is not whole or not of 32-bit elements";
      if (from.frag != frag)
        copies.push_back({from.frag, frag});
    } else {
      yields.push_back(scalar(value));
    }
  }
  for (auto &[from, to] : copies)
    if (llvm::any_of(carriedFrags, [&](auto &carried) { return carried.second == from; }))
      return loop.emitOpError()
             << "yields one carried tile as another; give it a tile.map of its own";
  for (auto &[from, to] : copies)
    emit<sm90::FragCopyOp>(to, from);
  scf::YieldOp::create(b, loc, yields);
  return success();
}

LogicalResult KernelLowering::lowerIf(scf::IfOp branch) {
  for (Type type : branch.getResultTypes())
    if (isa<RankedTensorType, tile::PendingType>(type))
      return branch.emitOpError() << "with tiles as results has no lowering to sm90";
  auto lowered = scf::IfOp::create(b, loc, branch.getResultTypes(), scalar(branch.getCondition()),
                                   branch.elseBlock() != nullptr);
  for (auto [from, to] : llvm::zip(branch.getResults(), lowered.getResults()))
    scalars.map(from, to);
  for (auto [from, to] : {std::pair(branch.thenBlock(), lowered.thenBlock()),
                          std::pair(branch.elseBlock(), lowered.elseBlock())}) {
    if (!from)
      continue;
    OpBuilder::InsertionGuard guard(b);
    if (!to->empty() && to->back().hasTrait<OpTrait::IsTerminator>())
      to->back().erase();
    b.setInsertionPointToEnd(to);
    if (failed(lowerBlock(*from)))
      return failure();
    SmallVector<Value> yields;
    for (Value value : from->getTerminator()->getOperands())
      yields.push_back(scalar(value));
    scf::YieldOp::create(b, loc, yields);
  }
  return success();
}

//===-- Schedules ----------------------------------------------------------------------------===//

/// "m" for a coordinate whose extent is the argument m.
std::string KernelLowering::nameOfExtent(tile::RasterOp raster, int64_t dim) {
  if (auto argument = dyn_cast<BlockArgument>(raster.getExtents()[dim]))
    return kernel.argumentName(argument.getArgNumber());
  return std::to_string(dim);
}

/// Work units of a raster and the tiles along each coordinate, counted in clusters for the last
/// two.
Value KernelLowering::scheduleUnits(tile::RasterOp raster, SmallVectorImpl<Value> &tilesPerDim) {
  int64_t rank = raster.getType().getRank();
  Value units;
  for (auto [index, extent] : llvm::enumerate(raster.getExtents())) {
    int64_t axis = static_cast<int64_t>(index) - (rank - 2);
    int64_t ctas = rank >= 2 && axis >= 0 ? kernel.getCluster()[axis] : 1;
    std::string name = "tiles_" + nameOfExtent(raster, index);
    Value tilesHere = as(name, ceilDiv(scalar(extent), i32(raster.getTiles()[index] * ctas)));
    tilesPerDim.push_back(tilesHere);
    units = units ? mul(units, tilesHere) : tilesHere;
  }
  return units;
}

LogicalResult KernelLowering::lowerScheduleRange(tile::ScheduleRangeOp op) {
  Value end;
  if (auto raster = op.getSchedule().getDefiningOp<tile::RasterOp>()) {
    SmallVector<Value> tilesPerDim;
    end = scheduleUnits(raster, tilesPerDim);
  } else if (auto list = op.getSchedule().getDefiningOp<tile::WorkListOp>()) {
    end = scalar(list.getCount());
  } else {
    return op.emitOpError() << "has no lowering for this schedule";
  }
  bool cluster = kernel.clusterSize() > 1;
  Value first = cluster ? emit<sm90::ClusterIdOp>().getResult() : emit<sm90::CtaIdOp>().getResult();
  Value step =
      cluster ? emit<sm90::ClusterCountOp>().getResult() : emit<sm90::GridSizeOp>().getResult();
  scalars.map(op.getFirst(), first);
  scalars.map(op.getEnd(), as("work_units", end));
  scalars.map(op.getStep(), step);
  return success();
}

LogicalResult KernelLowering::lowerDecode(tile::DecodeOp op) {
  Value index = scalar(op.getIndex());
  if (auto list = op.getSchedule().getDefiningOp<tile::WorkListOp>()) {
    int64_t rank = op.getSchedule().getType().getRank();
    for (auto [dim, coord] : llvm::enumerate(op.getCoords()))
      scalars.map(coord,
                  emit<sm90::LdGlobalOp>(scalar(list.getList()),
                                         widen(add(mul(index, rank), static_cast<int64_t>(dim)))));
    return success();
  }
  auto raster = op.getSchedule().getDefiningOp<tile::RasterOp>();
  if (!raster)
    return op.emitOpError() << "has no lowering for this schedule";
  SmallVector<Value> tilesPerDim;
  scheduleUnits(raster, tilesPerDim);
  int64_t rank = raster.getType().getRank();
  SmallVector<Value> coords(rank);
  // Leading coordinates run slowest; the last two are walked in the stated order.
  if (rank == 1) {
    coords[0] = index;
  } else {
    Value plane = mul(tilesPerDim[rank - 2], tilesPerDim[rank - 1]);
    Value outer = rank > 2 ? div(index, plane) : Value();
    Value inner = rank > 2 ? rem(index, plane) : index;
    for (int64_t dim = rank - 3; dim >= 0; --dim) {
      coords[dim] = dim ? rem(outer, tilesPerDim[dim]) : outer;
      outer = dim ? div(outer, tilesPerDim[dim]) : outer;
    }
    Value m = tilesPerDim[rank - 2], n = tilesPerDim[rank - 1];
    sm90::ConstAttr group = constant("kGroup", raster.getGroup());
    bool alongN = raster.getAlong() == 1;
    Value pair = raster.getOrder() == tile::Order::Row
                     ? emit<sm90::RasterRowOp>(inner, m, n).getResult()
                 : raster.getOrder() == tile::Order::Grouped
                     ? emit<sm90::RasterGroupedOp>(inner, m, n, group, alongN).getResult()
                     : emit<sm90::RasterSnakeOp>(inner, m, n, group, alongN).getResult();
    as("tile", pair);
    coords[rank - 2] = emit<sm90::TileMOp>(pair);
    coords[rank - 1] = emit<sm90::TileNOp>(pair);
  }
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t axis = dim - (rank - 2);
    int64_t ctas = rank >= 2 && axis >= 0 ? kernel.getCluster()[axis] : 1;
    std::string name = nameOfExtent(raster, dim);
    if (ctas > 1) {
      Value rank32 = emit<sm90::ClusterRankOp>();
      int64_t across = kernel.getCluster()[0];
      Value place = kernel.clusterSize() == ctas ? rank32
                    : axis == 0                  ? rem(rank32, across)
                                                 : div(rank32, across);
      coords[dim] = add(mul(coords[dim], ctas), place);
    }
    Value size = raster.getTiles()[dim] == 1
                     ? Value()
                     : named("kTile" + StringRef(name).upper(), raster.getTiles()[dim]);
    Value coord = size ? mul(coords[dim], size) : coords[dim];
    scalars.map(op.getCoords()[dim], as(name + "0", coord));
  }
  return success();
}

} // namespace tilewright::tosm90
