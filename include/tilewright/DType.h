// SPDX-License-Identifier: Apache-2.0
//
// DType: the element types that problems, plans and kernels name. One table is the truth for
// names and sizes. Pure functions; safe from any thread.

#pragma once

#include "tilewright/Status.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright {

/// An element type. The order is the order of kDTypes; it is not a storage format, use the name.
enum class DType : uint8_t { bf16, fp16, fp32, tf32, e4m3, e5m2, int8, int32 };

/// One row of the table of element types.
struct DTypeInfo {
  DType type;
  /// Spelling in flags, suites, keys and JSON.
  std::string_view name;
  /// Bits of one element in memory. tf32 is stored as fp32; only the multiplication rounds.
  int bits;
  bool isFloat;
};

/// Every element type, in the order of the enum.
inline constexpr std::array<DTypeInfo, 8> kDTypes = {{
    {DType::bf16, "bf16", 16, true},
    {DType::fp16, "fp16", 16, true},
    {DType::fp32, "fp32", 32, true},
    {DType::tf32, "tf32", 32, true},
    {DType::e4m3, "e4m3", 8, true},
    {DType::e5m2, "e5m2", 8, true},
    {DType::int8, "int8", 8, false},
    {DType::int32, "int32", 32, false},
}};

/// The row of `type`.
constexpr const DTypeInfo &dtypeInfo(DType type) { return kDTypes[static_cast<size_t>(type)]; }

/// The name that flags and files use: "bf16".
constexpr std::string_view dtypeName(DType type) { return dtypeInfo(type).name; }

/// Bits of one element in memory.
constexpr int dtypeBits(DType type) { return dtypeInfo(type).bits; }

/// Bytes of one element in memory. Every type of this version is whole bytes.
constexpr int dtypeBytes(DType type) { return dtypeInfo(type).bits / 8; }

/// The type of the given name; invalidArgument lists the names when there is none.
inline Expected<DType> parseDType(std::string_view name) {
  std::string known;
  for (const DTypeInfo &info : kDTypes) {
    if (info.name == name)
      return info.type;
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  return Status::invalidArgument("'" + std::string(name) + "' is no element type; use one of " +
                                 known);
}

} // namespace tilewright
