// SPDX-License-Identifier: Apache-2.0
// A card and the emulator compute the same: one plan, one set of operands, both results judged by
// one reference, so that they differ by no more than the sum of their bounds.
#include "runtime/check/Elements.h"
#include "runtime/check/InParallel.h"
#include "runtime/engine/EmulatedGemm.h"
#include "tests/gpu/GemmCase.h"

#include <algorithm>
#include <cmath>
#include <mutex>

using namespace tilewright;

namespace {

/// What is run under compute-sanitizer, and some of the sweep.
std::vector<GemmCase> someCases() {
  std::vector<GemmCase> cases;
  for (const NamedCase &named : memcheckCases())
    cases.push_back(named.gemm);
  for (int chunk : {0, 5}) {
    const std::vector<GemmCase> all = sweepCases(chunk, gpu()->facts.info);
    cases.insert(cases.end(), all.begin(), all.end());
  }
  return cases;
}

/// Whether the emulator is done with it in seconds. The large cases are there for their kernels,
/// which the small ones share.
bool isSmall(const GemmProblem &problem) {
  return problem.m > 0 && problem.n > 0 && problem.flops() < 2e9;
}

struct Comparison {
  int64_t elements = 0;
  int64_t identical = 0;
  /// The largest difference, as a share of the largest element.
  double difference = 0;
};

Comparison compare(const GemmProblem &problem, const std::vector<uint8_t> &a,
                   const std::vector<uint8_t> &b) {
  Comparison comparison;
  const auto bytes = static_cast<size_t>(dtypeBytes(problem.d));
  double largest = 0, apart = 0;
  for (int64_t row = 0; row < problem.m; ++row)
    for (int64_t column = 0; column < problem.n; ++column) {
      const size_t at = static_cast<size_t>(row * problem.pitchD() + column) * bytes;
      const double x = decodeElement(problem.d, a.data() + at);
      const double y = decodeElement(problem.d, b.data() + at);
      ++comparison.elements;
      comparison.identical += x == y;
      apart = std::max(apart, std::abs(x - y));
      largest = std::max({largest, std::abs(x), std::abs(y)});
    }
  comparison.difference = largest > 0 ? apart / largest : 0;
  return comparison;
}

class Agreement : public GpuTest {};

TEST_F(Agreement, OfCardAndEmulator) {
  const std::vector<emulator::HostHeader> headers = emulatorHeaders();
  Expected<emulator::Emulator> machine =
      emulator::Emulator::create({.env = Env::fromProcess(), .headers = headers});
  if (!machine)
    GTEST_SKIP() << machine.status().message();
  const std::vector<GemmCase> cases = someCases();
  const auto compiled = compileCases(cases);
  std::mutex lock;
  int64_t kernels = 0, identicalKernels = 0;
  Comparison total;
  inParallel(cases.size(), [&](size_t i) {
    const GemmCase &gemm = cases[i];
    if (!isSmall(gemm.problem))
      return;
    const auto fail = [&](const std::string &what) {
      const std::lock_guard guard(lock);
      ADD_FAILURE() << gemm.toString() << ": " << what;
    };
    if (!compiled[i])
      return fail(compiled[i].status().toString());
    Expected<GemmTrial> trial =
        GemmTrial::create(gemm.problem, *gpu()->reference, {.seed = gemm.seed});
    Expected<RunnableGemm> runnable = RunnableGemm::prepare(**compiled[i], gemm.problem);
    if (!trial || !runnable)
      return fail(trial ? runnable.status().toString() : trial.status().toString());
    if (Status status = runnable->run(*trial); !status.isOk())
      return fail(status.toString());
    Expected<Verdict> verdict = trial->judge();
    Expected<std::vector<uint8_t>> card = trial->result();
    if (!verdict || !verdict->isRight() || !card)
      return fail("the card is wrong");
    Expected<EmulatedGemm> emulated =
        EmulatedGemm::prepare(*machine, (*compiled[i])->plan, gemm.problem, gpu()->facts.info,
                              /*sms=*/4, gemm.seed);
    Expected<EmulatedRun> run =
        emulated ? emulated->run({.seed = gemm.seed}) : Expected<EmulatedRun>(emulated.status());
    if (!run || !run->status().isOk())
      return fail("the emulator: " + (run ? run->status() : run.status()).toString());
    const Comparison one = compare(gemm.problem, *card, run->result);
    const std::lock_guard guard(lock);
    ++kernels;
    identicalKernels += one.identical == one.elements;
    total.elements += one.elements;
    total.identical += one.identical;
    total.difference = std::max(total.difference, one.difference);
  });
  RecordProperty("kernels", std::to_string(kernels));
  RecordProperty("identical_kernels", std::to_string(identicalKernels));
  RecordProperty("elements", std::to_string(total.elements));
  RecordProperty("identical_elements", std::to_string(total.identical));
  RecordProperty("largest_difference", std::to_string(total.difference));
  std::printf("%lld kernels, %lld of them bit by bit; %lld of %lld elements alike; the largest "
              "difference is %.2g of the largest element\n",
              static_cast<long long>(kernels), static_cast<long long>(identicalKernels),
              static_cast<long long>(total.identical), static_cast<long long>(total.elements),
              total.difference);
  EXPECT_GE(kernels, 50);
}

} // namespace
