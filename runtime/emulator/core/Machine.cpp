// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/core/Machine.h"

#include <algorithm>
#include <utility>

namespace tilewright::emulator {

// NOTE: the one thread_local of the emulator. The functions of a kernel's text have no parameter
// through which they could be told where they run, no more than on the device.
static thread_local Machine *currentMachine = nullptr;

Machine &Machine::current() { return *currentMachine; }

Machine::Machine(const MachineOptions &options, StackPool &stacks, Extension *extension)
    : options_(options), stacks_(stacks), extension_(extension), random_(options.seed),
      scheduler_(options.policy, random_) {}

Machine::~Machine() { drop(); }

Status Machine::run(const MachineLaunch &launch) {
  launch_ = launch;
  if (Status status = checkLaunch(); !status.isOk())
    return status;
  Machine *outer = std::exchange(currentMachine, this);
  stopped_ = false;
  nextCluster_ = 0;
  residentCtas_ = 0;
  clusterThreads_ = static_cast<uint32_t>(launch_.cluster * launch_.threads);
  startClusters();
  loop();
  if (!stopped_ && extension_)
    extension_->onGridExit(*this);
  drop();
  currentMachine = outer;
  return Status::ok();
}

// --- findings
// -------------------------------------------------------------------------------------

std::string Machine::placeName(const Thread &thread) {
  return "CTA " + std::to_string(thread.cta->index) + ", warp " +
         std::to_string(thread.warp->index) + ", lane " + std::to_string(thread.lane);
}

static std::string lineOf(std::string_view text, int32_t line) {
  for (int32_t at = 1; at < line && !text.empty(); ++at) {
    const size_t end = text.find('\n');
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  const size_t start = text.find_first_not_of(" \t");
  if (line <= 0 || start == std::string_view::npos)
    return {};
  return std::string(text.substr(start, text.find_last_not_of(" \t\r") + 1 - start));
}

void Machine::report(Finding &&finding, const Thread *thread) {
  const uint64_t key = static_cast<uint64_t>(finding.kind) << 56 ^
                       static_cast<uint64_t>(finding.line) << 28 ^
                       static_cast<uint64_t>(finding.other.line);
  if (stopped_ || std::find(reported_.begin(), reported_.end(), key) != reported_.end())
    return;
  reported_.push_back(key);
  finding.kernel = launch_.kernel;
  finding.lineText = lineOf(launch_.text, finding.line);
  if (thread)
    finding.place = {thread->cta->index, thread->warp->index, thread->lane};
  const bool isError = finding.severity == Severity::error;
  findings_.push_back(std::move(finding));
  if (isError && ++errors_ >= options_.maxErrors)
    stopped_ = true;
}

void Machine::report(FindingKind kind, const Thread *thread, int32_t line, std::string &&object,
                     std::string &&message) {
  Finding finding;
  finding.kind = kind;
  finding.line = line;
  finding.object = std::move(object);
  finding.message = std::move(message);
  report(std::move(finding), thread);
}

// --- blocking and asynchronous operations
// ---------------------------------------------------------

void Machine::block(Waitable &what, const char *function, int32_t line) {
  Thread &thread = *running_;
  what.waiters.push_back(&thread);
  thread.blockedOn = &what;
  thread.blockedIn = function;
  thread.blockedLine = line;
  suspend();
}

void Machine::wake(Waitable &what) {
  for (Thread *thread : what.waiters) {
    thread->blockedOn = nullptr;
    scheduler_.ready(*thread);
  }
  what.waiters.clear();
}

void Machine::yield() {
  if (!stopped_ && !scheduler_.preempts())
    return;
  scheduler_.ready(*running_);
  suspend();
}

void Machine::schedule(Operation &&operation) {
  ++counters_.operations;
  scheduler_.add(std::move(operation));
  if (!scheduler_.isEager() || !running_)
    return;
  scheduler_.ready(*running_);
  suspend();
}

Cta *Machine::peer(Cta &cta, int32_t rank, const char *what, int32_t line) {
  if (rank < 0 || rank >= static_cast<int32_t>(cta.cluster->ctas.size())) {
    report(FindingKind::clusterExit, running_, line, "rank " + std::to_string(rank),
           std::string(what) + " names a CTA that the cluster of " +
               std::to_string(cta.cluster->ctas.size()) + " does not have");
    return nullptr;
  }
  Cta &target = *cta.cluster->ctas[static_cast<size_t>(rank)];
  if (target.ended) {
    report(FindingKind::clusterExit, running_, line, "CTA " + std::to_string(target.index),
           std::string(what) +
               " accesses a CTA of the cluster that has ended; end the kernel with a cluster "
               "barrier after the last access of a peer");
    return nullptr;
  }
  return &target;
}

// --- actors and order
// -----------------------------------------------------------------------------

Actor Machine::newActor(Cta &cta) {
  return makeActor(static_cast<uint32_t>(cta.cluster->index), cta.cluster->actors++);
}

Epoch Machine::advance(Thread &thread) {
  const Epoch epoch = thread.epoch();
  ++thread.now;
  thread.past.seen.raise(thread.epoch());
  return epoch;
}

void Machine::acquire(Thread &thread, Epoch epoch) { thread.past.raise(epoch); }

static void addSource(SyncPoint &sync, const Cta &cta, Scope scope, const Past &past) {
  auto source = std::find_if(sync.sources.begin(), sync.sources.end(), [&](const auto &each) {
    return each.cta == cta.index && each.scope == scope;
  });
  if (source == sync.sources.end())
    source = sync.sources.insert(source, {cta.index, cta.cluster->index, scope, {}});
  source->past.join(past);
}

void Machine::release(Thread &thread, SyncPoint &sync, Scope scope) {
  addSource(sync, *thread.cta, scope, thread.past);
  advance(thread);
}

void Machine::acquire(Thread &thread, const SyncPoint &sync, Scope scope) {
  const Cta &cta = *thread.cta;
  for (const SyncPoint::Source &source : sync.sources) {
    const Scope needed = source.cta == cta.index                ? Scope::cta
                         : source.cluster == cta.cluster->index ? Scope::cluster
                                                                : Scope::gpu;
    if (std::min(scope, source.scope) >= needed)
      thread.past.join(source.past);
    else
      thread.weak.join(source.past.seen);
  }
}

void Machine::fenceProxyAsync(Thread &thread) {
  if (options_.fences == FenceMode::strict)
    thread.past.proxied.raise(thread.epoch());
  else
    thread.past.proxied.join(thread.past.seen);
  mbarrierInitFence(thread);
}

void Machine::fenceAcqRel(Thread &thread, Scope scope) {
  if (thread.unacquired) {
    acquire(thread, *thread.unacquired, scope);
    thread.unacquired.reset();
  }
  if (!thread.fenced)
    thread.fenced = std::make_unique<Past>();
  *thread.fenced = thread.past;
  thread.fencedScope = scope;
  advance(thread);
}

void Machine::releaseRelaxed(Thread &thread, SyncPoint &sync) {
  if (thread.fenced)
    addSource(sync, *thread.cta, thread.fencedScope, *thread.fenced);
}

void Machine::acquireRelaxed(Thread &thread, const SyncPoint &sync) {
  if (!thread.unacquired)
    thread.unacquired = std::make_unique<SyncPoint>();
  for (const SyncPoint::Source &source : sync.sources)
    thread.unacquired->sources.push_back(source);
}

} // namespace tilewright::emulator
