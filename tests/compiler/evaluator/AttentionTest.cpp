// SPDX-License-Identifier: Apache-2.0
//
// examples/attention.mlir, causal attention with online softmax, against softmax as it is defined.

#include "tests/compiler/evaluator/EvaluatorFixture.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace tilewright {
namespace {

struct AttentionShape {
  int64_t batch, heads, kvHeads, queries, keys;
};

struct AttentionResult {
  std::vector<double> o, lse;
};

constexpr int64_t kHeadDim = 64;
constexpr double kScale = 0.125;

/// Two passes over each row: all scores, then the softmax of those that are visible.
AttentionResult naiveAttention(AttentionShape shape, const std::vector<double> &q,
                               const std::vector<double> &k, const std::vector<double> &v) {
  auto [batch, heads, kvHeads, queries, keys] = shape;
  AttentionResult result;
  result.o.resize(batch * queries * heads * kHeadDim);
  result.lse.resize(batch * heads * queries);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t i = 0; i < queries; ++i) {
        int64_t kvHead = h / (heads / kvHeads);
        auto keyRow = [&](int64_t j) { return ((b * keys + j) * kvHeads + kvHead) * kHeadDim; };
        int64_t queryRow = ((b * queries + i) * heads + h) * kHeadDim;
        int64_t visible = std::clamp<int64_t>(i + keys - queries + 1, 0, keys);
        std::vector<double> scores(visible);
        double largest = -HUGE_VAL, sum = 0;
        for (int64_t j = 0; j < visible; ++j) {
          for (int64_t d = 0; d < kHeadDim; ++d)
            scores[j] += q[queryRow + d] * k[keyRow(j) + d];
          scores[j] *= kScale;
          largest = std::max(largest, scores[j]);
        }
        for (double &score : scores)
          sum += score = std::exp(score - largest);
        for (int64_t j = 0; j < visible; ++j)
          for (int64_t d = 0; d < kHeadDim; ++d)
            result.o[queryRow + d] += scores[j] / sum * v[keyRow(j) + d];
        result.lse[(b * heads + h) * queries + i] = largest + std::log(sum);
      }
  return result;
}

class AttentionTest : public EvaluatorTest, public testing::WithParamInterface<AttentionShape> {
protected:
  Expected<EvaluationResult> attention(bool round) {
    std::ifstream file(TW_SOURCE_DIR "/examples/attention.mlir");
    std::stringstream text;
    text << file.rdbuf();
    auto [batch, heads, kvHeads, queries, keys] = GetParam();
    Bindings bindings;
    bindings.arrays = {{"q", q_},
                       {"k", k_},
                       {"v", v_},
                       {"o", std::vector<double>(q_.size(), 77)},
                       {"lse", std::vector<double>(batch * heads * queries, 77)}};
    bindings.scalars = {{"batch", batch},     {"heads", heads}, {"kv_heads", kvHeads},
                        {"queries", queries}, {"keys", keys},   {"scale_log2", kScale * M_LOG2E}};
    return run(text.str(), bindings, {.round = round});
  }

  void SetUp() override {
    auto [batch, heads, kvHeads, queries, keys] = GetParam();
    // Scores of a few units, so that the maximum matters.
    q_ = exampleNumbers(batch * queries * heads * kHeadDim, 1);
    for (double &number : q_)
      number *= 4;
    k_ = exampleNumbers(batch * keys * kvHeads * kHeadDim, 2);
    v_ = exampleNumbers(batch * keys * kvHeads * kHeadDim, 3);
    expected_ = naiveAttention(GetParam(), q_, k_, v_);
  }

  std::vector<double> q_, k_, v_;
  AttentionResult expected_;
};

TEST_P(AttentionTest, IsSoftmaxAttention) {
  auto result = attention(false);
  // The scale and ln 2 are f32 numbers: relative errors of 2^-25 in exponents of a few units.
  EXPECT_LE(largestDifference(array(result, "o"), expected_.o), 1e-6);
  EXPECT_LE(largestDifference(array(result, "lse"), expected_.lse), 2e-6);
}

TEST_P(AttentionTest, RoundsWeightsAndResultToBf16) {
  auto result = array(attention(true), "o");
  double difference = largestDifference(result, expected_.o);
  EXPECT_LE(difference, 0x1p-7) << "values of V are at most 1: two roundings to eight bits";
  if (GetParam().keys > 1) {
    EXPECT_GT(difference, 0x1p-12) << "nothing was rounded";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, AttentionTest,
    testing::Values(AttentionShape{1, 1, 1, 128, 128}, // one block, all of it diagonal
                    AttentionShape{1, 1, 1, 1, 1},     // one row
                    AttentionShape{1, 2, 1, 150, 150}, // ragged, two heads share keys
                    AttentionShape{1, 1, 1, 130,
                                   400},              // more keys: whole blocks before the diagonal
                    AttentionShape{2, 4, 2, 33, 290}, // batches, groups of two
                    AttentionShape{1, 1, 1, 200, 70})); // rows that see no key

} // namespace
} // namespace tilewright
