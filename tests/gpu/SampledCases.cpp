// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/Cases.h"

#include <fmt/format.h>

#include <random>

namespace tilewright {

namespace {

/// Draws that are the same everywhere: the standard fixes the engine, not distributions.
class Draw {
public:
  explicit Draw(uint64_t seed) : engine_(seed) {}

  int64_t from(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
  }
  bool oneIn(int64_t count) { return from(1, count) == 1; }
  template <typename T>
  T of(const std::vector<T> &values) {
    return values[static_cast<size_t>(from(0, static_cast<int64_t>(values.size()) - 1))];
  }

private:
  std::mt19937_64 engine_;
};

Epilogue drawEpilogue(Draw &draw) {
  std::vector<EpilogueKind> kinds;
  for (const EpilogueInfo &info : kEpilogueOps)
    if (info.supported)
      kinds.push_back(info.kind);
  Epilogue epilogue;
  for (int64_t length = draw.from(0, 3); length > 0; --length) {
    const EpilogueOp op{draw.of(kinds)};
    if (!op.hasOperand() || !epilogue.has(op.kind))
      epilogue.add(op);
  }
  return epilogue;
}

GemmProblem drawProblem(Draw &draw) {
  GemmProblem problem{.m = draw.from(1900, 2300), .n = draw.from(1900, 2300)};
  problem.k = draw.from(1, 900);
  problem.a = problem.b = draw.of<DType>({DType::bf16, DType::fp16});
  problem.d = draw.of<DType>({DType::bf16, DType::bf16, DType::fp16, DType::fp32});
  problem.lda = (problem.k + 7) / 8 * 8 + 8 * draw.from(0, 2);
  problem.ldb = (problem.k + 7) / 8 * 8 + 8 * draw.from(0, 2);
  problem.ldd = draw.oneIn(3) ? 0 : (problem.n + 7) / 8 * 8;
  if (draw.oneIn(3))
    problem.epilogue = drawEpilogue(draw);
  if (draw.oneIn(6))
    problem.alpha = 0.75F;
  if (draw.oneIn(6))
    problem.beta = -1.5F;
  return problem;
}

/// A case with any config that can be built for it.
GemmCase drawCase(Draw &draw, const DeviceInfo &device, uint64_t seed) {
  for (;;) {
    GemmCase gemm{.problem = drawProblem(draw), .seed = seed};
    const Expected<GemmSpace> space = enumerateGemm(gemm.problem, device);
    if (!space || space->legal.empty())
      continue;
    gemm.config = draw.of(space->legal);
    if (draw.oneIn(6))
      gemm.config.split = static_cast<int32_t>(draw.from(2, 9));
    if (!checkConfig(gemm.problem, device, gemm.config))
      return gemm;
  }
}

/// The same kernels' problem of other sizes, with rows as far apart.
GemmCase smaller(const GemmCase &gemm, Draw &draw) {
  GemmCase other = gemm;
  GemmProblem &problem = other.problem;
  problem.ldc = problem.pitchC();
  problem.ldd = problem.pitchD();
  Epilogue ops;
  for (EpilogueOp op : problem.epilogue.ops()) {
    if (op.operand() == EpilogueOperand::matrix && op.ld == 0)
      op.ld = problem.n;
    ops.add(op);
  }
  problem.epilogue = ops;
  problem.m = draw.from(1, 600);
  problem.n = draw.from(1, 600);
  // Bulk stores write rows in pieces of 16 bytes.
  if (const int64_t unit = 16 / dtypeBytes(problem.d); gemm.config.store == GemmStore::tma)
    problem.n = (problem.n + unit - 1) / unit * unit;
  problem.k = draw.from(0, problem.k);
  return other;
}

} // namespace

std::string GemmCase::toString() const {
  std::string text = fmt::format("tilewright gemm -m {} -n {} -k {} --a {} --d {}", problem.m,
                                 problem.n, problem.k, dtypeName(problem.a), dtypeName(problem.d));
  const auto add = [&](std::string_view name, int64_t pitch) {
    if (pitch != 0)
      text += fmt::format(" --{} {}", name, pitch);
  };
  add("lda", problem.lda);
  add("ldb", problem.ldb);
  add("ldc", problem.ldc);
  add("ldd", problem.ldd);
  if (problem.usesAlpha())
    text += fmt::format(" --alpha {}", problem.alpha);
  if (problem.usesC())
    text += fmt::format(" --beta {} --c {}", problem.beta, dtypeName(problem.typeC()));
  if (!problem.epilogue.empty())
    text += " --epilogue " + problem.epilogue.toString();
  return text + fmt::format(" --config {} --seed {} --check", config.toString(), seed);
}

std::vector<GemmCase> sweepCases(int chunk, const DeviceInfo &device) {
  Draw draw(static_cast<uint64_t>(chunk) + 1000);
  std::vector<GemmCase> cases;
  for (size_t i = 0; i < kSweepChunkSize; ++i)
    cases.push_back(drawCase(draw, device, static_cast<uint64_t>(chunk) * 100 + i));
  for (size_t i = 0; i < kSweepChunkSize; ++i)
    cases.push_back(smaller(cases[i], draw));
  return cases;
}

} // namespace tilewright
