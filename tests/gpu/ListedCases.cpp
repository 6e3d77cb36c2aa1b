// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/Cases.h"

namespace tilewright {

namespace {

struct Row {
  const char *name;
  const char *config;
  const char *epilogue;
  int64_t m, n, k;
  DType a, d;
};

constexpr DType bf16 = DType::bf16, fp16 = DType::fp16, fp32 = DType::fp32;

/// Every cluster, store, number of consumers and slice count; sizes that end inside of tiles.
constexpr Row kMemcheckRows[] = {
    {"plain", "bm=128,bn=256,bk=64,consumers=2,stages=4,cluster=1x1", "", 300, 520, 200, bf16,
     bf16},
    {"along_m", "bm=128,bn=256,bk=64,consumers=2,stages=4,cluster=2x1", "", 300, 520, 200, bf16,
     bf16},
    {"along_n", "bm=128,bn=256,bk=64,consumers=2,stages=4,cluster=1x2", "", 300, 520, 200, bf16,
     bf16},
    {"tall", "bm=256,bn=128,bk=64,consumers=2,stages=4,cluster=2x1", "", 517, 264, 136, bf16, bf16},
    {"three", "bm=192,bn=176,bk=64,consumers=3,stages=4,cluster=2x1", "", 400, 360, 136, bf16,
     bf16},
    {"one", "bm=64,bn=128,bk=128,consumers=1,stages=4,cluster=1x1", "", 70, 136, 264, bf16, bf16},
    {"deep", "bm=128,bn=64,bk=128,consumers=2,stages=4,cluster=1x1", "", 129, 72, 264, bf16, bf16},
    {"wide", "bm=64,bn=224,bk=64,consumers=1,stages=5,cluster=1x2", "", 65, 456, 72, bf16, bf16},
    {"narrow", "bm=128,bn=80,bk=64,consumers=2,stages=6,cluster=1x1", "", 129, 40, 72, bf16, bf16},
    {"two_waves", "bm=256,bn=96,bk=64,consumers=2,stages=4,cluster=1x2", "", 300, 200, 72, bf16,
     bf16},
    {"direct", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=1x1,store=direct", "", 131, 133,
     72, bf16, bf16},
    {"direct_m", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=2x1,store=direct", "", 257, 133,
     72, bf16, bf16},
    {"direct_n", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=1x2,store=direct", "", 131, 263,
     72, bf16, bf16},
    {"direct_fp32", "bm=64,bn=64,bk=64,consumers=1,stages=4,cluster=1x1,store=direct", "", 67, 69,
     72, bf16, fp32},
    {"fp16", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=2x1", "", 300, 264, 72, fp16, fp16},
    {"to_fp32", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=2x1", "", 300, 264, 72, bf16,
     fp32},
    {"fp16_to_fp32", "bm=128,bn=64,bk=64,consumers=2,stages=4,cluster=1x1", "", 140, 72, 72, fp16,
     fp32},
    {"raster", "bm=64,bn=64,bk=64,consumers=1,stages=4,cluster=1x1,group=2,along=n", "", 1000, 968,
     72, bf16, bf16},
    {"one_group", "bm=64,bn=64,bk=64,consumers=1,stages=4,cluster=1x1,group=1,along=m", "", 1000,
     968, 72, bf16, bf16},
    {"bias", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=2x1", "bias", 257, 264, 72, bf16,
     bf16},
    {"bias_row", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=2x1", "bias_row", 257, 264, 72,
     bf16, bf16},
    {"bias_odd", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=1x1,store=direct",
     "bias,bias_row", 131, 133, 72, bf16, bf16},
    {"gelu", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=2x1", "bias,gelu", 257, 264, 72,
     bf16, bf16},
    {"gelu_erf", "bm=64,bn=128,bk=64,consumers=1,stages=4,cluster=1x1", "bias,gelu_erf", 67, 136,
     72, bf16, bf16},
    {"silu", "bm=64,bn=128,bk=64,consumers=1,stages=4,cluster=1x1", "silu", 67, 136, 72, fp16,
     bf16},
    {"relu", "bm=64,bn=128,bk=64,consumers=1,stages=4,cluster=1x1", "relu", 67, 136, 72, fp16,
     bf16},
    {"residual", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=2x1", "residual", 257, 264, 72,
     bf16, bf16},
    {"residual_odd", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=1x1,store=direct",
     "residual:fp32", 131, 133, 72, bf16, bf16},
    {"scales", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=1x2", "scale_row,scale_col", 131,
     264, 72, bf16, bf16},
    {"everything", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=2x1",
     "scale_row,scale_col,bias,bias_row,gelu,residual", 257, 264, 72, bf16, fp16},
    {"split", "bm=64,bn=64,bk=64,consumers=1,stages=4,cluster=1x1,split=3", "", 67, 72, 600, bf16,
     bf16},
    {"split_odd", "bm=64,bn=64,bk=64,consumers=1,stages=4,cluster=1x1,split=5,store=direct",
     "bias,silu", 67, 69, 600, bf16, bf16},
    {"split_m", "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=2x1,split=2", "residual", 257,
     136, 600, bf16, fp32},
    {"pingpong", "bm=64,bn=128,bk=64,consumers=2,stages=4,cluster=2x1,schedule=pingpong",
     "bias,gelu", 1000, 2056, 136, bf16, bf16},
    {"pingpong_direct",
     "bm=128,bn=128,bk=64,consumers=2,stages=4,cluster=1x2,schedule=pingpong,store=direct",
     "bias_row", 2055, 2055, 72, fp16, bf16},
    {"pingpong_one", "bm=64,bn=128,bk=64,consumers=2,stages=4,cluster=1x1,schedule=pingpong",
     "residual", 1000, 2056, 72, bf16, fp32},
    {"empty_k", "bm=64,bn=64,bk=64,consumers=1,stages=4,cluster=1x1", "bias", 67, 72, 0, bf16,
     bf16},
};

constexpr const char *kCompositions[] = {
    "bias,relu",
    "bias,gelu",
    "bias,gelu_erf",
    "bias,silu",
    "bias_row,relu",
    "bias_row,gelu,scale_col",
    "bias,residual",
    "bias,gelu,residual",
    "bias,silu,residual:fp32",
    "residual,relu",
    "residual:fp32:ld600,gelu",
    "scale_row,scale_col",
    "scale_row,scale_col,bias",
    "scale_row,scale_col,bias,gelu",
    "scale_row:bf16,scale_col:fp16,bias:fp32,silu,residual:bf16",
    "scale_col,bias,relu,residual",
    "bias,bias_row,residual",
    "bias_row:fp32,scale_row,gelu_erf,residual:fp16",
    "gelu,gelu",
    "relu,bias,relu",
    "silu,scale_row,bias,gelu,residual",
    "residual,bias,bias_row,scale_row,scale_col,silu",
    "gelu_erf,bias:fp32,silu,bias_row,relu",
    "scale_row,bias,gelu_erf,scale_col,residual:fp32:ld524",
};

} // namespace

std::vector<NamedCase> memcheckCases() {
  std::vector<NamedCase> cases;
  for (const Row &row : kMemcheckRows) {
    GemmProblem problem{.m = row.m, .n = row.n, .k = row.k, .a = row.a, .b = row.a, .d = row.d};
    problem.epilogue = *Epilogue::parse(row.epilogue);
    cases.push_back({row.name, {problem, *GemmConfig::parse(row.config), 1}});
  }
  return cases;
}

std::vector<std::string> compositions() {
  return {std::begin(kCompositions), std::end(kCompositions)};
}

} // namespace tilewright
