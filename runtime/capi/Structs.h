// SPDX-License-Identifier: Apache-2.0
//
// Structs that begin with `structSize`, from callers built with an older or a newer header.
// Thread-safety: functions without state.
#pragma once

#include "runtime/capi/Errors.h"
#include "tilewright/Status.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

namespace tilewright::capi {

/// Beyond what any version has: a structSize that was never set.
inline constexpr size_t kMaxStructSize = 4096;

/// invalidArgument if a caller's structSize cannot be one.
inline Status checkStructSize(size_t size, const char *type) {
  if (size >= sizeof(size_t) && size <= kMaxStructSize)
    return Status::ok();
  return Status::invalidArgument(std::string(type) + ": structSize is " + std::to_string(size) +
                                 "; set it to sizeof(" + type + ")");
}

/// A caller's struct in our form: fields that it does not have are those of `defaults`. unsupported
/// if it has more, and that is not zero. Null stands for the defaults.
template <typename T>
Expected<T> readStruct(const T *given, const T &defaults, const char *type) {
  static_assert(std::is_trivially_copyable_v<T> && offsetof(T, structSize) == 0);
  if (!given)
    return defaults;
  // NOTE: only structSize may be read before it is known how much of the struct there is.
  size_t size = 0;
  std::memcpy(&size, given, sizeof(size));
  if (Status status = checkStructSize(size, type); !status.isOk())
    return status;
  const auto *bytes = reinterpret_cast<const unsigned char *>(given);
  if (size > sizeof(T) &&
      std::any_of(bytes + sizeof(T), bytes + size, [](unsigned char byte) { return byte != 0; }))
    return Status::unsupported(std::string(type) +
                               " has fields that this version does not know, and they are set; use "
                               "a newer library, or leave them zero");
  T result = defaults;
  std::memcpy(&result, given, std::min(size, sizeof(T)));
  result.structSize = sizeof(T);
  return result;
}

/// Fills a caller's struct with as much of `value` as it has room for, and zero where it has more.
template <typename T>
Status fillStruct(T *out, const T &value, const char *type) {
  static_assert(std::is_trivially_copyable_v<T> && offsetof(T, structSize) == 0);
  if (Status status = requirePointer(out, type); !status.isOk())
    return status;
  size_t size = 0;
  std::memcpy(&size, out, sizeof(size));
  if (Status status = checkStructSize(size, type); !status.isOk())
    return status;
  auto *bytes = reinterpret_cast<unsigned char *>(out);
  std::memcpy(bytes, &value, std::min(size, sizeof(T)));
  if (size > sizeof(T))
    std::memset(bytes + sizeof(T), 0, size - sizeof(T));
  std::memcpy(bytes, &size, sizeof(size));
  return Status::ok();
}

} // namespace tilewright::capi
