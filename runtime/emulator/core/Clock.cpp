// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/core/Clock.h"

#include <algorithm>
#include <cstddef>

namespace tilewright::emulator {

std::string_view scopeName(Scope scope) {
  switch (scope) {
  case Scope::cta:
    return "cta";
  case Scope::cluster:
    return "cluster";
  case Scope::gpu:
    return "gpu";
  }
  return "gpu";
}

Clock::Part &Clock::part(uint32_t cluster) {
  for (Part &part : parts_)
    if (part.cluster == cluster)
      return part;
  return parts_.emplace_back(Part{cluster, {}});
}

void Clock::raise(Epoch epoch) {
  std::vector<int32_t> &values = part(clusterOf(epoch.actor)).values;
  const uint32_t index = indexOf(epoch.actor);
  if (index >= values.size())
    values.resize(index + 1);
  values[index] = std::max(values[index], epoch.value);
}

void Clock::join(const Part &other, uint32_t first) {
  if (first >= other.values.size())
    return;
  std::vector<int32_t> &values = part(other.cluster).values;
  if (values.size() < other.values.size())
    values.resize(other.values.size());
  // Signed and branch-free, so that the compiler makes vector code of it.
  int32_t *mine = values.data();
  const int32_t *theirs = other.values.data();
  const size_t count = other.values.size();
  for (size_t i = first; i < count; ++i)
    mine[i] = mine[i] > theirs[i] ? mine[i] : theirs[i];
}

void Clock::join(const Clock &other) {
  if (&other == this)
    return;
  for (const Part &part : other.parts_)
    join(part, 0);
}

void Clock::meet(const Clock &other) {
  for (Part &part : parts_) {
    const auto theirs = std::find_if(other.parts_.begin(), other.parts_.end(),
                                     [&](const Part &at) { return at.cluster == part.cluster; });
    const size_t count =
        theirs == other.parts_.end() ? 0 : std::min(part.values.size(), theirs->values.size());
    for (size_t i = 0; i < count; ++i)
      part.values[i] = std::min(part.values[i], theirs->values[i]);
    std::fill(part.values.begin() + static_cast<std::ptrdiff_t>(count), part.values.end(), 0);
  }
}

void Clock::joinAsynchronous(const Clock &other, uint32_t threads) {
  if (&other == this)
    return;
  for (const Part &part : other.parts_)
    join(part, threads);
}

} // namespace tilewright::emulator
