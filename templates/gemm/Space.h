// SPDX-License-Identifier: Apache-2.0
//
// The search space of a GEMM: which configs there are, what follows from each, which can be
// built and why the others cannot, and which to try first. Free of MLIR: the tuner includes it.
// Pure functions of their arguments, deterministic on every machine; safe from any thread.

#pragma once

#include "templates/gemm/Config.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Problem.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// Shared memory of one CTA, item by item.
struct GemmSharedMemory {
  /// One slot of the ring: (bm + bn) · bk elements.
  int32_t stageBytes = 0;
  int32_t stages = 0;
  /// One sub-tile of the result: the consumer's rows · subtile columns. 0 with direct stores.
  int32_t stagingBufferBytes = 0;
  /// Sub-tiles that one consumer holds: 2, so that one is stored while the next is written, or 1
  /// where two do not fit. 0 with direct stores.
  int32_t stagingBuffers = 0;
  int32_t consumers = 0;
  /// A full and an empty mbarrier for each stage.
  int32_t barrierBytes = 0;
  /// Lets the first slot start at a multiple of 1024 bytes, as the 128-byte swizzle needs.
  int32_t alignmentBytes = 0;

  [[nodiscard]] int32_t stagingBytes() const {
    return stagingBufferBytes * stagingBuffers * consumers;
  }
  [[nodiscard]] int32_t total() const {
    return stageBytes * stages + stagingBytes() + barrierBytes + alignmentBytes;
  }
  /// The sum spelt out: "4 stages of 49152 + 2 consumers x 2 buffers of 8192 + … = 230464 bytes".
  [[nodiscard]] std::string toString() const;

  friend bool operator==(const GemmSharedMemory &, const GemmSharedMemory &) = default;
};

/// Registers that a role sets by setmaxnreg; 0 in both: the kernel leaves them alone.
struct GemmRegisters {
  int32_t producer = 0;
  int32_t consumer = 0;
  friend bool operator==(const GemmRegisters &, const GemmRegisters &) = default;
};

/// What follows from a config, a problem and a device.
struct GemmDerived {
  // The CTA.
  /// One warpgroup that loads, and the consumers.
  int32_t threads = 0;
  /// Rows of the tile that one consumer multiplies: 64 · waves.
  int32_t rowsPerConsumer = 0;
  /// wgmma instructions of 64 rows that one consumer issues for each 16 of k.
  int32_t waves = 0;
  /// fp32 accumulators of one consumer thread.
  int32_t accumulators = 0;
  GemmRegisters registers = {};
  GemmSharedMemory shared = {};

  // The epilogue.
  /// Columns that are computed and stored at once; they divide bn.
  int32_t subtile = 0;
  int32_t subtiles = 0;
  /// Vectors along the columns (a bias) that a consumer has registers to hold through its epilogue.
  int32_t heldVectors = 0;
  /// Swizzle span of a staged row, which is as many bytes long: 128, 64 or 32. 0 when direct.
  int32_t stagingSwizzle = 0;

  // The grid.
  /// Steps of bk along K, in each of the slices.
  int64_t kSteps = 0;
  /// Tiles along each axis, the last one possibly partial.
  int64_t tilesM = 0;
  int64_t tilesN = 0;
  /// Tiles in units of clusters: what the raster counts.
  int64_t clusterTilesM = 0;
  int64_t clusterTilesN = 0;
  /// CTAs of the persistent grid: a multiple of the cluster, at most the SM count. 0: no work.
  int64_t gridCtas = 0;
  /// Rounds that the longest-working CTA takes.
  int64_t rounds = 0;
  /// Useful multiplications as a share of those that the rounds have time for, 0 to 1.
  double waveEfficiency = 0;

  friend bool operator==(const GemmDerived &, const GemmDerived &) = default;
};

/// Computes what follows from `config`. Meaningful for configs that checkConfig accepts; defined
/// for every config whose bm, bn, bk and consumers are positive.
GemmDerived deriveGemm(const GemmProblem &problem, const DeviceInfo &device,
                       const GemmConfig &config);

/// Why a config cannot be built.
struct GemmRejection {
  GemmConfig config = {};
  /// Name of the rule, one of kGemmRules.
  std::string_view rule = {};
  /// Expected, found, and what to change.
  std::string text = {};
};

/// The rules, in the order in which they are checked.
///
///   range          every knob is one of the values of the space
///   consumer_rows  each consumer has 64 or 128 rows
///   registers      accumulators and working registers fit the consumer's register budget
///   shared_memory  the sum of GemmSharedMemory fits what a CTA may have
///   cluster        a cluster needs two tiles along its axis
///   store          bulk stores need rows of D that start at multiples of 16 bytes
///   split          each slice of K has work
///   schedule       pingpong alternates two consumers, whose tiles have equally many steps
inline constexpr std::array<std::string_view, 8> kGemmRules = {
    "range",   "consumer_rows", "registers", "shared_memory",
    "cluster", "store",         "split",     "schedule"};

/// The first rule that `config` breaks, if any.
std::optional<GemmRejection> checkConfig(const GemmProblem &problem, const DeviceInfo &device,
                                         const GemmConfig &config);

/// Every config of the space, sorted into those that can be built and those that cannot.
struct GemmSpace {
  /// In a fixed order.
  std::vector<GemmConfig> legal = {};
  /// No rule looks at the raster, so each rejection stands for all rasters and is listed once.
  std::vector<GemmRejection> rejected = {};
};

/// Enumerates the space for a problem, without configs that split K; fails where
/// GemmProblem::validate does.
Expected<GemmSpace> enumerateGemm(const GemmProblem &problem, const DeviceInfo &device);

/// `count` different configs drawn from `configs` without preference, in a fixed order for each
/// seed; all of them when there are fewer.
std::vector<GemmConfig> sampleConfigs(const std::vector<GemmConfig> &configs, size_t count,
                                      uint64_t seed);

/// Configs that have won somewhere, to be tried first. Not all are legal for every problem.
std::vector<GemmConfig> seedConfigs();

/// Predicted seconds of one run with `config`: the larger of compute, L2 and memory time with
/// prologue, epilogue and partial rounds. For ranking; not for reports.
double predictSeconds(const GemmProblem &problem, const DeviceInfo &device,
                      const GemmConfig &config);

/// The config to use where nothing was measured. Legal; fails where GemmProblem::validate does.
Expected<GemmConfig> heuristicConfig(const GemmProblem &problem, const DeviceInfo &device);

/// Position of a tile in the grid of tiles.
struct TilePosition {
  int64_t m = 0;
  int64_t n = 0;
  friend bool operator==(const TilePosition &, const TilePosition &) = default;
};

/// The tile that the raster visits as number `index` of tilesM · tilesN. Along m, groups of
/// `group` rows of tiles are walked column by column, from the top; the last group may be
/// smaller. Along n is the same with the axes exchanged.
TilePosition rasterTile(RasterAxis along, int32_t group, int64_t tilesM, int64_t tilesN,
                        int64_t index);

} // namespace tilewright
