// SPDX-License-Identifier: Apache-2.0
//
// Nvrtc: CUDA text in, cubin and its facts out. Opened once, shared by all compiling threads.
// Thread-safety: compile may be called from several threads at once; they run in parallel.
#pragma once

#include "runtime/nvrtc/NvrtcLibrary.h"
#include "runtime/nvrtc/Resources.h"
#include "tilewright/Status.h"

#include <span>
#include <string>
#include <vector>

namespace tilewright {

/// A header that the text may include, found by its name only, never on disk. C strings that
/// outlive the compile.
struct NvrtcHeader {
  const char *name = nullptr;
  const char *text = nullptr;
};

/// What to compile.
struct NvrtcInput {
  /// CUDA C++20.
  std::string text = {};
  /// What diagnostics call it.
  std::string name = "kernel.cu";
  std::span<const NvrtcHeader> headers = {};
  std::string architecture = "sm_90a";
  /// After ours, verbatim.
  std::vector<std::string> extraOptions = {};
  /// Whether NvrtcOutput::ptx is wanted.
  bool wantPtx = false;
};

/// What came out of a successful compile.
struct NvrtcOutput {
  std::string cubin;
  /// Empty unless asked for.
  std::string ptx;
  /// All that NVRTC and ptxas printed, resources included.
  std::string log;
  std::vector<KernelResources> kernels;
  std::vector<Advisory> advisories;
  /// Wall time of the compile, and ptxas's share of it (0 if it does not tell: before 12.9).
  double seconds = 0;
  double ptxasSeconds = 0;
};

/// A usable NVRTC.
class Nvrtc {
public:
  explicit Nvrtc(NvrtcLibrary library) : library_(std::move(library)) {}

  /// Finds and opens one; see NvrtcLibrary::find.
  ///
  ///   Expected<Nvrtc> nvrtc = Nvrtc::find({.env = Env::fromProcess()});
  static Expected<Nvrtc> find(const NvrtcSearch &search);

  /// Compiles for a real architecture. compileFailed with the log if the text has errors;
  /// unavailable if NVRTC lacks its builtins library. Spills and advisories do not fail it: ask
  /// rejections() of Resources.h.
  [[nodiscard]] Expected<NvrtcOutput> compile(const NvrtcInput &input) const;

  /// The options that compile() passes, in order; with version() and the headers' text they are the
  /// compiler's part of a cache key.
  [[nodiscard]] std::vector<std::string> options(const NvrtcInput &input) const;

  [[nodiscard]] NvrtcVersion version() const { return library_.version(); }
  [[nodiscard]] const NvrtcLibrary &library() const { return library_; }

private:
  NvrtcLibrary library_;
};

} // namespace tilewright
