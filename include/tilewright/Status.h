// SPDX-License-Identifier: Apache-2.0
//
// Status and Expected<T>: how every room reports failure. No exception crosses a function of
// this library; a call that can fail returns one of these, and ignoring it is a warning.
// Thread-safety: plain values; share them between threads as you would a std::string.

#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tilewright {

/// What kind of failure a Status reports. The kind says who can repair it.
enum class StatusCode : uint8_t {
  /// Nothing failed.
  ok,
  /// The caller passed something that is wrong in itself: a negative size, a malformed list.
  invalidArgument,
  /// The request makes sense, but this version does not do it.
  unsupported,
  /// Something outside of this library is missing: NVRTC, a driver, a usable device.
  unavailable,
  /// A named thing (a file, an entry, a symbol, a cache row) does not exist.
  notFound,
  /// The device compiler refused the generated text, or its result is unusable (spills).
  compileFailed,
  /// A result was computed and is wrong by the stated bound.
  checkFailed,
  /// Reading or writing outside of the process failed.
  ioError,
  /// The caller asked to stop, or a deadline passed.
  cancelled,
  /// Memory of the device is used up.
  outOfMemory,
  /// A kernel failed on the device (an illegal address, a trap): its context is lost.
  deviceFault,
  /// An invariant of this library does not hold. Always our bug; please report it.
  internal,
};

/// The stable spelling of `code`, as `--json` output and logs show it: "invalid_argument".
constexpr std::string_view statusCodeName(StatusCode code) {
  switch (code) {
  case StatusCode::ok:
    return "ok";
  case StatusCode::invalidArgument:
    return "invalid_argument";
  case StatusCode::unsupported:
    return "unsupported";
  case StatusCode::unavailable:
    return "unavailable";
  case StatusCode::notFound:
    return "not_found";
  case StatusCode::compileFailed:
    return "compile_failed";
  case StatusCode::checkFailed:
    return "check_failed";
  case StatusCode::ioError:
    return "io_error";
  case StatusCode::cancelled:
    return "cancelled";
  case StatusCode::outOfMemory:
    return "out_of_memory";
  case StatusCode::deviceFault:
    return "device_fault";
  case StatusCode::internal:
    return "internal";
  }
  return "internal";
}

/// Success, or the kind of a failure with a message that says what was expected, what was
/// found, and what to change. Build failures with the factory of their kind:
///
///   return Status::invalidArgument("m is -4; a size is 0 or more");
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;

  static Status ok() { return Status(); }
  static Status invalidArgument(std::string message) {
    return Status(StatusCode::invalidArgument, std::move(message));
  }
  static Status unsupported(std::string message) {
    return Status(StatusCode::unsupported, std::move(message));
  }
  static Status unavailable(std::string message) {
    return Status(StatusCode::unavailable, std::move(message));
  }
  static Status notFound(std::string message) {
    return Status(StatusCode::notFound, std::move(message));
  }
  static Status compileFailed(std::string message) {
    return Status(StatusCode::compileFailed, std::move(message));
  }
  static Status checkFailed(std::string message) {
    return Status(StatusCode::checkFailed, std::move(message));
  }
  static Status ioError(std::string message) {
    return Status(StatusCode::ioError, std::move(message));
  }
  static Status cancelled(std::string message) {
    return Status(StatusCode::cancelled, std::move(message));
  }
  static Status outOfMemory(std::string message) {
    return Status(StatusCode::outOfMemory, std::move(message));
  }
  static Status deviceFault(std::string message) {
    return Status(StatusCode::deviceFault, std::move(message));
  }
  static Status internal(std::string message) {
    return Status(StatusCode::internal, std::move(message));
  }

  [[nodiscard]] bool isOk() const { return code_ == StatusCode::ok; }
  [[nodiscard]] StatusCode code() const { return code_; }
  /// Empty exactly when isOk().
  [[nodiscard]] const std::string &message() const { return message_; }

  /// "invalid_argument: m is -4; …", or "ok".
  [[nodiscard]] std::string toString() const {
    std::string text(statusCodeName(code_));
    return isOk() ? text : text + ": " + message_;
  }

  /// The same failure with `context` and ": " put before its message; success stays success.
  [[nodiscard]] Status withContext(std::string_view context) const {
    return isOk() ? *this : Status(code_, std::string(context) + ": " + message_);
  }

  friend bool operator==(const Status &, const Status &) = default;

private:
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {
    assert(!message_.empty() && "a failure explains itself");
  }

  StatusCode code_ = StatusCode::ok;
  std::string message_;
};

/// A value, or the Status that says why there is none. Test it before use:
///
///   Expected<DType> type = parseDType("bf16");
///   if (!type)
///     return type.status();
///   use(*type);
///
/// Reading the value of a failure is a programming error (an assertion).
template <typename T>
class [[nodiscard]] Expected {
public:
  // NOTE: implicit on purpose: `return value;` and `return Status::notFound(…);` both read well.
  Expected(T value) : storage_(std::in_place_index<0>, std::move(value)) {}
  Expected(Status failure) : storage_(std::in_place_index<1>, std::move(failure)) {
    assert(!std::get_if<1>(&storage_)->isOk() && "success needs a value");
  }

  [[nodiscard]] bool hasValue() const { return storage_.index() == 0; }
  explicit operator bool() const { return hasValue(); }

  T &operator*() & { return *checked(); }
  const T &operator*() const & { return *checked(); }
  T &&operator*() && { return std::move(*checked()); }
  T *operator->() { return checked(); }
  const T *operator->() const { return checked(); }

  /// The failure, or Status::ok() when there is a value.
  [[nodiscard]] Status status() const { return hasValue() ? Status() : *std::get_if<1>(&storage_); }

private:
  T *checked() {
    assert(hasValue() && "value of a failed Expected");
    return std::get_if<0>(&storage_);
  }
  const T *checked() const {
    assert(hasValue() && "value of a failed Expected");
    return std::get_if<0>(&storage_);
  }

  std::variant<T, Status> storage_;
};

} // namespace tilewright
