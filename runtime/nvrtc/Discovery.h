// SPDX-License-Identifier: Apache-2.0
//
// Discovery: the places where an NVRTC library may be, in order. It looks at files and at the
// search path of the Python in use, and opens nothing. Thread-safety: functions without state.
#pragma once

#include "support/Env.h"

#include <string>
#include <vector>

namespace tilewright {

/// Where to look for NVRTC.
struct NvrtcSearch {
  /// A library file, or a folder that has one. If set, nothing else is tried; so is
  /// TILEWRIGHT_NVRTC in `env` after it.
  std::string library = {};
  /// CUDA_HOME, VIRTUAL_ENV, PATH and TILEWRIGHT_NVRTC are read from here.
  Env env = {};
  /// Whether the dynamic loader may look in its own places.
  bool loaderPath = true;
  /// The toolkit's usual folder.
  std::string toolkit = "/usr/local/cuda";
};

/// One thing to try.
struct NvrtcCandidate {
  /// An absolute file that exists, or a bare name ("libnvrtc.so.13") for the dynamic loader.
  std::string path;
  /// Why it is tried, for messages: "CUDA_HOME".
  std::string origin;
  friend bool operator==(const NvrtcCandidate &, const NvrtcCandidate &) = default;
};

/// What to try before the Python in use is asked, best first: the explicit choice alone; else the
/// loader's places, CUDA_HOME, the toolkit's folder, the wheels of VIRTUAL_ENV.
std::vector<NvrtcCandidate> nvrtcCandidates(const NvrtcSearch &search);

/// NVIDIA's wheels in the search path of `python3`. Starts it (some 20 ms), so it comes last. Empty
/// if there is no python3, or it has no such wheel.
std::vector<NvrtcCandidate> nvrtcPythonCandidates(const NvrtcSearch &search);

/// Where one would have been found, for messages: a phrase per place.
std::string nvrtcPlaces(const NvrtcSearch &search);

} // namespace tilewright
