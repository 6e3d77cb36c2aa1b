// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/device/FunctionCases.h"

namespace tilewright {

namespace {

std::vector<FunctionCase> registerCases() {
  const std::string four = "float x[4]; for (int j = 0; j < 4; ++j) x[j] = f[j]; ";
  const std::string store = " for (int j = 0; j < 4; ++j) f[j] = x[j];";
  return {
      {"leave_unset",
       {"fragment"},
       "float x[4]; tw::leave_unset(x); for (int j = 0; j < 4; ++j) x[j] = f[4 + j];" + store,
       {"st.global.(f|b|u)32"}},
      {"fill", {"fragment"}, "float x[4]; tw::fill(x, 2.0f);" + store, {"st.global.(f|b|u)32"}},
      {"copy", {"fragment"}, four + "float y[4]; tw::copy(y, x); f[9] = y[3];", {"st.global"}},
      {"pack_pair",
       {"fragment"},
       "u[0] = tw::pack_pair<tw::half>(f[0], f[1]);",
       {"cvt.rn.f16x2.f32 %r\\d+, %(f|r)\\d+, %(f|r)\\d+;"}},
      {"pack_bf16",
       {"fragment"},
       four + "uint32_t p[2]; tw::pack<tw::bf16>(p, x); u[0] = p[0]; u[1] = p[1];",
       {"cvt.rn.bf16x2.f32 .*cvt.rn.bf16x2.f32"}},
      {"pack_half_first",
       {"fragment"},
       four + "uint32_t p[1]; tw::pack<tw::half, 2>(p, x); u[0] = p[0];",
       {"cvt.rn.f16x2.f32"}},
      {"unpack_bf16",
       {"fragment"},
       "float x[4]; uint32_t p[2] = {1u + n, 2u + n}; tw::unpack<tw::bf16>(x, p);" + store,
       {"shl.b32 %r\\d+, %r\\d+, 16;"}},
      {"unpack_half",
       {"fragment"},
       "float x[4]; uint32_t p[2] = {1u + n, 2u + n}; tw::unpack<tw::half>(x, p);" + store,
       {"cvt.f32.f16"}},
      {"quad_reduce_max",
       {"fragment"},
       four + "tw::quad_reduce_max(x);" + store,
       {"shfl.sync.bfly.b32 .*shfl.sync.bfly.b32 ", "max.f32"}},
      {"quad_reduce_add",
       {"fragment"},
       four + "tw::quad_reduce_add(x);" + store,
       {"shfl.sync.bfly.b32 .*shfl.sync.bfly.b32 ", "add.f32"}},
      {"to_float",
       {},
       "f[0] = tw::to_float(b[0]) + tw::to_float(h[0]) + tw::to_float(f[1]);",
       {"cvt.f32.f16", "shl.b32"}},
      {"from_float",
       {},
       "b[0] = tw::from_float<tw::bf16>(f[0]); h[0] = tw::from_float<tw::half>(f[0]); "
       "f[1] = tw::from_float<float>(f[0]);",
       {"cvt.rn.bf16.f32", "cvt.rn.f16.f32"}},
      {"special_values",
       {},
       "f[0] = INFINITY; f[1] = -INFINITY; f[2] = NAN;",
       {"(0f7F800000|2139095040)", "(0fFF800000|-8388608)", "(0f7FFFFFFF|2147483647)"}},
      {"cursor",
       {"cursor"},
       "tw::cursor c = tw::producer_cursor(); tw::cursor d = tw::consumer_cursor();\n"
       "for (int j = 0; j < n; ++j) { c = tw::advance<3>(c); d = tw::advance<3>(d, n); }\n"
       "u[0] = tw::stage(c) + tw::phase(c); u[1] = tw::stage(d) + tw::phase(d);"
       "u[2] = tw::barrier_at(n, c); u[3] = tw::slot_at<64>(n, d);",
       {"setp", "xor.b32|selp"}},
      {"raster_row",
       {"scheduler"},
       "tw::tile2 t = tw::raster_row(i, 7, n); u[0] = tw::tile_m(t); u[1] = tw::tile_n(t);",
       {"div.s32"}},
      {"raster_grouped",
       {"scheduler"},
       "tw::tile2 t = tw::raster_grouped<8, true>(i, n, n); u[0] = tw::tile_m(t); u[1] = "
       "tw::tile_n(t);",
       {"min.s32|setp.lt"}},
      {"raster_snake",
       {"scheduler"},
       "tw::tile2 t = tw::raster_snake<4, false>(i, n, n); u[0] = tw::tile_m(t); u[1] = "
       "tw::tile_n(t);",
       {"div.s32"}},
  };
}

std::vector<FunctionCase> warpCases() {
  return {
      {"setmaxnreg_inc",
       {},
       "tw::setmaxnreg_inc<232>();",
       {"setmaxnreg.inc.sync.aligned.u32 232;"}},
      {"setmaxnreg_dec", {}, "tw::setmaxnreg_dec<40>();", {"setmaxnreg.dec.sync.aligned.u32 40;"}},
      {"elect_one", {}, "if (tw::elect_one()) u[0] = 1;", {"elect.sync _\\|p, 0xffffffff;"}},
      {"thread_id", {}, "u[0] = tw::thread_id();", {"%tid.x"}},
      {"lane_id", {}, "u[0] = tw::lane_id();", {"%tid.x", "and.b32 %r\\d+, %r\\d+, 31;"}},
      {"warp_id", {}, "u[0] = tw::warp_id();", {"shr.u32 %r\\d+, %r\\d+, 5;", "shfl.sync.idx.b32"}},
      {"warpgroup_id",
       {},
       "u[0] = tw::warpgroup_id();",
       {"shr.u32 %r\\d+, %r\\d+, 7;", "shfl.sync.idx.b32"}},
      {"cta_id", {}, "u[0] = tw::cta_id();", {"%ctaid.x"}},
      {"grid_size", {}, "u[0] = tw::grid_size();", {"%nctaid.x"}},
      {"cluster_rank", {}, "u[0] = tw::cluster_rank();", {"%cluster_ctarank;"}},
      {"cluster_id", {}, "u[0] = tw::cluster_id();", {"%clusterid.x;"}},
      {"cluster_count", {}, "u[0] = tw::cluster_count();", {"%nclusterid.x;"}},
      {"shfl_xor",
       {},
       "f[0] = tw::shfl_xor(f[0], 4); u[0] = tw::shfl_xor(u[0], 8);",
       {"shfl.sync.bfly.b32 .*shfl.sync.bfly.b32 "}},
      {"vote_any", {}, "u[0] = tw::vote_any(i < n);", {"vote.sync.any.pred"}},
      {"prmt", {}, "u[0] = tw::prmt(u[1], u[2], 0x5410);", {"prmt.b32"}},
  };
}

std::vector<FunctionCase> mathCases() {
  std::vector<FunctionCase> cases;
  const auto unary = [&](const std::string &name, const std::string &expected) {
    cases.push_back({name, {"math"}, "f[0] = tw::" + name + "(f[1]);", {expected}});
  };
  unary("exp2", "ex2.approx.ftz.f32");
  unary("log2", "lg2.approx.ftz.f32");
  unary("rcp", "rcp.approx.ftz.f32");
  unary("rsqrt", "rsqrt.approx.ftz.f32");
  unary("tanh_approx", "tanh.approx.f32");
  unary("exp", "ex2.approx.ftz.f32");
  unary("log", "fma.rn.f32");
  unary("sqrt", "sqrt.rn.f32");
  unary("tanh", "fma.rn.f32");
  unary("erf", "fma.rn.f32");
  unary("sin", "fma.rn.f32");
  unary("cos", "fma.rn.f32");
  unary("abs", "abs.f32");
  unary("floor", "cvt.rmi.f32.f32");
  unary("ceil", "cvt.rpi.f32.f32");
  const auto binary = [&](const std::string &name, const std::string &expected) {
    cases.push_back({name, {"math"}, "f[0] = tw::" + name + "(f[1], f[2]);", {expected}});
  };
  binary("max", "max.f32");
  binary("min", "min.f32");
  binary("max_nan", "max.NaN.f32");
  binary("min_nan", "min.NaN.f32");
  binary("divide", "div.rn.f32");
  cases.push_back({"fma", {"math"}, "f[0] = tw::fma(f[1], f[2], f[3]);", {"fma.rn.f32"}});
  cases.push_back({"max_i32", {"math"}, "u[0] = tw::max(u[1], u[2]);", {"max.s32"}});
  cases.push_back({"min_i32", {"math"}, "u[0] = tw::min(u[1], u[2]);", {"min.s32"}});
  return cases;
}

std::vector<FunctionCase> wgmmaCases() {
  const std::string mma = "tw::wgmma_ss<8, tw::bf16>(acc, d, d, 1);";
  const std::string start = "float acc[4] = {}; uint64_t d = tw::smem_descriptor<128>(smem); ";
  const std::string store = " for (int j = 0; j < 4; ++j) f[j] = acc[j];";
  return {
      {"smem_descriptor",
       {"wgmma"},
       "reinterpret_cast<uint64_t *>(f)[0] = tw::smem_descriptor<128>(n);",
       {"4611686293305360384;"}}, // layout 1 in bits 62-63, stride 1024 >> 4 in bits 32-45, 0 below
                                  // 2^32
      {"smem_descriptor_64",
       {"wgmma"},
       "reinterpret_cast<uint64_t *>(f)[0] = tw::smem_descriptor<64>(n, 4096, 512);",
       {"st.global"}},
      {"descriptor_advance",
       {"wgmma"},
       "uint64_t *p = reinterpret_cast<uint64_t *>(f); p[0] = tw::descriptor_advance(p[1], 32);",
       {"add.(s|u)64 %rd\\d+, %rd\\d+, 2;"}},
      {"wgmma_fence",
       {"wgmma"},
       start + "tw::wgmma_fence(acc);" + store,
       {"wgmma.fence.sync.aligned;"}},
      {"wgmma_fence_a",
       {"wgmma"},
       start + "uint32_t a[4] = {}; tw::wgmma_fence(acc, a);" + store,
       {"wgmma.fence.sync.aligned;"}},
      {"wgmma_commit",
       {"wgmma_n8"},
       start + "tw::wgmma_fence(acc); " + mma + " tw::wgmma_commit(); tw::wgmma_wait<0>(acc);" +
           store,
       {"wgmma.commit_group.sync.aligned;"}},
      {"wgmma_wait", {"wgmma"}, "tw::wgmma_wait<1>();", {"wgmma.wait_group.sync.aligned 1;"}},
      {"wgmma_wait_acc",
       {"wgmma_n8"},
       start + "tw::wgmma_fence(acc); " + mma + " tw::wgmma_commit(); tw::wgmma_wait<0>(acc);" +
           store,
       {"wgmma.mma_async.* wgmma.commit_group.sync.aligned;.* wgmma.wait_group.sync.aligned 0;.* "
        "st.global"}},
      {"sched_boundary",
       {"wgmma"},
       "tw::sched_boundary();",
       {"%dynamic_smem_size;", "@!never bra done;", "st.volatile.shared.u32"}},
  };
}

} // namespace

std::vector<FunctionCase> functionCases() {
  std::vector<FunctionCase> cases;
  for (const auto &group : {memoryCases(), registerCases(), warpCases(), mathCases(), wgmmaCases()})
    cases.insert(cases.end(), group.begin(), group.end());
  return cases;
}

} // namespace tilewright
