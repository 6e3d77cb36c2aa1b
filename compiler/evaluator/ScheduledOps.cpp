// SPDX-License-Identifier: Apache-2.0
//
// The scheduled form: roles, rings, copies and dots in flight. One CTA takes all tiles; a role is
// one thread of control over whole tiles, whatever its threads are; a role that divides by tiles is
// one for each of its instances.

#include "compiler/evaluator/Interpreter.h"
#include "compiler/evaluator/Ring.h"
#include "compiler/evaluator/TileMath.h"

using namespace mlir;

namespace tilewright::evaluator {

std::string Ring::stageName(int64_t position) const {
  return "stage " + std::to_string(position % stages.size()) + " of ring \"" + name + "\"";
}

LogicalResult Interpreter::runRoles(tile::RolesOp op) {
  std::vector<RoleTask> tasks;
  auto kernel = op->getParentOfType<tile::KernelOp>();
  for (auto role : op.getBody().front().getOps<tile::RoleOp>()) {
    int64_t instances = kernel.findRole(role.getRole()).instances();
    for (int64_t instance = 0; instance < instances; ++instance)
      tasks.push_back({role.getRole().str() + (instances > 1 ? " " + std::to_string(instance) : ""),
                       [this, role, instance] { return runInstance(role, instance); }});
  }
  return roles_->run(std::move(tasks));
}

/// Runs a role's body for one of its instances, with values of its own beside those of the kernel.
LogicalResult Interpreter::runInstance(tile::RoleOp role, int64_t instance) {
  Interpreter own = *this;
  own.instance_ = instance;
  auto kernel = role->getParentOfType<tile::KernelOp>();
  for (auto ring : kernel.getOps<tile::RingOp>())
    if (ring.isPrivate() && ring.getProducer() == role.getRole() && failed(own.runRing(ring)))
      return failure();
  LogicalResult result = own.runBlock(role.getBody().front(), {});
  metUnknownOperation_ |= own.metUnknownOperation_;
  return result;
}

LogicalResult Interpreter::runTurn(tile::TurnOp op) {
  auto turn = std::make_shared<Turn>();
  auto kernel = op->getParentOfType<tile::KernelOp>();
  if (kernel.getForm() == tile::Form::Scheduled)
    turn->instances = kernel.findRole(op.getAmong()).instances();
  return set(op.getResult(), std::move(turn));
}

// NOTE: program form and the warpgroups of a role with split = rows run as one thread of control,
// in which a turn orders nothing.
LogicalResult Interpreter::runTurnWait(tile::TurnWaitOp op) {
  auto turn = std::get<std::shared_ptr<Turn>>(valueOf(op.getTurn()));
  if (turn->instances == 1)
    return success();
  if (failed(roles_->waitUntil(op, "its turn",
                               [&] { return turn->holder == instance_ && !turn->isTaken; })))
    return failure();
  turn->isTaken = true;
  return success();
}

LogicalResult Interpreter::runTurnPass(tile::TurnPassOp op) {
  auto turn = std::get<std::shared_ptr<Turn>>(valueOf(op.getTurn()));
  if (turn->instances == 1)
    return success();
  if (turn->holder != instance_ || !turn->isTaken)
    return op.emitOpError("passes a turn that warpgroup ") << instance_ << " has not taken";
  turn->holder = (turn->holder + 1) % turn->instances;
  turn->isTaken = false;
  return success();
}

LogicalResult Interpreter::runRing(tile::RingOp op) {
  auto ring = std::make_shared<Ring>();
  ring->name = op.getName();
  ring->isPrivate = op.isPrivate();
  ring->stages.resize(op.getType().getStages());
  for (Ring::Stage &stage : ring->stages)
    for (size_t slot = 0; slot < op.getType().getTiles().size(); ++slot) {
      stage.slots.push_back(std::make_shared<SlotMemory>());
      stage.slots.back()->name = "slot " + std::to_string(slot) + " of ring \"" + ring->name + "\"";
    }
  return set(op.getResult(), std::move(ring));
}

std::shared_ptr<Ring> Interpreter::ringOf(mlir::Value value) const {
  return std::get<std::shared_ptr<Ring>>(valueOf(value));
}

LogicalResult Interpreter::setSlots(ResultRange results, const Ring::Stage &stage) {
  for (auto [result, slot] : llvm::zip_equal(results, stage.slots))
    values_[result] = slot;
  return success();
}

LogicalResult Interpreter::runAcquire(tile::AcquireOp op) {
  std::shared_ptr<Ring> ring = ringOf(op.getRing());
  int64_t position = intOf(op.getCursor()), use = ring->useOf(position);
  Ring::Stage &stage = ring->at(position);
  if (!ring->isPrivate && failed(roles_->waitUntil(op, ring->stageName(position) + " to be empty",
                                                   [&] { return stage.released >= use; })))
    return failure();
  if (stage.acquired != use)
    return op.emitOpError("acquires ")
           << ring->stageName(position) << " for use " << use << ", but it has been acquired "
           << stage.acquired << " times; a cursor is used once and then advanced";
  ++stage.acquired;
  stage.copies = 0;
  for (const auto &slot : stage.slots)
    slot->write(std::nullopt);
  return setSlots(op.getSlots(), stage);
}

LogicalResult Interpreter::runWait(tile::WaitOp op) {
  std::shared_ptr<Ring> ring = ringOf(op.getRing());
  int64_t position = intOf(op.getCursor()), use = ring->useOf(position);
  Ring::Stage &stage = ring->at(position);
  // A barrier tells neighbouring rounds apart only: several rounds ahead, an older one passes.
  if (stage.filled < use)
    return op.emitOpError("waits for use ")
           << use << " of " << ring->stageName(position) << ", which has been filled "
           << stage.filled << " times: a barrier cannot tell so many rounds apart";
  if (failed(roles_->waitUntil(op, ring->stageName(position) + " to be full",
                               [&] { return stage.filled > use; })))
    return failure();
  return setSlots(op.getSlots(), stage);
}

LogicalResult Interpreter::runCommit(tile::CommitOp op) {
  std::shared_ptr<Ring> ring = ringOf(op.getRing());
  int64_t position = intOf(op.getCursor()), use = ring->useOf(position);
  Ring::Stage &stage = ring->at(position);
  if (stage.acquired != use + 1 || stage.filled != use)
    return op.emitOpError("publishes ") << ring->stageName(position) << ", which is not acquired";
  stage.filled = use + 1;
  return success();
}

LogicalResult Interpreter::runRelease(tile::ReleaseOp op) {
  if (op.getCondition() && !intOf(op.getCondition()))
    return success();
  std::shared_ptr<Ring> ring = ringOf(op.getRing());
  int64_t position = intOf(op.getCursor()), use = ring->useOf(position);
  Ring::Stage &stage = ring->at(position);
  if (ring->isPrivate)
    return success();
  if (stage.filled <= use || stage.released != use)
    return op.emitOpError("releases ")
           << ring->stageName(position) << " of use " << use << ", which "
           << (stage.released > use ? "has been released before" : "is not full");
  stage.released = use + 1;
  for (const auto &slot : stage.slots)
    slot->write(std::nullopt);
  return success();
}

LogicalResult Interpreter::runCopy(tile::CopyOp op) {
  std::shared_ptr<Ring> ring = ringOf(op.getRing());
  int64_t position = intOf(op.getCursor()), use = ring->useOf(position);
  Ring::Stage &stage = ring->at(position);
  if (stage.acquired != use + 1 || stage.filled != use)
    return op.emitOpError("fills ") << ring->stageName(position) << ", which is not acquired";
  slotOf(op.getSlot())
      .write(loadTile(viewOf(op.getView()), intsOf(op.getCoords()),
                      op.getSlot().getType().getTile().getShape(), /*isUndefined=*/false));
  if (++stage.copies == stage.slots.size())
    stage.filled = use + 1;
  return success();
}

LogicalResult Interpreter::runCopyOut(tile::CopyOutOp op) {
  FailureOr<Tile> tile = contentsOf(op, op.getSlot());
  if (failed(tile))
    return failure();
  storeTile(*tile, viewOf(op.getView()), intsOf(op.getCoords()), op.getReduce());
  return success();
}

LogicalResult Interpreter::runFragmentStore(tile::FragmentStoreOp op) {
  const Tile &tile = tileOf(op.getValue());
  slotOf(op.getSlot()).write(op.getTranspose() ? transpose(tile) : tile);
  return success();
}

LogicalResult Interpreter::runFragmentLoad(tile::FragmentLoadOp op) {
  FailureOr<Tile> tile = contentsOf(op, op.getSlot());
  return failed(tile) ? failure() : set(op.getResult(), std::move(*tile));
}

SlotMemory &Interpreter::slotOf(mlir::Value slot) const {
  return *std::get<std::shared_ptr<SlotMemory>>(valueOf(slot));
}

FailureOr<Tile> Interpreter::contentsOf(Operation *op, mlir::Value slot) const {
  const SlotMemory &memory = slotOf(slot);
  RankedTensorType type = cast<tile::SlotType>(slot.getType()).getTile();
  if (!memory.contents)
    return op->emitOpError("reads ")
           << memory.name << ", which holds nothing: it was not written, or released before";
  if (ArrayRef<int64_t>(memory.contents->shape) != type.getShape())
    return op->emitOpError("reads ")
           << memory.name << " as " << type << ", but something of another shape was written there";
  return *memory.contents;
}

LogicalResult Interpreter::runScheduleRange(tile::ScheduleRangeOp op) {
  auto schedule = std::get<std::shared_ptr<const Schedule>>(valueOf(op.getSchedule()));
  values_[op.getFirst()] = Number(int64_t(0));
  values_[op.getEnd()] = Number(int64_t(schedule->units.size()));
  values_[op.getStep()] = Number(int64_t(1));
  return success();
}

LogicalResult Interpreter::runDecode(tile::DecodeOp op) {
  auto schedule = std::get<std::shared_ptr<const Schedule>>(valueOf(op.getSchedule()));
  int64_t index = intOf(op.getIndex());
  if (index < 0 || index >= int64_t(schedule->units.size()))
    return op.emitOpError("decodes work index ")
           << index << " of a schedule of " << schedule->units.size() << " units";
  for (auto [result, coord] : llvm::zip_equal(op.getCoords(), schedule->units[index]))
    values_[result] = Number(coord);
  return success();
}

LogicalResult Interpreter::runDotStart(tile::DotStartOp op) {
  auto dot = std::make_shared<PendingDot>();
  auto operandOf = [&](mlir::Value value) {
    DotOperand operand;
    if (isa<tile::SlotType>(value.getType())) {
      operand.slot = std::get<std::shared_ptr<SlotMemory>>(valueOf(value));
      operand.version = operand.slot->version;
    } else {
      operand.tile = tileOf(value);
    }
    return operand;
  };
  dot->op = op;
  dot->a = operandOf(op.getA());
  dot->b = operandOf(op.getB());
  dot->transA = op.getTransA();
  dot->transB = op.getTransB();
  if (auto pending = std::get_if<std::shared_ptr<PendingDot>>(&valueOf(op.getAcc())))
    dot->accumulator = *pending;
  else
    dot->acc = tileOf(op.getAcc());
  inFlight_.push_back(dot);
  return set(op.getResult(), std::move(dot));
}

LogicalResult Interpreter::finishDot(PendingDot &dot) {
  for (const DotOperand *operand : {&dot.a, &dot.b})
    if (operand->slot && (!operand->slot->contents || operand->slot->version != operand->version))
      return dot.op->emitOpError("was still reading ")
             << operand->slot->name << " when that was released or written: wait for the dot first";
  const Tile &a = dot.a.tile ? *dot.a.tile : *dot.a.slot->contents;
  const Tile &b = dot.b.tile ? *dot.b.tile : *dot.b.slot->contents;
  const Tile &acc = dot.acc ? *dot.acc : *dot.accumulator->result;
  dot.result = multiplyAdd(dot.transA ? transpose(a) : a, dot.transB ? b : transpose(b), acc,
                           nullptr, nullptr);
  dot.accumulator.reset(); // a chain of finished dots need not stay
  return success();
}

LogicalResult Interpreter::retireDots(int64_t outstanding) {
  while (int64_t(inFlight_.size()) > outstanding) {
    if (failed(finishDot(*inFlight_.front())))
      return failure();
    inFlight_.pop_front();
  }
  return success();
}

LogicalResult Interpreter::runDotWait(tile::DotWaitOp op) {
  if (failed(retireDots(op.getOutstanding())))
    return failure();
  auto dot = std::get<std::shared_ptr<PendingDot>>(valueOf(op.getPending()));
  if (!dot->result)
    return op.emitOpError("takes the result of a dot that is still in flight with outstanding ")
           << op.getOutstanding();
  return set(op.getResult(), *dot->result);
}

LogicalResult Interpreter::runDotRetire(tile::DotRetireOp op) {
  if (failed(retireDots(op.getOutstanding())))
    return failure();
  return set(op.getResult(), valueOf(op.getPending()));
}

} // namespace tilewright::evaluator
