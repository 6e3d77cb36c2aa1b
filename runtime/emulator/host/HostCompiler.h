// SPDX-License-Identifier: Apache-2.0
//
// HostCompiler: kernel text to a shared object, by the system's C++ compiler. Objects are files in
// a folder, named by the hash of all that went into them; a second compile of the same text finds
// its object there. Whatever is wrong with the folder costs time and nothing else. Thread-safety:
// immutable; any thread and process may compile at any time.
#pragma once

#include "support/Env.h"
#include "support/Log.h"
#include "tilewright/Plan.h"
#include "tilewright/Status.h"

#include <span>
#include <string>
#include <string_view>

namespace tilewright::emulator {

/// A header that kernel text may include.
struct HostHeader {
  /// As between the quotes of the include.
  std::string_view name;
  std::string_view text;
};

struct HostCompilerOptions {
  Env env = {};
  /// A C++20 compiler that takes g++'s options; empty: TILEWRIGHT_CXX, else c++, g++ or clang++ of
  /// PATH.
  std::string program = {};
  /// Where objects are kept: `emulator` in it; empty: nowhere, they live as long as what was
  /// loaded.
  std::string folder = {};
  /// The host side of the device library. The texts outlive the compiler.
  std::span<const HostHeader> headers = {};
  Log log = {};
};

/// A compiled kernel on disk.
struct HostObject {
  std::string path;
  /// Whether the file was made for this call alone and goes with whoever loads it.
  bool isTemporary = false;
  /// Whether it was found rather than compiled.
  bool wasFound = false;
  /// Wall time of the compile; 0 if it was found.
  double seconds = 0;
};

class HostCompiler {
public:
  /// unavailable if there is no compiler: what was looked for, and how to name one.
  static Expected<HostCompiler> find(HostCompilerOptions options);

  /// compileFailed with the compiler's messages; ioError if there is no room for temporary files.
  [[nodiscard]] Expected<HostObject> compile(const PlanKernel &kernel) const;

  [[nodiscard]] const std::string &program() const { return options_.program; }

private:
  explicit HostCompiler(HostCompilerOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::string keyOf(const PlanKernel &kernel) const;

  HostCompilerOptions options_;
  /// The compiler's file: path, size, time.
  std::string identity_;
};

} // namespace tilewright::emulator
