// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/PendingDots.h"

#include "compiler/passes/Elementwise.h"

using namespace mlir;

namespace tilewright {

namespace {

class DotSplitter {
public:
  explicit DotSplitter(Operation *root) : root(root) {}
  LogicalResult run();

private:
  /// A loop and the number of a value that it carries.
  using Carried = std::pair<Operation *, unsigned>;

  void findPendingLoops();
  bool staysPending(Carried value) const;
  bool flowsOn(Value value) const;
  bool isPendingSource(Value value) const;
  bool isCarried(Value value) const;
  void convertLoop(Carried value);
  LogicalResult start(tile::DotOp dot);
  LogicalResult wait(tile::DotOp dot, tile::DotStartOp started);

  Operation *root;
  SmallVector<tile::DotOp> dots;
  SmallVector<Carried> pendingLoops;
  /// Facts about the program before it changes: the dot's result only flows on as an accumulator;
  /// it reaches the next iteration of a loop that way.
  DenseMap<Operation *, std::pair<bool, bool>> facts;
  SmallVector<std::pair<tile::DotOp, tile::DotStartOp>> unwaited;
};

bool isWgmma(Operation *op) {
  auto dot = dyn_cast_or_null<tile::DotOp>(op);
  return dot && dot.getKind() == tile::DotKind::Wgmma;
}

tile::PendingType pendingOf(Type tile) {
  return tile::PendingType::get(tile.getContext(), cast<RankedTensorType>(tile));
}

/// Whether the only use of `value` takes it as an accumulator in flight.
bool DotSplitter::flowsOn(Value value) const {
  if (!value.hasOneUse())
    return false;
  OpOperand &use = *value.use_begin();
  Operation *user = use.getOwner();
  if (isWgmma(user))
    return &use == &cast<tile::DotOp>(user).getAccMutable();
  CountedLoop loop(user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user);
  for (unsigned i = 0; loop && i < loop.carried(); ++i)
    if ((&loop.init(i) == &use || &loop.yielded(i) == &use) &&
        llvm::is_contained(pendingLoops, Carried(loop.getOperation(), i)))
      return true;
  return false;
}

/// Whether `value` can be an accumulator in flight: a dot's result, or what a loop carries as one.
bool DotSplitter::isPendingSource(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getArgNumber() &&
           llvm::is_contained(pendingLoops, Carried(argument.getOwner()->getParentOp(),
                                                    argument.getArgNumber() - 1));
  unsigned number = cast<OpResult>(value).getResultNumber();
  return isWgmma(value.getDefiningOp()) ||
         llvm::is_contained(pendingLoops, Carried(value.getDefiningOp(), number));
}

bool DotSplitter::staysPending(Carried value) const {
  CountedLoop loop(value.first);
  Value init = loop.init(value.second).get(), yielded = loop.yielded(value.second).get();
  bool starts = init.getDefiningOp<tile::ZeroOp>() || (isPendingSource(init) && flowsOn(init));
  return starts && flowsOn(loop.argument(value.second)) && isPendingSource(yielded) &&
         flowsOn(yielded);
}

/// Assumes that every carried accumulator can stay in flight and takes back those that cannot.
void DotSplitter::findPendingLoops() {
  root->walk([&](Operation *op) {
    CountedLoop loop(op);
    for (unsigned i = 0; loop && i < loop.carried(); ++i)
      if (auto tile = dyn_cast<RankedTensorType>(loop.result(i).getType()))
        if (isa_and_nonnull<tile::AccAttr>(tile.getEncoding()) && tile.getRank() == 2)
          pendingLoops.push_back({op, i});
  });
  size_t before;
  do {
    before = pendingLoops.size();
    SmallVector<Carried> kept =
        llvm::filter_to_vector(pendingLoops, [&](Carried value) { return staysPending(value); });
    pendingLoops = kept;
  } while (pendingLoops.size() != before);
}

/// Whether a dot's result reaches the yield of a loop that carries it, through accumulators alone.
bool DotSplitter::isCarried(Value value) const {
  while (flowsOn(value)) {
    Operation *user = *value.user_begin();
    if (user->hasTrait<OpTrait::IsTerminator>())
      return true;
    if (!isWgmma(user))
      return false;
    value = user->getResult(0);
  }
  return false;
}

void DotSplitter::convertLoop(Carried value) {
  CountedLoop loop(value.first);
  unsigned i = value.second;
  tile::PendingType type = pendingOf(loop.result(i).getType());
  if (auto zero = loop.init(i).get().getDefiningOp<tile::ZeroOp>()) {
    OpBuilder builder(loop.getOperation());
    loop.init(i).set(tile::ZeroOp::create(builder, zero.getLoc(), type));
    if (zero->use_empty())
      zero->erase();
  }
  OpResult result = loop.result(i);
  bool waits = !flowsOn(result);
  Type tile = result.getType();
  loop.argument(i).setType(type);
  result.setType(type);
  if (!waits)
    return;
  // A turn is passed on while the last dots are in flight: the next warpgroup's come behind them.
  // What is held is on its way to the registers meanwhile.
  Operation *behind = loop.getOperation();
  while (isa<tile::TurnPassOp>(behind->getNextNode()) || isHeld(behind->getNextNode()))
    behind = behind->getNextNode();
  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(behind);
  auto wait = tile::DotWaitOp::create(builder, result.getLoc(), tile, result, /*outstanding=*/0);
  result.replaceAllUsesExcept(wait.getResult(), wait);
}

LogicalResult DotSplitter::start(tile::DotOp dot) {
  if (dot.getScaleA())
    return dot.emitOpError()
           << "has scales, which wgmma does not apply; multiply the product of a dot "
              "into tile.zero by them and add that";
  if (!isa<tile::SlotType>(dot.getB().getType()))
    return dot.emitOpError() << "takes b from " << dot.getB().getType()
                             << "; wgmma reads b from shared memory, load it through a ring";
  if (!isa_and_nonnull<tile::AccAttr>(dot.getType().getEncoding()))
    return dot.emitOpError() << "accumulates into " << dot.getType()
                             << ", whose layout is not #tile.acc; run tile-infer-layouts first";
  OpBuilder builder(dot);
  tile::PendingType type = pendingOf(dot.getType());
  Value acc = dot.getAccMutable().get();
  auto zero = acc.getDefiningOp<tile::ZeroOp>();
  if (zero && isa<RankedTensorType>(acc.getType()))
    acc = tile::ZeroOp::create(builder, zero.getLoc(), type);
  auto started = tile::DotStartOp::create(builder, dot.getLoc(), type, dot.getA(), dot.getB(), acc,
                                          dot.getTransA(), dot.getTransB());
  auto [flows, carried] = facts.lookup(dot);
  if (!flows) {
    unwaited.push_back({dot, started});
    return success();
  }
  Value result = started.getResult();
  if (carried)
    result = tile::DotRetireOp::create(builder, dot.getLoc(), type, result, dot.getOutstanding());
  dot.getResult().replaceAllUsesWith(result);
  dot.erase();
  if (zero && zero->use_empty())
    zero.erase();
  return success();
}

/// Waits in front of the first use of the dot's result, wherever in the block that is.
LogicalResult DotSplitter::wait(tile::DotOp dot, tile::DotStartOp started) {
  Block *block = started->getBlock();
  Operation *first = block->getTerminator();
  for (Operation *user : dot->getUsers()) {
    Operation *here = block->findAncestorOpInBlock(*user);
    if (here->isBeforeInBlock(first))
      first = here;
  }
  int64_t issued = 0;
  for (Operation *op = started->getNextNode(); op != first; op = op->getNextNode())
    issued += isa<tile::DotStartOp>(op);
  if (static_cast<int64_t>(dot.getOutstanding()) > issued) {
    InFlightDiagnostic diagnostic = dot.emitOpError();
    diagnostic
        << "asks for outstanding " << dot.getOutstanding()
        << ", but its result is used before another dot is issued: only an accumulator that a loop "
           "carries from tile.zero through dots alone stays in flight; state outstanding 0";
    diagnostic.attachNote(first->getLoc()) << "used here";
    return diagnostic;
  }
  OpBuilder builder(first);
  auto wait =
      tile::DotWaitOp::create(builder, dot.getLoc(), dot.getType(), started.getResult(), issued);
  dot.getResult().replaceAllUsesWith(wait.getResult());
  Operation *zero = dot.getAccMutable().get().getDefiningOp<tile::ZeroOp>();
  dot.erase();
  if (zero && zero->use_empty())
    zero->erase();
  return success();
}

LogicalResult DotSplitter::run() {
  root->walk<WalkOrder::PreOrder>([&](tile::DotOp dot) {
    if (isWgmma(dot))
      dots.push_back(dot);
  });
  findPendingLoops();
  for (tile::DotOp dot : dots)
    facts[dot] = {flowsOn(dot.getResult()), isCarried(dot.getResult())};
  for (Carried value : pendingLoops)
    convertLoop(value);
  for (tile::DotOp dot : dots)
    if (failed(start(dot)))
      return failure();
  for (auto [dot, started] : unwaited)
    if (failed(wait(dot, started)))
      return failure();
  return success();
}

} // namespace

LogicalResult splitDots(Operation *root) { return DotSplitter(root).run(); }

} // namespace tilewright
