// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/copies/TensorMap.h"

#include "runtime/emulator/core/Words.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace tilewright::emulator {

namespace {

/// What the 128 bytes hold.
struct Encoded {
  uint32_t magic;
  uint32_t checksum;
  uint64_t address;
  uint64_t dims[kMaxTensorRank];
  uint64_t strides[kMaxTensorRank - 1];
  uint16_t box[kMaxTensorRank];
  uint8_t type;
  uint8_t rank;
  uint8_t swizzle;
};
static_assert(sizeof(Encoded) <= sizeof(TensorMapBytes));

constexpr uint32_t kMagic = 0x70616d74; // "tmap"
constexpr uint64_t kMaxExtent = uint64_t{1} << 32;
constexpr uint64_t kMaxStride = uint64_t{1} << 40;
constexpr uint32_t kMaxBox = 256;
/// Addresses, strides and rows of a box come in units of this many bytes.
constexpr uint64_t kUnit = 16;

/// FNV-1a over all that follows the checksum.
uint32_t checksumOf(const Encoded &map) {
  const auto *bytes = reinterpret_cast<const uint8_t *>(&map);
  uint32_t sum = 2166136261u;
  for (size_t i = offsetof(Encoded, address); i < sizeof(Encoded); ++i)
    sum = (sum ^ bytes[i]) * 16777619u;
  return sum;
}

Status refuse(const std::string &rule, const std::string &found) {
  return Status::invalidArgument(rule + ", found " + found);
}

Status checkDimension(const TensorMapFacts &facts, size_t i) {
  const std::string name = "dimension " + std::to_string(i) + " of a tensor map ";
  if (facts.dims[i] > kMaxExtent)
    return refuse(name + "has 1 to 2^32 elements", std::to_string(facts.dims[i]));
  if (facts.box[i] < 1 || facts.box[i] > kMaxBox)
    return refuse(name + "has a box of 1 to 256 elements", std::to_string(facts.box[i]));
  if (i == 0)
    return Status::ok();
  const uint64_t stride = facts.strides[i - 1];
  if (stride % kUnit != 0 || stride >= kMaxStride)
    return refuse(name + "has a stride that is a multiple of 16 bytes below 2^40",
                  std::to_string(stride));
  return Status::ok();
}

Status check(const TensorMapFacts &facts) {
  if (facts.rank < 1 || facts.rank > kMaxTensorRank)
    return refuse("a tensor map has 1 to 5 dimensions", std::to_string(facts.rank));
  if (facts.address == 0 || facts.address % kUnit != 0)
    return refuse("the address of a tensor map is a multiple of 16", hex(facts.address));
  for (size_t i = 0; i < static_cast<size_t>(facts.rank); ++i)
    if (Status status = checkDimension(facts, i); !status.isOk())
      return status;
  const int32_t swizzle = facts.swizzle;
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return refuse("a swizzle spans 0, 32, 64 or 128 bytes", std::to_string(swizzle));
  const uint64_t row = uint64_t{facts.box[0]} * static_cast<uint64_t>(elementBytes(facts.type));
  if (row % kUnit != 0)
    return refuse("a row of a box is a multiple of 16 bytes", std::to_string(row));
  if (swizzle != 0 && row > static_cast<uint64_t>(swizzle))
    return refuse("a row of a box has at most the " + std::to_string(swizzle) +
                      " bytes of its swizzle",
                  std::to_string(row));
  return Status::ok();
}

} // namespace

ElementType elementTypeOf(int driverNumber) {
  switch (driverNumber) {
  case 3:
    return ElementType::int32;
  case 6:
    return ElementType::float16;
  case 7:
    return ElementType::float32;
  case 9:
    return ElementType::bfloat16;
  case 11:
    return ElementType::tfloat32;
  default:
    return ElementType::uint8;
  }
}

int32_t swizzleBytesOf(int driverNumber) { return driverNumber <= 0 ? 0 : 16 << driverNumber; }

Status encodeTensorMap(const TensorMapFacts &facts, TensorMapBytes &bytes) {
  if (Status status = check(facts); !status.isOk())
    return status;
  Encoded map;
  std::memset(&map, 0, sizeof map);
  map.magic = kMagic;
  map.address = facts.address;
  map.type = static_cast<uint8_t>(facts.type);
  map.rank = static_cast<uint8_t>(facts.rank);
  map.swizzle = static_cast<uint8_t>(facts.swizzle);
  for (size_t i = 0; i < static_cast<size_t>(facts.rank); ++i) {
    map.dims[i] = facts.dims[i];
    map.box[i] = static_cast<uint16_t>(facts.box[i]);
    if (i > 0)
      map.strides[i - 1] = facts.strides[i - 1];
  }
  map.checksum = checksumOf(map);
  bytes.fill(0);
  std::memcpy(bytes.data(), &map, sizeof map);
  return Status::ok();
}

std::optional<TensorMapFacts> decodeTensorMap(const void *bytes) {
  Encoded map;
  std::memcpy(&map, bytes, sizeof map);
  if (map.magic != kMagic || map.checksum != checksumOf(map))
    return std::nullopt;
  TensorMapFacts facts;
  facts.address = map.address;
  facts.type = static_cast<ElementType>(map.type);
  facts.rank = map.rank;
  std::copy(std::begin(map.dims), std::end(map.dims), facts.dims.begin());
  std::copy(std::begin(map.strides), std::end(map.strides), facts.strides.begin());
  std::copy(std::begin(map.box), std::end(map.box), facts.box.begin());
  facts.swizzle = map.swizzle;
  return facts;
}

} // namespace tilewright::emulator
