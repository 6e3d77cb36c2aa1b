// SPDX-License-Identifier: Apache-2.0
//
// `gemm`: asks the engine for a kernel as any program does, says where it came from, checks it and
// measures it.

#include "runtime/check/GemmTrial.h"
#include "runtime/driver/Device.h"
#include "runtime/nvrtc/Nvrtc.h"
#include "tilewright/Engine.h"
#include "tools/tilewright/Commands.h"
#include "tools/tilewright/Emulate.h"
#include "tools/tilewright/GemmBench.h"
#include "tools/tilewright/GemmOptions.h"
#include "tools/tilewright/SelectDevice.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

namespace tilewright::cli {

namespace {

const char *const kFooter =
    "Without --check and --bench the kernel is built, or found, and described. --check compares "
    "it\n"
    "with a reference in fp64 (docs/decisions/check-bound.md) and exits with 5 if it is wrong.\n"
    "--bench times CUDA graphs on operands that rotate through 3 times the L2 cache.\n\n"
    "Examples:\n"
    "  tilewright gemm -m 4096 -n 4096 -k 4096 --check --bench\n"
    "  tilewright gemm -m 512 -n 4096 -k 4096 --epilogue bias,gelu,residual --check\n"
    "  tilewright gemm --case bench/suites/gemm.json:sq4k --bench --json\n"
    "  tilewright gemm -m 4096 -n 4096 -k 4096 --config bn=128,stages=6 --bench\n"
    "  tilewright gemm -m 4096 -n 4096 -k 4096 --target h200\n"
    "  tilewright gemm -m 300 -n 264 -k 200 --epilogue bias,gelu --emulate --seeds 5\n"
    "  tilewright gemm -m 256 -n 256 -k 512 --emulate --mutate drop-wgmma-fence\n";

double rounded(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  return std::round(value * scale) / scale;
}

std::string versionText(int32_t version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// The device that kernels run on, opened beside the engine's own use of it.
struct OpenDevice {
  std::shared_ptr<const Driver> driver;
  DeviceFacts facts;

  static Expected<OpenDevice> open(const Env &env, std::optional<int32_t> ordinal) {
    Expected<std::shared_ptr<const Driver>> driver = Driver::open({.env = env});
    if (!driver)
      return driver.status();
    Expected<DeviceFacts> facts =
        ordinal ? readDevice(**driver, *ordinal) : firstUsableDevice(**driver);
    if (!facts)
      return facts.status();
    return OpenDevice{*std::move(driver), *std::move(facts)};
  }
};

class GemmCommand {
public:
  GemmOptions gemm;
  bool wantCheck = false;
  bool wantBench = false;
  bool withoutCache = false;
  uint64_t seed = 1;
  std::optional<int32_t> ordinal;
  BenchOptions bench;
  EmulateOptions emulate;

  Expected<Report> run(const Session &session) const {
    if (emulate.mutate.isList())
      return MutateOption::list();
    if (!emulate.mutate.text.empty() && !emulate.isWanted)
      return Status::invalidArgument(
          "--mutate needs --emulate: a fault is for the emulator to find");
    if (emulate.isWanted && (wantCheck || wantBench))
      return Status::invalidArgument(
          "--emulate checks as well, and needs no GPU; leave out --check "
          "and --bench");
    if (emulate.isWanted)
      return emulateGemm(session, gemm, emulate, seed);
    Expected<GemmProblem> problem = gemm.problem();
    if (!problem)
      return problem.status();
    if (!gemm.target.empty() && (wantCheck || wantBench))
      return Status::invalidArgument("--check and --bench run the kernel on this machine's GPU; "
                                     "leave out --target");
    std::optional<OpenDevice> device;
    if (gemm.target.empty()) {
      Expected<OpenDevice> opened = OpenDevice::open(session.env, ordinal);
      if (!opened)
        return withTargetHint(opened.status());
      device = *std::move(opened);
    }
    Expected<Engine> engine = makeEngine(session, device);
    if (!engine)
      return device ? withTargetHint(engine.status()) : engine.status();
    Expected<Kernel> kernel = engine->request(*problem, Policy::heuristic, {.config = gemm.config});
    if (!kernel)
      return kernel.status();

    Report report;
    describeKernel(*problem, *engine, *kernel, report);
    if (!wantCheck && !wantBench)
      return report;
    Expected<std::shared_ptr<const PrimaryContext>> context =
        PrimaryContext::retain(device->driver, device->facts.ordinal);
    if (!context)
      return context.status();
    const WorkspaceNeeds needs = kernel->workspace();
    Expected<DeviceBuffer> memory = DeviceBuffer::allocate(*context, needs.bytes);
    if (!memory)
      return memory.status().withContext("the workspace");
    const Workspace workspace = {toPointer(memory->address()), needs.bytes};
    const RunOnce runOnce = [&](const BoundOperands &operands, cu::Stream stream) {
      std::vector<twOperand> bound;
      for (const auto &[role, address] : operands)
        bound.push_back({role.c_str(), toPointer(address)});
      return kernel->launch(bound, stream, workspace);
    };
    if (wantCheck)
      if (Status status = check(session, *context, *problem, runOnce, report); !status.isOk())
        return status;
    // What is wrong is not worth timing.
    if (wantBench && report.outcome.isOk())
      if (Status status = measure(*context, *problem, runOnce, report); !status.isOk())
        return status;
    return report;
  }

private:
  static void *toPointer(uint64_t address) { return reinterpret_cast<void *>(address); }

  Expected<Engine> makeEngine(const Session &session,
                              const std::optional<OpenDevice> &device) const {
    const Log log = session.log;
    return Engine::create(
        {.device = device ? device->facts.ordinal : 0,
         .target = gemm.target,
         .diskCache = !withoutCache,
         .nvrtcLibrary = session.nvrtc,
         .log = [log](twLogLevel level,
                      std::string_view message) { log.message(levelOf(level), "{}", message); },
         .logLevel = log.shows(LogLevel::debug)  ? twLogLevel{TW_LOG_DEBUG}
                     : log.shows(LogLevel::info) ? twLogLevel{TW_LOG_INFO}
                                                 : twLogLevel{TW_LOG_WARNING}});
  }

  static LogLevel levelOf(twLogLevel level) {
    switch (level) {
    case TW_LOG_ERROR:
      return LogLevel::error;
    case TW_LOG_WARNING:
      return LogLevel::warning;
    case TW_LOG_INFO:
      return LogLevel::info;
    case TW_LOG_TRACE:
      return LogLevel::trace;
    default:
      return LogLevel::debug;
    }
  }

  static void describeKernel(const GemmProblem &problem, const Engine &engine, const Kernel &kernel,
                             Report &report) {
    const DeviceInfo device = engine.device();
    const KernelInfo info = kernel.info();
    const WorkspaceNeeds needs = kernel.workspace();
    report.json = {
        {"problem", problemJson(problem)},
        {"device", device.name},
        {"config", info.config},
        {"key", info.key},
        {"source", info.source},
        {"mlir", info.mlir},
        {"nvrtc_calls", info.nvrtcCalls},
        {"request_ms", rounded(info.requestSeconds * 1e3, 3)},
        {"compile_ms", rounded(info.compileSeconds * 1e3, 3)},
        {"kernel",
         {{"launches", info.launchCount},
          {"ctas", info.ctas},
          {"registers", info.registers},
          {"spill_bytes", info.spillBytes},
          {"shared_bytes", info.sharedBytes},
          {"workspace_bytes", needs.bytes},
          {"nvrtc", info.nvrtcVersion == 0 ? Json() : Json(versionText(info.nvrtcVersion))}}}};
    report.text =
        fmt::format("{}\n\ndevice   {}, {} SMs\n", describe(problem), device.name, device.smCount);
    if (info.launchCount == 0) {
      report.text += "kernel   none: there is nothing to launch\n";
      return;
    }
    report.text += fmt::format("kernel   from {} in {:.1f} ms; compiled by NVRTC {} in {:.0f} ms\n",
                               info.source, info.requestSeconds * 1e3,
                               versionText(info.nvrtcVersion), info.compileSeconds * 1e3);
    report.text += fmt::format("config   {}\n", info.config);
    report.text += fmt::format(
        "launch   {} CTAs{}; {} registers, {} bytes spilled, {} bytes of shared memory; workspace "
        "{} bytes\n",
        info.ctas, info.launchCount > 1 ? fmt::format(" in the first of {}", info.launchCount) : "",
        info.registers, info.spillBytes, info.sharedBytes, needs.bytes);
  }

  Status check(const Session &session, const std::shared_ptr<const PrimaryContext> &context,
               const GemmProblem &problem, const RunOnce &runOnce, Report &report) const {
    Expected<Nvrtc> nvrtc = Nvrtc::find({.library = session.nvrtc, .env = session.env});
    if (!nvrtc)
      return nvrtc.status().withContext("--check compiles a reference");
    Expected<std::shared_ptr<const ReferenceKernel>> reference =
        ReferenceKernel::load(context, *nvrtc);
    if (!reference)
      return reference.status().withContext("--check");
    Expected<GemmTrial> trial = GemmTrial::create(problem, **reference, {.seed = seed});
    if (!trial)
      return trial.status().withContext("--check");
    BoundOperands operands;
    for (const GemmOperand &operand : gemmOperands(problem))
      operands.emplace_back(operand.role, trial->address(operand.role));
    if (Status status = runOnce(operands, nullptr); !status.isOk())
      return status;
    Expected<Verdict> verdict = trial->judge();
    if (!verdict)
      return verdict.status();

    report.text += fmt::format("check    {}: {}\n", verdict->isRight() ? "right" : "WRONG",
                               verdict->summary());
    report.json["check"] = {
        {"passed", verdict->isRight()},
        {"seed", seed},
        {"elements", verdict->elementsCompared},
        {"rows", verdict->rows},
        {"rows_compared", verdict->rowsCompared},
        {"wrong", verdict->wrong},
        {"unwritten", verdict->unwritten},
        {"not_finite", verdict->notFinite},
        {"damaged_bytes", verdict->damage.bytes},
        {"largest_error", verdict->largestError},
        {"largest_share_of_bound", verdict->largestShare},
        {"rel_error", verdict->relativeError ? Json(*verdict->relativeError) : Json()},
        {"rel_limit", verdict->relativeLimit},
        {"worst_row_error", verdict->worstRow < 0 ? Json() : Json(verdict->worstRowError)}};
    report.outcome = verdict->status();
    return Status::ok();
  }

  Status measure(const std::shared_ptr<const PrimaryContext> &context, const GemmProblem &problem,
                 const RunOnce &runOnce, Report &report) const {
    if (problem.m == 0 || problem.n == 0) {
      report.text += "bench    nothing to measure\n";
      report.json["bench"] = Json();
      return Status::ok();
    }
    BenchOptions options = bench;
    options.seed = seed;
    const Expected<BenchResult> result = benchGemm(context, problem, options, runOnce);
    if (!result)
      return result.status().withContext("--bench");
    const Roofline bound = roofline(problem, context->device());
    const double share = bound.seconds / result->median;
    const double tflops = problem.flops() / result->median / 1e12;
    const double gbs = leastBytes(problem) / result->median / 1e9;
    report.text += fmt::format(
        "bench    {:.2f} us   {:.1f} TFLOP/s   {:.0f} GB/s   {:.1f} % of the datasheet's roofline "
        "({}: {:.2f} us)\n"
        "         median of {} rounds of {} runs, {:.2f} to {:.2f} us; {}: {} sets of {:.1f} MB "
        "in rotation\n",
        result->median * 1e6, tflops, gbs, share * 100, bound.isCompute ? "compute" : "memory",
        bound.seconds * 1e6, result->rounds, result->runsPerRound, result->shortest * 1e6,
        result->longest * 1e6, result->isCold ? "cold" : "warm", result->sets,
        static_cast<double>(result->setBytes) / 1e6);
    report.json["bench"] = {{"ours_us", rounded(result->median * 1e6, 3)},
                            {"ours_us_min", rounded(result->shortest * 1e6, 3)},
                            {"ours_us_max", rounded(result->longest * 1e6, 3)},
                            {"ours_tflops", rounded(tflops, 2)},
                            {"ours_gbs", rounded(gbs, 1)},
                            {"bound", bound.isCompute ? "compute" : "memory"},
                            {"bound_us", rounded(bound.seconds * 1e6, 3)},
                            {"bound_share", rounded(share, 4)},
                            {"l2", result->isCold ? "cold" : "warm"},
                            {"regime", "sustained"},
                            {"rounds", result->rounds},
                            {"runs_per_round", result->runsPerRound},
                            {"sets", result->sets}};
    return Status::ok();
  }
};

} // namespace

void addGemm(CLI::App &app, Session &session) {
  CLI::App *gemm = app.add_subcommand(
      "gemm", "build a GEMM, D[M,N] = epilogue(alpha A B + beta C), check it and time it");
  gemm->footer(kFooter);
  auto command = std::make_shared<GemmCommand>();
  command->gemm.addTo(*gemm);
  gemm->add_flag("--check", command->wantCheck, "run it and compare with a reference in fp64");
  gemm->add_flag("--bench", command->wantBench, "measure it");
  gemm->add_option("--seed", command->seed, "of the random operands (default: 1)")->type_name("N");
  gemm->add_option("--rounds", command->bench.rounds, "rounds of --bench (default: 15)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  gemm->add_option("--device", command->ordinal,
                   "ordinal of the GPU (default: the first that is supported)")
      ->type_name("N");
  gemm->add_flag("--no-cache", command->withoutCache,
                 "neither look for the kernel on disk nor keep it there");
  command->emulate.addTo(*gemm);
  addCommonOptions(*gemm, session);
  gemm->callback([command, &session] {
    session.command = [command, &session] { return command->run(session); };
  });
}

} // namespace tilewright::cli
