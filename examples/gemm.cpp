// SPDX-License-Identifier: Apache-2.0
//
// D = gelu(A · Bᵀ + bias) in bf16: ask for the kernel, give it memory, launch it.
//
//   g++ -std=c++20 -I. -Iinclude examples/gemm.cpp -Lbuild/dev/lib -ltilewright -o gemm
//   LD_LIBRARY_PATH=build/dev/lib ./gemm
//
// The first run compiles the kernel, half a second; runs after it find it on disk. See also
// include/tilewright/Engine.h, and tilewright.h for C.
#include "examples/Cuda.h"
#include "tilewright/Engine.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace tilewright;

namespace {

constexpr int64_t kM = 512;
constexpr int64_t kN = 1024;
constexpr int64_t kK = 256;

/// bf16 is the upper half of a float.
uint16_t toBf16(float value) { return static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16); }
float fromBf16(uint16_t value) { return std::bit_cast<float>(uint32_t{value} << 16); }

int fail(const Status &status) {
  std::fprintf(stderr, "%s\n", status.toString().c_str());
  return 1;
}

int fail(const char *what) {
  std::fprintf(stderr, "%s\n", what);
  return 1;
}

} // namespace

int main() {
  // An engine hands out kernels for one device. Make one, and keep it.
  Expected<Engine> engine = Engine::create({.device = 0});
  if (!engine)
    return fail(engine.status());

  // The problem: sizes, types, and what happens to the result before it is stored.
  GemmProblem problem{.m = kM, .n = kN, .k = kK, .a = DType::bf16, .b = DType::bf16};
  problem.epilogue.bias().gelu();

  // Its kernel, from memory, from disk, or compiled now; loaded on the device.
  Expected<Kernel> kernel = engine->request(problem);
  if (!kernel)
    return fail(kernel.status());
  const KernelInfo info = kernel->info();
  std::printf("kernel: %s, %s\n", info.source.c_str(), info.config.c_str());

  // Operands: A is all 1/8, B all 1/16, the bias 0.5: each sum is K/128 + 0.5.
  Cuda cuda;
  if (!cuda.open())
    return fail("no CUDA driver");
  const std::vector<uint16_t> a(kM * kK, toBf16(0.125F));
  const std::vector<uint16_t> b(kN * kK, toBf16(0.0625F));
  const std::vector<uint16_t> bias(kN, toBf16(0.5F));
  std::vector<uint16_t> d(kM * kN);
  void *deviceA = cuda.allocate(a.size() * 2);
  void *deviceB = cuda.allocate(b.size() * 2);
  void *deviceBias = cuda.allocate(bias.size() * 2);
  void *deviceD = cuda.allocate(d.size() * 2);
  if (!cuda.toDevice(deviceA, a.data(), a.size() * 2) ||
      !cuda.toDevice(deviceB, b.data(), b.size() * 2) ||
      !cuda.toDevice(deviceBias, bias.data(), bias.size() * 2))
    return fail("cannot copy to the device");

  // Some kernels need memory to work in; it is the caller's, as all memory is.
  const WorkspaceNeeds needs = kernel->workspace();
  const Workspace workspace = {.address = cuda.allocate(needs.bytes), .bytes = needs.bytes};

  // The launch: on a stream of the caller's (here the default one), as often as wanted, from any
  // thread, also into a CUDA graph.
  const Status launched = kernel->launch(
      {.a = deviceA, .b = deviceB, .d = deviceD, .bias = deviceBias}, nullptr, workspace);
  if (!launched.isOk())
    return fail(launched);

  if (!cuda.toHost(d.data(), deviceD, d.size() * 2))
    return fail("cannot copy from the device");
  const float x = kK * 0.125F * 0.0625F + 0.5F;
  const float expected = 0.5F * x * (1.0F + std::tanh(0.79788456F * (x + 0.044715F * x * x * x)));
  std::printf("D[0][0] is %.4f, expected %.4f\n", fromBf16(d[0]), expected);
  return 0;
}
