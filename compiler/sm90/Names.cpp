// SPDX-License-Identifier: Apache-2.0
#include "compiler/sm90/Names.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

StringRef tilewright::sm90::nameOf(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return named.getName();
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return nameOf(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (StringRef name = nameOf(part); !name.empty())
        return name;
  return {};
}

Location tilewright::sm90::withName(Location location, StringRef name) {
  return NameLoc::get(StringAttr::get(location.getContext(), name), withoutName(location));
}

Location tilewright::sm90::withoutName(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return withoutName(named.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    SmallVector<Location> parts;
    for (Location part : fused.getLocations())
      parts.push_back(withoutName(part));
    return FusedLoc::get(location.getContext(), parts, fused.getMetadata());
  }
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return CallSiteLoc::get(withoutName(call.getCallee()), call.getCaller());
  return location;
}
