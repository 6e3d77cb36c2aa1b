// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/device/HeaderText.h"

#include <cctype>
#include <regex>
#include <vector>

namespace tilewright {

namespace {

std::string replaceAll(const std::string &text, const char *pattern, const char *with) {
  return std::regex_replace(text, std::regex(pattern), with);
}

/// The text without string literals, comments, preprocessor lines (continued ones too), without
/// what only the host side has (lines of calls), and with single blanks.
std::string plain(std::string_view header) {
  std::string text(header);
  text = replaceAll(text, R"(//[^\n]*)", "");
  text = replaceAll(text, R"(\\\n)", " ");
  text = replaceAll(text, R"((^|\n)[ ]*#[^\n]*)", "\n");
  text = replaceAll(text, R"("[^"\n]*")", "");
  text = replaceAll(text, R"(__device__ __forceinline__)", "");
  text = replaceAll(text, R"(\s+)", " ");
  text = replaceAll(text, R"((, )?int32_t line = __builtin_LINE\(\))", "");
  text = replaceAll(text, R"(detail::located_map map)", "const tensor_map &map");
  text = replaceAll(text, R"(\binline (?!constexpr))", "");
  return text;
}

/// The index after the brace that closes the one at `open`.
size_t closing(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    if (depth == 0)
      return i + 1;
  }
  return text.size();
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  const size_t last = text.find_last_not_of(' ');
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

bool isType(std::string_view declaration) {
  return std::regex_search(std::string(declaration), std::regex(R"((^|> )(struct|enum) )"));
}

/// Statements at the top level of namespace tw.
std::vector<std::string> statements(const std::string &body) {
  std::vector<std::string> result;
  std::string statement;
  for (size_t i = 0; i < body.size();) {
    if (body[i] == ';') {
      result.push_back(trimmed(statement));
      statement.clear();
      ++i;
    } else if (body[i] == '{') {
      const size_t end = closing(body, i);
      if (trimmed(statement) == "namespace detail") {
        statement.clear();
      } else if (isType(trimmed(statement))) {
        statement += body.substr(i, end - i);
      } else if (statement.find('(') != std::string::npos) {
        result.push_back(trimmed(statement));
        statement.clear();
      }
      i = end;
    } else {
      statement += body[i++];
    }
  }
  return result;
}

} // namespace

std::set<std::string> declarations(std::string_view header) {
  const std::string text = plain(header);
  std::set<std::string> result;
  for (size_t at = text.find("namespace tw {"); at != std::string::npos;
       at = text.find("namespace tw {", at + 1)) {
    const size_t open = text.find('{', at);
    const size_t end = closing(text, open);
    for (const std::string &statement : statements(text.substr(open + 1, end - open - 2)))
      if (!statement.empty())
        result.insert(replaceAll(statement, " +", " "));
  }
  return result;
}

std::set<std::string> functionNames(std::string_view header) {
  std::set<std::string> names;
  const std::regex name(R"((\w+)\()");
  for (const std::string &declaration : declarations(header)) {
    std::smatch match;
    if (!isType(declaration) && std::regex_search(declaration, match, name))
      names.insert(match[1]);
  }
  return names;
}

} // namespace tilewright
