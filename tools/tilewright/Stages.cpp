// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/Stages.h"

#include "compiler/Compiler.h"
#include "runtime/engine/Compile.h"
#include "support/JsonNode.h"
#include "support/PlanText.h"
#include "tools/tilewright/Disassembler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <filesystem>

namespace tilewright::cli {

namespace {

/// What a stage is of one kernel; of IR and plans there is one piece without a name.
struct Piece {
  std::string kernel;
  std::string bytes;
};

Json launchJson(const PlanKernel &kernel) {
  Json hints = Json::object();
  for (const RegisterHint &hint : kernel.registerHints)
    hints[hint.role] = hint.registers;
  return {{"entry", kernel.entry},     {"threads", kernel.threads},
          {"cluster", kernel.cluster}, {"shared_bytes", kernel.sharedBytes},
          {"role_registers", hints},   {"headers", kernel.headers}};
}

Json kernelJson(const PlanKernel &kernel, const NvrtcOutput &output) {
  Json json = launchJson(kernel);
  for (const KernelResources &resources : output.kernels) {
    if (resources.kernel != kernel.entry)
      continue;
    json["registers"] = resources.registers;
    json["stack_bytes"] = resources.stackBytes;
    json["spill_store_bytes"] = resources.spillStoreBytes;
    json["spill_load_bytes"] = resources.spillLoadBytes;
    json["static_shared_bytes"] = resources.staticSharedBytes;
    json["barriers"] = resources.barriers;
    json["code_bytes"] = resources.codeBytes;
  }
  json["advisories"] = Json::array();
  for (const Advisory &advisory : output.advisories)
    json["advisories"].push_back({{"code", advisory.code}, {"text", advisory.text}});
  json["cubin_bytes"] = output.cubin.size();
  return json;
}

std::string resourcesText(const PlanKernel &kernel, const NvrtcOutput &output) {
  std::string text =
      fmt::format("{}\n  launch     {} threads, cluster {}, {} bytes of dynamic shared memory\n",
                  kernel.entry, kernel.threads, fmt::join(kernel.cluster, "x"), kernel.sharedBytes);
  std::string roles;
  for (const RegisterHint &hint : kernel.registerHints)
    roles += fmt::format("{} {} {}", roles.empty() ? "; then" : ",", hint.role, hint.registers);
  for (const KernelResources &resources : output.kernels)
    if (resources.kernel == kernel.entry)
      text += fmt::format("  registers  {} per thread at launch{}\n"
                          "  spills     {} bytes stored, {} loaded; stack {} bytes\n"
                          "  barriers   {} of 16 named; {} bytes of static shared memory\n"
                          "  code       {} bytes\n",
                          resources.registers, roles, resources.spillStoreBytes,
                          resources.spillLoadBytes, resources.stackBytes, resources.barriers,
                          resources.staticSharedBytes, resources.codeBytes);
  text += output.advisories.empty() ? "  advisories none\n" : "";
  for (const Advisory &advisory : output.advisories)
    text += fmt::format("  advisory   {} {}\n", advisory.code, advisory.text);
  return text;
}

std::string fileFor(const std::string &output, const Piece &piece, bool isAlone) {
  if (isAlone)
    return output;
  std::filesystem::path path(output);
  const std::string extension = path.extension().string();
  return path.replace_extension("." + piece.kernel + extension).string();
}

/// Puts the pieces into the report: text as one document, cubins as a file each.
Expected<Report> place(const Session &session, const std::vector<Piece> &pieces,
                       const ShowOptions &options, Report report) {
  report.json["stage"] = kShownNames[static_cast<size_t>(options.stage)];
  const bool isBinary = options.stage == Shown::cubin;
  if (isBinary && options.output.empty() &&
      (session.json || pieces.size() != 1 || isatty(STDOUT_FILENO)))
    return Status::invalidArgument("a cubin is no text: name a file for it with -o");
  std::string text;
  for (const Piece &piece : pieces)
    text += (text.empty() ? "" : "\n") + piece.bytes;
  if (options.output.empty()) {
    report.text += text;
    if (options.stage == Shown::plan) {
      Expected<Json> plan = parseJson(text);
      report.json["plan"] = plan ? *std::move(plan) : Json();
    } else if (options.stage != Shown::resources) {
      report.json["text"] = text;
    }
    return report;
  }
  if (!isBinary) {
    report.files.push_back({options.output, text});
    report.json["output"] = options.output;
    return report;
  }
  report.json["output"] = Json::array();
  for (const Piece &piece : pieces) {
    report.files.push_back({fileFor(options.output, piece, pieces.size() == 1), piece.bytes});
    report.json["output"].push_back(report.files.back().path);
  }
  return report;
}

Expected<std::vector<Piece>> piecesOf(const Session &session, const CompiledPlan &compiled,
                                      Shown stage) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < compiled.kernels.size(); ++i) {
    const PlanKernel &kernel = compiled.plan.kernels[i];
    const NvrtcOutput &output = compiled.kernels[i];
    Piece piece{kernel.entry, {}};
    if (stage == Shown::ptx) {
      piece.bytes = output.ptx;
    } else if (stage == Shown::cubin) {
      piece.bytes = output.cubin;
    } else if (stage == Shown::resources) {
      piece.bytes = resourcesText(kernel, output);
    } else {
      Expected<std::string> sass = disassemble(session.env, output.cubin);
      if (!sass)
        return sass.status();
      piece.bytes = *std::move(sass);
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

Expected<Report> showCompiled(const Session &session, mlir::ModuleOp module,
                              const ShowOptions &options, Report report) {
  // Said before the work is done.
  if (options.stage == Shown::sass)
    if (Expected<std::string> program = findDisassembler(session.env); !program)
      return program.status();
  Expected<Nvrtc> nvrtc = Nvrtc::find({.library = session.nvrtc, .env = session.env});
  if (!nvrtc)
    return nvrtc.status();
  session.log.info("NVRTC {} at {}", nvrtc->version().toString(), nvrtc->library().path());
  Expected<CompiledPlan> compiled = compileModule(
      module, *nvrtc, {.wantPtx = options.stage == Shown::ptx, .policy = options.policy});
  if (!compiled)
    return compiled.status();

  report.json["nvrtc"] = nvrtc->version().toString();
  report.json["kernels"] = Json::array();
  for (size_t i = 0; i < compiled->kernels.size(); ++i)
    report.json["kernels"].push_back(kernelJson(compiled->plan.kernels[i], compiled->kernels[i]));
  report.json["rejections"] = Json::array();
  for (const Rejection &rejection : compiled->rejections) {
    session.log.warning("{} is rejected: {}", rejection.kernel, rejection.reason);
    report.json["rejections"].push_back(
        {{"kernel", rejection.kernel}, {"reason", rejection.reason}});
  }
  if (Status status = compiled->accept(); options.stage == Shown::cubin && !status.isOk())
    return status.withContext("rejected (--stage resources shows what it uses)");
  Expected<std::vector<Piece>> pieces = piecesOf(session, *compiled, options.stage);
  if (!pieces)
    return pieces.status();
  return place(session, *pieces, options, std::move(report));
}

Expected<Report> showPlan(const Session &session, mlir::ModuleOp module, const ShowOptions &options,
                          Report report) {
  Expected<Plan> plan = compileToPlan(module);
  if (!plan)
    return plan.status();
  report.json["kernels"] = Json::array();
  std::vector<Piece> pieces;
  for (const PlanKernel &kernel : plan->kernels) {
    report.json["kernels"].push_back(launchJson(kernel));
    pieces.push_back({kernel.entry, kernel.text});
  }
  if (options.stage == Shown::plan) {
    Expected<std::string> text = planToText(*plan);
    if (!text)
      return text.status();
    pieces = {{"", *std::move(text)}};
  }
  return place(session, pieces, options, std::move(report));
}

} // namespace

std::string shownNames() { return fmt::format("{}", fmt::join(kShownNames, "|")); }

Expected<Shown> parseShown(std::string_view name) {
  for (size_t i = 0; i < kShownNames.size(); ++i)
    if (kShownNames[i] == name)
      return static_cast<Shown>(i);
  return Status::invalidArgument(
      fmt::format("--stage: '{}' is no stage; use {}", name, fmt::join(kShownNames, ", ")));
}

Expected<Report> showStage(const Session &session, mlir::ModuleOp module,
                           const ShowOptions &options, Report report) {
  Stage stage = Stage::tile;
  switch (options.stage) {
  case Shown::tile:
    break;
  case Shown::scheduled:
    stage = Stage::scheduled;
    break;
  case Shown::sm90:
    stage = Stage::sm90;
    break;
  case Shown::cuda:
  case Shown::plan:
    return showPlan(session, module, options, std::move(report));
  default:
    return showCompiled(session, module, options, std::move(report));
  }
  Expected<std::string> text = printStage(module, stage);
  if (!text)
    return text.status();
  return place(session, {{"", *std::move(text)}}, options, std::move(report));
}

} // namespace tilewright::cli
