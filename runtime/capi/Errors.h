// SPDX-License-Identifier: Apache-2.0
//
// The boundary: failures become status codes with a message of the thread, and no exception passes.
#pragma once

#include "tilewright/Status.h"
#include "tilewright/tilewright.h"

#include <exception>
#include <new>
#include <string>

namespace tilewright::capi {

/// The code of a failure, whose message becomes the thread's last error; TW_OK leaves that alone.
twStatus report(const Status &status);

/// Runs the body of a function of the interface, which returns a Status, and reports what it
/// returns or throws.
template <typename Body>
twStatus guarded(Body &&body) {
  try {
    return report(body());
  } catch (const std::bad_alloc &) {
    return report(Status::internal("the process has no memory left"));
  } catch (const std::exception &error) {
    return report(Status::internal(std::string("an exception: ") + error.what()));
  } catch (...) {
    return report(Status::internal("an exception of unknown type"));
  }
}

/// invalidArgument if `pointer` is null.
template <typename T>
Status requirePointer(const T *pointer, const char *name) {
  return pointer ? Status::ok() : Status::invalidArgument(std::string(name) + " is NULL");
}

} // namespace tilewright::capi
