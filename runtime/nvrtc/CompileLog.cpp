// SPDX-License-Identifier: Apache-2.0
#include "runtime/nvrtc/CompileLog.h"

#include <cctype>
#include <charconv>
#include <cstdlib>

namespace tilewright {

namespace {

/// The text between the first quote after `start` and the next one.
std::string quoted(std::string_view line, size_t start = 0) {
  const size_t open = line.find('\'', start);
  if (open == std::string_view::npos)
    return {};
  const size_t close = line.find('\'', open + 1);
  return std::string(line.substr(open + 1, close == std::string_view::npos ? 0 : close - open - 1));
}

/// The number that ends just before `unit` ("24 bytes spill stores"); 0 if the line has no such
/// unit.
int32_t numberBefore(std::string_view line, std::string_view unit) {
  const size_t at = line.find(unit);
  if (at == std::string_view::npos || at == 0)
    return 0;
  const size_t last = line.find_last_not_of(' ', at - 1);
  if (last == std::string_view::npos || !std::isdigit(static_cast<unsigned char>(line[last])))
    return 0;
  size_t first = last;
  while (first > 0 && std::isdigit(static_cast<unsigned char>(line[first - 1])))
    --first;
  int32_t value = 0;
  std::from_chars(line.data() + first, line.data() + last + 1, value);
  return value;
}

/// The code of a line like "ptxas info : (C7510) Potential Performance Loss: …", or empty.
std::string_view advisoryCode(std::string_view line) {
  const size_t at = line.find("(C7");
  if (at == std::string_view::npos || line.size() < at + 7 || line[at + 6] != ')')
    return {};
  const std::string_view code = line.substr(at + 1, 5);
  for (char digit : code.substr(1))
    if (!std::isdigit(static_cast<unsigned char>(digit)))
      return {};
  return code;
}

Advisory parseAdvisory(std::string_view line, std::string_view code) {
  std::string_view text = line.substr(line.find(code) + code.size() + 1);
  constexpr std::string_view kCommon = "Potential Performance Loss:";
  if (const size_t common = text.find(kCommon); common != std::string_view::npos)
    text.remove_prefix(common + kCommon.size());
  std::string kernel;
  if (const size_t function = text.rfind("function '"); function != std::string_view::npos) {
    kernel = quoted(text, function);
    const size_t phrase = text.rfind(" in", function);
    text = text.substr(0, phrase == std::string_view::npos ? function : phrase);
  }
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r'))
    text.remove_suffix(1);
  return {std::string(code), std::string(text), std::move(kernel)};
}

double parseCompileTime(std::string_view line) {
  const size_t at = line.find("Compile time = ");
  return at == std::string_view::npos
             ? 0
             : std::strtod(std::string(line.substr(at + 15)).c_str(), nullptr);
}

void parseLine(std::string_view line, CompileLog &log) {
  if (const std::string_view code = advisoryCode(line); !code.empty()) {
    log.advisories.push_back(parseAdvisory(line, code));
    return;
  }
  if (line.find("failed to open libnvrtc-builtins") != std::string_view::npos) {
    const size_t name = line.find("libnvrtc-builtins");
    size_t end = line.find_first_of(" \r", name);
    end = end == std::string_view::npos ? line.size() : end;
    while (line[end - 1] == '.')
      --end;
    log.missingBuiltins = line.substr(name, end - name);
    return;
  }
  if (line.find("Compiling entry function") != std::string_view::npos) {
    log.kernels.push_back({.kernel = quoted(line)});
    return;
  }
  log.ptxasSeconds += parseCompileTime(line) * 1e-3;
  if (log.kernels.empty())
    return;
  KernelResources &kernel = log.kernels.back();
  if (line.find("bytes stack frame") != std::string_view::npos) {
    kernel.stackBytes = numberBefore(line, "bytes stack frame");
    kernel.spillStoreBytes = numberBefore(line, "bytes spill stores");
    kernel.spillLoadBytes = numberBefore(line, "bytes spill loads");
  } else if (line.find(" registers") != std::string_view::npos) {
    kernel.registers = numberBefore(line, "registers");
    kernel.barriers = numberBefore(line, "barriers");
    kernel.staticSharedBytes = numberBefore(line, "bytes smem");
  }
}

} // namespace

CompileLog parseCompileLog(std::string_view log) {
  CompileLog result;
  while (!log.empty()) {
    const size_t end = log.find('\n');
    parseLine(log.substr(0, end), result);
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
  }
  return result;
}

} // namespace tilewright
