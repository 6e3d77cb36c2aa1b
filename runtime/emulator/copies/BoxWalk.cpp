// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/copies/BoxWalk.h"

#include <algorithm>

namespace tilewright::emulator {

BoxWalk::BoxWalk(const TensorMapFacts &map, const int32_t *coordinates) : map_(map) {
  const auto rank = static_cast<size_t>(map.rank);
  const auto element = static_cast<uint32_t>(elementBytes(map.type));
  std::copy(coordinates, coordinates + rank, start_.begin());
  for (size_t i = 1; i < rank; ++i)
    rowCount_ *= map.box[i];
  rowBytes_ = map.box[0] * element;
  // NOTE: where the span of the swizzle is more than a row, rows are a span apart: the programming
  // guide asks for memory for whole spans. No kernel of ours has such tiles.
  pitch_ = std::max(rowBytes_, static_cast<uint32_t>(map.swizzle));
  const int64_t width = map.box[0];
  const auto extent = static_cast<int64_t>(map.dims[0]);
  const int64_t first = std::clamp<int64_t>(-start_[0], 0, width);
  const int64_t last = std::clamp<int64_t>(extent - start_[0], first, width);
  first_ = static_cast<uint32_t>(first) * element;
  last_ = static_cast<uint32_t>(last) * element;
}

BoxRow BoxWalk::row(uint32_t index) const {
  BoxRow row;
  row.offset = index * pitch_;
  const int64_t element = elementBytes(map_.type);
  uint64_t address = map_.address + static_cast<uint64_t>(start_[0] * element + first_);
  for (size_t i = 1; i < static_cast<size_t>(map_.rank); ++i) {
    const int64_t at = start_[i] + index % map_.box[i];
    index /= map_.box[i];
    if (at < 0 || at >= static_cast<int64_t>(map_.dims[i]))
      return row;
    address += static_cast<uint64_t>(at) * map_.strides[i - 1];
  }
  row.first = first_;
  row.last = last_;
  row.address = address;
  return row;
}

} // namespace tilewright::emulator
