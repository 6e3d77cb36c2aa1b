// SPDX-License-Identifier: Apache-2.0
#include "cache/CodeCache.h"

#include "cache/CodeFile.h"
#include "cache/EntryFile.h"
#include "support/Hash.h"

namespace tilewright {

namespace {

/// Far beyond what kernels take; a file of more is none of ours.
constexpr size_t kMaxFileBytes = size_t{256} << 20;

LogLevel firstTime(std::atomic<bool> &told) {
  return told.exchange(true) ? LogLevel::debug : LogLevel::warning;
}

} // namespace

std::string CodeCache::path(std::string_view key) const {
  const std::string digits = hashBytes(key).toHex();
  return folder_ + "/code/" + digits.substr(0, 2) + "/" + digits + ".twk";
}

std::optional<StoredPlan> CodeCache::find(std::string_view key) const {
  const std::string file = path(key);
  Expected<std::string> bytes = readEntryFile(file, kMaxFileBytes);
  if (!bytes) {
    if (bytes.status().code() != StatusCode::notFound)
      log_.message(firstTime(toldRead_), "code cache: {}; it is ignored", bytes.status().message());
    return std::nullopt;
  }
  Expected<StoredPlan> stored = readCodeFile(*bytes, key);
  if (!stored) {
    log_.message(firstTime(toldRead_), "code cache: {} is ignored: {}", file,
                 stored.status().message());
    return std::nullopt;
  }
  return *std::move(stored);
}

bool CodeCache::store(std::string_view key, const StoredPlan &stored) const {
  Expected<std::string> bytes = writeCodeFile(key, stored);
  const Status status = bytes ? publishEntryFile(path(key), *bytes) : bytes.status();
  if (!status.isOk())
    log_.message(firstTime(toldWrite_), "code cache: a plan is not kept: {}", status.message());
  return status.isOk();
}

} // namespace tilewright
