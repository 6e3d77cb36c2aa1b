// SPDX-License-Identifier: Apache-2.0
//
// Life of a grid: clusters start while there is room, threads run and end, clusters end.
#include "runtime/emulator/core/Machine.h"

#include <algorithm>
#include <bit>

namespace tilewright::emulator {

/// What a CTA of sm_90 can have.
constexpr int32_t kMaxThreads = 1024;
constexpr int32_t kMaxSharedBytes = 232448;
constexpr int32_t kMaxCluster = 16;
constexpr int32_t kRegisters = 65536;

static int32_t launchRegisters(const MachineLaunch &launch) {
  const int32_t most = std::min(kRegisters / launch.threads / 8 * 8, 256);
  return launch.registers > 0 ? launch.registers : most;
}

Status Machine::checkLaunch() const {
  auto refuse = [&](const std::string &what) {
    return Status::invalidArgument("kernel " + launch_.kernel + ": " + what);
  };
  if (launch_.threads < 1 || launch_.threads > kMaxThreads)
    return refuse(std::to_string(launch_.threads) + " threads in a CTA; 1 to 1024 are possible");
  if (launch_.cluster < 1 || launch_.cluster > kMaxCluster)
    return refuse(std::to_string(launch_.cluster) + " CTAs in a cluster; 1 to 16 are possible");
  if (launch_.grid < 0 || launch_.grid % launch_.cluster != 0)
    return refuse("a grid of " + std::to_string(launch_.grid) +
                  " CTAs is no multiple of the cluster of " + std::to_string(launch_.cluster));
  if (launch_.sharedBytes < 0 || launch_.sharedBytes > kMaxSharedBytes)
    return refuse(std::to_string(launch_.sharedBytes) +
                  " bytes of shared memory; a CTA has at most 232448");
  if (launchRegisters(launch_) * launch_.threads > kRegisters)
    return refuse(std::to_string(launch_.registers) + " registers for each of " +
                  std::to_string(launch_.threads) + " threads; a CTA has at most 65536");
  return Status::ok();
}

void Machine::startClusters() {
  const int32_t most = std::max(options_.maxResidentCtas, launch_.cluster);
  while (!stopped_ && nextCluster_ < launch_.grid / launch_.cluster &&
         residentCtas_ + launch_.cluster <= most)
    startCluster(nextCluster_++);
}

void Machine::startCluster(int32_t index) {
  clusters_.push_back(std::make_unique<Cluster>());
  Cluster &cluster = *clusters_.back();
  cluster.index = index;
  cluster.actors = clusterThreads_;
  cluster.running = launch_.cluster;
  cluster.barrier.cluster = &cluster;
  cluster.barrier.threads = static_cast<int32_t>(clusterThreads_);
  residentCtas_ += launch_.cluster;
  for (int32_t rank = 0; rank < launch_.cluster; ++rank)
    startCta(cluster, rank);
  if (extension_)
    for (const auto &cta : cluster.ctas)
      extension_->onCtaStart(*this, *cta);
}

void Machine::startCta(Cluster &cluster, int32_t rank) {
  cluster.ctas.push_back(std::make_unique<Cta>(log_));
  Cta &cta = *cluster.ctas.back();
  cta.machine = this;
  cta.cluster = &cluster;
  cta.rank = rank;
  cta.index = cluster.index * launch_.cluster + rank;
  // Not 0, so that 0 is no address; where the text aligns tiles itself, it must cope with each.
  cta.base = 1024 * static_cast<uint32_t>(1 + options_.seed % 8);
  cta.shared.resize(static_cast<size_t>(launch_.sharedBytes + 3) / 4 * 4);
  poison(cta, cta.base, static_cast<uint32_t>(launch_.sharedBytes));
  cta.shadow.reset(static_cast<uint32_t>(launch_.sharedBytes));
  cta.registers.cta = &cta;
  cta.running = launch_.threads;
  for (int32_t id = 0; id < kNamedBarriers; ++id) {
    cta.namedBarriers[static_cast<size_t>(id)].cta = &cta;
    cta.namedBarriers[static_cast<size_t>(id)].id = id;
  }
  for (int32_t index = 0; index < launch_.threads; ++index) {
    if (index % kLanes == 0) {
      Warp &warp = *cta.warps.emplace_back(std::make_unique<Warp>());
      warp.cta = &cta;
      warp.index = index / kLanes;
      warp.gathering.warp = &warp;
      warp.registers = launchRegisters(launch_);
      warp.electedLane = static_cast<int32_t>(
          random_.below(static_cast<uint32_t>(std::min(kLanes, launch_.threads - index))));
      scheduler_.add(warp);
    }
    Thread &thread = *cta.threads.emplace_back(std::make_unique<Thread>());
    thread.machine = this;
    thread.cta = &cta;
    thread.warp = cta.warps.back().get();
    thread.index = index;
    thread.lane = index % kLanes;
    thread.actor = makeActor(static_cast<uint32_t>(cluster.index),
                             static_cast<uint32_t>(rank * launch_.threads + index));
    thread.past.seen.raise(thread.epoch());
    thread.warp->lanes[static_cast<size_t>(thread.lane)] = &thread;
    thread.warp->all |= 1u << thread.lane;
    void *stack = stacks_.take();
    if (!stack) {
      report(FindingKind::launch, nullptr, 0, "stack of a fiber",
             "the system gives no memory for more threads; emulate a smaller grid");
      stopped_ = true;
      return;
    }
    thread.fiber.prepare(stack, &Machine::threadBody, &thread);
    scheduler_.ready(thread);
  }
}

void Machine::threadBody(void *argument) {
  auto &thread = *static_cast<Thread *>(argument);
  Machine &machine = *thread.machine;
  machine.launch_.body();
  machine.endThread(thread);
  thread.fiber.suspend(true);
}

void Machine::endThread(Thread &thread) {
  if (extension_)
    extension_->onThreadExit(*this, thread);
  thread.ended = true;
  thread.warp->exited |= 1u << thread.lane;
  ClusterBarrier &barrier = thread.cta->cluster->barrier;
  // A thread that has ended counts as arrived, in the open phase and in all later ones.
  if (thread.clusterArrived && thread.clusterPhase == barrier.phase)
    --barrier.arrived;
  ++barrier.exited;
  completeClusterPhaseIfDone(*thread.cta->cluster);
}

void Machine::reap(Thread &thread) {
  stacks_.giveBack(thread.fiber.takeStack());
  Cta &cta = *thread.cta;
  if (--cta.running > 0)
    return;
  checkCtaExit(cta);
  if (extension_ && !stopped_)
    extension_->onCtaExit(*this, cta);
  cta.ended = true;
  --residentCtas_;
  if (--cta.cluster->running > 0)
    return;
  if (scheduler_.operations() == 0)
    for (const auto &ended : cta.cluster->ctas)
      ended->dropMemory();
  startClusters();
}

void Machine::loop() {
  while (!stopped_) {
    Scheduler::Step step = scheduler_.next();
    if (step.operation) {
      std::array<std::function<void()>, 2> &events = step.operation->events;
      const std::function<void()> event = std::move(events[0]);
      events[0] = std::move(events[1]);
      events[1] = nullptr;
      event();
      if (events[0])
        scheduler_.putBack(std::move(step.operation));
    } else if (step.thread) {
      running_ = step.thread;
      running_->fiber.resume();
      running_ = nullptr;
      if (step.thread->ended && !stopped_)
        reap(*step.thread);
      if (++counters_.switches == options_.maxSwitches)
        report(FindingKind::deadlock, step.thread, step.thread->blockedLine, "the whole grid",
               "the kernel did not end within " + std::to_string(options_.maxSwitches) +
                   " steps: some loop waits for what never happens");
    } else if (residentCtas_ > 0) {
      reportDeadlock();
      stopped_ = true;
    } else {
      return;
    }
  }
}

void Machine::drop() {
  running_ = nullptr;
  scheduler_.clear();
  for (const auto &cluster : clusters_)
    for (const auto &cta : cluster->ctas)
      for (const auto &thread : cta->threads)
        if (void *stack = thread->fiber.takeStack())
          stacks_.giveBack(stack);
  clusters_.clear();
}

} // namespace tilewright::emulator
