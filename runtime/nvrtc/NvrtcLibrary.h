// SPDX-License-Identifier: Apache-2.0
//
// NvrtcLibrary: an NVRTC that has been opened and found fit: its version is supported, it has the
// functions that we call, and its library of built-in declarations is there.
// Thread-safety: immutable after open; NVRTC's functions may be called from several threads.
#pragma once

#include "runtime/nvrtc/Discovery.h"
#include "tilewright/Status.h"

#include <compare>
#include <cstddef>
#include <string>

namespace tilewright {

struct NvrtcVersion {
  int major = 0;
  int minor = 0;
  friend auto operator<=>(const NvrtcVersion &, const NvrtcVersion &) = default;
  /// "13.0".
  [[nodiscard]] std::string toString() const;
};

/// The oldest version that knows what the device library needs, and the first that is unknown.
inline constexpr NvrtcVersion kOldestNvrtc = {12, 4};
inline constexpr NvrtcVersion kFirstUnknownNvrtc = {14, 0};

/// NVRTC's functions, under its own names and types (nvrtc.h is not needed to build this).
struct NvrtcFunctions {
  using Program = void *;
  using Result = int;
  Result (*version)(int *, int *) = nullptr;
  const char *(*errorString)(Result) = nullptr;
  Result (*createProgram)(Program *, const char *, const char *, int, const char *const *,
                          const char *const *) = nullptr;
  Result (*destroyProgram)(Program *) = nullptr;
  Result (*compileProgram)(Program, int, const char *const *) = nullptr;
  Result (*logSize)(Program, size_t *) = nullptr;
  Result (*log)(Program, char *) = nullptr;
  Result (*ptxSize)(Program, size_t *) = nullptr;
  Result (*ptx)(Program, char *) = nullptr;
  Result (*cubinSize)(Program, size_t *) = nullptr;
  Result (*cubin)(Program, char *) = nullptr;
};

/// A usable NVRTC. The library stays loaded until the process ends, whatever happens to this value:
/// it has state of its own that doesn't survive being unloaded.
class NvrtcLibrary {
public:
  /// The first candidate of `search` that is fit. unavailable, with each place and what was wrong
  /// there, if there is none.
  static Expected<NvrtcLibrary> find(const NvrtcSearch &search);

  /// One candidate. unavailable if it can't be loaded, is no NVRTC, is of an unsupported version,
  /// or lacks its builtins library.
  static Expected<NvrtcLibrary> open(const NvrtcCandidate &candidate);

  [[nodiscard]] NvrtcVersion version() const { return version_; }
  /// The file, links resolved.
  [[nodiscard]] const std::string &path() const { return path_; }
  /// By which rule it was found: "CUDA_HOME".
  [[nodiscard]] const std::string &origin() const { return origin_; }
  [[nodiscard]] const NvrtcFunctions &functions() const { return functions_; }
  /// "libnvrtc-builtins.so.13.0".
  [[nodiscard]] std::string builtinsName() const;

private:
  Status loadFunctions(void *handle);
  Status checkVersion();
  Status loadBuiltins() const;

  NvrtcFunctions functions_;
  NvrtcVersion version_;
  std::string path_;
  std::string origin_;
};

} // namespace tilewright
