// SPDX-License-Identifier: Apache-2.0
#include "runtime/nvrtc/Cubin.h"

#include <cstring>
#include <elf.h>

namespace tilewright {

namespace {

constexpr std::string_view kCode = ".text.";

Status malformed(const char *what) {
  return Status::internal(std::string("the cubin is no well-formed ELF file: ") + what);
}

/// Whether [offset, offset + size) lies in a file of `total` bytes.
bool fits(uint64_t offset, uint64_t size, uint64_t total) {
  return offset <= total && size <= total - offset;
}

/// The zero-terminated name at `offset` of a string table.
std::string_view nameAt(std::string_view table, uint64_t offset) {
  if (offset >= table.size())
    return {};
  const std::string_view rest = table.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

Expected<std::vector<Elf64_Shdr>> readSections(std::string_view cubin, const Elf64_Ehdr &header) {
  if (header.e_shentsize != sizeof(Elf64_Shdr))
    return malformed("section headers of an unknown size");
  const uint64_t bytes = uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  if (!fits(header.e_shoff, bytes, cubin.size()) || header.e_shstrndx >= header.e_shnum)
    return malformed("section headers out of bounds");
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), cubin.data() + header.e_shoff, bytes);
  for (const Elf64_Shdr &section : sections)
    if (section.sh_type != SHT_NOBITS && !fits(section.sh_offset, section.sh_size, cubin.size()))
      return malformed("a section out of bounds");
  return sections;
}

} // namespace

Expected<std::vector<CubinKernel>> readCubin(std::string_view cubin) {
  Elf64_Ehdr header;
  if (cubin.size() < sizeof header)
    return malformed("too short");
  std::memcpy(&header, cubin.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return malformed("wrong magic number or class");
  Expected<std::vector<Elf64_Shdr>> sections = readSections(cubin, header);
  if (!sections)
    return sections.status();
  const Elf64_Shdr &names = (*sections)[header.e_shstrndx];
  const std::string_view table = cubin.substr(names.sh_offset, names.sh_size);
  std::vector<CubinKernel> kernels;
  for (const Elf64_Shdr &section : *sections) {
    const std::string_view name = nameAt(table, section.sh_name);
    if (name.starts_with(kCode) && section.sh_type != SHT_NOBITS)
      kernels.push_back({std::string(name.substr(kCode.size())),
                         cubin.substr(section.sh_offset, section.sh_size)});
  }
  return kernels;
}

} // namespace tilewright
