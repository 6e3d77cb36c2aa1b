// SPDX-License-Identifier: Apache-2.0
//
// Modules, kernels and launches of the fake driver.
#include "tests/runtime/driver/fake/State.h"

#include <cstdio>
#include <cstring>
#include <elf.h>
#include <limits>

using namespace tilewright;
using namespace tilewright::fake;

namespace {

/// Compiler version in the fake's own cubins; 0 in NVRTC's, which are taken as they are.
constexpr size_t kVersionAt = offsetof(Elf64_Ehdr, e_entry);

/// Kernels of a cubin by name, with the sizes of their parameters in order.
std::map<std::string, std::vector<uint32_t>> readKernels(const char *image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof(header));
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), image + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  const char *names = image + sections[header.e_shstrndx].sh_offset;
  std::map<std::string, std::vector<uint32_t>> kernels;
  const std::string text = ".text.";
  const std::string info = ".nv.info.";
  for (const Elf64_Shdr &section : sections) {
    const std::string name = names + section.sh_name;
    if (name.starts_with(text))
      kernels[name.substr(text.size())];
    if (!name.starts_with(info))
      continue;
    // A list of attributes: format, kind, then (format 4) a size and so many bytes.
    const char *at = image + section.sh_offset;
    const char *end = at + section.sh_size;
    while (at + 4 <= end) {
      uint16_t size = 0;
      std::memcpy(&size, at + 2, sizeof(size));
      constexpr char kSized = 4;
      constexpr char kParameter = 0x17;
      if (at[0] == kSized && at[1] == kParameter) {
        uint16_t ordinal = 0;
        uint32_t bits = 0;
        std::memcpy(&ordinal, at + 8, sizeof(ordinal));
        std::memcpy(&bits, at + 12, sizeof(bits));
        std::vector<uint32_t> &sizes = kernels[name.substr(info.size())];
        sizes.resize(std::max<size_t>(sizes.size(), ordinal + size_t{1}));
        sizes[ordinal] = bits >> 18;
      }
      at += 4 + (at[0] == kSized ? size : 0);
    }
  }
  return kernels;
}

void record(const Launch &launch) {
  State &state = State::get();
  state.launches.push_back(launch);
  if (!state.settings.log.empty())
    if (FILE *file = std::fopen(state.settings.log.c_str(), "a")) {
      std::fprintf(file, "launch %s grid %u %u %u threads %u shared %u cluster %u %u %u pdl %d\n",
                   launch.entry.c_str(), launch.grid[0], launch.grid[1], launch.grid[2],
                   launch.threads, launch.sharedBytes, launch.cluster[0], launch.cluster[1],
                   launch.cluster[2], launch.pdl);
      std::fclose(file);
    }
  if (state.kernel)
    state.kernel(launch);
}

} // namespace

extern "C" {

cu::Result cuModuleLoadData(cu::Module *module, const void *image) {
  TW_FAKE_ENTER(context);
  if (cu::Result refused = refuseInCapture(__func__); refused != cu::kSuccess)
    return refused;
  const auto *bytes = static_cast<const char *>(image);
  uint64_t version = 0;
  std::memcpy(&version, bytes + kVersionAt, sizeof(version));
  if (std::memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
      version > static_cast<uint64_t>(state.settings.newestCubin) ||
      state.settings.newestCubin == 0)
    return cu::kInvalidImage;
  auto *loaded = state.make<CUmod_st>();
  loaded->context = current();
  loaded->contextId = current()->id;
  for (auto &[entry, parameters] : readKernels(bytes)) {
    auto *function = state.make<CUfunc_st>();
    function->entry = entry;
    function->module = loaded;
    function->parameters = parameters;
    loaded->functions[entry] = function;
    state.functions.insert(function);
  }
  state.modules.insert(loaded);
  *module = loaded;
  return cu::kSuccess;
}

cu::Result cuModuleUnload(cu::Module module) {
  TW_FAKE_ENTER(context);
  if (!state.modules.contains(module))
    return state.violate(__func__, "the module is gone", kInvalidHandle);
  if (module->context != current())
    return state.violate(__func__, "the module is of another context", kInvalidContext);
  for (auto &[entry, function] : module->functions)
    state.functions.erase(function);
  state.modules.erase(module);
  return cu::kSuccess;
}

cu::Result cuModuleGetFunction(cu::Function *function, cu::Module module, const char *name) {
  TW_FAKE_ENTER(context);
  if (!state.modules.contains(module))
    return state.violate(__func__, "the module is gone", kInvalidHandle);
  const auto found = module->functions.find(name);
  if (found == module->functions.end())
    return kNotFound;
  *function = found->second;
  return cu::kSuccess;
}

cu::Result cuFuncLoad(cu::Function function) {
  TW_FAKE_ENTER(context);
  if (cu::Result refused = refuseInCapture(__func__); refused != cu::kSuccess)
    return refused;
  function->isLoaded = true;
  return cu::kSuccess;
}

cu::Result cuFuncGetAttribute(int *value, cu::FunctionAttribute attribute, cu::Function function) {
  TW_FAKE_ENTER(context);
  switch (attribute) {
  case cu::kMaxThreadsPerBlock:
    *value = 1024;
    return cu::kSuccess;
  case cu::kRegisters:
    *value = 168;
    return cu::kSuccess;
  case cu::kLocalBytes:
    *value = 0;
    return cu::kSuccess;
  case cu::kStaticSharedBytes:
    *value = function->staticShared;
    return cu::kSuccess;
  default:
    return state.violate(__func__, "an attribute that the fake does not know", cu::kInvalidValue);
  }
}

cu::Result cuFuncSetAttribute(cu::Function function, cu::FunctionAttribute attribute, int value) {
  TW_FAKE_ENTER(context);
  if (attribute == cu::kMaxDynamicSharedBytes) {
    if (value > kSharedPerBlock - function->staticShared)
      return cu::kInvalidValue;
    function->dynamicShared = value;
  } else if (attribute == cu::kNonPortableClusterSize) {
    function->mayBeNonPortable = value != 0;
  } else {
    return state.violate(__func__, "an attribute that cannot be set", cu::kInvalidValue);
  }
  return cu::kSuccess;
}

cu::Result cuLaunchKernelEx(const cu::LaunchConfig *config, cu::Function function,
                            void **parameters, void **) {
  if (!isRecording)
    return cu::kSuccess;
  TW_FAKE_ENTER(context);
  if (!state.functions.contains(function))
    return state.violate(__func__, "the kernel is gone", kInvalidHandle);
  if (function->module->context != current())
    return state.violate(__func__, "the kernel is of another context", kInvalidHandle);
  Launch launch = {.entry = function->entry,
                   .grid = {config->gridX, config->gridY, config->gridZ},
                   .threads = config->blockX * config->blockY * config->blockZ,
                   .sharedBytes = config->sharedBytes,
                   .cluster = {1, 1, 1},
                   .pdl = false,
                   .stream = config->stream,
                   .parameters = {}};
  for (uint32_t i = 0; i < config->attributeCount; ++i) {
    const cu::LaunchAttribute &attribute = config->attributes[i];
    if (attribute.id == cu::kClusterDimension)
      launch.cluster = {attribute.value.cluster.x, attribute.value.cluster.y,
                        attribute.value.cluster.z};
    else if (attribute.id == cu::kProgrammaticStreamSerialization)
      launch.pdl = attribute.value.isAllowed != 0;
    else
      return state.violate(__func__, "an attribute that the fake does not know", cu::kInvalidValue);
  }
  uint32_t ctas = 1;
  for (size_t i = 0; i < 3; ++i) {
    if (launch.grid[i] == 0)
      return state.violate(__func__, "an empty grid", cu::kInvalidValue);
    if (launch.cluster[i] == 0 || launch.grid[i] % launch.cluster[i] != 0)
      return state.violate(__func__, "a grid that is no multiple of the cluster", kInvalidCluster);
    ctas *= launch.cluster[i];
  }
  if (ctas > 8 && !function->mayBeNonPortable)
    return state.violate(__func__, "a cluster that was not allowed", kInvalidCluster);
  if (launch.sharedBytes > static_cast<uint32_t>(function->dynamicShared))
    return state.violate(__func__, "more shared memory than was allowed", cu::kInvalidValue);
  if (!function->isLoaded)
    if (cu::Result refused = refuseInCapture("cuLaunchKernelEx (loads the kernel)");
        refused != cu::kSuccess)
      return refused;
  function->isLoaded = true;
  for (size_t i = 0; i < function->parameters.size(); ++i)
    launch.parameters.emplace_back(static_cast<const char *>(parameters[i]),
                                   function->parameters[i]);
  return perform(__func__, config->stream, [launch] { record(launch); });
}

cu::Result cuTensorMapEncodeTiled(cu::TensorMap *map, cu::TensorMapType type, uint32_t rank,
                                  void *address, const uint64_t *dims, const uint64_t *strides,
                                  const uint32_t *box, const uint32_t *steps, int interleave,
                                  int swizzle, int l2Promotion, int fill) {
  TW_FAKE_ENTER(nothing);
  const auto isMultiple = [](uint64_t value) { return value % 16 == 0; };
  bool isLegal = reinterpret_cast<uintptr_t>(map) % 64 == 0 && rank >= 1 && rank <= 5 &&
                 isMultiple(reinterpret_cast<uintptr_t>(address)) && address && interleave == 0 &&
                 swizzle >= 0 && swizzle <= 3 && l2Promotion >= 0 && l2Promotion <= 3 && fill == 0;
  for (uint32_t i = 0; isLegal && i < rank; ++i)
    isLegal = dims[i] >= 1 && dims[i] <= uint64_t{1} << 32 && box[i] >= 1 && box[i] <= 256 &&
              steps[i] == 1;
  for (uint32_t i = 0; isLegal && i + 1 < rank; ++i)
    isLegal = strides[i] > 0 && isMultiple(strides[i]) && strides[i] < uint64_t{1} << 40;
  if (!isLegal)
    return state.violate(__func__, "an illegal tensor map", cu::kInvalidValue);
  *map = {};
  map->words[0] = reinterpret_cast<uintptr_t>(address);
  map->words[1] = static_cast<uint64_t>(type) | uint64_t{rank} << 8 |
                  static_cast<uint64_t>(swizzle) << 16 | static_cast<uint64_t>(l2Promotion) << 24;
  for (uint32_t i = 0; i < rank; ++i) {
    map->words[2 + i] = dims[i];
    map->words[11 + i] = box[i];
  }
  for (uint32_t i = 0; i + 1 < rank; ++i)
    map->words[7 + i] = strides[i];
  return cu::kSuccess;
}

} // extern "C"
