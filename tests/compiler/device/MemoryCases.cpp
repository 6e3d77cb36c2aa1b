// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/device/FunctionCases.h"

namespace tilewright {

namespace {

std::vector<FunctionCase> barrierCases() {
  return {
      {"mbarrier_init",
       {"mbarrier"},
       "tw::mbarrier_init(smem, 3);",
       {"mbarrier.init.shared::cta.b64 \\[%r\\d+\\], %r\\d+;"}},
      {"fence_mbarrier_init",
       {"mbarrier"},
       "tw::fence_mbarrier_init();",
       {"fence.mbarrier_init.release.cluster;"}},
      {"mbarrier_arrive",
       {"mbarrier"},
       "tw::mbarrier_arrive(smem);",
       {"mbarrier.arrive.shared::cta.b64 _, \\["}},
      {"mbarrier_arrive_remote",
       {"mbarrier"},
       "tw::mbarrier_arrive_remote(smem, 1);",
       {"mapa.shared::cluster.u32 remote, %r\\d+, %r\\d+;",
        "mbarrier.arrive.shared::cluster.b64 _, \\[remote\\];"},
       {"release", "\\.cluster;"}},
      {"mbarrier_arrive_expect_tx",
       {"mbarrier"},
       "tw::mbarrier_arrive_expect_tx(smem, 4096);",
       {"mbarrier.arrive.expect_tx.shared::cta.b64 _, \\[%r\\d+\\], %r\\d+;"}},
      {"mbarrier_wait_parity",
       {"mbarrier"},
       "tw::mbarrier_wait_parity(smem, 1);",
       {"again: mbarrier.try_wait.parity.shared::cta.b64 done, \\[%r\\d+\\], %r\\d+; @!done bra "
        "again;"},
       {"trap"}},
      {"cp_async_mbarrier_arrive",
       {"mbarrier"},
       "tw::cp_async_mbarrier_arrive(smem);",
       {"cp.async.mbarrier.arrive.noinc.shared::cta.b64 \\["}},
      {"cta_sync", {"barriers"}, "tw::cta_sync();", {"barrier.sync.aligned 0;"}},
      {"warp_sync", {"barriers"}, "tw::warp_sync();", {"bar.warp.sync 0xffffffff;"}},
      {"barrier_sync",
       {"barriers"},
       "tw::barrier_sync<64>(3);",
       {"barrier.sync.aligned %r\\d+, 64;"}},
      {"barrier_arrive",
       {"barriers"},
       "tw::barrier_arrive<96>(3);",
       {"barrier.arrive.aligned %r\\d+, 96;"}},
      {"cluster_arrive",
       {"barriers"},
       "tw::cluster_arrive();",
       {"barrier.cluster.arrive.release.aligned;"}},
      {"cluster_wait",
       {"barriers"},
       "tw::cluster_wait();",
       {"barrier.cluster.wait.acquire.aligned;"}},
      {"fence_proxy_async_shared",
       {"fences"},
       "tw::fence_proxy_async_shared();",
       {"fence.proxy.async.shared::cta;"}},
      {"fence_proxy_async_global",
       {"fences"},
       "tw::fence_proxy_async_global();",
       {"fence.proxy.async.global;"}},
      {"fence_acq_rel_cta", {"fences"}, "tw::fence_acq_rel_cta();", {"fence.acq_rel.cta;"}},
      {"fence_acq_rel_cluster",
       {"fences"},
       "tw::fence_acq_rel_cluster();",
       {"fence.acq_rel.cluster;"}},
      {"fence_acq_rel_gpu", {"fences"}, "tw::fence_acq_rel_gpu();", {"fence.acq_rel.gpu;"}},
      {"grid_dependency_wait", {"launch"}, "tw::grid_dependency_wait();", {"griddepcontrol.wait;"}},
      {"grid_dependency_launch",
       {"launch"},
       "tw::grid_dependency_launch();",
       {"griddepcontrol.launch_dependents;"}},
  };
}

std::vector<FunctionCase> tmaCases() {
  const std::string load = "cp.async.bulk.tensor.";
  const std::string to = ".shared::cluster.global.mbarrier::complete_tx::bytes";
  std::vector<FunctionCase> cases = {
      {"prefetch_tensormap",
       {"tma"},
       "tw::prefetch_tensormap(map);",
       {"prefetch.tensormap \\[%rd\\d+\\];"}},
      {"tma_load_evict_first",
       {"tma"},
       "tw::tma_load<2, tw::cache::evict_first>(map, smem, smem + 8, 0, 1);",
       {"createpolicy.fractional.L2::evict_first.b64 %rd\\d+, 1.0;",
        load + "2d" + to +
            ".L2::cache_hint \\[%r\\d+\\], \\[%rd\\d+, \\{%r\\d+, %r\\d+\\}\\], "
            "\\[%r\\d+\\], %rd\\d+;"}},
      {"tma_load_evict_last",
       {"tma"},
       "tw::tma_load<3, tw::cache::evict_last>(map, smem, smem + 8, 0, 1, 2);",
       {"createpolicy.fractional.L2::evict_last.b64", load + "3d" + to + ".L2::cache_hint"}},
      {"tma_load_multicast_evict_last",
       {"tma"},
       "tw::tma_load_multicast<2, tw::cache::evict_last>(map, smem, smem + 8, 3, 0, 1);",
       {load + "2d" + to +
        ".multicast::cluster.L2::cache_hint \\[%r\\d+\\], "
        "\\[%rd\\d+, \\{%r\\d+, %r\\d+\\}\\], \\[%r\\d+\\], %rs\\d+, %rd\\d+;"}},
      {"bulk_load",
       {"tma"},
       "tw::bulk_load(smem, f, 256, smem + 512);",
       {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes \\[%r\\d+\\], "
        "\\[%rd\\d+\\], "
        "%r\\d+, \\[%r\\d+\\];"}},
      {"bulk_store",
       {"tma"},
       "tw::bulk_store(f, smem, 256);",
       {"cp.async.bulk.global.shared::cta.bulk_group \\[%rd\\d+\\], \\[%r\\d+\\], %r\\d+;"}},
      {"bulk_reduce_add",
       {"tma"},
       "tw::bulk_reduce_add(f, smem, 256);",
       {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 \\["}},
      {"bulk_commit", {"tma"}, "tw::bulk_commit();", {"cp.async.bulk.commit_group;"}},
      {"bulk_wait", {"tma"}, "tw::bulk_wait<2>();", {"cp.async.bulk.wait_group 2;"}},
      {"bulk_wait_read", {"tma"}, "tw::bulk_wait_read<1>();", {"cp.async.bulk.wait_group.read 1;"}},
  };
  std::string arguments;
  std::string registers;
  for (int rank = 1; rank <= 5; ++rank) {
    arguments += ", " + std::to_string(10 * rank) + " + i";
    registers += rank == 1 ? "%r\\d+" : ", %r\\d+";
    const std::string r = std::to_string(rank);
    const std::string box = "\\[%rd\\d+, \\{" + registers + "\\}\\]";
    cases.push_back({"tma_load_" + r + "d",
                     {"tma"},
                     "tw::tma_load<" + r + ">(map, smem, smem + 8" + arguments + ");",
                     {load + r + "d" + to + " \\[%r\\d+\\], " + box + ", \\[%r\\d+\\];"},
                     {"multicast", "cache_hint"}});
    cases.push_back({"tma_load_multicast_" + r + "d",
                     {"tma"},
                     "tw::tma_load_multicast<" + r + ">(map, smem, smem + 8, 3" + arguments + ");",
                     {load + r + "d" + to + ".multicast::cluster \\[%r\\d+\\], " + box +
                      ", \\[%r\\d+\\], %rs\\d+;"}});
    cases.push_back({"tma_store_" + r + "d",
                     {"tma"},
                     "tw::tma_store<" + r + ">(map, smem" + arguments + ");",
                     {load + r + "d.global.shared::cta.bulk_group " + box + ", \\[%r\\d+\\];"}});
    cases.push_back({"tma_reduce_add_" + r + "d",
                     {"tma"},
                     "tw::tma_reduce_add<" + r + ">(map, smem" + arguments + ");",
                     {"cp.reduce.async.bulk.tensor." + r + "d.global.shared::cta.add.bulk_group " +
                      box + ", \\[%r\\d+\\];"}});
    cases.push_back({"tma_prefetch_" + r + "d",
                     {"tma"},
                     "tw::tma_prefetch<" + r + ">(map" + arguments + ");",
                     {"cp.async.bulk.prefetch.tensor." + r + "d.L2.global " + box + ";"}});
  }
  return cases;
}

std::vector<FunctionCase> sharedCases() {
  std::vector<FunctionCase> cases = {
      {"smem_base",
       {},
       "u[0] = tw::smem_base();",
       {"\\.extern \\.shared \\.align 1024 \\.b8", "st.global"}},
      {"swizzle",
       {},
       "u[0] = tw::swizzle<128>(n); u[1] = tw::swizzle<0>(n);",
       {"and.b32 %r\\d+, %r\\d+, 112;", "xor.b32"}},
      {"swizzle_64", {}, "u[0] = tw::swizzle<64>(n);", {"and.b32 %r\\d+, %r\\d+, 48;"}},
      {"swizzle_32", {}, "u[0] = tw::swizzle<32>(n);", {"and.b32 %r\\d+, %r\\d+, 16;"}},
      {"ld_shared_bf16",
       {},
       "f[0] = tw::ld_shared<tw::bf16>(smem);",
       {"ld.shared.b16 %rs\\d+", "st.global.(f|b|u)32"}},
      {"ld_shared_half",
       {},
       "f[0] = tw::ld_shared<tw::half>(smem);",
       {"ld.shared.b16 %rs\\d+", "cvt.f32.f16"}},
      {"ld_shared_float", {}, "f[0] = tw::ld_shared<float>(smem);", {"ld.shared.b32 %r\\d+"}},
      {"ld_shared_i32", {}, "u[0] = tw::ld_shared<int32_t>(smem);", {"ld.shared.b32 %r\\d+"}},
      {"st_shared_bf16",
       {},
       "tw::st_shared<tw::bf16>(smem, f[0]);",
       {"cvt.rn.bf16.f32", "st.shared.b16 \\["}},
      {"st_shared_half",
       {},
       "tw::st_shared<tw::half>(smem, f[0]);",
       {"cvt.rn.f16.f32", "st.shared.b16 \\["}},
      {"st_shared_float", {}, "tw::st_shared<float>(smem, f[0]);", {"st.shared.b32 \\["}},
      {"st_shared_i32", {}, "tw::st_shared<int32_t>(smem, u[0]);", {"st.shared.b32 \\["}},
      {"st_shared_v2",
       {},
       "float x[4] = {1, 2, 3, f[0]}; tw::st_shared_v2(smem, x, 2);",
       {"st.shared.v2.f32 \\[%r\\d+\\], \\{%f\\d+, %f\\d+\\};|st.shared.v2.f32 \\[%r\\d+\\], "
        "\\{%r\\d+, %r\\d+\\};"}},
      {"st_shared_v4",
       {},
       "uint32_t x[4] = {1, 2, 3, 4}; tw::st_shared_v4(smem, x, 0);",
       {"st.shared.v4.b32 \\[%r\\d+\\], \\{%r\\d+, %r\\d+, %r\\d+, %r\\d+\\};"}},
      {"st_async",
       {},
       "tw::st_async(smem, f[0], smem + 8, 1); tw::st_async(smem, n, smem + 8, 1);",
       {"mapa.shared::cluster.u32 remote_bar",
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 \\[remote\\], %r\\d+, "
        "\\[remote_bar\\];"}},
  };
  for (const std::string x : {"1", "2", "4"}) {
    for (const bool trans : {false, true}) {
      const std::string shape =
          ".sync.aligned.m8n8.x" + x + (trans ? ".trans" : "") + ".shared.b16";
      const std::string arguments = x + (trans ? ", true" : "");
      cases.push_back(
          {"ldmatrix_x" + x + (trans ? "_trans" : ""),
           {},
           "uint32_t r[8] = {}; tw::ldmatrix<" + arguments + ">(smem, r, 4); u[0] = r[4];",
           {"ldmatrix" + shape + " \\{%r"}});
      cases.push_back(
          {"stmatrix_x" + x + (trans ? "_trans" : ""),
           {},
           "uint32_t r[8] = {1, 2, 3, 4, 5, 6, 7, 8}; tw::stmatrix<" + arguments + ">(smem, r, 4);",
           {"stmatrix" + shape + " \\[%r"}});
    }
  }
  return cases;
}

std::vector<FunctionCase> globalCases() {
  return {
      {"ld_global_float", {"global"}, "f[1] = tw::ld_global(f, i);", {"ld.global"}},
      {"ld_global_bf16",
       {"global"},
       "f[1] = tw::ld_global<tw::bf16>(b, i);",
       {"ld.global.(u|b)16", "shl.b32"}},
      {"ld_global_half",
       {"global"},
       "f[1] = tw::ld_global<tw::half>(h, i);",
       {"ld.global.(u|b)16", "cvt.f32.f16"}},
      {"ld_global_if",
       {"global"},
       "f[1] = tw::ld_global_if<tw::bf16>(b, i, i < n);",
       {"@p ld.global.b16"}},
      {"ld_global_if_float",
       {"global"},
       "f[1] = tw::ld_global_if<float>(f, i, i < n);",
       {"@p ld.global.b32"}},
      {"st_global",
       {"global"},
       "tw::st_global<tw::bf16>(b, i, f[0]);",
       {"cvt.rn.bf16.f32", "st.global.(u|b)16"}},
      {"st_global_if",
       {"global"},
       "tw::st_global_if<tw::half>(h, i, i < n, f[0]);",
       {"@%p\\d+ bra", "cvt.rn.f16.f32", "st.global.(u|b)16"}},
      {"st_global_pair_bf16",
       {"global"},
       "tw::st_global_pair<tw::bf16>(b, 2 * i, n - i, f[0], f[1]);",
       {"@both st.global.b32", "@one st.global.b16"}},
      {"st_global_pair_float",
       {"global"},
       "tw::st_global_pair<float>(f, 2 * i, n - i, f[0], f[1]);",
       {"@both st.global.v2.f32", "@one st.global.f32"}},
      {"ld_global_pair_bf16",
       {"global"},
       "float r[4]; tw::ld_global_pair<tw::bf16>(b, 2 * i, n - i, r, 2); f[0] = r[2] + r[3];",
       {"@both ld.global.b32", "@one ld.global.b16"}},
      {"ld_global_pair_float",
       {"global"},
       "float r[2]; tw::ld_global_pair<float>(f, 2 * i, n - i, r); f[0] = r[0] + r[1];",
       {"@both ld.global.v2.b32", "@one ld.global.b32"}},
      {"cp_async_4",
       {"global"},
       "tw::cp_async<4>(smem, f, n);",
       {"cp.async.ca.shared.global \\[%r\\d+\\], \\[%rd\\d+\\], 4, %r\\d+;"}},
      {"cp_async_8",
       {"global"},
       "tw::cp_async<8>(smem, f, n);",
       {"cp.async.ca.shared.global \\[%r\\d+\\], \\[%rd\\d+\\], 8, %r\\d+;"}},
      {"cp_async_16",
       {"global"},
       "tw::cp_async<16>(smem, f, n);",
       {"cp.async.cg.shared.global \\[%r\\d+\\], \\[%rd\\d+\\], 16, %r\\d+;"}},
      {"cp_async_commit", {"global"}, "tw::cp_async_commit();", {"cp.async.commit_group;"}},
      {"cp_async_wait", {"global"}, "tw::cp_async_wait<3>();", {"cp.async.wait_group 3;"}},
      {"red_add_if",
       {"global"},
       "tw::red_add_if<float>(f, i, i < n, 1.5f);",
       {"@%p\\d+ bra", "red.relaxed.gpu.global.add.f32 \\[%rd\\d+\\], "}},
      {"atomic_add",
       {"global"},
       "u[1] = tw::atomic_add(u, n);",
       {"atom.relaxed.gpu.global.add.s32 %r\\d+, \\[%rd\\d+\\], %r\\d+;"}},
      {"ld_acquire", {"global"}, "u[1] = tw::ld_acquire(u);", {"ld.acquire.gpu.global.s32"}},
      {"red_release", {"global"}, "tw::red_release(u, n);", {"red.release.gpu.global.add.s32"}},
  };
}

} // namespace

std::vector<FunctionCase> memoryCases() {
  std::vector<FunctionCase> cases;
  for (const auto &group : {barrierCases(), tmaCases(), sharedCases(), globalCases()})
    cases.insert(cases.end(), group.begin(), group.end());
  return cases;
}

} // namespace tilewright
