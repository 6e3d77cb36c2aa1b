// SPDX-License-Identifier: Apache-2.0
#include "compiler/Compiler.h"
#include "tools/tilewright/CheckProgram.h"
#include "tools/tilewright/Commands.h"
#include "tools/tilewright/Stages.h"

#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace tilewright::cli {

namespace {

const char *const kFooter =
    "Examples:\n"
    "  tilewright compile examples/quick_gelu_gemm.mlir --stage cubin -o quick_gelu.cubin\n"
    "  tilewright compile examples/quick_gelu_gemm.mlir --stage cuda\n"
    "  tilewright compile examples/quick_gelu_gemm.mlir --check -s "
    "m=200,n=136,k=72,lda=72,ldb=72,ldd=136\n"
    "  tilewright compile mine.mlir --check -s m=200,n=136 --against plain.mlir\n";

struct Compile {
  std::string file;
  std::string stage;
  std::string output;
  bool isCheck = false;
  CheckOptions check;
  int32_t spillAllowance = 0;

  /// The stage that is meant where none is named: a cubin if there is a file for it.
  [[nodiscard]] std::string stageName() const {
    return !stage.empty() ? stage : !output.empty() ? "cubin" : "resources";
  }

  Expected<Report> run(const Session &session) const {
    Expected<Shown> shown = parseShown(stageName());
    if (!shown)
      return shown.status();
    Expected<std::string> text = readFile(file);
    if (!text)
      return text.status();
    const std::unique_ptr<mlir::MLIRContext> context = makeCompilerContext();
    Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = parseModule(*context, *text, file);
    // The command line is right, the program is not.
    if (!module)
      return Status::compileFailed(module.status().message());
    if ((*module)->getBody()->empty())
      return Status::compileFailed(file + ": there is no tile.kernel in it");

    Report report{.json = {{"file", file}}};
    if (isCheck) {
      Expected<Report> checked = checkProgram(session, **module, check);
      if (!checked)
        return checked.status();
      report.text = checked->text;
      report.json.update(checked->json);
      report.outcome = checked->outcome;
      if ((stage.empty() && output.empty()) || !report.outcome.isOk())
        return report;
      // What was asked for besides has stdout for itself.
      if (output.empty() && !session.json) {
        session.log.info("{}", report.text);
        report.text.clear();
      }
    }
    return showStage(
        session, **module,
        {.stage = *shown, .output = output, .policy = {.spillAllowance = spillAllowance}},
        std::move(report));
  }
};

} // namespace

void addCompile(CLI::App &app, Session &session) {
  CLI::App *command = app.add_subcommand("compile", "compile a tile program of your own (.mlir)");
  command->footer(kFooter);
  auto compile = std::make_shared<Compile>();
  command->add_option("file", compile->file, "the program: a module of the tile dialect")
      ->type_name("FILE.mlir")
      ->required();
  command
      ->add_option("--stage", compile->stage,
                   "what to show (default: resources; with -o: cubin; with --check: nothing)")
      ->type_name(shownNames());
  command->add_option("-o,--output", compile->output, "write to a file instead of stdout")
      ->type_name("FILE");
  command
      ->add_option("--allow-spills", compile->spillAllowance,
                   "bytes per thread that a kernel may spill (default: 0)")
      ->type_name("BYTES")
      ->check(CLI::NonNegativeNumber);
  CLI::Option *check = command->add_flag(
      "--check", compile->isCheck,
      "evaluate the program in fp64 on random operands, before and after the scheduling passes");
  command->add_option("-s,--set", compile->check.settings, "values of the program's scalars")
      ->type_name("name=value,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->needs(check);
  command
      ->add_option("--against", compile->check.against,
                   "a plain program with the same arguments, which computes what is expected")
      ->type_name("FILE.mlir")
      ->needs(check);
  command->add_option("--seed", compile->check.seed, "of the random operands (default: 1)")
      ->type_name("N")
      ->needs(check);
  addCommonOptions(*command, session);
  command->callback([compile, &session] {
    session.command = [compile, &session] { return compile->run(session); };
  });
}

} // namespace tilewright::cli
