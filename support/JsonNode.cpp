// SPDX-License-Identifier: Apache-2.0
#include "support/JsonNode.h"

#include <algorithm>
#include <limits>

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

// nlohmann's messages begin with "[json.exception.parse_error.101] ", which helps nobody.
std::string withoutPrefix(std::string_view what) {
  size_t end = what.find("] ");
  return std::string(end == std::string_view::npos ? what : what.substr(end + 2));
}

} // namespace

// NOTE: the two functions that catch are where the JSON library's exceptions end; without them
// it gives no position of a syntax error, and no way to refuse text that is not UTF-8.
Expected<Json> parseJson(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception &error) {
    return Status::invalidArgument("malformed JSON: " + withoutPrefix(error.what()));
  }
}

Expected<std::string> writeJson(const Json &json) {
  try {
    return json.dump(2) + "\n";
  } catch (const Json::exception &error) {
    return Status::invalidArgument("cannot be written as JSON: " + withoutPrefix(error.what()));
  }
}

void JsonNode::fail(std::string_view what) const {
  if (failure_->isOk())
    *failure_ =
        Status::invalidArgument((path_.empty() ? "the top" : path_) + ": " + std::string(what));
}

void JsonNode::failType(std::string_view expected) const {
  fail("expected " + std::string(expected) + ", found " +
       (json_->is_null() ? "nothing" : std::string("a value of type ") + json_->type_name()));
}

JsonNode JsonNode::field(std::string_view name) const {
  // What a missing member reads as.
  static const Json kNull;
  std::string path = (path_.empty() ? "" : path_ + ".") + std::string(name);
  if (!json_->is_object()) {
    failType("an object");
    return {kNull, std::move(path), *failure_};
  }
  auto member = json_->find(std::string(name));
  JsonNode node(member == json_->end() ? kNull : *member, std::move(path), *failure_);
  if (member == json_->end())
    node.fail("it is missing");
  return node;
}

bool JsonNode::has(std::string_view name) const {
  return json_->is_object() && json_->contains(std::string(name));
}

void JsonNode::onlyFields(std::initializer_list<std::string_view> names) const {
  if (!json_->is_object())
    return failType("an object");
  for (const auto &[key, value] : json_->items())
    if (std::find(names.begin(), names.end(), key) == names.end())
      return fail("'" + key + "' is no field of it");
}

std::string JsonNode::text() const {
  if (json_->is_string())
    return *json_->get_ptr<const std::string *>();
  failType("a string");
  return "";
}

int32_t JsonNode::integer() const {
  if (!json_->is_number_integer()) {
    failType("a whole number");
    return 0;
  }
  auto value = json_->get<int64_t>();
  bool fitsUnsigned = !json_->is_number_unsigned() ||
                      json_->get<uint64_t>() <= uint64_t{std::numeric_limits<int32_t>::max()};
  if (!fitsUnsigned || value < std::numeric_limits<int32_t>::min() ||
      value > std::numeric_limits<int32_t>::max()) {
    fail("the number " + json_->dump() + " does not fit 32 bits");
    return 0;
  }
  return static_cast<int32_t>(value);
}

bool JsonNode::boolean() const {
  if (json_->is_boolean())
    return json_->get<bool>();
  failType("true or false");
  return false;
}

bool JsonNode::expectArray() const {
  if (!json_->is_array())
    failType("an array");
  return json_->is_array();
}

size_t JsonNode::indexIn(std::span<const std::string_view> names) const {
  std::string name = text();
  std::string known;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name)
      return i;
    known += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  fail("'" + name + "' is not one of " + known);
  return 0;
}

} // namespace tilewright
