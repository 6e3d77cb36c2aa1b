// SPDX-License-Identifier: Apache-2.0
//
// Which configs to try first: winners of earlier measurements, and an analytic model.
#include "templates/gemm/Space.h"

#include <algorithm>
#include <array>

namespace tilewright {
namespace {

// What the model assumes of a Hopper SM, in clocks; measured on an H200 unless derived.
//
// m64nNk16 runs N/2 clocks at full rate, and reads (64 + N) * 32 bytes of shared memory at 128
// bytes per clock: below N = 64 the reads decide.
constexpr double kSharedBytesPerClock = 128;
constexpr double kTensorFlopsPerClock = 4096;
// L2 to one SM while every SM loads.
constexpr double kL2BytesPerClock = 50;
// From the request of a tile to its arrival: what the ring has to hide.
constexpr double kLoadLatency = 1500;
// Set-up, first tiles and drain.
constexpr double kPrologue = 4000;
constexpr double kClusterPrologue = 460;
// Epilogue of a tile, for each element: 2,500 clocks for a tile of 128x256.
constexpr double kStagedEpiloguePerElement = 2500.0 / (128 * 256);
constexpr double kDirectEpiloguePerElement = 2 * kStagedEpiloguePerElement;
// GELU and SiLU take two turns of the special function unit, which starts 16 in a clock, and their
// arithmetic beside; some of it hides behind stores: 2,800 clocks more for a tile of 128x256.
constexpr double kActivationPerElement = 2800.0 / (128 * 256);
// Two narrow tiles that alternate read more of shared memory and L2 than one wide tile: level at
// K = 4096, where the epilogue that they hide is 4 % of a tile.
constexpr double kPingpongStep = 1.05;
// Under load the clock falls below the nominal one.
constexpr double kSustainedClock = 0.85;
// Predictions within this factor are taken as equal, and the order of preference decides.
constexpr double kIndifference = 1.03;

GemmConfig shape(int32_t bm, int32_t bn, int32_t bk, int32_t stages, int32_t consumers,
                 GemmCluster cluster) {
  return {
      .bm = bm, .bn = bn, .bk = bk, .consumers = consumers, .stages = stages, .cluster = cluster};
}

GemmConfig pingpong(int32_t bn, int32_t stages, GemmCluster cluster) {
  GemmConfig config = shape(128, bn, 64, stages, 2, cluster);
  config.schedule = GemmSchedule::pingpong;
  return config;
}

GemmConfig withRaster(GemmConfig config, int32_t group, RasterAxis along = RasterAxis::m) {
  config.group = group;
  config.along = along;
  return config;
}

// The deepest ring that fits; 0 when even the shallowest does not.
int32_t deepestStages(const GemmProblem &problem, const DeviceInfo &device, GemmConfig config) {
  for (config.stages = 8; config.stages >= 3; --config.stages)
    if (deriveGemm(problem, device, config).shared.total() <= device.sharedBytesPerBlock)
      return config.stages;
  return 0;
}

} // namespace

std::vector<GemmConfig> seedConfigs() {
  using enum GemmCluster;
  std::vector<GemmConfig> seeds = {
      // Large problems: few bytes of L2 for each multiplication.
      shape(128, 256, 64, 4, 2, c2x1),
      shape(128, 256, 64, 4, 2, c1x2),
      shape(256, 128, 64, 4, 2, c2x1),
      shape(128, 256, 64, 4, 2, c1x1),
      shape(256, 128, 64, 4, 2, c1x1),
      withRaster(shape(128, 256, 64, 4, 2, c1x2), 16),
      withRaster(shape(128, 256, 64, 4, 2, c2x1), 4, RasterAxis::n),
      withRaster(shape(128, 256, 64, 4, 2, c2x1), 8, RasterAxis::n),
      shape(256, 192, 64, 3, 2, c2x1),
      shape(256, 192, 64, 3, 2, c1x2),
      withRaster(shape(256, 192, 64, 3, 2, c2x1), 4),
      shape(256, 160, 64, 3, 2, c2x1),
      // Shapes whose tiles fill the waves.
      shape(192, 192, 64, 4, 3, c2x1),
      shape(192, 176, 64, 4, 3, c2x1),
      shape(192, 176, 64, 4, 3, c1x2),
      withRaster(shape(192, 176, 64, 4, 3, c2x1), 16),
      withRaster(shape(192, 176, 64, 4, 3, c1x2), 16),
      shape(192, 128, 64, 4, 3, c2x1),
      shape(192, 96, 64, 5, 3, c2x1),
      shape(128, 192, 64, 5, 2, c2x1),
      shape(128, 208, 64, 5, 2, c2x1),
      shape(128, 176, 64, 5, 2, c1x1),
      withRaster(shape(128, 176, 64, 5, 2, c2x1), 16),
      shape(128, 160, 64, 5, 2, c2x1),
      withRaster(shape(128, 160, 64, 5, 2, c2x1), 1),
      withRaster(shape(128, 160, 64, 5, 2, c1x2), 1),
      shape(128, 144, 64, 6, 2, c2x1),
      withRaster(shape(128, 144, 64, 6, 2, c1x2), 1),
      shape(128, 144, 64, 6, 2, c1x1),
      shape(256, 96, 64, 4, 2, c1x2),
      // Few rows, or little of everything.
      shape(128, 128, 64, 6, 2, c2x1),
      shape(128, 128, 64, 6, 2, c1x1),
      shape(128, 128, 128, 3, 2, c2x1),
      shape(128, 64, 128, 4, 2, c1x1),
      shape(128, 64, 64, 8, 2, c1x1),
      shape(64, 224, 64, 5, 1, c1x1),
      shape(64, 224, 64, 5, 1, c1x2),
      shape(64, 256, 64, 5, 1, c1x1),
      shape(64, 128, 128, 4, 1, c1x1),
      shape(64, 128, 64, 8, 1, c1x1),
      shape(64, 64, 64, 8, 1, c1x1),
      // One consumer stores while the other multiplies: epilogues cost little.
      // They are level on most shapes; the narrowest takes the least time to compile.
      pingpong(128, 6, c2x1),
      pingpong(160, 5, c2x1),
      pingpong(192, 4, c2x1),
  };
  return seeds;
}

double predictSeconds(const GemmProblem &problem, const DeviceInfo &device,
                      const GemmConfig &config) {
  GemmDerived derived = deriveGemm(problem, device, config);
  if (derived.gridCtas == 0)
    return 0;
  double bm = config.bm;
  double bn = config.bn;
  double bk = config.bk;
  double elementBytes = dtypeBytes(problem.a);

  // One step of bk: the slowest of the tensor core, its reads, the loads and their latency.
  double wgmmas = bm / 64 * bk / 16;
  double tensor = 2 * bm * bn * bk / kTensorFlopsPerClock;
  double reads = wgmmas * (64 + bn) * 16 * elementBytes / kSharedBytesPerClock;
  double loads = (bm / config.clusterN() + bn / config.clusterM()) * bk * elementBytes;
  double step = std::max({tensor, reads, loads / kL2BytesPerClock, kLoadLatency / config.stages});

  double perElement =
      config.store == GemmStore::tma ? kStagedEpiloguePerElement : kDirectEpiloguePerElement;
  for (const EpilogueOp &op : problem.epilogue.ops())
    if (op.kind == EpilogueKind::gelu || op.kind == EpilogueKind::geluErf ||
        op.kind == EpilogueKind::silu)
      perElement += kActivationPerElement;
  double mainLoop = static_cast<double>(derived.kSteps) * step;
  double epilogue = bm * bn * perElement;
  double rounds = static_cast<double>(derived.rounds);
  double tiles = rounds * (mainLoop + epilogue);
  // While one warpgroup stores its tile, the other multiplies; the last tile is stored alone.
  if (config.schedule == GemmSchedule::pingpong)
    tiles = rounds * std::max(kPingpongStep * mainLoop, (mainLoop + epilogue) / 2) + epilogue;
  double prologue = kPrologue + (config.clusterSize() > 1 ? kClusterPrologue : 0);
  if (config.split > 1)
    prologue += kPrologue; // of the second kernel
  double clocks = prologue + tiles;
  double compute = clocks / (device.clockHz * kSustainedClock);

  // Device memory: every operand once, slices of K twice. A ring that holds too little in flight
  // cannot draw the full bandwidth, which Little's law gives from the latency.
  double resultBytes = dtypeBytes(problem.d) + (config.split > 1 ? 8.0 * config.split : 0);
  double bytes =
      elementBytes * static_cast<double>(problem.m + problem.n) * static_cast<double>(problem.k) +
      resultBytes * static_cast<double>(problem.m) * static_cast<double>(problem.n);
  double inFlight = static_cast<double>(derived.gridCtas) * derived.shared.stageBytes *
                    std::min<double>(config.stages, static_cast<double>(derived.kSteps));
  double bandwidth = std::min(device.memoryBandwidth, inFlight / (kLoadLatency / device.clockHz));
  double memory = problem.k == 0 ? 0 : bytes / bandwidth;
  return std::max(compute, memory + prologue / device.clockHz);
}

Expected<GemmConfig> heuristicConfig(const GemmProblem &problem, const DeviceInfo &device) {
  if (Status status = problem.validate(); !status.isOk())
    return status;

  // In order of preference: the seeds, then each other tile with the deepest ring that fits.
  std::vector<GemmConfig> candidates = seedConfigs();
  for (auto [bm, consumers] : {std::array{128, 2}, {256, 2}, {192, 3}, {64, 1}})
    for (int32_t bn = 256; bn >= 64; bn -= 16) {
      GemmConfig config = shape(bm, bn, 64, 0, consumers, GemmCluster::c1x1);
      config.stages = deepestStages(problem, device, config);
      candidates.push_back(config);
    }

  struct Scored {
    GemmConfig config;
    double seconds;
  };
  std::vector<Scored> scored;
  for (GemmConfig config : candidates) {
    // Half of such a tile would lie outside of D. The model does not always see it: where memory
    // decides, wasted multiplications look free, but they cost power.
    if ((config.bm > 64 && config.bm / 2 >= problem.m) ||
        (config.bn > 64 && config.bn / 2 >= problem.n))
      continue;
    // Rows of D that bulk stores cannot address are stored from registers.
    if (checkConfig(problem, device, config))
      config.store = GemmStore::direct;
    if (!checkConfig(problem, device, config))
      scored.push_back({config, predictSeconds(problem, device, config)});
  }
  if (scored.empty())
    return Status::internal("no config of the preference list is legal for this problem");
  double best = scored.front().seconds;
  for (const Scored &candidate : scored)
    best = std::min(best, candidate.seconds);
  for (const Scored &candidate : scored)
    if (candidate.seconds <= best * kIndifference)
      return candidate.config;
  return scored.front().config;
}

} // namespace tilewright
