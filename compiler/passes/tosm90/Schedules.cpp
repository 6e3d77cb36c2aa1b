// SPDX-License-Identifier: Apache-2.0
//
// Which work units a CTA takes, and the coordinates of each.

#include "compiler/passes/tosm90/KernelLowering.h"

using namespace mlir;

namespace tilewright::tosm90 {

/// "m" for a coordinate whose extent is the argument m, else i, j, k, …
std::string KernelLowering::nameOfExtent(tile::RasterOp raster, int64_t dim) {
  if (auto argument = dyn_cast<BlockArgument>(raster.getExtents()[dim]))
    return kernel.argumentName(argument.getArgNumber());
  return std::string(1, static_cast<char>('i' + dim));
}

/// Work units of a raster and the tiles along each coordinate, counted in clusters for the last
/// two.
Value KernelLowering::scheduleUnits(tile::RasterOp raster, SmallVectorImpl<Value> &tilesPerDim) {
  int64_t rank = raster.getType().getRank();
  Value units;
  for (auto [index, extent] : llvm::enumerate(raster.getExtents())) {
    int64_t axis = static_cast<int64_t>(index) - (rank - 2);
    int64_t ctas = rank >= 2 && axis >= 0 ? kernel.getCluster()[axis] : 1;
    std::string name = "tiles_" + nameOfExtent(raster, index);
    Value tilesHere = as(name, ceilDiv(scalar(extent), i32(raster.getTiles()[index] * ctas)));
    tilesPerDim.push_back(tilesHere);
    units = units ? mul(units, tilesHere) : tilesHere;
  }
  return units;
}

LogicalResult KernelLowering::lowerScheduleRange(tile::ScheduleRangeOp op) {
  auto raster = op.getSchedule().getDefiningOp<tile::RasterOp>();
  if (kernel.clusterSize() > 1 && (!raster || raster.getType().getRank() < 2))
    return op.emitOpError() << "deals out work to clusters, whose CTAs divide the last two "
                               "coordinates of a tile.raster; this schedule has no two";
  Value end;
  if (raster) {
    SmallVector<Value> tilesPerDim;
    end = scheduleUnits(raster, tilesPerDim);
  } else {
    end = scalar(op.getSchedule().getDefiningOp<tile::WorkListOp>().getCount());
  }
  bool cluster = kernel.clusterSize() > 1;
  Value first = cluster ? emit<sm90::ClusterIdOp>().getResult() : emit<sm90::CtaIdOp>().getResult();
  Value step =
      cluster ? emit<sm90::ClusterCountOp>().getResult() : emit<sm90::GridSizeOp>().getResult();
  scalars.map(op.getFirst(), first);
  scalars.map(op.getEnd(), as("work_units", end));
  scalars.map(op.getStep(), step);
  return success();
}

LogicalResult KernelLowering::lowerDecode(tile::DecodeOp op) {
  Value index = scalar(op.getIndex());
  if (auto list = op.getSchedule().getDefiningOp<tile::WorkListOp>()) {
    int64_t rank = op.getSchedule().getType().getRank();
    for (auto [dim, coord] : llvm::enumerate(op.getCoords()))
      scalars.map(coord,
                  emit<sm90::LdGlobalOp>(scalar(list.getList()),
                                         widen(add(mul(index, rank), static_cast<int64_t>(dim)))));
    return success();
  }
  auto raster = op.getSchedule().getDefiningOp<tile::RasterOp>();
  SmallVector<Value> tilesPerDim;
  scheduleUnits(raster, tilesPerDim);
  int64_t rank = raster.getType().getRank();
  SmallVector<Value> coords(rank);
  // Leading coordinates run slowest; the last two are walked in the stated order.
  if (rank == 1) {
    coords[0] = index;
  } else {
    Value plane = mul(tilesPerDim[rank - 2], tilesPerDim[rank - 1]);
    Value outer = rank > 2 ? div(index, plane) : Value();
    Value inner = rank > 2 ? rem(index, plane) : index;
    for (int64_t dim = rank - 3; dim >= 0; --dim) {
      coords[dim] = dim ? rem(outer, tilesPerDim[dim]) : outer;
      outer = dim ? div(outer, tilesPerDim[dim]) : outer;
    }
    Value m = tilesPerDim[rank - 2], n = tilesPerDim[rank - 1];
    sm90::ConstAttr group = constant("kGroup", raster.getGroup());
    bool alongN = raster.getAlong() == 1;
    Value pair = raster.getOrder() == tile::Order::Row
                     ? emit<sm90::RasterRowOp>(inner, m, n).getResult()
                 : raster.getOrder() == tile::Order::Grouped
                     ? emit<sm90::RasterGroupedOp>(inner, m, n, group, alongN).getResult()
                     : emit<sm90::RasterSnakeOp>(inner, m, n, group, alongN).getResult();
    as("tile", pair);
    coords[rank - 2] = emit<sm90::TileMOp>(pair);
    coords[rank - 1] = emit<sm90::TileNOp>(pair);
  }
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t axis = dim - (rank - 2);
    int64_t ctas = rank >= 2 && axis >= 0 ? kernel.getCluster()[axis] : 1;
    std::string name = nameOfExtent(raster, dim);
    if (ctas > 1) {
      Value rank32 = emit<sm90::ClusterRankOp>();
      int64_t across = kernel.getCluster()[0];
      Value place = kernel.clusterSize() == ctas ? rank32
                    : axis == 0                  ? rem(rank32, across)
                                                 : div(rank32, across);
      coords[dim] = add(mul(coords[dim], ctas), place);
    }
    Value size = raster.getTiles()[dim] == 1
                     ? Value()
                     : named("kTile" + StringRef(name).upper(), raster.getTiles()[dim]);
    Value coord = size ? mul(coords[dim], size) : coords[dim];
    scalars.map(op.getCoords()[dim], as(name + "0", coord));
  }
  return success();
}

} // namespace tilewright::tosm90
