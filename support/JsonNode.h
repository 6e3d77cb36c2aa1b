// SPDX-License-Identifier: Apache-2.0
//
// Reading JSON with errors that say where: a JsonNode is a value with its path. The first
// failure is kept in one Status; after it, readers return defaults, so that reading code runs
// straight through and looks at the Status once, at its end.
// Thread-safety: a reader and its Status belong to one thread.

#pragma once

#include "tilewright/Status.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace tilewright {

/// Parses JSON text; invalidArgument shows the line and column of a syntax error.
Expected<nlohmann::ordered_json> parseJson(std::string_view text);

/// JSON as indented text that ends with a newline; invalidArgument when a string is not UTF-8.
Expected<std::string> writeJson(const nlohmann::ordered_json &json);

/// A JSON value, where it stands, and where failures go.
class JsonNode {
public:
  /// `json` and `failure` must outlive the node and those that come from it.
  JsonNode(const nlohmann::ordered_json &json, std::string path, Status &failure)
      : json_(&json), path_(std::move(path)), failure_(&failure) {}

  /// Records a failure here, unless there was one before.
  void fail(std::string_view what) const;

  /// The member of that name of an object; fails when it is missing.
  [[nodiscard]] JsonNode field(std::string_view name) const;
  /// Whether this is an object with a member of that name.
  [[nodiscard]] bool has(std::string_view name) const;
  /// Fails when this is no object, or has a member of another name.
  void onlyFields(std::initializer_list<std::string_view> names) const;
  /// Number of members or elements.
  [[nodiscard]] size_t size() const { return json_->size(); }

  /// The value as that type; fails when it is of another, or does not fit.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] int32_t integer() const;
  [[nodiscard]] bool boolean() const;

  /// The enum value whose name in `names`, in the order of the enum, is this string.
  template <typename Enum>
  [[nodiscard]] Enum oneOf(std::span<const std::string_view> names) const {
    return static_cast<Enum>(indexIn(names));
  }

  /// Calls `visit` with each element of an array; fails when this is none.
  template <typename Visitor>
  void each(Visitor visit) const {
    if (!expectArray())
      return;
    for (size_t i = 0; i < json_->size(); ++i)
      visit(JsonNode((*json_)[i], path_ + "[" + std::to_string(i) + "]", *failure_));
  }

private:
  [[nodiscard]] bool expectArray() const;
  [[nodiscard]] size_t indexIn(std::span<const std::string_view> names) const;
  void failType(std::string_view expected) const;

  const nlohmann::ordered_json *json_;
  std::string path_;
  Status *failure_;
};

} // namespace tilewright
