// SPDX-License-Identifier: Apache-2.0
//
// Fields: print, parse, hash and equality of a struct whose fields are listed once. A struct T
// takes part by a static function template
//
//   template <typename Visitor> static void forEachField(Visitor &&visit) {
//     visit("bm", &T::bm);
//     visit("cluster", &T::cluster);
//   }
//
// Fields are int32_t or enums; an enum's names are found by argument-dependent lookup as
// `fieldNames(E)`: a container of std::string_view indexed by the enum's values.
// Pure functions, safe from any thread.

#pragma once

#include "support/Hash.h"
#include "tilewright/Status.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tilewright {
namespace detail {

template <typename Value>
std::string fieldText(Value value) {
  if constexpr (std::is_enum_v<Value>) {
    return std::string(fieldNames(Value{})[static_cast<size_t>(value)]);
  } else {
    static_assert(std::is_same_v<Value, int32_t>, "a field is an int32_t or an enum");
    return std::to_string(value);
  }
}

/// Sets `value` from `text`; on failure says what would have been accepted.
template <typename Value>
Status parseField(std::string_view text, Value &value) {
  if constexpr (std::is_enum_v<Value>) {
    std::string known;
    size_t index = 0;
    for (std::string_view name : fieldNames(Value{})) {
      if (name == text) {
        value = static_cast<Value>(index);
        return Status::ok();
      }
      known += (known.empty() ? "" : ", ") + std::string(name);
      ++index;
    }
    return Status::invalidArgument("'" + std::string(text) + "' is not one of " + known);
  } else {
    const char *end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end)
      return Status::ok();
    return Status::invalidArgument("'" + std::string(text) + "' is no whole number");
  }
}

} // namespace detail

/// Every field as "name=value", joined by ',', in the order of the list.
template <typename T>
std::string printFields(const T &object) {
  std::string text;
  T::forEachField([&](std::string_view name, auto member) {
    text += (text.empty() ? "" : ",") + std::string(name) + "=" + detail::fieldText(object.*member);
  });
  return text;
}

/// Reads "name=value,…" in any order; fields that are not named keep their value in `base`.
/// invalidArgument names a part that is malformed, unknown or repeated, and the fields there are.
template <typename T>
Expected<T> parseFields(std::string_view text, const T &base = T()) {
  T object = base;
  std::string known;
  T::forEachField([&](std::string_view name, auto) {
    known += (known.empty() ? "" : ", ") + std::string(name);
  });

  std::string seen = ",";
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find(',', begin);
    end = end == std::string_view::npos ? text.size() : end;
    std::string_view part = text.substr(begin, end - begin);
    begin = end + 1;
    size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      return Status::invalidArgument("'" + std::string(part) + "' is not of the form name=value");
    std::string_view key = part.substr(0, equals);
    if (seen.find("," + std::string(key) + ",") != std::string::npos)
      return Status::invalidArgument("'" + std::string(key) + "' is given twice");
    seen += std::string(key) + ",";

    Status status = Status::invalidArgument("'" + std::string(key) + "' is no field; use " + known);
    T::forEachField([&](std::string_view name, auto member) {
      if (name == key)
        status = detail::parseField(part.substr(equals + 1), object.*member).withContext(name);
    });
    if (!status.isOk())
      return status;
  }
  return object;
}

/// A hash of names and values: equal objects have equal hashes, in every process.
template <typename T>
Hash128 hashFields(const T &object) {
  Hasher hasher;
  T::forEachField([&](std::string_view name, auto member) {
    hasher.add(name).add(detail::fieldText(object.*member));
  });
  return hasher.finish();
}

/// Whether every field is equal.
template <typename T>
bool equalFields(const T &left, const T &right) {
  bool equal = true;
  T::forEachField(
      [&](std::string_view, auto member) { equal = equal && left.*member == right.*member; });
  return equal;
}

} // namespace tilewright
