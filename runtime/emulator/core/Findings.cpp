// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/core/Findings.h"

#include <nlohmann/json.hpp>

namespace tilewright::emulator {

std::string_view findingKindName(FindingKind kind) {
  switch (kind) {
  case FindingKind::raceRaw:
    return "race-raw";
  case FindingKind::raceWaw:
    return "race-waw";
  case FindingKind::raceWar:
    return "race-war";
  case FindingKind::readInFlight:
    return "read-in-flight";
  case FindingKind::writeInFlight:
    return "write-in-flight";
  case FindingKind::proxyFence:
    return "proxy-fence";
  case FindingKind::proxyFenceRelease:
    return "proxy-fence-release";
  case FindingKind::uninitialisedRead:
    return "uninitialised-read";
  case FindingKind::wgmmaFence:
    return "wgmma-fence";
  case FindingKind::accumulatorInFlight:
    return "accumulator-in-flight";
  case FindingKind::accumulatorDivergent:
    return "accumulator-divergent";
  case FindingKind::deadlock:
    return "deadlock";
  case FindingKind::overArrival:
    return "over-arrival";
  case FindingKind::countMismatch:
    return "count-mismatch";
  case FindingKind::txUnderflow:
    return "tx-underflow";
  case FindingKind::txWrongPhase:
    return "tx-wrong-phase";
  case FindingKind::wrongPhaseWait:
    return "wrong-phase-wait";
  case FindingKind::barrierOverwritten:
    return "barrier-overwritten";
  case FindingKind::mbarrierInit:
    return "mbarrier-init";
  case FindingKind::barrierCount:
    return "barrier-count";
  case FindingKind::divergentWarp:
    return "divergent-warp";
  case FindingKind::sharedOutOfBounds:
    return "shared-out-of-bounds";
  case FindingKind::misaligned:
    return "misaligned";
  case FindingKind::globalOutOfBounds:
    return "global-out-of-bounds";
  case FindingKind::globalRace:
    return "global-race";
  case FindingKind::registerBudget:
    return "register-budget";
  case FindingKind::clusterExit:
    return "cluster-exit";
  case FindingKind::pendingAtExit:
    return "pending-at-exit";
  case FindingKind::scope:
    return "scope";
  case FindingKind::coordinates:
    return "coordinates";
  case FindingKind::tensorMap:
    return "tensor-map";
  case FindingKind::descriptor:
    return "descriptor";
  case FindingKind::launch:
    return "launch";
  case FindingKind::poison:
    return "poison";
  }
  return "unknown";
}

static std::string placeText(const Place &place) {
  std::string text;
  auto add = [&](const char *name, int32_t number) {
    if (number >= 0)
      text += (text.empty() ? "" : ", ") + (name + (" " + std::to_string(number)));
  };
  add("CTA", place.cta);
  add("warp", place.warp);
  add("lane", place.lane);
  return text;
}

std::string toText(const Finding &finding) {
  std::string text = finding.severity == Severity::error ? "error: " : "warning: ";
  text += std::string(findingKindName(finding.kind)) + ": " + finding.message + "\n";
  text += "  at    " + (finding.kernel.empty() ? "kernel" : finding.kernel);
  if (finding.line > 0)
    text += ":" + std::to_string(finding.line);
  if (const std::string place = placeText(finding.place); !place.empty())
    text += " (" + place + ")";
  if (!finding.lineText.empty())
    text += ": " + finding.lineText;
  text += "\n";
  if (!finding.object.empty())
    text += "  about " + finding.object + "\n";
  if (!finding.other.what.empty()) {
    text += "  with  " + finding.other.what;
    if (finding.other.line > 0)
      text += ", line " + std::to_string(finding.other.line);
    text += "\n";
  }
  return text;
}

std::string toJson(const Finding &finding) {
  nlohmann::ordered_json json;
  json["kind"] = findingKindName(finding.kind);
  json["severity"] = finding.severity == Severity::error ? "error" : "warning";
  json["kernel"] = finding.kernel;
  if (finding.line > 0)
    json["line"] = finding.line;
  if (!finding.lineText.empty())
    json["text"] = finding.lineText;
  if (finding.place.cta >= 0)
    json["cta"] = finding.place.cta;
  if (finding.place.warp >= 0)
    json["warp"] = finding.place.warp;
  if (finding.place.lane >= 0)
    json["lane"] = finding.place.lane;
  if (!finding.object.empty())
    json["object"] = finding.object;
  if (!finding.other.what.empty()) {
    json["other"]["what"] = finding.other.what;
    if (finding.other.line > 0)
      json["other"]["line"] = finding.other.line;
  }
  json["message"] = finding.message;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace tilewright::emulator
