// SPDX-License-Identifier: Apache-2.0
//
// What must not be left when a CTA ends.
#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/core/Words.h"

#include <algorithm>

namespace tilewright::emulator {

void Machine::checkMbarrierExit(const Mbarrier &bar) {
  if (bar.inFlight != 0)
    return report(FindingKind::pendingAtExit, bar.lastArriver, bar.initLine, bar.name(),
                  "the CTA ends while " + countOf(bar.inFlight, "copy") +
                      " against it may still land; wait for its last phase");
  if (bar.tx < 0)
    return report(
        FindingKind::txUnderflow, bar.lastArriver, bar.initLine, bar.name(),
        "at the end " + std::to_string(-bar.tx) + " bytes more have landed in phase " +
            std::to_string(bar.phase) +
            " than were expected; mbarrier_arrive_expect_tx names too few, or is missing");
  if (bar.tx > 0)
    return report(FindingKind::countMismatch, bar.lastArriver, bar.initLine, bar.name(),
                  "at the end phase " + std::to_string(bar.phase) + " still expects " +
                      std::to_string(bar.tx) + " bytes that nothing carries");
  if (bar.pending != bar.expected)
    report(FindingKind::countMismatch, bar.lastArriver, bar.initLine, bar.name(),
           "at the end phase " + std::to_string(bar.phase) + " has " +
               std::to_string(bar.expected - bar.pending) + " of " +
               countOf(bar.expected, "arrival") + "; last arrival at line " +
               std::to_string(bar.lastLine));
}

void Machine::checkRemoteAccesses(Cta &cta) {
  if (cta.remoteAccesses.empty())
    return;
  joining_.clear();
  for (const auto &thread : cta.threads)
    joining_.join(thread->past);
  for (const RemoteAccess &access : cta.remoteAccesses) {
    const bool ordered =
        joining_.seen.covers(access.epoch) ||
        (access.alternative.value != 0 && joining_.seen.covers(access.alternative));
    if (!ordered)
      report(FindingKind::clusterExit, access.thread, access.line,
             "CTA " + std::to_string(cta.index),
             std::string(access.what) +
                 " may reach a CTA of the cluster after its end; end the kernel with a cluster "
                 "barrier after the last access of a peer");
  }
}

void Machine::checkCtaExit(Cta &cta) {
  std::vector<const Mbarrier *> bars;
  for (const auto &[address, bar] : cta.mbarriers)
    bars.push_back(bar.get());
  std::sort(bars.begin(), bars.end(),
            [](const Mbarrier *a, const Mbarrier *b) { return a->address < b->address; });
  for (const Mbarrier *bar : bars)
    checkMbarrierExit(*bar);
  // NOTE: a warning. Nobody waits there, or the CTA would not have ended; a turn that is passed on
  // after the last tile ends like this, and the next CTA finds the barrier empty.
  for (const NamedBarrier &barrier : cta.namedBarriers) {
    if (barrier.arrived == 0)
      continue;
    Finding finding;
    finding.kind = FindingKind::countMismatch;
    finding.severity = Severity::warning;
    finding.line = barrier.firstLine;
    finding.object = barrier.name();
    finding.message =
        "the CTA ends with arrivals at a barrier that never opened: " + barrier.describe();
    report(std::move(finding), nullptr);
  }
  for (size_t first = 0; first + 4 <= cta.warps.size(); first += 4)
    for (size_t warp = first + 1; warp < first + 4; ++warp)
      if (cta.warps[warp]->registers != cta.warps[first]->registers)
        report(FindingKind::registerBudget, cta.warps[warp]->lanes[0], 0,
               "warpgroup " + std::to_string(first / 4),
               "its warps hold different numbers of registers; all four execute the same "
               "setmaxnreg");
  checkRemoteAccesses(cta);
}

} // namespace tilewright::emulator
