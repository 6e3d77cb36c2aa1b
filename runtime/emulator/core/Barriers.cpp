// SPDX-License-Identifier: Apache-2.0
//
// Barriers of a CTA (named ones; cta_sync is number 0) and of a cluster.
#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/core/Words.h"

#include <bit>

namespace tilewright::emulator {

std::string NamedBarrier::name() const {
  return "barrier " + std::to_string(id) + " of CTA " + std::to_string(cta->index);
}

static std::string warpList(uint32_t warps) {
  std::string text;
  for (; warps != 0; warps &= warps - 1)
    text += (text.empty() ? "" : ", ") + std::to_string(std::countr_zero(warps));
  return text;
}

std::string NamedBarrier::describe() const {
  return name() + ": " + std::to_string(arrived) + " of " + countOf(expected, "thread") +
         " are there (warps " + warpList(warps) + ", first at line " + std::to_string(firstLine) +
         ")";
}

void Machine::arriveWarp(NamedBarrier &barrier, Warp &warp, int32_t threads, bool wait,
                         int32_t line) {
  const Thread *first = warp.lanes[0];
  if (barrier.arrived == 0) {
    barrier.expected = threads;
    barrier.firstLine = line;
  } else if (barrier.expected != threads) {
    report(FindingKind::barrierCount, first, line, barrier.name(),
           "a warp comes with a count of " + std::to_string(threads) +
               ", and an earlier one (line " + std::to_string(barrier.firstLine) + ") with " +
               std::to_string(barrier.expected));
  }
  if (barrier.warps >> warp.index & 1)
    report(FindingKind::barrierCount, first, line, barrier.name(),
           "warp " + std::to_string(warp.index) +
               " arrives twice in one phase: some other warp of the " +
               countOf(barrier.expected, "thread") + " has not come");
  barrier.warps |= 1u << warp.index;
  barrier.arrived += kLanes;
  if (wait)
    barrier.waiting |= 1u << warp.index;
  for (Thread *lane : warp.lanes)
    if (lane) {
      barrier.joined.join(lane->past);
      advance(*lane);
    }
  if (barrier.arrived < barrier.expected)
    return;
  // The waiting threads acquire here and now: before they run, others may open the next phase.
  for (uint32_t left = barrier.waiting; left != 0; left &= left - 1)
    for (Thread *lane : warp.cta->warps[static_cast<size_t>(std::countr_zero(left))]->lanes)
      if (lane) {
        lane->past = barrier.joined;
        lane->past.seen.raise(lane->epoch());
      }
  barrier.joined.clear();
  barrier.arrived = barrier.expected = 0;
  barrier.warps = barrier.waiting = 0;
  ++barrier.generation;
  ++counters_.barriers;
  wake(barrier);
}

void Machine::barrier(Thread &thread, int32_t id, int32_t threads, bool wait, const char *what,
                      int32_t line) {
  Cta &cta = *thread.cta;
  if (id < 0 || id >= kNamedBarriers)
    return report(FindingKind::barrierCount, &thread, line, "barrier " + std::to_string(id),
                  std::string(what) + " with an id that does not exist; 0 to 15 do");
  if (threads <= 0 || threads % kLanes != 0 ||
      threads > static_cast<int32_t>(cta.warps.size()) * kLanes)
    return report(FindingKind::barrierCount, &thread, line, "barrier " + std::to_string(id),
                  std::string(what) + " for " + countOf(threads, "thread") + "; the CTA has " +
                      std::to_string(cta.threads.size()) + ", and whole warps meet");
  NamedBarrier &barrier = cta.namedBarriers[static_cast<size_t>(id)];
  Warp &warp = *thread.warp;
  Gathering &gathering = warp.gathering;
  const int32_t generation = gathering.generation;
  if (enter(thread, {what, line, id, threads, true}, {})) {
    warp.barrierGeneration = barrier.generation;
    arriveWarp(barrier, warp, threads, wait, line);
    if (wait && barrier.generation == warp.barrierGeneration) {
      // The other lanes sleep on, until the barrier opens.
      for (Thread *lane : gathering.waiters) {
        lane->blockedOn = &barrier;
        barrier.waiters.push_back(lane);
      }
      gathering.waiters.clear();
    } else {
      wake(gathering);
    }
  }
  while (gathering.generation == generation)
    block(gathering, what, line);
  while (wait && barrier.generation == warp.barrierGeneration)
    block(barrier, what, line);
  yield();
}

// --- clusters
// -------------------------------------------------------------------------------------

std::string ClusterBarrier::describe() const {
  return "barrier of cluster " + std::to_string(cluster->index) + ": " +
         std::to_string(arrived + exited) + " of " + countOf(threads, "thread") +
         " have arrived or ended";
}

void Machine::completeClusterPhaseIfDone(Cluster &cluster) {
  ClusterBarrier &barrier = cluster.barrier;
  if (barrier.arrived + barrier.exited < barrier.threads || barrier.arrived == 0)
    return;
  ++barrier.phase;
  ++counters_.barriers;
  barrier.arrived = 0;
  // It is kept: no phase can complete before all have waited for the last one.
  std::swap(barrier.completed, barrier.joined);
  barrier.joined.clear();
  wake(barrier);
}

void Machine::clusterArrive(Thread &thread, int32_t line) {
  gather(thread, {"cluster_arrive", line, 0, 0, true}, {});
  ClusterBarrier &barrier = thread.cta->cluster->barrier;
  if (thread.clusterArrived)
    return report(FindingKind::barrierCount, &thread, line, "barrier of the cluster",
                  "cluster_arrive twice (before: line " + std::to_string(thread.clusterArriveLine) +
                      ") without cluster_wait between");
  barrier.joined.join(thread.past);
  advance(thread);
  thread.clusterArrived = true;
  thread.clusterPhase = barrier.phase;
  thread.clusterArriveLine = line;
  ++barrier.arrived;
  completeClusterPhaseIfDone(*thread.cta->cluster);
  yield();
}

void Machine::clusterWait(Thread &thread, int32_t line) {
  gather(thread, {"cluster_wait", line, 0, 0, true}, {});
  ClusterBarrier &barrier = thread.cta->cluster->barrier;
  if (!thread.clusterArrived)
    return report(FindingKind::barrierCount, &thread, line, "barrier of the cluster",
                  "cluster_wait without a cluster_arrive before it");
  while (barrier.phase == thread.clusterPhase)
    block(barrier, "cluster_wait", line);
  thread.clusterArrived = false;
  thread.past.join(barrier.completed);
  yield();
}

} // namespace tilewright::emulator
