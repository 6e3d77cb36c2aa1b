// SPDX-License-Identifier: Apache-2.0
#include "compiler/Compiler.h"
#include "templates/gemm/Gemm.h"
#include "tools/tilewright/Commands.h"
#include "tools/tilewright/GemmOptions.h"
#include "tools/tilewright/GemmReports.h"
#include "tools/tilewright/Stages.h"

#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace tilewright::cli {

namespace {

const char *const kGemmFooter =
    "Examples:\n"
    "  tilewright emit gemm -m 4096 -n 4096 -k 4096 --target h200\n"
    "  tilewright emit gemm -m 512 -n 4096 -k 4096 --epilogue bias,gelu,residual --target h200 "
    "--stage tile\n"
    "  tilewright emit gemm --case bench/suites/gemm.json:sq4k --target h100 --stage cubin -o "
    "sq4k.cubin\n"
    "  tilewright emit gemm -m 4096 -n 4096 -k 4096 --target h200 --config bn=128,stages=6 --stage "
    "resources\n"
    "  tilewright emit gemm -m 4096 -n 4096 -k 4096 --target h200 --list-configs --json\n"
    "  tilewright emit gemm -m 4096 -n 4096 -k 4096 --target h200 --time 11\n";

struct EmitGemm {
  GemmOptions gemm;
  std::string stage = "cuda";
  std::string output;
  bool listConfigs = false;
  int32_t repetitions = 0;

  /// A report whose text goes to the file that -o names, if it names one.
  [[nodiscard]] Expected<Report> toOutput(Expected<Report> report) const {
    if (report && !output.empty()) {
      report->files.push_back({output, std::move(report->text)});
      report->text.clear();
      report->json["output"] = output;
    }
    return report;
  }

  Expected<Report> run(const Session &session) const {
    Expected<Shown> shown = parseShown(stage);
    if (!shown)
      return shown.status();
    if (listConfigs)
      return toOutput(listGemmConfigs(session, gemm));
    Expected<GemmRequest> request = GemmRequest::from(session, gemm);
    if (!request)
      return request.status();
    session.log.info("{} with {}", describe(request->problem), request->config.toString());
    if (repetitions > 0)
      return toOutput(timeGemm(session, *request, repetitions));

    const std::unique_ptr<mlir::MLIRContext> context = makeCompilerContext();
    Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
        buildGemm(*context, request->problem, request->config, request->device);
    if (!module)
      return module.status();
    return showStage(session, **module,
                     {.stage = *shown,
                      .output = output,
                      .policy = gemmPolicy(request->problem, request->device, request->config)},
                     {.json = requestJson(*request)});
  }
};

} // namespace

void addEmit(CLI::App &app, Session &session) {
  CLI::App *emit = app.add_subcommand("emit", "show a problem at any stage of its compilation");
  emit->require_subcommand(1);
  emit->footer(
      "Example: tilewright emit gemm -m 4096 -n 4096 -k 4096 --target h200 --stage cuda\n");
  CLI::App *gemm = emit->add_subcommand("gemm", "D[M,N] = epilogue(alpha A B + beta C)");
  gemm->footer(kGemmFooter);
  auto command = std::make_shared<EmitGemm>();
  command->gemm.addTo(*gemm);
  gemm->add_option("--stage", command->stage, "what to show (default: cuda)")
      ->type_name(shownNames());
  gemm->add_option("-o,--output", command->output, "write to a file instead of stdout")
      ->type_name("FILE");
  gemm->add_flag("--list-configs", command->listConfigs,
                 "list the configs that can be built, and the others with their reasons");
  gemm->add_option("--time", command->repetitions,
                   "compile this often, nothing cached, and print where the time goes")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  addCommonOptions(*gemm, session);
  gemm->callback([command, &session] {
    session.command = [command, &session] { return command->run(session); };
  });
}

} // namespace tilewright::cli
