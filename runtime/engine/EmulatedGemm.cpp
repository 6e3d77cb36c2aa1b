// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/EmulatedGemm.h"

#include "compiler/device/DeviceHeaders.h"
#include "templates/gemm/Arguments.h"

#include <cstring>
#include <numeric>

namespace tilewright {

namespace {

/// As a device allocates.
constexpr size_t kAlignment = 256;

/// A copy of an image whose matrix begins at a multiple of kAlignment.
class AlignedImage {
public:
  explicit AlignedImage(const OperandImage &image)
      : bytes_(image.bytes.size() + kAlignment), guard_(image.guard) {
    const auto at = reinterpret_cast<uintptr_t>(bytes_.data());
    first_ = bytes_.data() + (kAlignment - at % kAlignment) % kAlignment;
    std::memcpy(first_, image.bytes.data(), image.bytes.size());
  }
  [[nodiscard]] uint8_t *image() const { return first_; }
  [[nodiscard]] uint8_t *matrix() const { return first_ + guard_; }

private:
  std::vector<uint8_t> bytes_;
  size_t guard_;
  uint8_t *first_ = nullptr;
};

} // namespace

std::vector<emulator::HostHeader> emulatorHeaders() {
  std::vector<emulator::HostHeader> headers;
  for (const DeviceHeader &header : hostHeaders())
    headers.push_back({header.name, header.text});
  return headers;
}

Status EmulatedRun::status() const {
  for (const emulator::Finding &finding : report.findings)
    if (finding.severity == emulator::Severity::error)
      return Status::checkFailed(std::string(findingKindName(finding.kind)) + ": " +
                                 finding.message);
  return verdict.status();
}

Expected<EmulatedGemm> EmulatedGemm::prepare(const emulator::Emulator &emulator, const Plan &plan,
                                             const GemmProblem &problem, const DeviceInfo &device,
                                             int32_t sms, uint64_t seed) {
  EmulatedGemm gemm;
  gemm.problem_ = problem;
  const OperandImage *a = nullptr, *b = nullptr;
  const std::vector<GemmOperand> operands = gemmOperands(problem);
  gemm.inputs_.reserve(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    OperandImage image = makeImage(operands[i], kAlignment, seed);
    if (operands[i].isOutput) {
      gemm.output_ = std::move(image);
      continue;
    }
    gemm.inputs_.push_back(std::move(image));
    if (operands[i].role == "a")
      a = &gemm.inputs_.back();
    if (operands[i].role == "b")
      b = &gemm.inputs_.back();
  }
  if (!a || !b)
    return Status::internal("a GEMM without A or B");
  std::vector<int64_t> rows(static_cast<size_t>(problem.m));
  std::iota(rows.begin(), rows.end(), 0);
  gemm.reference_ = sumOnHost(problem, *a, *b, std::move(rows));

  std::vector<ArgumentValue> scalars;
  for (const GemmArgument &argument : gemmArguments(problem)) {
    if (argument.kind == ArgumentKind::f32)
      scalars.emplace_back(argument.number);
    else if (argument.kind != ArgumentKind::pointer)
      scalars.emplace_back(argument.integer);
  }
  Expected<std::shared_ptr<const emulator::EmulatedPlan>> prepared =
      emulator.prepare(plan, device, scalars, {.smCap = sms});
  if (!prepared)
    return prepared.status();
  gemm.plan_ = *std::move(prepared);
  return gemm;
}

Expected<EmulatedRun> EmulatedGemm::run(const emulator::RunOptions &options) const {
  std::vector<AlignedImage> images;
  std::vector<emulator::HostMemory> memory;
  const AlignedImage result(output_);
  for (const GemmArgument &argument : gemmArguments(problem_)) {
    if (argument.kind != ArgumentKind::pointer)
      continue;
    const auto bytes = static_cast<size_t>(argument.elements) * dtypeBytes(argument.dtype);
    if (argument.name == output_.operand.role) {
      memory.push_back({result.matrix(), bytes});
      continue;
    }
    for (const OperandImage &image : inputs_)
      if (image.operand.role == argument.name)
        memory.push_back({images.emplace_back(image).matrix(), bytes});
  }
  Expected<emulator::EmulationReport> report = plan_->run(memory, options);
  if (!report)
    return report.status();
  EmulatedRun run{.report = *std::move(report), .verdict = {}, .result = {}};
  if (run.report.finished) {
    OperandImage output = output_;
    std::memcpy(output.bytes.data(), result.image(), output.bytes.size());
    run.verdict = judge(problem_, reference_, inputs_, output);
    run.result.assign(output.matrix(), output.matrix() + output.operand.bytes());
  }
  return run;
}

} // namespace tilewright
