// SPDX-License-Identifier: Apache-2.0
#include "templates/gemm/Space.h"

#include <algorithm>
#include <random>

namespace tilewright {
namespace {

constexpr int32_t kWarpgroup = 128;
// Rows of one wgmma.
constexpr int32_t kWgmmaRows = 64;
// Registers that a consumer needs beside its accumulators: descriptors, addresses, cursors and
// the epilogue's values.
constexpr int32_t kWorkingRegisters = 40;
// What a wgmma needs at least beside its accumulators: descriptors, addresses, the loop.
constexpr int32_t kWgmmaWorkingRegisters = 32;
constexpr int32_t kBarrierBytes = 8;
constexpr int32_t kSharedAlignment = 1024;

constexpr std::array<int32_t, 4> kBm = {64, 128, 192, 256};
constexpr std::array<int32_t, 2> kBk = {64, 128};
constexpr int32_t kMinBn = 64;
constexpr int32_t kMaxBn = 256;
constexpr int32_t kBnStep = 16;
constexpr int32_t kMaxConsumers = 3;
constexpr int32_t kPingpongConsumers = 2;
constexpr int32_t kMinStages = 3;
constexpr int32_t kMaxStages = 8;
constexpr std::array<int32_t, 5> kGroups = {1, 2, 4, 8, 16};
constexpr int32_t kMaxSplit = 16;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

template <typename Values>
bool contains(const Values &values, int32_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// The widest sub-tile whose rows fill a swizzle span (128, 64 or 32 bytes), which divides bn and
// has at most `widest` columns, if there is one; else the narrowest.
int32_t subtileColumns(int32_t bn, int32_t elementBytes, int32_t widest) {
  int32_t narrowest = 0;
  for (int32_t span : {128, 64, 32}) {
    int32_t columns = span / elementBytes;
    if (bn % columns != 0)
      continue;
    if (columns <= widest)
      return columns;
    narrowest = columns;
  }
  return narrowest;
}

// Register budgets: setmaxnreg values are multiples of 8 whose sum over the warpgroups stays
// within what the launch got (65536 / threads, rounded down to a multiple of 8, for each thread).
GemmRegisters registersFor(int32_t consumers) {
  // NOTE: with one consumer the launch bound alone gives each thread up to 255 registers, and
  // there is nothing to move. With two, 24 and 240 would fit as well, but the role that loads
  // spills with 24; beside 192 accumulators, 40 and 232 spill nothing.
  if (consumers == 1)
    return {0, 0};
  if (consumers == 2)
    return {40, 232};
  return {32, 160};
}

// NOTE: a lone consumer is held to 240 as well; of its 255 registers the compiler keeps some.
int32_t consumerBudget(const GemmRegisters &registers) {
  return registers.consumer != 0 ? registers.consumer : 240;
}

// The schedules that there are for a number of consumers.
std::vector<GemmSchedule> schedulesOf(int32_t consumers) {
  if (consumers == kPingpongConsumers)
    return {GemmSchedule::cooperative, GemmSchedule::pingpong};
  return {GemmSchedule::cooperative};
}

std::string number(int64_t value) { return std::to_string(value); }

std::string brokenRange(const GemmConfig &config) {
  if (!contains(kBm, config.bm))
    return "bm is " + number(config.bm) + "; use 64, 128, 192 or 256";
  if (config.bn < kMinBn || config.bn > kMaxBn || config.bn % kBnStep != 0)
    return "bn is " + number(config.bn) + "; use a multiple of 16 from 64 to 256";
  if (!contains(kBk, config.bk))
    return "bk is " + number(config.bk) + "; use 64 or 128";
  if (config.consumers < 1 || config.consumers > kMaxConsumers)
    return "consumers is " + number(config.consumers) + "; use 1, 2 or 3";
  if (config.stages < kMinStages || config.stages > kMaxStages)
    return "stages is " + number(config.stages) + "; use 3 to 8";
  if (!contains(kGroups, config.group))
    return "group is " + number(config.group) + "; use 1, 2, 4, 8 or 16";
  if (config.split < 1 || config.split > kMaxSplit)
    return "split is " + number(config.split) + "; use 1 to 16";
  return "";
}

std::string brokenConsumerRows(const GemmConfig &config) {
  int32_t rows = config.rowsPerConsumer();
  if (config.schedule == GemmSchedule::pingpong)
    return rows <= 2 * kWgmmaRows ? ""
                                  : "bm = " + number(config.bm) +
                                        " for each of the consumers of schedule pingpong; each "
                                        "takes 64 or 128 rows, so use bm = 64 or 128";
  bool isEven = config.bm % (config.consumers * kWgmmaRows) == 0;
  if (isEven && rows <= 2 * kWgmmaRows)
    return "";
  return "bm = " + number(config.bm) + " over " + number(config.consumers) +
         " consumers; each takes 64 or 128 rows, so use bm = " +
         number(kWgmmaRows * config.consumers) + " or " + number(2 * kWgmmaRows * config.consumers);
}

std::string brokenRegisters(const GemmConfig &config, const GemmDerived &derived) {
  // NOTE: setmaxnreg comes too late for ptxas: one wgmma and what it needs must fit the registers
  // of the launch, or it gives up (C7602).
  int32_t launched = std::min(255, 65536 / derived.threads / 8 * 8);
  if (config.bn / 2 + kWgmmaWorkingRegisters > launched)
    return "one wgmma of bn = " + number(config.bn) + " holds " + number(config.bn / 2) +
           " registers and about " + number(kWgmmaWorkingRegisters) + " beside them; a thread of " +
           number(derived.threads) + " is launched with " + number(launched) +
           ": use a smaller bn, or fewer consumers";
  int32_t budget = consumerBudget(derived.registers);
  int32_t needed = derived.accumulators + kWorkingRegisters;
  if (needed <= budget)
    return "";
  return number(derived.accumulators) + " accumulators and about " + number(kWorkingRegisters) +
         " working registers are " + number(needed) + " of " + number(budget) +
         " for a consumer thread; use a smaller bn, or more consumers";
}

std::string brokenSharedMemory(const GemmDerived &derived, const DeviceInfo &device) {
  if (derived.shared.total() <= device.sharedBytesPerBlock)
    return "";
  return derived.shared.toString() + ", a CTA may have " + number(device.sharedBytesPerBlock) +
         "; use fewer stages or a smaller tile";
}

std::string brokenCluster(const GemmConfig &config, const GemmDerived &derived) {
  bool alongM = config.cluster == GemmCluster::c2x1;
  int64_t tiles = alongM ? derived.tilesM : derived.tilesN;
  if (config.clusterSize() == 1 || tiles >= 2)
    return "";
  return "cluster " + std::string(fieldNames(config.cluster)[static_cast<size_t>(config.cluster)]) +
         " pairs tiles along " + (alongM ? "m" : "n") + ", where there are " + number(tiles) +
         "; use 1x1";
}

std::string brokenStore(const GemmProblem &problem, const GemmConfig &config) {
  // NOTE: slices of K are stored to workspace, whose rows are aligned.
  if (config.store == GemmStore::direct || config.split > 1)
    return "";
  int32_t unit = 16 / dtypeBytes(problem.d);
  if (problem.pitchD() % unit != 0)
    return "store tma needs ldd to be a multiple of " + number(unit) +
           " elements (16 bytes), it is " + number(problem.pitchD()) + "; use store direct";
  // NOTE: the last piece of a row is written whole: with n = 466 of 16 bits, six elements beyond
  // it.
  if (problem.n % unit != 0)
    return "store tma writes whole pieces of 16 bytes, and n = " + number(problem.n) +
           " ends inside one; use store direct";
  return "";
}

std::string brokenSplit(const GemmProblem &problem, const GemmConfig &config) {
  int64_t steps = ceilDiv(problem.k, config.bk);
  if (config.split <= std::max<int64_t>(steps, 1))
    return "";
  return "split " + number(config.split) + " makes more slices than the " + number(steps) +
         " steps of bk = " + number(config.bk) + " in k = " + number(problem.k) +
         "; use at most as many";
}

std::string brokenSchedule(const GemmConfig &config) {
  if (config.schedule == GemmSchedule::cooperative)
    return "";
  if (config.consumers != kPingpongConsumers)
    return "schedule pingpong alternates 2 consumers, found " + number(config.consumers) +
           "; use consumers = 2";
  // NOTE: which steps of K a slice has depends on the tile then; the consumers skip each other's.
  if (config.split != 1)
    return "schedule pingpong needs the same number of steps for each tile, split " +
           number(config.split) + " makes the last slice shorter; use split = 1";
  return "";
}

} // namespace

std::string GemmSharedMemory::toString() const {
  std::string text = number(stages) + " stages of " + number(stageBytes);
  if (stagingBytes() != 0)
    text += " + " + number(consumers) + " consumers x " + number(stagingBuffers) + " buffers of " +
            number(stagingBufferBytes);
  return text + " + " + number(barrierBytes) + " for barriers + " + number(alignmentBytes) +
         " for alignment = " + number(total()) + " bytes";
}

GemmDerived deriveGemm(const GemmProblem &problem, const DeviceInfo &device,
                       const GemmConfig &config) {
  GemmDerived derived;
  derived.threads = kWarpgroup * (1 + config.consumers);
  derived.rowsPerConsumer = config.rowsPerConsumer();
  derived.waves = derived.rowsPerConsumer / kWgmmaRows;
  derived.accumulators = derived.rowsPerConsumer * config.bn / kWarpgroup;
  derived.registers = registersFor(config.consumers);

  GemmSharedMemory &shared = derived.shared;
  shared.stageBytes = (config.bm + config.bn) * config.bk * dtypeBytes(problem.a);
  shared.stages = config.stages;
  shared.consumers = config.consumers;
  shared.barrierBytes = 2 * kBarrierBytes * config.stages;
  shared.alignmentBytes = kSharedAlignment;
  // NOTE: direct stores are cut too: the epilogue of a whole tile would need its registers twice.
  int32_t storedBytes = dtypeBytes(config.split == 1 ? problem.d : DType::fp32);
  // The values of an epilogue need registers beside all accumulators; a plain result needs none.
  bool computes = !problem.epilogue.ops().empty() || problem.usesC() || problem.usesAlpha();
  int32_t free = consumerBudget(derived.registers) - derived.accumulators - kWgmmaWorkingRegisters;
  int32_t waves = derived.rowsPerConsumer / kWgmmaRows;
  int32_t widest = computes ? std::max(free, 0) * 2 / std::max(waves, 1) : config.bn;
  derived.subtile = subtileColumns(config.bn, storedBytes, widest);
  derived.subtiles = derived.subtile != 0 ? config.bn / derived.subtile : 0;
  // A thread holds two columns of each eight. An epilogue that is not cut reads them as it goes;
  // what else it reads needs the registers.
  int32_t spare = consumerBudget(derived.registers) - derived.accumulators - kWorkingRegisters;
  bool readsMatrices =
      problem.usesC() || std::ranges::any_of(problem.epilogue.ops(), [](const EpilogueOp &op) {
        return epilogueInfo(op.kind).operand == EpilogueOperand::matrix;
      });
  bool holds = derived.subtiles > 1 && !readsMatrices && spare >= config.bn / 4;
  derived.heldVectors = holds ? 1 : 0;
  if (config.store == GemmStore::tma) {
    derived.stagingSwizzle = derived.subtile * storedBytes;
    shared.stagingBufferBytes = derived.rowsPerConsumer * derived.stagingSwizzle;
    shared.stagingBuffers = 2;
    if (shared.total() > device.sharedBytesPerBlock)
      shared.stagingBuffers = 1;
  }

  derived.kSteps = ceilDiv(ceilDiv(problem.k, config.bk), config.split);
  derived.tilesM = ceilDiv(problem.m, config.bm);
  derived.tilesN = ceilDiv(problem.n, config.bn);
  derived.clusterTilesM = ceilDiv(derived.tilesM, config.clusterM());
  derived.clusterTilesN = ceilDiv(derived.tilesN, config.clusterN());
  int64_t clusterTiles = derived.clusterTilesM * derived.clusterTilesN * config.split;
  int64_t resident = std::max<int64_t>(device.smCount / config.clusterSize(), 1);
  int64_t clusters = std::min(clusterTiles, resident);
  derived.gridCtas = clusters * config.clusterSize();
  derived.rounds = clusters != 0 ? ceilDiv(clusterTiles, clusters) : 0;
  if (derived.rounds != 0) {
    double useful = static_cast<double>(problem.m) * static_cast<double>(problem.n);
    double slots = static_cast<double>(derived.rounds) * device.smCount / config.split;
    derived.waveEfficiency = useful / (slots * config.bm * config.bn);
  }
  return derived;
}

std::optional<GemmRejection> checkConfig(const GemmProblem &problem, const DeviceInfo &device,
                                         const GemmConfig &config) {
  auto reject = [&](size_t rule, std::string text) {
    return GemmRejection{config, kGemmRules[rule], std::move(text)};
  };
  if (std::string text = brokenRange(config); !text.empty())
    return reject(0, std::move(text));
  if (std::string text = brokenConsumerRows(config); !text.empty())
    return reject(1, std::move(text));
  GemmDerived derived = deriveGemm(problem, device, config);
  if (std::string text = brokenRegisters(config, derived); !text.empty())
    return reject(2, std::move(text));
  if (std::string text = brokenSharedMemory(derived, device); !text.empty())
    return reject(3, std::move(text));
  if (std::string text = brokenCluster(config, derived); !text.empty())
    return reject(4, std::move(text));
  if (std::string text = brokenStore(problem, config); !text.empty())
    return reject(5, std::move(text));
  if (std::string text = brokenSplit(problem, config); !text.empty())
    return reject(6, std::move(text));
  if (std::string text = brokenSchedule(config); !text.empty())
    return reject(7, std::move(text));
  return std::nullopt;
}

Expected<GemmSpace> enumerateGemm(const GemmProblem &problem, const DeviceInfo &device) {
  if (Status status = problem.validate(); !status.isOk())
    return status;
  GemmSpace space;
  auto visit = [&](GemmConfig config) {
    if (std::optional<GemmRejection> rejection = checkConfig(problem, device, config)) {
      space.rejected.push_back(*std::move(rejection));
      return;
    }
    for (int32_t group : kGroups)
      for (RasterAxis along : {RasterAxis::m, RasterAxis::n}) {
        config.group = group;
        config.along = along;
        space.legal.push_back(config);
      }
  };
  for (int32_t bm : kBm)
    for (int32_t bn = kMinBn; bn <= kMaxBn; bn += kBnStep)
      for (int32_t bk : kBk)
        for (int32_t consumers = 1; consumers <= kMaxConsumers; ++consumers)
          for (int32_t stages = kMinStages; stages <= kMaxStages; ++stages)
            for (GemmCluster cluster : {GemmCluster::c1x1, GemmCluster::c2x1, GemmCluster::c1x2})
              for (GemmStore store : {GemmStore::tma, GemmStore::direct})
                for (GemmSchedule schedule : schedulesOf(consumers))
                  visit({.bm = bm,
                         .bn = bn,
                         .bk = bk,
                         .consumers = consumers,
                         .stages = stages,
                         .cluster = cluster,
                         .store = store,
                         .schedule = schedule});
  return space;
}

std::vector<GemmConfig> sampleConfigs(const std::vector<GemmConfig> &configs, size_t count,
                                      uint64_t seed) {
  std::vector<GemmConfig> sample = configs;
  count = std::min(count, sample.size());
  // NOTE: the engine's numbers are fixed by the standard; those of std::shuffle and of the
  // distributions are not, and a seed must mean the same everywhere.
  std::mt19937_64 random(seed);
  for (size_t i = 0; i < count; ++i)
    std::swap(sample[i], sample[i + random() % (sample.size() - i)]);
  sample.resize(count);
  return sample;
}

TilePosition rasterTile(RasterAxis along, int32_t group, int64_t tilesM, int64_t tilesN,
                        int64_t index) {
  int64_t outer = along == RasterAxis::m ? tilesM : tilesN;
  int64_t inner = along == RasterAxis::m ? tilesN : tilesM;
  int64_t perGroup = group * inner;
  int64_t first = index / perGroup * group;
  int64_t size = std::min<int64_t>(group, outer - first);
  int64_t inGroup = index % perGroup;
  int64_t outerIndex = first + inGroup % size;
  int64_t innerIndex = inGroup / size;
  return along == RasterAxis::m ? TilePosition{outerIndex, innerIndex}
                                : TilePosition{innerIndex, outerIndex};
}

} // namespace tilewright
