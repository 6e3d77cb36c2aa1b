// SPDX-License-Identifier: Apache-2.0
#include "runtime/nvrtc/Nvrtc.h"

#include "runtime/nvrtc/CompileLog.h"
#include "runtime/nvrtc/Cubin.h"

#include <chrono>

namespace tilewright {

namespace {

/// The first version with a disk cache of its own.
constexpr NvrtcVersion kFirstWithCache = {12, 9};

/// An NVRTC program, destroyed with this value.
class Program {
public:
  Program(const NvrtcFunctions &functions, const NvrtcInput &input) : functions_(functions) {
    std::vector<const char *> texts;
    std::vector<const char *> names;
    for (const NvrtcHeader &header : input.headers) {
      texts.push_back(header.text);
      names.push_back(header.name);
    }
    created_ = functions.createProgram(&program_, input.text.c_str(), input.name.c_str(),
                                       static_cast<int>(names.size()), texts.data(), names.data());
  }
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;
  ~Program() {
    if (created_ == 0)
      functions_.destroyProgram(&program_);
  }

  [[nodiscard]] NvrtcFunctions::Result created() const { return created_; }

  [[nodiscard]] NvrtcFunctions::Result compile(const std::vector<std::string> &options) const {
    std::vector<const char *> texts;
    for (const std::string &option : options)
      texts.push_back(option.c_str());
    return functions_.compileProgram(program_, static_cast<int>(texts.size()), texts.data());
  }

  /// A result of the two-call kind; empty if NVRTC has none. `terminated`: its size counts
  /// zero bytes at the end.
  [[nodiscard]] std::string fetch(NvrtcFunctions::Result (*size)(NvrtcFunctions::Program, size_t *),
                                  NvrtcFunctions::Result (*get)(NvrtcFunctions::Program, char *),
                                  bool terminated) const {
    size_t bytes = 0;
    if (size(program_, &bytes) != 0 || bytes == 0)
      return {};
    std::string result(bytes, '\0');
    if (get(program_, result.data()) != 0)
      return {};
    while (terminated && result.ends_with('\0'))
      result.pop_back();
    return result;
  }

private:
  const NvrtcFunctions &functions_;
  NvrtcFunctions::Program program_ = nullptr;
  NvrtcFunctions::Result created_ = 0;
};

Status failure(const NvrtcLibrary &library, NvrtcFunctions::Result result, const std::string &name,
               const std::string &log) {
  if (const CompileLog parsed = parseCompileLog(log); !parsed.missingBuiltins.empty())
    return Status::unavailable(parsed.missingBuiltins + " is missing: NVRTC " +
                               library.version().toString() + " needs it beside " + library.path() +
                               "; install the same version's libnvrtc-builtins");
  return Status::compileFailed("NVRTC " + library.version().toString() + " refuses " + name + " (" +
                               library.functions().errorString(result) + ")" +
                               (log.empty() ? "; it gives no reason" : ":\n" + log));
}

/// Adds to what the log tells what the cubin tells.
Status addFromCubin(NvrtcOutput &output) {
  Expected<std::vector<CubinKernel>> kernels = readCubin(output.cubin);
  if (!kernels)
    return kernels.status();
  for (KernelResources &resources : output.kernels)
    for (const CubinKernel &kernel : *kernels)
      if (kernel.name == resources.kernel)
        resources.codeBytes = static_cast<int32_t>(kernel.code.size());
  return Status::ok();
}

} // namespace

Expected<Nvrtc> Nvrtc::find(const NvrtcSearch &search) {
  Expected<NvrtcLibrary> library = NvrtcLibrary::find(search);
  if (!library)
    return library.status();
  return Nvrtc(*std::move(library));
}

std::vector<std::string> Nvrtc::options(const NvrtcInput &input) const {
  std::vector<std::string> options = {
      "--gpu-architecture=" + input.architecture,
      "--std=c++20",
      // Leaves out declarations of the CUDA runtime and of textures, which we never use: 5 ms.
      "--minimal",
      "--ptxas-options=--verbose",
  };
  // NOTE: with its own cache NVRTC would answer a repeated text without ptxas's log, and so without
  // the resources, and keep a second copy of what our store has.
  if (version() >= kFirstWithCache)
    options.push_back("--no-cache");
  options.insert(options.end(), input.extraOptions.begin(), input.extraOptions.end());
  return options;
}

Expected<NvrtcOutput> Nvrtc::compile(const NvrtcInput &input) const {
  const auto start = std::chrono::steady_clock::now();
  const NvrtcFunctions &functions = library_.functions();
  const Program program(functions, input);
  if (program.created() != 0)
    return Status::internal("nvrtcCreateProgram fails for " + input.name + ": " +
                            functions.errorString(program.created()));
  const NvrtcFunctions::Result result = program.compile(options(input));
  NvrtcOutput output;
  output.log = program.fetch(functions.logSize, functions.log, true);
  if (result != 0)
    return failure(library_, result, input.name, output.log);
  output.cubin = program.fetch(functions.cubinSize, functions.cubin, false);
  if (output.cubin.empty())
    return Status::invalidArgument("NVRTC made no cubin for " + input.architecture +
                                   ": name a real architecture such as sm_90a");
  if (input.wantPtx)
    output.ptx = program.fetch(functions.ptxSize, functions.ptx, true);
  CompileLog log = parseCompileLog(output.log);
  output.kernels = std::move(log.kernels);
  output.advisories = std::move(log.advisories);
  output.ptxasSeconds = log.ptxasSeconds;
  if (Status status = addFromCubin(output); !status.isOk())
    return status;
  output.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return output;
}

} // namespace tilewright
