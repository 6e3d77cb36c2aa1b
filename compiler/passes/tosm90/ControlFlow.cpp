// SPDX-License-Identifier: Apache-2.0
//
// Loops and branches: register arrays are carried by reference, everything else by value.

#include "compiler/passes/tosm90/KernelLowering.h"

using namespace mlir;

namespace tilewright::tosm90 {

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

/// Whether the number of a loop's trips is known where it is compiled.
static bool isConstantTrip(scf::ForOp loop) {
  return llvm::all_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                      [](Value bound) { return matchPattern(bound, m_Constant()); });
}

LogicalResult KernelLowering::lowerFor(scf::ForOp loop) {
  // Register arrays are carried by reference: those of accumulators are the initial value's, those
  // of tiles are fresh.
  SmallVector<Value> inits;
  DenseMap<unsigned, Value> carriedFrags;
  DenseMap<unsigned, Pending> carriedPendings;
  for (auto [index, init] : llvm::enumerate(loop.getInits())) {
    if (isa<tile::PendingType>(init.getType())) {
      Pending pending = carriedPendings[index] = pendingOf(init);
      if (!pending.accumulate)
        emit<sm90::FragLeaveOp>(pending.frag);
      inits.push_back(pending.accumulate ? pending.accumulate
                                         : arith::ConstantIntOp::create(b, loc, b.getI1Type(), 0));
    } else if (isa<RankedTensorType>(init.getType())) {
      const RegisterTile &from = tileOf(init);
      if (from.columnOffset)
        return loop.emitOpError() << "carries columns of a tile; give them a tile.map of their own";
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
  else if (!isConstantTrip(loop))
    // NOTE: left alone, the compiler writes bodies of waits and copies out four times: a third of
    // its time, for nothing that the kernel gains.
    lowered->setAttr("tw.unroll", b.getI32IntegerAttr(1));
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
      bindTile(argument, frag);
      bindTile(loop.getResult(index), frag);
      continue;
    }
    Value inner = lowered.getRegionIterArg(next), outer = lowered.getResult(next);
    ++next;
    if (isa<tile::PendingType>(argument.getType())) {
      const Pending &from = carriedPendings[index];
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
      const RegisterTile &from = tileOf(value);
      if (from.columnOffset)
        return loop.emitOpError() << "yields columns of a tile; give them a tile.map of their own";
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
  SmallVector<Type> types;
  for (Type type : branch.getResultTypes())
    types.push_back(isa<tile::CursorType>(type) ? sm90::CursorType::get(b.getContext()) : type);
  auto lowered = scf::IfOp::create(b, loc, types, scalar(branch.getCondition()),
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

} // namespace tilewright::tosm90
