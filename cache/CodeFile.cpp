// SPDX-License-Identifier: Apache-2.0
#include "cache/CodeFile.h"

#include "support/Hash.h"
#include "support/JsonNode.h"
#include "support/PlanText.h"

#include <charconv>
#include <limits>

namespace tilewright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic = "twk";

/// What the first line says.
struct Preamble {
  size_t headerBytes = 0;
  std::string_view hash;
  std::string_view rest;
};

/// The part of `text` up to `separator`, which is removed from it too; all of it if there is none.
std::string_view take(std::string_view &text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

Expected<Preamble> readPreamble(std::string_view bytes) {
  // A first line is short: a file of another kind may have none.
  std::string_view line = bytes.substr(0, std::min<size_t>(bytes.find('\n'), 100));
  if (line.size() == bytes.size() || bytes[line.size()] != '\n')
    return Status::invalidArgument("it is no file of the code cache, or truncated");
  const size_t begin = line.size() + 1;
  if (take(line, ' ') != kMagic)
    return Status::invalidArgument("it is no file of the code cache");
  if (const std::string_view schema = take(line, ' '); schema != std::to_string(kCodeFileSchema))
    return Status::invalidArgument("its form has version " + std::string(schema) + ", this is " +
                                   std::to_string(kCodeFileSchema));
  Preamble preamble;
  const std::string_view size = take(line, ' ');
  auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), preamble.headerBytes);
  preamble.hash = line;
  preamble.rest = bytes.substr(begin);
  if (error != std::errc() || end != size.data() + size.size())
    return Status::invalidArgument("its first line is damaged");
  if (hashBytes(preamble.rest).toHex() != preamble.hash ||
      preamble.headerBytes > preamble.rest.size())
    return Status::invalidArgument(
        "it is truncated or damaged: its hash is not that of its content");
  return preamble;
}

/// A size that the header states, as far as it is one.
size_t sizeOf(const JsonNode &node) {
  const int32_t size = node.integer();
  if (size < 0)
    node.fail("a size is 0 or more");
  return static_cast<size_t>(std::max(size, 0));
}

} // namespace

Expected<std::string> writeCodeFile(std::string_view key, const StoredPlan &stored) {
  if (stored.kernels.size() != stored.plan.kernels.size())
    return Status::internal("a plan of " + std::to_string(stored.plan.kernels.size()) +
                            " kernels came with " + std::to_string(stored.kernels.size()) +
                            " cubins");
  Expected<std::string> plan = planToText(stored.plan);
  if (!plan)
    return plan.status();

  Json kernels = Json::array();
  size_t total = plan->size();
  for (const StoredKernel &kernel : stored.kernels) {
    kernels.push_back({{"cubin_bytes", kernel.cubin.size()},
                       {"registers", kernel.registers},
                       {"spill_bytes", kernel.spillBytes}});
    total += kernel.cubin.size();
  }
  if (total > size_t{std::numeric_limits<int32_t>::max()})
    return Status::unsupported("a plan of " + std::to_string(total) +
                               " bytes is too large to store");
  Expected<std::string> header = writeJson({{"key", std::string(key)},
                                            {"nvrtc_major", stored.nvrtcMajor},
                                            {"nvrtc_minor", stored.nvrtcMinor},
                                            {"compile_us", stored.compileMicroseconds},
                                            {"plan_bytes", plan->size()},
                                            {"kernels", std::move(kernels)}});
  if (!header)
    return header.status();

  std::string content = *header + *plan;
  for (const StoredKernel &kernel : stored.kernels)
    content += kernel.cubin;
  return std::string(kMagic) + " " + std::to_string(kCodeFileSchema) + " " +
         std::to_string(header->size()) + " " + hashBytes(content).toHex() + "\n" + content;
}

Expected<StoredPlan> readCodeFile(std::string_view bytes, std::string_view key) {
  Expected<Preamble> preamble = readPreamble(bytes);
  if (!preamble)
    return preamble.status();
  std::string_view rest = preamble->rest;
  Expected<Json> header = parseJson(rest.substr(0, preamble->headerBytes));
  if (!header)
    return header.status().withContext("header");
  rest.remove_prefix(preamble->headerBytes);

  Status failure;
  const JsonNode node(*header, "header", failure);
  StoredPlan stored;
  if (const std::string found = node.field("key").text(); failure.isOk() && found != key)
    return Status::invalidArgument("it was written for another key: " + found);
  stored.nvrtcMajor = node.field("nvrtc_major").integer();
  stored.nvrtcMinor = node.field("nvrtc_minor").integer();
  stored.compileMicroseconds = node.field("compile_us").integer();
  const size_t planBytes = sizeOf(node.field("plan_bytes"));
  const std::string_view planText = rest.substr(0, planBytes);
  rest.remove_prefix(std::min(planBytes, rest.size()));
  node.field("kernels").each([&](const JsonNode &kernel) {
    const size_t size = std::min(sizeOf(kernel.field("cubin_bytes")), rest.size());
    stored.kernels.push_back({.cubin = std::string(rest.substr(0, size)),
                              .registers = kernel.field("registers").integer(),
                              .spillBytes = kernel.field("spill_bytes").integer()});
    rest.remove_prefix(size);
  });
  if (!failure.isOk())
    return failure;

  Expected<Plan> plan = planFromText(planText);
  if (!plan)
    return plan.status().withContext("plan");
  stored.plan = *std::move(plan);
  if (stored.kernels.size() != stored.plan.kernels.size() || !rest.empty())
    return Status::invalidArgument("its parts do not fit together");
  return stored;
}

} // namespace tilewright
