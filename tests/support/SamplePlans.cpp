// SPDX-License-Identifier: Apache-2.0
#include "tests/support/SamplePlans.h"

namespace tilewright {
namespace {

PlanArgument pointer(std::string name, DType dtype, Access access = Access::read) {
  return {.name = std::move(name),
          .kind = ArgumentKind::pointer,
          .dtype = dtype,
          .alignment = 16,
          .access = access};
}

PlanArgument size(std::string name) { return {.name = std::move(name), .kind = ArgumentKind::i32}; }

MemoryRef argument(int32_t index) {
  return {.source = MemoryRef::Source::argument, .index = index};
}

TensorMapRecipe matrix(int32_t base, Expr rows, Expr columns, const Expr &pitch, int32_t boxRows) {
  return {.base = argument(base),
          .dtype = DType::bf16,
          .dims = {Expr::max(std::move(columns), 1), std::move(rows)},
          .strides = {pitch * 2},
          .box = {64, boxRows},
          .swizzle = 128,
          .l2Promotion = TensorMapRecipe::L2Promotion::bytes128};
}

} // namespace

Plan sampleGemmPlan() {
  Expr m = Expr::argument(3);
  Expr n = Expr::argument(4);
  Expr k = Expr::argument(5);
  Expr lda = Expr::argument(6);
  Expr tiles = Expr::ceilDiv(Expr::ceilDiv(m, 128), 2) * Expr::ceilDiv(n, 256);
  Plan plan;
  plan.name = "gemm bf16 nt";
  plan.arguments = {pointer("a", DType::bf16),
                    pointer("b", DType::bf16),
                    pointer("d", DType::bf16, Access::write),
                    size("m"),
                    size("n"),
                    size("k"),
                    size("lda"),
                    {.name = "alpha", .kind = ArgumentKind::f32}};
  plan.kernels = {{.text = "// one\nextern \"C\" __global__ void gemm() {\n}\n",
                   .entry = "gemm",
                   .headers = {"tilewright/tma.cuh", "tilewright/wgmma.cuh"},
                   .threads = 384,
                   .cluster = {2, 1, 1},
                   .sharedBytes = 230464,
                   .registerHints = {{"load", 40}, {"mma", 232}}}};
  plan.preconditions = {{.left = Expr::mod(lda, 8),
                         .comparison = Precondition::Comparison::eq,
                         .right = 0,
                         .message = "lda must be a multiple of 8 elements (16 bytes)"}};
  Expr clusters = Expr::min(tiles, Expr::floorDiv(Expr::smCount(), 2));
  plan.launches = {
      {.kernel = 0,
       .grid = {clusters * 2, 1, 1},
       .parameters = {matrix(0, m, k, lda, 128), matrix(1, n, k, k, 128),
                      PointerParameter{.base = argument(2), .byteOffset = {}},
                      ScalarParameter{.width = ScalarParameter::Width::i32, .value = m},
                      ScalarParameter{.width = ScalarParameter::Width::i64, .value = n * lda - 1},
                      FloatParameter{.argument = 7}},
       .pdl = true}};
  return plan;
}

Plan sampleSplitPlan() {
  Expr m = Expr::argument(3);
  Expr n = Expr::argument(4);
  Expr k = Expr::argument(5);
  Expr splits = Expr::argument(6);
  Plan plan;
  plan.name = "gemm split over k";
  plan.arguments = {pointer("a", DType::bf16),
                    pointer("b", DType::bf16),
                    pointer("d", DType::fp32, Access::readWrite),
                    size("m"),
                    size("n"),
                    size("k"),
                    size("splits")};
  plan.buffers = {{.name = "partials", .bytes = splits * m * n * 4, .zeroInit = false},
                  {.name = "counters", .bytes = Expr::ceilDiv(m, 128) * 4, .zeroInit = true}};
  PlanKernel partial{.text = "void partial();", .entry = "partial", .threads = 256};
  PlanKernel reduce{.text = "void reduce();", .entry = "reduce", .threads = 128};
  plan.kernels = {partial, reduce};
  auto buffer = [](int32_t index) {
    return MemoryRef{.source = MemoryRef::Source::buffer, .index = index};
  };
  TensorMapRecipe partials{.base = buffer(0),
                           .dtype = DType::fp32,
                           .dims = {n, m, splits},
                           .strides = {n * 4, m * n * 4},
                           .box = {32, 64, 1},
                           .swizzle = 128};
  plan.launches = {
      {.kernel = 0,
       .grid = {Expr::ceilDiv(m, 128), Expr::ceilDiv(n, 128), splits},
       .parameters = {matrix(0, m, k, k, 128), matrix(1, n, k, k, 128), partials,
                      PointerParameter{.base = buffer(1), .byteOffset = {}},
                      ScalarParameter{.value = Expr::ceilDiv(Expr::ceilDiv(k, 64), splits)}}},
      {.kernel = 1,
       .grid = {Expr::ceilDiv(m * n, 1024), 1, 1},
       .parameters = {PointerParameter{.base = buffer(0), .byteOffset = m * n * 4 * (splits - 1)},
                      PointerParameter{.base = argument(2), .byteOffset = {}},
                      ScalarParameter{.value = splits}}}};
  return plan;
}

} // namespace tilewright
