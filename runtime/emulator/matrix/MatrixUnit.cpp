// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/matrix/MatrixUnit.h"

#include "runtime/emulator/core/Words.h"
#include "runtime/emulator/matrix/Descriptor.h"

#include <algorithm>
#include <cstring>

namespace tilewright::emulator {

static thread_local MatrixUnit *currentUnit = nullptr;

/// One wgmma of a warpgroup.
struct MatrixUnit::Operation {
  int32_t index = 0;
  int32_t line = 0;
  Cta *cta = nullptr;
  WgmmaCall call = {};
  bool hasFragments = false;
  /// False after a finding about their addresses.
  bool hasOperands = false;
  int32_t group = 0;
  /// The operation before it on the same accumulators; -1: they come from the registers.
  int32_t before = -1;
  int32_t called = 0;
  bool isDone = false;
  /// What all threads knew when they called.
  Past known;
  /// By thread: registers before, then after.
  std::vector<float> values;
  /// By thread: four registers of A.
  std::vector<uint32_t> fragments;
  AccessId reads = 0;
};

/// The queue of a warpgroup.
class MatrixUnit::Stream : public Waitable {
public:
  [[nodiscard]] std::string describe() const override {
    std::string text =
        "wgmma of warpgroup " + std::to_string(warpgroup) + " of CTA " + std::to_string(cta->index);
    for (const auto &operation : operations)
      if (!operation->isDone)
        return text + ": the one of line " + std::to_string(operation->line) +
               " has been called by " + std::to_string(operation->called) + " of 128 threads";
    return text;
  }

  Cta *cta = nullptr;
  int32_t warpgroup = 0;
  Actor actor = 0;
  std::vector<std::unique_ptr<Operation>> operations;
  /// All operations before it are done.
  int32_t done = 0;
};

MatrixUnit::MatrixUnit() : outer_(currentUnit) { currentUnit = this; }
MatrixUnit::~MatrixUnit() { currentUnit = outer_; }
MatrixUnit &MatrixUnit::current() { return *currentUnit; }

void MatrixUnit::onCtaStart(Machine &machine, Cta &cta) {
  std::vector<std::unique_ptr<Stream>> &streams = streams_[&cta];
  streams.clear();
  for (const auto &thread : cta.threads)
    lanes_.erase(thread.get());
  for (int32_t group = 0; group < machine.launch().threads / kWarpgroup; ++group) {
    streams.push_back(std::make_unique<Stream>());
    streams.back()->cta = &cta;
    streams.back()->warpgroup = group;
    streams.back()->actor = machine.newActor(cta);
  }
}

MatrixUnit::Lane &MatrixUnit::lane(Thread &thread) {
  std::unique_ptr<Lane> &lane = lanes_[&thread];
  if (!lane) {
    lane = std::make_unique<Lane>();
    std::vector<std::unique_ptr<Stream>> &streams = streams_[thread.cta];
    const auto group = static_cast<size_t>(thread.index / kWarpgroup);
    lane->stream = group < streams.size() ? streams[group].get() : nullptr;
    lane->index = thread.index % kWarpgroup;
  }
  return *lane;
}

// --- registers
// ------------------------------------------------------------------------------------

/// Bit by bit: NaN must compare, and poison must not be touched by arithmetic.
static bool holdsOnlyPoison(const float *registers, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    if (std::memcmp(registers + i, &kPoison, sizeof kPoison) != 0)
      return false;
  return true;
}

static void fillPoison(float *registers, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    std::memcpy(registers + i, &kPoison, sizeof kPoison);
}

void MatrixUnit::fence(float *acc, int32_t n, const uint32_t *a, int32_t m, int32_t /*line*/) {
  Lane &mine = lane(Machine::current().self());
  const auto remember = [&](const void *address, int32_t count) {
    auto at = std::find_if(mine.fenced.begin(), mine.fenced.end(),
                           [&](const Fenced &fenced) { return fenced.address == address; });
    if (at == mine.fenced.end())
      at = mine.fenced.insert(at, Fenced{address, {}});
    at->content.resize(static_cast<size_t>(count));
    std::memcpy(at->content.data(), address, static_cast<size_t>(count) * 4);
  };
  remember(acc, n);
  if (a)
    remember(a, m);
}

/// Whether registers hold what they held at a fence that named them.
bool MatrixUnit::isFenced(const Lane &lane, const void *address, size_t count) {
  const auto first = reinterpret_cast<uintptr_t>(address);
  for (const Fenced &fenced : lane.fenced) {
    const auto begin = reinterpret_cast<uintptr_t>(fenced.address);
    // Another array may have had these addresses before: one fence that holds is enough.
    if (first >= begin && first + count * 4 <= begin + fenced.content.size() * 4 &&
        std::memcmp(address, fenced.content.data() + (first - begin) / 4, count * 4) == 0)
      return true;
  }
  return false;
}

static std::string registersName(const Thread &thread) {
  return "accumulators of " + Machine::placeName(thread);
}

/// The chain that the call's accumulators are in; null if they are not in flight.
MatrixUnit::Chain *MatrixUnit::chainOf(Thread &thread, Lane &lane, const WgmmaCall &call,
                                       int32_t line) {
  const auto first = reinterpret_cast<uintptr_t>(call.acc);
  const uintptr_t last = first + static_cast<uintptr_t>(call.n) / 2 * 4;
  for (Chain &chain : lane.chains) {
    const auto begin = reinterpret_cast<uintptr_t>(chain.acc);
    const uintptr_t end = begin + static_cast<uintptr_t>(chain.registers) * 4;
    if (first == begin && last == end)
      return &chain;
    if (first < end && begin < last)
      thread.machine->report(FindingKind::accumulatorInFlight, &thread, line, registersName(thread),
                             "a wgmma takes accumulators of which a part is in flight for another "
                             "shape; wait for that "
                             "one first");
  }
  return nullptr;
}

// --- calls
// ----------------------------------------------------------------------------------------

static bool isSameCall(const WgmmaCall &a, const WgmmaCall &b) {
  return a.n == b.n && a.is_half == b.is_half && a.trans_a == b.trans_a && a.trans_b == b.trans_b &&
         a.scale_d == b.scale_d && !a.a == !b.a && (a.a || a.desc_a == b.desc_a) &&
         a.desc_b == b.desc_b;
}

void MatrixUnit::multiplyAsync(const WgmmaCall &call, int32_t line) {
  Machine &machine = Machine::current();
  Thread &thread = machine.self();
  Lane &mine = lane(thread);
  if (!mine.stream) {
    machine.report(FindingKind::accumulatorDivergent, &thread, line, "wgmma",
                   "the warp belongs to no whole warpgroup of four");
    return;
  }
  Stream &stream = *mine.stream;
  const auto registers = static_cast<size_t>(call.n / 2);
  const Chain *chain = chainOf(thread, mine, call, line);
  const int32_t before = chain ? chain->last : -1;
  const auto group = static_cast<int32_t>(mine.groups.size());
  const int32_t index = mine.called++;
  mine.lastLine = line;
  if (static_cast<size_t>(index) == stream.operations.size()) {
    auto created = std::make_unique<Operation>();
    created->index = index;
    created->line = line;
    created->cta = thread.cta;
    created->call = call;
    created->hasFragments = call.a != nullptr;
    created->group = group;
    created->before = before;
    created->values.resize(kWarpgroup * registers);
    if (call.a)
      created->fragments.resize(size_t{4} * kWarpgroup);
    created->known = thread.past;
    stream.operations.push_back(std::move(created));
  }
  Operation &operation = *stream.operations[static_cast<size_t>(index)];
  if (operation.line != line || !isSameCall(operation.call, call) || operation.group != group ||
      operation.before != before) {
    Finding finding;
    finding.kind = FindingKind::accumulatorDivergent;
    finding.line = line;
    finding.object = "wgmma " + std::to_string(index) + " of warpgroup " +
                     std::to_string(stream.warpgroup) + " of CTA " +
                     std::to_string(thread.cta->index);
    finding.other = {"wgmma of another thread of the warpgroup", operation.line};
    finding.message =
        "the threads of a warpgroup issue different wgmmas, or in different groups; all "
        "128 must take the same way with the same operands";
    machine.report(std::move(finding), &thread);
    return;
  }
  operation.known.seen.meet(thread.past.seen);
  operation.known.proxied.meet(thread.past.proxied);

  if (!chain) {
    if (!isFenced(mine, call.acc, registers))
      machine.report(FindingKind::wgmmaFence, &thread, line, registersName(thread),
                     "a wgmma takes accumulators that were written since the last wgmma_fence that "
                     "names them, or that none names; put wgmma_fence(acc) before it");
    std::memcpy(operation.values.data() + static_cast<size_t>(mine.index) * registers, call.acc,
                registers * sizeof(float));
    fillPoison(call.acc, call.n / 2);
    mine.chains.push_back({call.acc, call.n / 2, index});
  } else {
    if (!holdsOnlyPoison(call.acc, call.n / 2))
      machine.report(
          FindingKind::accumulatorInFlight, &thread, line, registersName(thread),
          "accumulators were written while a wgmma owned them; wait for it with wgmma_wait "
          "before touching them");
    mine.chains[static_cast<size_t>(chain - mine.chains.data())].last = index;
  }
  if (call.a) {
    if (!isFenced(mine, call.a, 4))
      machine.report(
          FindingKind::wgmmaFence, &thread, line, "fragment of A of " + Machine::placeName(thread),
          "a wgmma takes registers of A that were written since the last wgmma_fence that "
          "names them, or that none names; pack all fragments, then wgmma_fence(acc, a)");
    std::memcpy(operation.fragments.data() + size_t{4} * static_cast<size_t>(mine.index), call.a,
                16);
  }
  if (++operation.called == kWarpgroup)
    issue(machine, thread, stream, operation);
}

void MatrixUnit::commit(int32_t line) {
  Lane &mine = lane(Machine::current().self());
  mine.groups.push_back(mine.called);
  mine.lastLine = line;
}

void MatrixUnit::wait(int32_t outstanding, int32_t line) {
  Machine &machine = Machine::current();
  Thread &thread = machine.self();
  Lane &mine = lane(thread);
  const int32_t covered = static_cast<int32_t>(mine.groups.size()) - outstanding;
  if (!mine.stream || covered <= 0)
    return;
  const int32_t operations = mine.groups[static_cast<size_t>(covered) - 1];
  Stream &stream = *mine.stream;
  while (stream.done < operations)
    machine.block(stream, "wgmma_wait", line);
  machine.acquire(thread, {stream.actor, covered});
  for (size_t i = mine.chains.size(); i-- > 0;) {
    const Chain chain = mine.chains[i];
    if (chain.last >= operations)
      continue;
    if (!holdsOnlyPoison(chain.acc, chain.registers))
      machine.report(
          FindingKind::accumulatorInFlight, &thread, line, registersName(thread),
          "accumulators were written while a wgmma owned them; wait for it with wgmma_wait "
          "before touching them");
    const Operation &last = *stream.operations[static_cast<size_t>(chain.last)];
    const auto registers = static_cast<size_t>(chain.registers);
    std::memcpy(chain.acc, last.values.data() + static_cast<size_t>(mine.index) * registers,
                registers * sizeof(float));
    // What comes back needs no fence before the next wgmma, unless somebody touches it.
    for (Fenced &fenced : mine.fenced) {
      const auto begin = reinterpret_cast<uintptr_t>(fenced.address);
      const auto at = reinterpret_cast<uintptr_t>(chain.acc);
      if (at >= begin && at + registers * 4 <= begin + fenced.content.size() * 4)
        std::memcpy(fenced.content.data() + (at - begin) / 4, chain.acc, registers * 4);
    }
    mine.chains.erase(mine.chains.begin() + static_cast<ptrdiff_t>(i));
  }
}

void MatrixUnit::onThreadExit(Machine &machine, Thread &thread) {
  const auto found = lanes_.find(&thread);
  if (found == lanes_.end())
    return;
  const Lane &mine = *found->second;
  const bool isUncommitted = mine.called > (mine.groups.empty() ? 0 : mine.groups.back());
  if (isUncommitted || !mine.chains.empty())
    machine.report(FindingKind::pendingAtExit, &thread, mine.lastLine, registersName(thread),
                   isUncommitted
                       ? "the thread ends with a wgmma that no wgmma_commit covers"
                       : "the thread ends with a wgmma that no wgmma_wait has waited for");
}

// --- the unit
// -------------------------------------------------------------------------------------

/// Calls body(address, mn, k) for each 16 bytes of an operand.
template <typename Body>
static void forEachChunk(const Descriptor &descriptor, bool isTransposed, int32_t extent,
                         Body body) {
  const auto count = static_cast<uint32_t>(extent);
  if (isTransposed) {
    for (uint32_t k = 0; k < kMatrixDepth; ++k)
      for (uint32_t mn = 0; mn < count; mn += 8)
        body(addressMnMajor(descriptor, mn, k), mn, k);
  } else {
    for (uint32_t mn = 0; mn < count; ++mn)
      for (uint32_t k = 0; k < kMatrixDepth; k += 8)
        body(addressKMajor(descriptor, mn, k), mn, k);
  }
}

/// Checks that an operand lies in shared memory and is ordered before all threads; false after a
/// finding about its address.
bool MatrixUnit::noteOperand(Machine &machine, Thread &thread, Operation &operation, bool isA,
                             AccessId id) {
  const WgmmaCall &call = operation.call;
  const Descriptor descriptor = decodeDescriptor(isA ? call.desc_a : call.desc_b);
  Cta &cta = *operation.cta;
  const char *name = isA ? "A" : "B";
  const bool isTransposed = isA ? call.trans_a : call.trans_b;
  const int32_t extent = isA ? kMatrixRows : call.n;
  // The pattern of a swizzle repeats every 8 rows of 128 bytes (of 64, 32: every 4, 2); rows that
  // do not begin with it would be read in another order than they were written.
  const uint32_t atom = descriptor.swizzle * 8;
  // Offsets that no element needs may be anything.
  const bool usesStride = isTransposed || extent > 8;
  const bool usesLeading = isTransposed && extent * 2 > static_cast<int32_t>(descriptor.swizzle);
  if (atom && ((usesStride && descriptor.stride % atom != 0) ||
               (usesLeading && descriptor.leading % atom != 0))) {
    machine.report(FindingKind::descriptor, &thread, operation.line,
                   std::string("descriptor of ") + name,
                   "its byte offsets " + std::to_string(descriptor.leading) + " and " +
                       std::to_string(descriptor.stride) + " are no multiples of the " +
                       std::to_string(atom) + " bytes after which a swizzle of " +
                       std::to_string(descriptor.swizzle) + " bytes repeats");
    return false;
  }
  const Past *known = &operation.known;
  const Observers observers = {&known, 1};
  bool isInside = true;
  forEachChunk(descriptor, isTransposed, extent, [&](uint32_t address, uint32_t, uint32_t) {
    isInside = isInside && machine.inShared(cta, address, 16, "wgmma", operation.line);
    if (isInside)
      machine.noteRead(cta, address, 16, id, observers);
  });
  return isInside;
}

void MatrixUnit::issue(Machine &machine, Thread &thread, Stream &stream, Operation &operation) {
  // One record for both operands: a group's reads end together.
  const AccessId id = machine.asyncAccess(
      thread, /*write=*/false, {stream.actor, operation.group + 1}, "wgmma", operation.line);
  operation.reads = id;
  // One that has no operands ends too, with whatever: else a deadlock would be found as well.
  operation.hasOperands =
      (operation.hasFragments || noteOperand(machine, thread, operation, true, id)) &&
      noteOperand(machine, thread, operation, false, id);
  operation.known = {};
  emulator::Operation pending;
  pending.what = "wgmma";
  pending.line = operation.line;
  pending.issuer = &thread;
  Machine *at = &machine;
  pending.events[0] = [at, &stream, index = operation.index] {
    completeUpTo(stream, index);
    at->wake(stream);
  };
  machine.schedule(std::move(pending));
}

void MatrixUnit::readOperand(const Operation &operation, bool isA, Operands &operands) {
  const WgmmaCall &call = operation.call;
  const auto widen = call.is_half ? widenHalf : widenBf16;
  const auto put = [&](uint32_t mn, uint32_t k, uint16_t bits) {
    (isA ? operands.a[mn * kMatrixDepth + k] : operands.b[k * kMaxColumns + mn]) = widen(bits);
  };
  const bool isTransposed = isA ? call.trans_a : call.trans_b;
  forEachChunk(decodeDescriptor(isA ? call.desc_a : call.desc_b), isTransposed,
               isA ? kMatrixRows : call.n, [&](uint32_t address, uint32_t mn, uint32_t k) {
                 uint16_t chunk[8];
                 std::memcpy(chunk, operation.cta->at(address), sizeof chunk);
                 for (uint32_t i = 0; i < 8; ++i)
                   put(isTransposed ? mn + i : mn, isTransposed ? k : k + i, chunk[i]);
               });
}

/// Operations end in the order of the queue: those before the one whose time has come end first.
void MatrixUnit::completeUpTo(Stream &stream, int32_t index) {
  static thread_local Operands operands;
  for (; stream.done <= index; ++stream.done) {
    Operation &operation = *stream.operations[static_cast<size_t>(stream.done)];
    const WgmmaCall &call = operation.call;
    operation.cta->machine->completeAccess(operation.reads);
    operation.isDone = true;
    if (!operation.hasOperands)
      continue;
    if (operation.hasFragments) {
      const auto widen = call.is_half ? widenHalf : widenBf16;
      for (int32_t thread = 0; thread < kWarpgroup; ++thread)
        for (int32_t reg = 0; reg < 4; ++reg)
          for (int32_t half = 0; half < 2; ++half) {
            const uint32_t bits = operation.fragments[static_cast<size_t>(4 * thread + reg)];
            operands.a[static_cast<size_t>(fragmentRow(thread, reg) * kMatrixDepth +
                                           fragmentDepth(thread, reg, half))] =
                widen(static_cast<uint16_t>(bits >> 16 * half));
          }
    } else {
      readOperand(operation, true, operands);
    }
    readOperand(operation, false, operands);
    const float *c = operation.values.data();
    if (operation.before >= 0)
      c = stream.operations[static_cast<size_t>(operation.before)]->values.data();
    if (!call.scale_d)
      c = nullptr;
    multiply(operands, call.n, c, operation.values.data());
    operation.fragments.clear();
    // All threads have called this one, so none can take back what the one before it left.
    if (operation.before >= 0)
      stream.operations[static_cast<size_t>(operation.before)]->values = {};
  }
}

void fillMatrixTable(Api &api) {
  api.wgmma_fence = [](float *acc, int32_t n, const uint32_t *a, int32_t m, int32_t line) {
    MatrixUnit::current().fence(acc, n, a, m, line);
  };
  api.wgmma = [](const WgmmaCall *call, int32_t line) {
    MatrixUnit::current().multiplyAsync(*call, line);
    Machine::current().leave();
  };
  api.wgmma_commit = [](int32_t line) { MatrixUnit::current().commit(line); };
  api.wgmma_wait = [](int32_t outstanding, float * /*acc*/, int32_t /*n*/, int32_t line) {
    MatrixUnit::current().wait(outstanding, line);
    Machine::current().leave();
  };
}

} // namespace tilewright::emulator
