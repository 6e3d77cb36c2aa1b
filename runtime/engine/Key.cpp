// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/Key.h"

#include "templates/gemm/Arguments.h"

#include <bit>
#include <type_traits>

namespace tilewright {

namespace {

constexpr std::string_view kFamily = "gemm";

std::string prefix() { return std::string(kFamily) + "/" + std::to_string(kKeySchema); }

template <typename Value>
std::string textOf(const Value &value) {
  if constexpr (std::is_same_v<Value, std::string>)
    return value;
  else
    return detail::fieldText(value);
}

template <typename Value>
Status readText(std::string_view text, Value &value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    value = text;
    return Status::ok();
  } else {
    return detail::parseField(text, value);
  }
}

/// Adds " name=value" or ",name=value" of each field that differs from its default.
struct Printer {
  const RequestKey &key;
  const RequestKey defaults = {};
  std::string text = prefix();
  char separator = ' ';

  template <typename Member>
  void operator()(std::string_view name, Member member) {
    if (key.*member == defaults.*member)
      return;
    text += separator + std::string(name) + "=" + textOf(key.*member);
    separator = ',';
  }
};

std::string epilogueText(const GemmProblem &problem) {
  std::string text;
  for (const EpilogueOp &op : problem.epilogue.ops()) {
    text += (text.empty() ? "" : "+") + std::string(op.name());
    if (!op.hasOperand())
      continue;
    const DType type = op.operandType(problem.d);
    if (type != problem.d)
      text += ":" + std::string(dtypeName(type));
    if (op.operand() != EpilogueOperand::matrix)
      continue;
    const int64_t alignment = rowAlignment(op.ld != 0 ? op.ld : problem.n, type);
    if (alignment != 16)
      text += "@" + std::to_string(alignment);
  }
  return text;
}

} // namespace

int32_t sizeBucket(int32_t size) {
  if (size <= 16)
    return size;
  const auto value = static_cast<uint32_t>(size);
  const uint32_t step = std::bit_ceil(value) / 8;
  const uint64_t bucket = (uint64_t{value} + step - 1) / step * step;
  return bucket > INT32_MAX ? INT32_MAX : static_cast<int32_t>(bucket);
}

RequestKey RequestKey::of(const GemmRequest &request) {
  const GemmProblem &problem = request.problem;
  const RequestFlags &flags = request.flags;
  RequestKey key;
  key.a = problem.a;
  key.b = problem.b;
  key.d = problem.d;
  key.layout = problem.layout;
  key.epilogue = epilogueText(problem);
  key.alpha = problem.usesAlpha() ? 1 : 0;
  const auto align = [](int64_t pitch, DType type) {
    return static_cast<int32_t>(rowAlignment(pitch, type));
  };
  key.alignA = align(problem.pitchA(), problem.a);
  key.alignB = align(problem.pitchB(), problem.b);
  key.alignD = align(problem.pitchD(), problem.d);
  if (problem.usesC()) {
    key.c = dtypeName(problem.typeC());
    key.alignC = align(problem.pitchC(), problem.typeC());
  }
  key.alignPointers = std::min(flags.pointerAlignment, 16);
  key.accumulate = flags.accumulate;

  key.m = static_cast<int32_t>(problem.m);
  key.n = static_cast<int32_t>(problem.n);
  key.k = static_cast<int32_t>(problem.k);
  key.bucketM = sizeBucket(key.m);
  key.bucketN = sizeBucket(key.n);
  key.bucketK = sizeBucket(key.k);
  key.batch = static_cast<int32_t>(problem.batch);
  key.deterministic = flags.deterministic ? 1 : 0;
  key.batchInvariant = flags.batchInvariant ? 1 : 0;
  key.smCap = flags.smCap;
  key.pdl = flags.pdl ? 1 : 0;
  return key;
}

std::string RequestKey::toString() const {
  Printer printer{.key = *this};
  forEachField(printer);
  return printer.text;
}

std::string RequestKey::codeText() const {
  Printer printer{.key = *this};
  forEachCodeField(printer);
  return printer.text;
}

Expected<RequestKey> RequestKey::parse(std::string_view text) {
  const std::string_view head = text.substr(0, text.find(' '));
  if (head != prefix())
    return Status::unsupported("key '" + std::string(text) + "' begins with '" + std::string(head) +
                               "'; this version reads " + prefix());
  RequestKey key;
  std::string seen = ",";
  std::string_view rest = text.substr(std::min(head.size() + 1, text.size()));
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::string_view name = part.substr(0, part.find('='));
    if (name.size() == part.size())
      return Status::invalidArgument("key: '" + std::string(part) +
                                     "' is not of the form name=value");
    if (seen.find("," + std::string(name) + ",") != std::string::npos)
      return Status::invalidArgument("key: '" + std::string(name) + "' is given twice");
    seen += std::string(name) + ",";
    Status status = Status::invalidArgument("key: '" + std::string(name) + "' is no field");
    forEachField([&](std::string_view field, auto member) {
      if (field == name)
        status = readText(part.substr(name.size() + 1), key.*member)
                     .withContext("key: " + std::string(field));
    });
    if (!status.isOk())
      return status;
  }
  return key;
}

} // namespace tilewright
