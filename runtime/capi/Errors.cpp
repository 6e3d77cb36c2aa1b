// SPDX-License-Identifier: Apache-2.0
#include "runtime/capi/Errors.h"

namespace {

// NOTE: the one variable of a thread in this library: that is what the interface promises.
thread_local std::string lastError;

} // namespace

namespace tilewright::capi {

twStatus report(const Status &status) {
  if (status.isOk())
    return TW_OK;
  try {
    lastError = status.message();
  } catch (...) {
    lastError.clear();
  }
  return static_cast<twStatus>(status.code());
}

} // namespace tilewright::capi

using tilewright::StatusCode;

const char *twLastError(void) { return lastError.c_str(); }

const char *twStatusName(twStatus status) {
  if (status < TW_OK || status > TW_INTERNAL)
    return "unknown";
  // The names are literals, so they end with a zero byte.
  return tilewright::statusCodeName(static_cast<StatusCode>(status)).data();
}

// Codes are those of Status, one by one.
#define TW_SAME(name, code) static_assert(static_cast<int>(StatusCode::code) == (name))
TW_SAME(TW_OK, ok);
TW_SAME(TW_INVALID_ARGUMENT, invalidArgument);
TW_SAME(TW_UNSUPPORTED, unsupported);
TW_SAME(TW_UNAVAILABLE, unavailable);
TW_SAME(TW_NOT_FOUND, notFound);
TW_SAME(TW_COMPILE_FAILED, compileFailed);
TW_SAME(TW_CHECK_FAILED, checkFailed);
TW_SAME(TW_IO_ERROR, ioError);
TW_SAME(TW_CANCELLED, cancelled);
TW_SAME(TW_OUT_OF_MEMORY, outOfMemory);
TW_SAME(TW_DEVICE_FAULT, deviceFault);
TW_SAME(TW_INTERNAL, internal);
#undef TW_SAME
