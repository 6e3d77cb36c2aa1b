// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/GemmBench.h"

#include "runtime/check/Operands.h"
#include "runtime/driver/DeviceMemory.h"

#include <algorithm>
#include <cmath>

namespace tilewright::cli {

namespace {

/// Sets of operands beyond this many bytes, in units of L2, leave nothing in it for the next round.
constexpr int64_t kColdFactor = 3;
constexpr int64_t kMostSets = 512;
constexpr int64_t kMostRuns = 4096;
/// Rounds that do not count: the first puts the graph on the device, and clocks settle.
constexpr int32_t kWarmUps = 3;

size_t aligned(size_t bytes) { return (bytes + 255) / 256 * 256; }

/// Copies of a problem's operands, one after the other.
class RotatingOperands {
public:
  static Expected<RotatingOperands> create(const std::shared_ptr<const PrimaryContext> &context,
                                           const GemmProblem &problem, uint64_t seed) {
    RotatingOperands rotating;
    rotating.operands_ = gemmOperands(problem);
    for (const GemmOperand &operand : rotating.operands_)
      rotating.setBytes_ += aligned(operand.bytes());
    const int64_t wanted = kColdFactor * context->device().l2Bytes;
    const auto bytes = std::max<int64_t>(static_cast<int64_t>(rotating.setBytes_), 1);
    rotating.sets_ = std::clamp<int64_t>((wanted + bytes - 1) / bytes, 1, kMostSets);
    Expected<DeviceBuffer> memory =
        DeviceBuffer::allocate(context, static_cast<size_t>(rotating.sets_) * rotating.setBytes_);
    if (!memory)
      return memory.status();
    rotating.memory_ = *std::move(memory);
    if (Status status = rotating.fill(*context, seed); !status.isOk())
      return status;
    return rotating;
  }

  [[nodiscard]] BoundOperands at(int64_t set) const {
    BoundOperands bound;
    uint64_t address = memory_.address() + static_cast<uint64_t>(set) * setBytes_;
    for (const GemmOperand &operand : operands_) {
      bound.emplace_back(operand.role, address);
      address += aligned(operand.bytes());
    }
    return bound;
  }
  [[nodiscard]] int64_t sets() const { return sets_; }
  [[nodiscard]] size_t setBytes() const { return setBytes_; }

private:
  RotatingOperands() = default;

  /// Random numbers into the first set, and copies of it into the others.
  Status fill(const PrimaryContext &context, uint64_t seed) {
    size_t offset = 0;
    for (const GemmOperand &operand : operands_) {
      const OperandImage image = makeImage(operand, 0, seed);
      if (Status status = memory_.copyFrom(image.bytes.data(), image.bytes.size(), offset);
          !status.isOk())
        return status;
      offset += aligned(operand.bytes());
    }
    const ContextScope scope(context);
    if (!scope.isEntered())
      return scope.status();
    for (int64_t set = 1; set < sets_; ++set)
      if (Status status =
              context.driver().check(context.functions().memcpyDtoDAsync(
                                         memory_.address() + static_cast<uint64_t>(set) * setBytes_,
                                         memory_.address(), setBytes_, nullptr),
                                     "copy operands");
          !status.isOk())
        return status;
    return context.synchronize();
  }

  std::vector<GemmOperand> operands_;
  size_t setBytes_ = 0;
  int64_t sets_ = 0;
  DeviceBuffer memory_;
};

/// Seconds of what `work` puts on the stream.
Expected<double> timeOnce(const Event &begin, const Event &end, const Stream &stream,
                          const std::function<Status()> &work) {
  if (Status status = begin.record(stream.handle()); !status.isOk())
    return status;
  if (Status status = work(); !status.isOk())
    return status;
  if (Status status = end.record(stream.handle()); !status.isOk())
    return status;
  if (Status status = end.synchronize(); !status.isOk())
    return status;
  return end.secondsSince(begin);
}

} // namespace

Expected<BenchResult> benchGemm(const std::shared_ptr<const PrimaryContext> &context,
                                const GemmProblem &problem, const BenchOptions &options,
                                const RunOnce &run) {
  Expected<RotatingOperands> operands = RotatingOperands::create(context, problem, options.seed);
  if (!operands)
    return operands.status().withContext("--bench");
  Expected<Stream> stream = Stream::create(context);
  Expected<Event> begin = Event::create(context), end = Event::create(context);
  for (const Status &status : {stream.status(), begin.status(), end.status()})
    if (!status.isOk())
      return status;

  const int64_t sets = operands->sets();
  const auto runMany = [&](int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      if (Status status = run(operands->at(i % sets), stream->handle()); !status.isOk())
        return status;
    return Status::ok();
  };
  // How long one takes, roughly; the first also warms up.
  constexpr int64_t kTrial = 4;
  double estimate = 0;
  for (int i = 0; i < 2; ++i) {
    Expected<double> seconds = timeOnce(*begin, *end, *stream, [&] { return runMany(kTrial); });
    if (!seconds)
      return seconds.status();
    estimate = std::max(*seconds / kTrial, 1e-7);
  }
  // Whole rotations, so that all rounds are alike.
  const auto wanted = static_cast<int64_t>(std::ceil(options.secondsPerRound / estimate));
  const int64_t rotations = (std::clamp<int64_t>(wanted, 1, kMostRuns) + sets - 1) / sets;
  const int64_t runs = rotations * sets;

  Expected<Graph> graph = Graph::capture(context, stream->handle(), [&] { return runMany(runs); });
  if (!graph)
    return graph.status();
  std::vector<double> rounds;
  for (int32_t round = -kWarmUps; round < options.rounds; ++round) {
    Expected<double> seconds =
        timeOnce(*begin, *end, *stream, [&] { return graph->launch(stream->handle()); });
    if (!seconds)
      return seconds.status();
    if (round >= 0)
      rounds.push_back(*seconds / static_cast<double>(runs));
  }
  std::sort(rounds.begin(), rounds.end());
  BenchResult result;
  result.median = rounds[rounds.size() / 2];
  result.shortest = rounds.front();
  result.longest = rounds.back();
  result.rounds = options.rounds;
  result.runsPerRound = static_cast<int32_t>(runs);
  result.sets = static_cast<int32_t>(sets);
  result.setBytes = static_cast<int64_t>(operands->setBytes());
  result.isCold = result.sets * result.setBytes >= kColdFactor * context->device().l2Bytes;
  return result;
}

double leastBytes(const GemmProblem &problem) {
  double bytes = 0;
  for (const GemmOperand &operand : gemmOperands(problem))
    bytes += static_cast<double>(operand.rows) * static_cast<double>(operand.columns) *
             dtypeBytes(operand.type);
  return bytes;
}

Roofline roofline(const GemmProblem &problem, const DeviceInfo &device) {
  const double compute = problem.flops() / device.tensorFlops16();
  const double memory = leastBytes(problem) / device.memoryBandwidth;
  return {std::max(compute, memory), compute >= memory};
}

} // namespace tilewright::cli
