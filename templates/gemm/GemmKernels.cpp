// SPDX-License-Identifier: Apache-2.0
#include "templates/gemm/GemmKernels.h"

#include "templates/gemm/GemmViews.h"

using namespace mlir;

namespace tilewright {
namespace {

using Arguments = TileArguments;
using Position = llvm::ArrayRef<TileValue>;

constexpr llvm::StringLiteral kLoadRole = "load";
constexpr llvm::StringLiteral kMultiplyRole = "mma";
// Bytes of a panel of A and B: wgmma's and TMA's widest swizzle.
constexpr int32_t kPanelBytes = 128;

KernelTraits traitsOf(const GemmBuild &build) {
  MLIRContext *context = build.builder.context();
  const GemmRegisters &registers = build.derived.registers;
  tile::Split split =
      build.config.schedule == GemmSchedule::pingpong ? tile::Split::Tiles : tile::Split::Rows;
  KernelTraits traits;
  traits.cluster = {build.config.clusterM(), build.config.clusterN()};
  traits.roles = {tile::RoleAttr::get(context, kLoadRole, /*warps=*/1, /*warpgroups=*/0,
                                      registers.producer, tile::Split::Rows),
                  tile::RoleAttr::get(context, kMultiplyRole, /*warps=*/0, build.config.consumers,
                                      registers.consumer, split)};
  return traits;
}

/// A, B and the ring that brings their tiles: what multiplies, without the result.
class Product {
public:
  Product(const GemmBuild &build, const Arguments &arguments)
      : builder_(build.builder), config_(build.config), arguments_(arguments),
        a_(matrix("a", "m", "lda")), b_(matrix("b", "n", "ldb")),
        aTile_(tileType(config_.bm, build.problem.a)),
        bTile_(tileType(config_.bn, build.problem.b)),
        ring_(builder_.ring("ab", kLoadRole, kMultiplyRole,
                            builder_.ringOf(config_.stages, {aTile_, bTile_}), sharedAxis())) {}

  /// The sums over [begin, end) of K for the tile at (m, n).
  TileValue sum(TileValue m, TileValue n, TileValue begin, TileValue end) const {
    TileValue zero = builder_.zero(builder_.tileOf({config_.bm, config_.bn}, DType::fp32));
    auto step = [&](TileValue k, TileValue sums) {
      TileValue a = builder_.loadTma(a_, {m, k}, aTile_, ring_, axisIf(config_.clusterN() > 1, 1));
      TileValue b = builder_.loadTma(b_, {n, k}, bTile_, ring_, axisIf(config_.clusterM() > 1, 0));
      return builder_.dotTransposed(a.named("a_tile"), b.named("b_tile"), sums);
    };
    return builder_.loop("k0", begin, end, builder_.constant(config_.bk), zero, step).named("acc");
  }

private:
  TileValue matrix(llvm::StringRef pointer, llvm::StringRef rows, llvm::StringRef pitch) {
    return builder_
        .view(arguments_[pointer], {arguments_[rows], arguments_["k"]}, {arguments_[pitch]},
              kTmaAlignment)
        .named(pointer.upper());
  }
  RankedTensorType tileType(int64_t rows, DType type) {
    return builder_.tileOf({rows, config_.bk}, type, builder_.swizzled(kPanelBytes, type));
  }
  static std::optional<int64_t> axisIf(bool isShared, int64_t axis) {
    return isShared ? std::optional(axis) : std::nullopt;
  }
  /// CTAs along axis 0 (m) share the tile of B, CTAs along axis 1 (n) the tile of A.
  std::optional<int64_t> sharedAxis() const {
    return axisIf(config_.clusterSize() > 1, config_.clusterM() > 1 ? 0 : 1);
  }

  TileBuilder &builder_;
  const GemmConfig &config_;
  const Arguments &arguments_;
  TileValue a_;
  TileValue b_;
  RankedTensorType aTile_;
  RankedTensorType bTile_;
  TileValue ring_;
};

/// Where tiles of `type` go, by the config's way of storing them.
class Destination {
public:
  Destination(const GemmBuild &build, TileValue view, DType type)
      : builder_(build.builder), view_(view), subtile_(build.derived.subtile) {
    if (build.config.store == GemmStore::direct)
      return;
    RankedTensorType slot = builder_.tileOf({build.config.bm, subtile_}, type,
                                            builder_.swizzled(build.derived.stagingSwizzle, type));
    staging_ = builder_.ring("staging", kMultiplyRole, kMultiplyRole,
                             builder_.ringOf(build.derived.shared.stagingBuffers, {slot}));
  }

  void store(TileValue tile, Position at) const {
    if (staging_)
      builder_.storeTma(tile, view_, at, *staging_, subtile_);
    else
      builder_.storeDirect(tile, view_, at, subtile_);
  }

private:
  TileBuilder &builder_;
  TileValue view_;
  int64_t subtile_;
  std::optional<TileValue> staging_;
};

/// The raster of the config over the last two of `extents`.
TileValue rasterOf(const GemmBuild &build, Position extents, llvm::ArrayRef<int64_t> tiles) {
  const GemmConfig &config = build.config;
  if (config.group == 1 && config.along == RasterAxis::m)
    return build.builder.raster(extents, tiles, tile::Order::Row);
  return build.builder.raster(extents, tiles, tile::Order::Grouped, config.group,
                              config.along == RasterAxis::m ? 0 : 1);
}

} // namespace

void buildGemmKernel(const GemmBuild &build, llvm::StringRef name,
                     llvm::ArrayRef<TileParameter> parameters) {
  TileBuilder &builder = build.builder;
  const GemmProblem &problem = build.problem;
  builder.kernel(name, parameters, traitsOf(build), [&](const Arguments &arguments) {
    Product product(build, arguments);
    bool isBulk = build.config.store == GemmStore::tma;
    TileValue d = outputView(builder, problem, arguments, isBulk);
    EpilogueOperands operands = epilogueOperands(builder, problem, arguments);
    Destination destination(build, d, problem.d);
    TileValue tiles =
        rasterOf(build, {arguments["m"], arguments["n"]}, {build.config.bm, build.config.bn});
    builder.forTiles(tiles, {"m0", "n0"}, [&](Position at) {
      TileValue sums = product.sum(at[0], at[1], builder.constant(0), arguments["k"]);
      TileValue result = applyEpilogue(sums, problem.epilogue, operands, at[0], at[1], problem.d,
                                       build.derived.heldVectors);
      destination.store(result, at);
    });
  });
}

void buildPartialKernel(const GemmBuild &build, llvm::StringRef name,
                        llvm::ArrayRef<TileParameter> parameters) {
  TileBuilder &builder = build.builder;
  builder.kernel(name, parameters, traitsOf(build), [&](const Arguments &arguments) {
    TileValue m = arguments["m"];
    TileValue n = arguments["n"];
    TileValue split = builder.constant(build.config.split);
    Product product(build, arguments);
    TileValue partials = partialsView(builder, build.config.split, arguments);
    Destination destination(build, partials, DType::fp32);
    TileValue tiles = rasterOf(build, {split, m, n}, {1, build.config.bm, build.config.bn});
    builder.forTiles(tiles, {"slice", "m0", "n0"}, [&](Position at) {
      TileValue begin = (at[0] * arguments["k_slice"]).named("k_begin");
      TileValue end = min(begin + arguments["k_slice"], arguments["k"]).named("k_end");
      destination.store(product.sum(at[1], at[2], begin, end), at);
    });
  });
}

} // namespace tilewright
