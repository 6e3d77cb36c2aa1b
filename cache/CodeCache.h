// SPDX-License-Identifier: Apache-2.0
//
// CodeCache: compiled plans on disk, found by a key: code/<2 hex digits>/<32 hex digits>.twk, where
// the digits are the key's hash. It is a cache: whatever goes wrong is a miss and a line in the
// log, never a failure. The first fault in reading, and the first in writing, is a warning; those
// after it are debug messages. Files are never changed, only replaced, so the folder may be shared
// by processes and by machines. Thread-safety: immutable; any thread may find and store at any
// time.
#pragma once

#include "cache/StoredPlan.h"
#include "support/Log.h"

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

class CodeCache {
public:
  /// `folder` is that of all stores; it is made when something is stored.
  CodeCache(std::string folder, Log log) : folder_(std::move(folder)), log_(std::move(log)) {}
  CodeCache(const CodeCache &) = delete;
  CodeCache &operator=(const CodeCache &) = delete;

  /// What was stored under `key`, or nothing. A file that cannot be used is named in the log.
  [[nodiscard]] std::optional<StoredPlan> find(std::string_view key) const;

  /// Keeps a plan under a key, in place of what was there. Whether that worked; if not, the reason
  /// is in the log.
  bool store(std::string_view key, const StoredPlan &stored) const;

  /// Where the plan of a key is.
  [[nodiscard]] std::string path(std::string_view key) const;
  [[nodiscard]] const std::string &folder() const { return folder_; }

private:
  std::string folder_;
  Log log_;
  /// Whether a fault of that kind has been told.
  mutable std::atomic<bool> toldRead_ = false;
  mutable std::atomic<bool> toldWrite_ = false;
};

} // namespace tilewright
