// SPDX-License-Identifier: Apache-2.0

#include "compiler/evaluator/TileMath.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

namespace tilewright::evaluator {

namespace {

/// A matrix of `rows` x `cols`, of the kind of `like`, with element(list, r, c), where `list` are
/// the elements of `like`.
template <typename F>
Tile build(const Tile &like, int64_t rows, int64_t cols, F element) {
  return std::visit(
      [&](const auto &list) {
        std::decay_t<decltype(list)> elements;
        elements.reserve(rows * cols);
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t c = 0; c < cols; ++c)
            elements.push_back(element(list, r, c));
        return makeTile({rows, cols}, std::move(elements));
      },
      *like.elements);
}

template <typename T>
T combine(tile::ReduceKind kind, T a, T b) {
  if (kind == tile::ReduceKind::Add)
    return a + b;
  if constexpr (std::is_same_v<T, double>)
    if (std::isnan(a) || std::isnan(b))
      return std::numeric_limits<double>::quiet_NaN();
  return kind == tile::ReduceKind::Max ? std::max(a, b) : std::min(a, b);
}

template <typename T>
Tile multiplyAddOf(const Tile &a, const Tile &b, const Tile &acc, const Tile *scaleA,
                   const Tile *scaleB) {
  int64_t m = a.shape[0], k = a.shape[1], n = b.shape[0];
  const T *left = std::get<std::vector<T>>(*a.elements).data();
  const T *right = std::get<std::vector<T>>(*b.elements).data();
  std::vector<T> sums = std::get<std::vector<T>>(*acc.elements);
  for (int64_t r = 0; r < m; ++r)
    for (int64_t c = 0; c < n; ++c) {
      T sum = 0;
      for (int64_t i = 0; i < k; ++i)
        sum += left[r * k + i] * right[c * k + i];
      if (scaleA)
        sum *= std::get<std::vector<T>>(*scaleA->elements)[r] *
               std::get<std::vector<T>>(*scaleB->elements)[c];
      sums[r * n + c] += sum;
    }
  return makeTile(acc.shape, std::move(sums));
}

} // namespace

Tile coordinates(ArrayRef<int64_t> shape, int64_t dim, int64_t offset) {
  int64_t inner = elementCount(shape.drop_front(dim + 1));
  std::vector<int64_t> elements(elementCount(shape));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = offset + int64_t(i) / inner % shape[dim];
  return makeTile(shape, std::move(elements));
}

Tile broadcast(const Tile &vector, int64_t dim, int64_t extent) {
  int64_t length = vector.shape[0];
  if (dim == 0)
    return build(vector, extent, length,
                 [](const auto &list, int64_t, int64_t c) { return list[c]; });
  return build(vector, length, extent,
               [](const auto &list, int64_t r, int64_t) { return list[r]; });
}

Tile columns(const Tile &matrix, int64_t first, int64_t width) {
  bool isVector = matrix.shape.size() == 1;
  int64_t stride = matrix.shape.back();
  Tile result =
      build(matrix, isVector ? 1 : matrix.shape[0], width,
            [=](const auto &list, int64_t r, int64_t c) { return list[r * stride + first + c]; });
  if (isVector)
    result.shape = {width};
  return result;
}

Tile transpose(const Tile &matrix) {
  int64_t stride = matrix.shape[1];
  return build(matrix, stride, matrix.shape[0],
               [=](const auto &list, int64_t r, int64_t c) { return list[c * stride + r]; });
}

Tile multiplyAdd(const Tile &a, const Tile &b, const Tile &acc, const Tile *scaleA,
                 const Tile *scaleB) {
  if (std::holds_alternative<std::vector<double>>(*acc.elements))
    return multiplyAddOf<double>(a, b, acc, scaleA, scaleB);
  return multiplyAddOf<int64_t>(a, b, acc, scaleA, scaleB);
}

Tile reduce(tile::ReduceKind kind, const Tile &matrix, int64_t dim) {
  Tile source = dim == 0 ? transpose(matrix) : matrix;
  int64_t count = source.shape[0], length = source.shape[1];
  return std::visit(
      [&](const auto &list) {
        std::decay_t<decltype(list)> results(count);
        for (int64_t r = 0; r < count; ++r) {
          results[r] = list[r * length];
          for (int64_t c = 1; c < length; ++c)
            results[r] = combine(kind, results[r], list[r * length + c]);
        }
        return makeTile({count}, std::move(results));
      },
      *source.elements);
}

std::optional<Difference> firstDifference(const Tile &before, const Tile &after) {
  return std::visit(
      [&](const auto &first) -> std::optional<Difference> {
        const auto &second = std::get<std::decay_t<decltype(first)>>(*after.elements);
        for (size_t i = 0; i < first.size(); ++i)
          if (first[i] != second[i] && !(first[i] != first[i] && second[i] != second[i]))
            return Difference{int64_t(i), double(first[i]), double(second[i])};
        return std::nullopt;
      },
      *before.elements);
}

} // namespace tilewright::evaluator
