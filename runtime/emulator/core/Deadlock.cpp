// SPDX-License-Identifier: Apache-2.0
//
// Who waits on what when nothing can happen any more.
#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/core/Words.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilewright::emulator {

namespace {

/// Threads of one CTA that sleep at one line on one object.
struct Group {
  const Thread *first;
  const Waitable *object;
  std::vector<int32_t> warps;
  int32_t threads = 0;
};

std::vector<Group> groupSleepers(const std::vector<std::unique_ptr<Cluster>> &clusters) {
  std::vector<Group> groups;
  for (const auto &cluster : clusters)
    for (const auto &cta : cluster->ctas)
      for (const auto &thread : cta->threads) {
        if (!thread->blockedOn)
          continue;
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Group &each) {
          return each.object == thread->blockedOn && each.first->cta == thread->cta &&
                 each.first->blockedLine == thread->blockedLine;
        });
        if (group == groups.end())
          group = groups.insert(group, {thread.get(), thread->blockedOn, {}, 0});
        ++group->threads;
        if (group->warps.empty() || group->warps.back() != thread->warp->index)
          group->warps.push_back(thread->warp->index);
      }
  return groups;
}

std::string describe(const Group &group) {
  std::string warps;
  for (const int32_t warp : group.warps)
    warps += (warps.empty() ? "" : ", ") + std::to_string(warp);
  return countOf(group.threads, "thread") + " of CTA " + std::to_string(group.first->cta->index) +
         " (" + (group.warps.size() == 1 ? "warp " : "warps ") + warps + ") at line " +
         std::to_string(group.first->blockedLine) + " in " + group.first->blockedIn + " on " +
         group.object->describe() +
         (group.first->overtaken ? "; it has completed two phases meanwhile" : "");
}

/// The kinds of findings that a deadlock is the form of.
FindingKind kindOf(const Group &group) {
  if (group.first->overtaken)
    return FindingKind::wrongPhaseWait;
  if (dynamic_cast<const RegisterPool *>(group.object))
    return FindingKind::registerBudget;
  if (const auto *gathering = dynamic_cast<const Gathering *>(group.object))
    if (gathering->warp->exited != 0)
      return FindingKind::divergentWarp;
  return FindingKind::deadlock;
}

} // namespace

void Machine::reportDeadlock() {
  const std::vector<Group> groups = groupSleepers(clusters_);
  if (groups.empty())
    return report(FindingKind::deadlock, nullptr, 0, "the whole grid",
                  "nothing can run, and nothing is in flight");
  // What says most first: a rule that somebody broke, then barriers that lack something.
  const Group *main = &groups.front();
  for (const Group &group : groups)
    if (kindOf(group) != FindingKind::deadlock && kindOf(*main) == FindingKind::deadlock)
      main = &group;
  Finding finding;
  finding.kind = kindOf(*main);
  finding.line = main->first->blockedLine;
  finding.object = main->object->describe();
  finding.message = "nothing can run, and nothing is in flight. Waiting:";
  for (const Group &group : groups)
    finding.message += "\n    " + describe(group);
  report(std::move(finding), main->first);
}

} // namespace tilewright::emulator
