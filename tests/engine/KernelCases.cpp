// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/KernelCases.h"

#include <algorithm>
#include <random>

namespace tilewright {

namespace {

/// Draws that are the same everywhere: the engine is fixed by the standard, distributions are not.
class Draw {
public:
  explicit Draw(uint64_t seed) : engine_(seed) {}

  size_t below(size_t count) { return engine_() % count; }
  bool oneIn(size_t count) { return below(count) == 0; }
  template <typename T>
  T of(const std::vector<T> &values) {
    return values[below(values.size())];
  }

private:
  std::mt19937_64 engine_;
};

const std::vector<DType> kOutputs = {DType::bf16, DType::fp16, DType::fp32};

Epilogue drawEpilogue(Draw &draw, int64_t n) {
  std::vector<EpilogueKind> kinds;
  for (const EpilogueInfo &info : kEpilogueOps)
    if (info.supported)
      kinds.push_back(info.kind);
  Epilogue epilogue;
  for (size_t length = draw.below(6); length > 0; --length) {
    EpilogueOp op{draw.of(kinds)};
    // An operand can be bound once; functions may repeat.
    if (op.hasOperand() && epilogue.has(op.kind))
      continue;
    if (op.hasOperand() && draw.oneIn(3))
      op.dtype = draw.of(kOutputs);
    if (op.operand() == EpilogueOperand::matrix && draw.oneIn(3))
      op.ld = n + static_cast<int64_t>(draw.below(9));
    epilogue.add(op);
  }
  return epilogue;
}

GemmProblem drawProblem(Draw &draw) {
  GemmProblem problem;
  problem.m = draw.of<int64_t>({8192, 4104, 1000, 301});
  problem.n = draw.of<int64_t>({28672, 8192, 4104, 1001, 302});
  problem.k = draw.of<int64_t>({4096, 65536, 5000});
  problem.a = problem.b = draw.of<DType>({DType::bf16, DType::fp16});
  problem.d = draw.of(kOutputs);
  if (draw.oneIn(4))
    problem.alpha = 0.5F;
  if (draw.oneIn(4)) {
    problem.beta = draw.oneIn(2) ? 1.0F : 2.0F;
    if (draw.oneIn(2))
      problem.c = draw.of(kOutputs);
  }
  // Tight, padded for bulk stores, or padded in vain.
  problem.ldd = draw.of<int64_t>({0, (problem.n + 15) / 8 * 8, problem.n + 1});
  problem.epilogue = drawEpilogue(draw, problem.n);
  return problem;
}

GemmConfig config(int32_t bm, int32_t bn, int32_t bk, int32_t stages, int32_t consumers,
                  GemmCluster cluster, int32_t group) {
  return {.bm = bm,
          .bn = bn,
          .bk = bk,
          .consumers = consumers,
          .stages = stages,
          .cluster = cluster,
          .group = group};
}

} // namespace

const DeviceInfo &testDevice() {
  static const DeviceInfo kDevice = *DeviceInfo::forTarget("h200");
  return kDevice;
}

std::string KernelCase::toString() const {
  auto size = [](int64_t value) { return std::to_string(value); };
  std::string text = "--m " + size(problem.m) + " --n " + size(problem.n) + " --k " +
                     size(problem.k) + " --a " + std::string(dtypeName(problem.a)) + " --d " +
                     std::string(dtypeName(problem.d));
  if (problem.ldd != 0)
    text += " --ldd " + size(problem.ldd);
  if (problem.usesAlpha())
    text += " --alpha " + std::to_string(problem.alpha);
  if (problem.usesC())
    text += " --beta " + std::to_string(problem.beta) + " --c " +
            std::string(dtypeName(problem.typeC()));
  if (!problem.epilogue.empty())
    text += " --epilogue " + problem.epilogue.toString();
  return text + " --config " + config.toString();
}

std::vector<KernelCase> sampledCases(size_t count, uint64_t seed) {
  Draw draw(seed);
  std::vector<KernelCase> cases;
  while (cases.size() < count) {
    KernelCase sample;
    sample.problem = drawProblem(draw);
    Expected<GemmSpace> space = enumerateGemm(sample.problem, testDevice());
    if (!space)
      continue;
    sample.config = draw.of(space->legal);
    if (draw.oneIn(8))
      sample.config.split = static_cast<int32_t>(2 + draw.below(15));
    if (!checkConfig(sample.problem, testDevice(), sample.config))
      cases.push_back(std::move(sample));
  }
  return cases;
}

std::vector<KernelCase> knownWinners() {
  using enum GemmCluster;
  std::vector<GemmConfig> configs = seedConfigs();
  // Winners and runners-up of the tables that are no seeds, as far as cooperative consumers go.
  std::vector<GemmConfig> measured = {
      config(128, 256, 64, 4, 2, c2x1, 4),  config(256, 128, 64, 4, 2, c1x1, 8),
      config(256, 192, 64, 3, 2, c1x2, 8),  config(192, 176, 64, 4, 3, c2x1, 8),
      config(128, 192, 64, 5, 2, c2x1, 8),  config(256, 96, 64, 4, 2, c1x2, 8),
      config(128, 160, 64, 5, 2, c2x1, 1),  config(128, 128, 64, 6, 2, c2x1, 8),
      config(128, 128, 128, 3, 2, c2x1, 8), config(128, 64, 128, 4, 2, c1x1, 8),
      config(64, 128, 128, 4, 1, c1x1, 8),  config(64, 224, 64, 5, 1, c1x2, 8),
      config(256, 208, 64, 3, 2, c2x1, 8),  config(64, 64, 64, 8, 1, c1x1, 1),
  };
  GemmConfig split = config(128, 128, 64, 6, 2, c2x1, 8);
  split.split = 8;
  measured.push_back(split);
  split = config(256, 128, 64, 4, 2, c2x1, 8);
  split.split = 16;
  measured.push_back(split);
  for (const GemmConfig &one : measured)
    if (std::find(configs.begin(), configs.end(), one) == configs.end())
      configs.push_back(one);

  std::vector<KernelCase> cases;
  const GemmProblem problem{.m = 8192, .n = 8192, .k = 8192};
  for (const GemmConfig &one : configs)
    if (!checkConfig(problem, testDevice(), one))
      cases.push_back({problem, one});
  return cases;
}

} // namespace tilewright
