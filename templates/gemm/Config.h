// SPDX-License-Identifier: Apache-2.0
//
// GemmConfig: the schedule choices of a GEMM that are searched. Whatever follows from them is in
// GemmDerived (templates/gemm/Space.h). A plain value, free of MLIR.

#pragma once

#include "support/Fields.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright {

/// CTAs of a cluster along M and N. CTAs that share rows or columns load them once, by multicast.
enum class GemmCluster : uint8_t {
  c1x1, ///< no cluster
  c2x1, ///< two along M: they share the tile of B
  c1x2, ///< two along N: they share the tile of A
};
constexpr std::array<std::string_view, 3> fieldNames(GemmCluster) { return {"1x1", "2x1", "1x2"}; }

/// The axis along which tiles are grouped; see rasterTile.
enum class RasterAxis : uint8_t { m, n };
constexpr std::array<std::string_view, 2> fieldNames(RasterAxis) { return {"m", "n"}; }

/// How the result reaches memory.
enum class GemmStore : uint8_t {
  tma,    ///< through shared memory in sub-tiles, by bulk copies that overlap what follows
  direct, ///< from registers; needs no shared memory and no alignment of rows
};
constexpr std::array<std::string_view, 2> fieldNames(GemmStore) { return {"tma", "direct"}; }

/// How the consumers divide the work of a CTA.
enum class GemmSchedule : uint8_t {
  cooperative, ///< they share each tile by rows
  pingpong,    ///< they take whole tiles in turn: one multiplies while the other stores
};
constexpr std::array<std::string_view, 2> fieldNames(GemmSchedule) {
  return {"cooperative", "pingpong"};
}

/// The searched knobs. Text form: "bm=128,bn=256,bk=64,consumers=2,stages=4,cluster=2x1,…".
struct GemmConfig {
  /// Rows, columns and depth of the tile of one CTA, elements.
  int32_t bm = 128;
  int32_t bn = 256;
  int32_t bk = 64;
  /// Warpgroups that multiply: each an equal share of the rows, or with pingpong whole tiles.
  int32_t consumers = 2;
  /// Slots of the ring of A and B tiles.
  int32_t stages = 4;
  GemmCluster cluster = GemmCluster::c2x1;
  /// Tiles of a group in the raster; 1: plain row order (along m) or column order (along n).
  int32_t group = 8;
  RasterAxis along = RasterAxis::m;
  GemmStore store = GemmStore::tma;
  /// Slices of K that are summed apart, in fp32, and added by a second kernel; 1: one kernel.
  int32_t split = 1;
  GemmSchedule schedule = GemmSchedule::cooperative;

  /// The one list of the fields.
  template <typename Visitor>
  static void forEachField(Visitor &&visit) {
    visit("bm", &GemmConfig::bm);
    visit("bn", &GemmConfig::bn);
    visit("bk", &GemmConfig::bk);
    visit("consumers", &GemmConfig::consumers);
    visit("stages", &GemmConfig::stages);
    visit("cluster", &GemmConfig::cluster);
    visit("group", &GemmConfig::group);
    visit("along", &GemmConfig::along);
    visit("store", &GemmConfig::store);
    visit("split", &GemmConfig::split);
    // NOTE: last, as it came later: texts without it are read as what they meant.
    visit("schedule", &GemmConfig::schedule);
  }

  /// CTAs of a cluster along M, along N, and in all.
  [[nodiscard]] int32_t clusterM() const { return cluster == GemmCluster::c2x1 ? 2 : 1; }
  [[nodiscard]] int32_t clusterN() const { return cluster == GemmCluster::c1x2 ? 2 : 1; }
  [[nodiscard]] int32_t clusterSize() const { return clusterM() * clusterN(); }
  /// Rows of the tile that one consumer multiplies.
  [[nodiscard]] int32_t rowsPerConsumer() const {
    return schedule == GemmSchedule::pingpong ? bm : bm / consumers;
  }

  [[nodiscard]] std::string toString() const { return printFields(*this); }
  /// Reads toString() back. Fields that `text` does not name are those of `base`.
  static Expected<GemmConfig> parse(std::string_view text, const GemmConfig &base) {
    Expected<GemmConfig> config = parseFields(text, base);
    return config ? config : config.status().withContext("config");
  }
  static Expected<GemmConfig> parse(std::string_view text) { return parse(text, GemmConfig()); }
  [[nodiscard]] Hash128 hash() const { return hashFields(*this); }

  friend bool operator==(const GemmConfig &left, const GemmConfig &right) {
    return equalFields(left, right);
  }
};

} // namespace tilewright
