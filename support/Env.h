// SPDX-License-Identifier: Apache-2.0
//
// Env: the one reader of environment variables. Every variable that this library looks at is in
// the table below; `tilewright doctor` prints it. A snapshot is taken once and passed down, so
// that a call does not change its mind half way and tests need no setenv.
// Thread-safety: plain values. Env::fromProcess reads the process's environment, which must not
// be changed at the same time.

#pragma once

#include "tilewright/Status.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

/// The variables, in the order of kEnvVariables.
enum class EnvKey : uint8_t {
  cacheDir,
  nvrtc,
  driver,
  cxx,
  log,
  cudaHome,
  virtualEnv,
  path,
  tmpDir,
  xdgCacheHome,
  home,
};

/// How a variable's value is read.
enum class EnvKind : uint8_t {
  text,  ///< any text
  path,  ///< a file or a folder
  level, ///< a level of support/Log.h
};

/// One row of the table of environment variables.
struct EnvVariable {
  EnvKey key;
  std::string_view name;
  EnvKind kind;
  /// The value when the variable is unset or empty; empty: none.
  std::string_view defaultValue;
  std::string_view help;
};

/// Every environment variable that this library reads.
inline constexpr std::array<EnvVariable, 11> kEnvVariables = {{
    {EnvKey::cacheDir, "TILEWRIGHT_CACHE_DIR", EnvKind::path, "",
     "folder of all stores; default: tilewright in the user's cache folder"},
    {EnvKey::nvrtc, "TILEWRIGHT_NVRTC", EnvKind::path, "",
     "the NVRTC library to use, before any other place is searched"},
    {EnvKey::driver, "TILEWRIGHT_DRIVER", EnvKind::path, "",
     "the CUDA driver library to use in place of libcuda.so.1"},
    {EnvKey::cxx, "TILEWRIGHT_CXX", EnvKind::path, "",
     "the C++ compiler that the emulator uses in place of c++, g++ or clang++"},
    {EnvKey::log, "TILEWRIGHT_LOG", EnvKind::level, "warning",
     "least severe message that programs show: trace, debug, info, warning, error, off"},
    {EnvKey::cudaHome, "CUDA_HOME", EnvKind::path, "",
     "an installed CUDA toolkit, searched for NVRTC"},
    {EnvKey::virtualEnv, "VIRTUAL_ENV", EnvKind::path, "",
     "a Python environment, searched for NVIDIA's wheels"},
    {EnvKey::path, "PATH", EnvKind::text, "",
     "where a C++ compiler and a Python with NVIDIA's wheels are looked for"},
    {EnvKey::tmpDir, "TMPDIR", EnvKind::path, "/tmp", "folder of temporary files"},
    {EnvKey::xdgCacheHome, "XDG_CACHE_HOME", EnvKind::path, "", "the user's cache folder"},
    {EnvKey::home, "HOME", EnvKind::path, "", "the user's folder; .cache in it is the fallback"},
}};

/// The row of `key`.
constexpr const EnvVariable &envVariable(EnvKey key) {
  return kEnvVariables[static_cast<size_t>(key)];
}

/// A snapshot of the variables in the table.
class Env {
public:
  /// Nothing is set: every variable has its default.
  Env() = default;

  /// The environment of this process, now.
  static Env fromProcess();

  /// The same snapshot with one variable changed. For tests, and for options of a command line
  /// that stand for a variable. Empty text unsets it.
  [[nodiscard]] Env with(EnvKey key, std::string value) const;

  /// Whether the variable is set to something other than the empty text.
  [[nodiscard]] bool isSet(EnvKey key) const { return !slot(key).empty(); }

  /// The value, else the default, else empty.
  [[nodiscard]] std::string get(EnvKey key) const;

  /// The folder of all stores: TILEWRIGHT_CACHE_DIR, else `tilewright` in XDG_CACHE_HOME, else
  /// in HOME/.cache. unavailable when none of the three is set. The folder need not exist.
  [[nodiscard]] Expected<std::string> cacheFolder() const;

private:
  [[nodiscard]] const std::string &slot(EnvKey key) const {
    return values_[static_cast<size_t>(key)];
  }

  std::array<std::string, kEnvVariables.size()> values_;
};

} // namespace tilewright
