// SPDX-License-Identifier: Apache-2.0
//
// What tests ask of the fake driver: FakeDriver.h.
#include "tests/runtime/driver/fake/State.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>

extern "C" tilewright::cu::Result cuInit(unsigned);

namespace tilewright::fake {

namespace {

template <typename Function>
auto locked(Function function) {
  State &state = State::get();
  std::lock_guard lock(state.mutex);
  return function(state);
}

} // namespace

std::string libraryPath() {
  Dl_info info = {};
  return dladdr(reinterpret_cast<void *>(&cuInit), &info) ? info.dli_fname : "";
}

void reset() {
  locked([](State &state) {
    for (CUctx_st *context : state.primary) {
      destroyContents(context);
      context->references = 0;
    }
    state.primary.clear();
    state.settings = Settings::fromEnvironment();
    state.isInitialized = false;
    state.isDown = false;
    state.fault = cu::kSuccess;
    state.memory.clear();
    state.memoryUsed = 0;
    state.failures.clear();
    state.calls.clear();
    state.launches.clear();
    state.violations.clear();
    state.kernel = nullptr;
    state.graphs.clear();
    stack().clear();
    isRecording = true;
  });
}

void setVersion(int version) {
  locked([&](State &state) { state.settings.version = version; });
}

void setDevices(int count, int computeMajor, int computeMinor) {
  locked([&](State &state) {
    state.settings.deviceCount = count;
    state.settings.computeMajor = computeMajor;
    state.settings.computeMinor = computeMinor;
  });
}

void setMemory(size_t bytes) {
  locked([&](State &state) { state.settings.memory = bytes; });
}

void setNewestCubin(int version) {
  locked([&](State &state) { state.settings.newestCubin = version; });
}

void setRecording(bool isOn) { isRecording = isOn; }

void failNext(const std::string &function, cu::Result result, int skip) {
  locked([&](State &state) { state.failures[function] = {.result = result, .skip = skip}; });
}

void setFault(cu::Result result) {
  locked([&](State &state) { state.fault = result; });
}

void shutDown() {
  locked([](State &state) { state.isDown = true; });
}

void resetDevice(int ordinal) {
  locked([&](State &state) {
    CUctx_st *context = state.primary[static_cast<size_t>(ordinal)];
    destroyContents(context);
    context->references = 0;
  });
}

cu::Context makeContext() {
  return locked([](State &state) {
    auto *context = state.make<CUctx_st>();
    context->references = 1;
    context->id = ++state.lastContextId;
    return context;
  });
}

std::vector<cu::Context> contextStack() { return stack(); }
void pushContext(cu::Context context) { stack().push_back(context); }
void popContext() { stack().pop_back(); }

void registerHost(const void *memory, size_t bytes) {
  locked([&](State &state) {
    state.memory[reinterpret_cast<uint64_t>(memory)] = {.bytes = bytes, .type = cu::kMemoryHost};
  });
}

uint64_t allocateOn(int ordinal, size_t bytes, bool isManaged) {
  return locked([&](State &state) {
    // NOTE: an address only; nothing is behind it.
    const uint64_t address = (uint64_t{1} << 46) + (state.memory.size() << 30);
    state.memory[address] = {.bytes = bytes, .ordinal = ordinal, .isManaged = isManaged};
    return address;
  });
}

std::vector<Launch> launches() {
  return locked([](State &state) { return state.launches; });
}

int calls(const std::string &function) {
  return locked([&](State &state) { return state.calls[function]; });
}

std::vector<std::string> violations() {
  return locked([](State &state) { return state.violations; });
}

std::string leaks() {
  return locked([](State &state) {
    std::string text;
    const auto add = [&](size_t count, const char *what) {
      if (count > 0)
        text += std::to_string(count) + " " + what + "; ";
    };
    size_t references = 0;
    for (const CUctx_st *context : state.primary)
      references += static_cast<size_t>(context->references);
    add(references, "retained contexts");
    add(state.modules.size(), "modules");
    add(state.memoryUsed, "bytes");
    add(state.streams.size(), "streams");
    add(state.events.size(), "events");
    add(state.graphs.size(), "graphs");
    add(state.graphExecs.size(), "executable graphs");
    return text;
  });
}

void setKernel(std::function<void(const Launch &)> kernel) {
  locked([&](State &state) { state.kernel = std::move(kernel); });
}

DecodedMap decode(const cu::TensorMap &map) {
  DecodedMap decoded = {};
  decoded.address = map.words[0];
  decoded.type = static_cast<int>(map.words[1] & 255);
  decoded.rank = static_cast<uint32_t>(map.words[1] >> 8 & 255);
  decoded.swizzle = static_cast<int>(map.words[1] >> 16 & 255);
  decoded.l2Promotion = static_cast<int>(map.words[1] >> 24 & 255);
  for (size_t i = 0; i < decoded.dims.size(); ++i) {
    decoded.dims[i] = map.words[2 + i];
    decoded.box[i] = static_cast<uint32_t>(map.words[11 + i]);
  }
  for (size_t i = 0; i < decoded.strides.size(); ++i)
    decoded.strides[i] = map.words[7 + i];
  return decoded;
}

std::string makeCubin(const std::vector<FakeKernel> &kernels, int version) {
  // File: header, the sections' contents, the table of sections; the first section is null, the
  // second has the names.
  std::string contents;
  std::string names(1, '\0');
  std::vector<Elf64_Shdr> sections(2);
  const auto addSection = [&](const std::string &name, const std::string &bytes) {
    Elf64_Shdr section = {};
    section.sh_name = static_cast<Elf64_Word>(names.size());
    section.sh_type = SHT_PROGBITS;
    section.sh_offset = sizeof(Elf64_Ehdr) + contents.size();
    section.sh_size = bytes.size();
    names += name + '\0';
    contents += bytes;
    sections.push_back(section);
  };
  for (const FakeKernel &kernel : kernels) {
    addSection(".text." + kernel.entry, std::string(16, '\0'));
    std::string info;
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      // As ptxas writes them: format 4, kind 0x17, 12 bytes: a word, ordinal and offset, the size.
      const uint32_t words[] = {0x000c1704, 0, static_cast<uint32_t>(i),
                                kernel.parameters[i] << 18};
      info.append(reinterpret_cast<const char *>(words), sizeof(words));
    }
    addSection(".nv.info." + kernel.entry, info);
  }
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_offset = sizeof(Elf64_Ehdr) + contents.size();
  sections[1].sh_size = names.size();
  contents += names;

  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = EM_CUDA;
  header.e_entry = static_cast<Elf64_Addr>(version);
  header.e_shoff = sizeof(header) + contents.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  header.e_shstrndx = 1;
  std::string file(reinterpret_cast<const char *>(&header), sizeof(header));
  file += contents;
  file.append(reinterpret_cast<const char *>(sections.data()),
              sections.size() * sizeof(Elf64_Shdr));
  return file;
}

} // namespace tilewright::fake
