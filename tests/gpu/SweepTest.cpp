// SPDX-License-Identifier: Apache-2.0
// Configs from all over the space, each on a problem of several rounds and, with the same kernels,
// on a small one.
#include "tests/gpu/GemmCase.h"

#include <random>

using namespace tilewright;

namespace {

constexpr int kChunks = 17;
constexpr size_t kPerChunk = 20;

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
GemmCase drawCase(Draw &draw, uint64_t seed) {
  for (;;) {
    GemmCase gemm{.problem = drawProblem(draw), .seed = seed};
    const Expected<GemmSpace> space = enumerateGemm(gemm.problem, gpu()->facts.info);
    if (!space || space->legal.empty())
      continue;
    gemm.config = draw.of(space->legal);
    if (draw.oneIn(6))
      gemm.config.split = static_cast<int32_t>(draw.from(2, 9));
    if (!checkConfig(gemm.problem, gpu()->facts.info, gemm.config))
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

class Sweep : public GpuTest, public testing::WithParamInterface<int> {};

TEST_P(Sweep, TwentyConfigs) {
  Draw draw(static_cast<uint64_t>(GetParam()) + 1000);
  std::vector<GemmCase> cases;
  for (size_t i = 0; i < kPerChunk; ++i)
    cases.push_back(drawCase(draw, static_cast<uint64_t>(GetParam()) * 100 + i));
  // A smaller problem has the same key, so it is run with the same kernels.
  for (size_t i = 0; i < kPerChunk; ++i)
    cases.push_back(smaller(cases[i], draw));
  expectRight(cases);
}

INSTANTIATE_TEST_SUITE_P(Chunk, Sweep, testing::Range(0, kChunks));

class Winners : public GpuTest {};

TEST_F(Winners, SeedConfigs) {
  std::vector<GemmCase> cases;
  const GemmProblem problem{.m = 2100, .n = 2304, .k = 1000};
  for (const GemmConfig &config : seedConfigs())
    if (!checkConfig(problem, gpu()->facts.info, config))
      cases.push_back({problem, config, 5});
  EXPECT_GE(cases.size(), 5U);
  expectRight(cases);
}

} // namespace
