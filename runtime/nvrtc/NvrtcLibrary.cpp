// SPDX-License-Identifier: Apache-2.0
#include "runtime/nvrtc/NvrtcLibrary.h"

#include <dlfcn.h>
#include <filesystem>
#include <type_traits>
#include <vector>

namespace tilewright {

namespace fs = std::filesystem;

namespace {

std::string loaderError() {
  const char *message = dlerror();
  return message ? message : "no reason given";
}

std::string supportedVersions() {
  return kOldestNvrtc.toString() + " to " + std::to_string(kFirstUnknownNvrtc.major - 1) + ".x";
}

/// What a person can do about it, the same for all places.
const char *howToInstall() {
  return "install a CUDA toolkit, or `pip install nvidia-cuda-nvrtc`, or name the library with "
         "TILEWRIGHT_NVRTC";
}

} // namespace

std::string NvrtcVersion::toString() const {
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string NvrtcLibrary::builtinsName() const {
  return "libnvrtc-builtins.so." + version_.toString();
}

Status NvrtcLibrary::loadFunctions(void *handle) {
  std::string missing;
  const auto load = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (!function)
      missing += missing.empty() ? name : std::string(", ") + name;
  };
  load(functions_.version, "nvrtcVersion");
  load(functions_.errorString, "nvrtcGetErrorString");
  load(functions_.createProgram, "nvrtcCreateProgram");
  load(functions_.destroyProgram, "nvrtcDestroyProgram");
  load(functions_.compileProgram, "nvrtcCompileProgram");
  load(functions_.logSize, "nvrtcGetProgramLogSize");
  load(functions_.log, "nvrtcGetProgramLog");
  load(functions_.ptxSize, "nvrtcGetPTXSize");
  load(functions_.ptx, "nvrtcGetPTX");
  load(functions_.cubinSize, "nvrtcGetCUBINSize");
  load(functions_.cubin, "nvrtcGetCUBIN");
  if (!missing.empty())
    return Status::unavailable("it is no NVRTC of version " + supportedVersions() + ": it lacks " +
                               missing);
  return Status::ok();
}

Status NvrtcLibrary::checkVersion() {
  if (functions_.version(&version_.major, &version_.minor) != 0)
    return Status::unavailable("nvrtcVersion fails");
  if (version_ < kOldestNvrtc || version_ >= kFirstUnknownNvrtc)
    return Status::unavailable("NVRTC " + version_.toString() +
                               " is not supported: " + supportedVersions() + " is needed");
  return Status::ok();
}

/// NVRTC opens its builtins by bare name in the middle of a compile. Opening the file beside the
/// library now both says early that it is missing and makes that later search succeed.
Status NvrtcLibrary::loadBuiltins() const {
  const std::string beside = (fs::path(path_).parent_path() / builtinsName()).string();
  if (dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL) ||
      dlopen(builtinsName().c_str(), RTLD_NOW | RTLD_LOCAL))
    return Status::ok();
  std::error_code ignored;
  if (fs::exists(beside, ignored))
    return Status::unavailable(beside + " can't be loaded: " + loaderError());
  return Status::unavailable(
      builtinsName() + " is missing: NVRTC " + version_.toString() + " needs it beside " + path_ +
      "; install the same version's libnvrtc-builtins (CUDA's cuda-nvrtc package or the wheel "
      "nvidia-cuda-nvrtc have both files)");
}

Expected<NvrtcLibrary> NvrtcLibrary::open(const NvrtcCandidate &candidate) {
  void *handle = dlopen(candidate.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return Status::unavailable("it can't be loaded: " + loaderError());
  NvrtcLibrary library;
  library.origin_ = candidate.origin;
  if (Status status = library.loadFunctions(handle); !status.isOk())
    return status;
  Dl_info info = {};
  if (dladdr(reinterpret_cast<void *>(library.functions_.version), &info) && info.dli_fname) {
    std::error_code failed;
    const fs::path resolved = fs::canonical(info.dli_fname, failed);
    library.path_ = failed ? info.dli_fname : resolved.string();
  }
  if (Status status = library.checkVersion(); !status.isOk())
    return status;
  if (Status status = library.loadBuiltins(); !status.isOk())
    return status;
  return library;
}

Expected<NvrtcLibrary> NvrtcLibrary::find(const NvrtcSearch &search) {
  std::string failures;
  const auto firstFit = [&](const std::vector<NvrtcCandidate> &candidates) {
    for (const NvrtcCandidate &candidate : candidates) {
      Expected<NvrtcLibrary> library = open(candidate);
      if (library)
        return library;
      // A name that the loader does not find is the normal case on the way, not news.
      if (candidate.path.find('/') == std::string::npos &&
          library.status().message().find("No such file") != std::string::npos)
        continue;
      failures +=
          "\n  " + candidate.path + " (" + candidate.origin + "): " + library.status().message();
    }
    return Expected<NvrtcLibrary>(Status::unavailable("none is fit"));
  };
  Expected<NvrtcLibrary> library = firstFit(nvrtcCandidates(search));
  const bool byName = !search.library.empty() || search.env.isSet(EnvKey::nvrtc);
  if (!library && !byName)
    library = firstFit(nvrtcPythonCandidates(search));
  if (library)
    return library;
  return Status::unavailable("no usable NVRTC in " + nvrtcPlaces(search) + "; " + howToInstall() +
                             (failures.empty() ? "" : ". Tried:" + failures));
}

} // namespace tilewright
