// SPDX-License-Identifier: Apache-2.0
//
// RequestKey: the canonical key of a request. Equal requests have equal keys on every machine and
// in every version; the text form names rows and files of the stores.
//
//   gemm/1 m=4000,n=4096,k=4096,bucket_m=4096,bucket_n=4096,bucket_k=4096,epilogue=bias+gelu
//
// Fields that have their default print to nothing. So a field that is added later, with a default
// that means what was meant before, invalidates no key; a change of meaning raises kKeySchema.
// Thread-safety: plain values and pure functions. Free of MLIR.
#pragma once

#include "runtime/engine/Request.h"
#include "support/Fields.h"
#include "support/Hash.h"
#include "tilewright/DType.h"
#include "tilewright/Problem.h"
#include "tilewright/Status.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright {

/// Version of what the fields mean.
inline constexpr int32_t kKeySchema = 1;

// Names of enums in keys, for support/Fields.h.
constexpr std::array<std::string_view, kDTypes.size()> fieldNames(DType) {
  std::array<std::string_view, kDTypes.size()> names = {};
  for (size_t i = 0; i < names.size(); ++i)
    names[i] = kDTypes[i].name;
  return names;
}
constexpr std::array<std::string_view, 4> fieldNames(GemmLayout) {
  return {"nt", "nn", "tn", "tt"};
}
constexpr std::array<std::string_view, 1> fieldNames(Accumulate) { return {"fp32"}; }

/// What a GEMM request is, as far as it matters for what is best and for what is compiled. Pitches
/// are there by their alignment only.
struct RequestKey {
  // What the text of the kernels depends on, beside the config. Whoever shares this can share code.
  DType a = DType::bf16;
  DType b = DType::bf16;
  DType d = DType::bf16;
  /// The type of C, "" where C is not read.
  std::string c = {};
  GemmLayout layout = GemmLayout::nt;
  /// Ops in order, joined by '+', with the operand's type where it is not that of D, and the
  /// alignment of its rows where that is not 16: "bias+residual:fp32@8".
  std::string epilogue = {};
  /// 1: the kernel multiplies by an alpha.
  int32_t alpha = 0;
  /// Bytes that every row begins at a multiple of, up to 16.
  int32_t alignA = 16;
  int32_t alignB = 16;
  int32_t alignC = 16;
  int32_t alignD = 16;
  /// Bytes that every operand begins at a multiple of, up to 16.
  int32_t alignPointers = 16;
  Accumulate accumulate = Accumulate::fp32;

  // What else decides which config is best.
  /// The exact shape, and beside it the bucket that it falls into: of sizes that a config serves
  /// equally well, roughly, the largest.
  int32_t m = 0;
  int32_t n = 0;
  int32_t k = 0;
  int32_t bucketM = 0;
  int32_t bucketN = 0;
  int32_t bucketK = 0;
  int32_t batch = 1;
  int32_t deterministic = 0;
  int32_t batchInvariant = 0;
  /// The most SMs it may occupy; 0: all.
  int32_t smCap = 0;
  /// 0: no programmatic dependent launch.
  int32_t pdl = 1;

  /// The fields that the kernels' text depends on.
  template <typename Visitor>
  static void forEachCodeField(Visitor &&visit) {
    visit("a", &RequestKey::a);
    visit("b", &RequestKey::b);
    visit("c", &RequestKey::c);
    visit("d", &RequestKey::d);
    visit("layout", &RequestKey::layout);
    visit("epilogue", &RequestKey::epilogue);
    visit("alpha", &RequestKey::alpha);
    visit("align_a", &RequestKey::alignA);
    visit("align_b", &RequestKey::alignB);
    visit("align_c", &RequestKey::alignC);
    visit("align_d", &RequestKey::alignD);
    visit("align_pointers", &RequestKey::alignPointers);
    visit("accumulate", &RequestKey::accumulate);
  }

  /// The one list of the fields.
  template <typename Visitor>
  static void forEachField(Visitor &&visit) {
    visit("m", &RequestKey::m);
    visit("n", &RequestKey::n);
    visit("k", &RequestKey::k);
    visit("bucket_m", &RequestKey::bucketM);
    visit("bucket_n", &RequestKey::bucketN);
    visit("bucket_k", &RequestKey::bucketK);
    visit("batch", &RequestKey::batch);
    forEachCodeField(visit);
    visit("deterministic", &RequestKey::deterministic);
    visit("batch_invariant", &RequestKey::batchInvariant);
    visit("sm_cap", &RequestKey::smCap);
    visit("pdl", &RequestKey::pdl);
  }

  /// The key of a request for a valid problem.
  static RequestKey of(const GemmRequest &request);

  /// The canonical text.
  [[nodiscard]] std::string toString() const;
  /// Reads toString() back. unsupported for another schema or family, invalidArgument names the
  /// part that is malformed, unknown or repeated.
  static Expected<RequestKey> parse(std::string_view text);

  /// The part that the kernels' text depends on: "gemm/1 a=fp16,b=fp16,d=fp16".
  [[nodiscard]] std::string codeText() const;

  [[nodiscard]] Hash128 hash() const { return hashBytes(toString()); }
  friend bool operator==(const RequestKey &, const RequestKey &) = default;
};

/// The bucket of a size: the next multiple of an eighth of the next power of two, so that sizes of
/// one bucket differ by a quarter at most; 0 to 16 are themselves.
int32_t sizeBucket(int32_t size);

} // namespace tilewright
