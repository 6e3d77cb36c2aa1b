// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/Key.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

GemmRequest sampleRequest() {
  GemmRequest request{.problem = {.m = 4000, .n = 4096, .k = 1024}};
  request.problem.epilogue.bias().gelu();
  return request;
}

/// A request in which every field of the key differs from its default.
GemmRequest unusualRequest() {
  GemmRequest request{.problem = {.m = 17,
                                  .n = 1001,
                                  .k = 72,
                                  .a = DType::fp16,
                                  .b = DType::fp16,
                                  .c = DType::fp32,
                                  .d = DType::fp16,
                                  .alpha = 0.5F,
                                  .beta = 2.0F,
                                  .ldc = 1003,
                                  .ldd = 1002}};
  request.problem.epilogue.scaleRow().residual(DType::fp32, 1002).silu();
  request.flags = {.deterministic = true,
                   .batchInvariant = true,
                   .pdl = false,
                   .smCap = 100,
                   .pointerAlignment = 16};
  return request;
}

std::string keyOf(const GemmRequest &request) { return RequestKey::of(request).toString(); }

TEST(RequestKey, PrintsShapeBucketAndWhatDiffersFromTheDefaults) {
  EXPECT_EQ(keyOf(sampleRequest()),
            "gemm/1 m=4000,n=4096,k=1024,bucket_m=4096,bucket_n=4096,bucket_k=1024,"
            "epilogue=bias+gelu");
  EXPECT_EQ(keyOf({}), "gemm/1");
}

TEST(RequestKey, PrintsEveryField) {
  EXPECT_EQ(keyOf(unusualRequest()),
            "gemm/1 m=17,n=1001,k=72,bucket_m=20,bucket_n=1024,bucket_k=80,a=fp16,b=fp16,c=fp32,"
            "d=fp16,epilogue=scale_row:fp32+residual:fp32@8+silu,alpha=1,align_c=4,align_d=4,"
            "deterministic=1,batch_invariant=1,sm_cap=100,pdl=0");
}

TEST(RequestKey, CodeTextHasWhatTheTextOfTheKernelsDependsOn) {
  EXPECT_EQ(RequestKey::of(sampleRequest()).codeText(), "gemm/1 epilogue=bias+gelu");
  EXPECT_EQ(RequestKey::of(unusualRequest()).codeText(),
            "gemm/1 a=fp16,b=fp16,c=fp32,d=fp16,epilogue=scale_row:fp32+residual:fp32@8+silu,"
            "alpha=1,align_c=4,align_d=4");
}

TEST(RequestKey, ReadsBackWhatItPrints) {
  for (const GemmRequest &request : {sampleRequest(), unusualRequest(), GemmRequest()}) {
    const RequestKey key = RequestKey::of(request);
    const Expected<RequestKey> read = RequestKey::parse(key.toString());
    ASSERT_TRUE(read) << read.status().toString();
    EXPECT_EQ(*read, key);
    EXPECT_EQ(read->hash(), key.hash());
  }
}

// The promise of the key: a field that is added later changes no key that is stored.
TEST(RequestKey, KeysOfToday) {
  EXPECT_EQ(RequestKey::of(sampleRequest()).hash().toHex(), "3ea7b177109de58764f1bcc82e6ee2bd");
}

TEST(RequestKey, DiffersWhereTheBestKernelMayDiffer) {
  const std::string base = keyOf(sampleRequest());
  const auto differs = [&](auto change) {
    GemmRequest request = sampleRequest();
    change(request);
    return keyOf(request) != base;
  };
  EXPECT_TRUE(differs([](GemmRequest &r) { r.problem.m = 4001; }));
  EXPECT_TRUE(differs([](GemmRequest &r) { r.problem.a = r.problem.b = DType::fp16; }));
  EXPECT_TRUE(differs([](GemmRequest &r) { r.problem.d = DType::fp32; }));
  EXPECT_TRUE(differs([](GemmRequest &r) { r.problem.alpha = 2; }));
  EXPECT_TRUE(differs([](GemmRequest &r) { r.problem.beta = 2; }));
  EXPECT_TRUE(differs([](GemmRequest &r) { r.problem.ldd = 4097; }));
  EXPECT_TRUE(differs([](GemmRequest &r) { r.problem.epilogue.relu(); }));
  EXPECT_TRUE(differs([](GemmRequest &r) { r.flags.deterministic = true; }));
  EXPECT_TRUE(differs([](GemmRequest &r) { r.flags.batchInvariant = true; }));
  EXPECT_TRUE(differs([](GemmRequest &r) { r.flags.smCap = 8; }));
  EXPECT_TRUE(differs([](GemmRequest &r) { r.flags.pdl = false; }));
}

TEST(RequestKey, IsTheSameWhereNothingChanges) {
  const std::string base = keyOf(sampleRequest());
  GemmRequest request = sampleRequest();
  request.problem.lda = 1024;
  request.problem.ldd = 4096 + 64; // padded, as aligned as before
  request.problem.c = DType::fp32; // not read
  request.flags.pointerAlignment = 128;
  EXPECT_EQ(keyOf(request), base);
  request.problem.epilogue = {};
  request.problem.epilogue.bias(DType::bf16).gelu(); // the default, spelt out
  EXPECT_EQ(keyOf(request), base);
  request.problem.alpha = 2;
  const std::string two = keyOf(request);
  request.problem.alpha = 3;
  EXPECT_EQ(keyOf(request), two) << "a kernel with alpha takes every alpha";
}

TEST(RequestKey, RefusesWhatIsNoKey) {
  const auto refusal = [](std::string_view text) {
    return RequestKey::parse(text).status().toString();
  };
  EXPECT_EQ(refusal("gemm/2 m=1"),
            "unsupported: key 'gemm/2 m=1' begins with 'gemm/2'; this version reads gemm/1");
  EXPECT_EQ(refusal(""), "unsupported: key '' begins with ''; this version reads gemm/1");
  EXPECT_EQ(refusal("gemm/1 m"), "invalid_argument: key: 'm' is not of the form name=value");
  EXPECT_EQ(refusal("gemm/1 m=1,m=2"), "invalid_argument: key: 'm' is given twice");
  EXPECT_EQ(refusal("gemm/1 color=2"), "invalid_argument: key: 'color' is no field");
  EXPECT_EQ(refusal("gemm/1 m=x"), "invalid_argument: key: m: 'x' is no whole number");
  EXPECT_EQ(refusal("gemm/1 layout=xy"),
            "invalid_argument: key: layout: 'xy' is not one of nt, nn, tn, tt");
}

TEST(SizeBucket, GrowsInStepsOfAQuarterAtMost) {
  EXPECT_EQ(sizeBucket(0), 0);
  EXPECT_EQ(sizeBucket(1), 1);
  EXPECT_EQ(sizeBucket(16), 16);
  EXPECT_EQ(sizeBucket(17), 20);
  EXPECT_EQ(sizeBucket(4000), 4096);
  EXPECT_EQ(sizeBucket(4096), 4096);
  EXPECT_EQ(sizeBucket(4097), 5120);
  EXPECT_EQ(sizeBucket(INT32_MAX), INT32_MAX);
  for (int32_t size = 1, last = 0; size < 100000; ++size) {
    const int32_t bucket = sizeBucket(size);
    ASSERT_GE(bucket, size);
    ASSERT_GE(bucket, last);
    ASSERT_LE(bucket, size + std::max(size / 4, 1)) << size;
    ASSERT_EQ(sizeBucket(bucket), bucket) << "a bucket is the largest of its sizes";
    last = bucket;
  }
}

} // namespace
