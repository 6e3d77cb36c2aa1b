// SPDX-License-Identifier: Apache-2.0

#include "compiler/Compiler.h"

#include "compiler/EmitCuda.h"
#include "compiler/Pipeline.h"
#include "compiler/Place.h"
#include "compiler/ReadProgram.h"
#include "compiler/Registration.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;

namespace tilewright {

namespace {

/// Collects the diagnostics of a scope, so that they leave as a Status and not through stderr.
class DiagnosticText {
public:
  explicit DiagnosticText(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          add(diagnostic);
          return success();
        }) {}

  const std::string &text() const { return collected; }

private:
  void add(Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error &&
        diagnostic.getSeverity() != DiagnosticSeverity::Note)
      return;
    llvm::raw_string_ostream os(collected);
    if (!collected.empty())
      os << '\n';
    os << placeOf(diagnostic.getLocation()) << diagnostic.str();
    for (Diagnostic &note : diagnostic.getNotes())
      add(note);
  }

  std::string collected;
  ScopedDiagnosticHandler handler;
};

using Stretch = void (*)(OpPassManager &);

Status runPasses(ModuleOp module, std::initializer_list<Stretch> stretches) {
  DiagnosticText diagnostics(module.getContext());
  PassManager manager(module.getContext());
  for (Stretch stretch : stretches)
    stretch(manager);
  if (succeeded(manager.run(module)))
    return Status::ok();
  return Status::compileFailed(diagnostics.text());
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Values are called as templates and passes named them.
  module.print(os, OpPrintingFlags().printNameLocAsPrefix());
  os << '\n';
  return text;
}

} // namespace

std::unique_ptr<MLIRContext> makeCompilerContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  auto context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  // Messages are for the user of a file, who has its text.
  context->printOpOnDiagnostic(false);
  return context;
}

Expected<OwningOpRef<ModuleOp>> parseModule(MLIRContext &context, std::string_view text,
                                            std::string_view name) {
  DiagnosticText diagnostics(&context);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(StringRef(text.data(), text.size()), ParserConfig(&context),
                                  StringRef(name.data(), name.size()));
  if (!module)
    return Status::invalidArgument(diagnostics.text());
  return module;
}

static Expected<TimedPlan> compile(ModuleOp module, LoweredChange change) {
  const auto begin = std::chrono::steady_clock::now();
  if (Status status = runPasses(module, {addSchedulePasses}); !status.isOk())
    return status;
  // The program is read while its kernels can still be told by name and signature.
  ProgramReader program(module);
  if (Status status = runPasses(module, {addLoweringPasses}); !status.isOk())
    return status;
  if (Status status = change(module); !status.isOk())
    return status;
  program.readParameters(module);
  const auto lowered = std::chrono::steady_clock::now();
  if (Status status = runPasses(module, {addEmissionPasses}); !status.isOk())
    return status;
  DiagnosticText diagnostics(module.getContext());
  FailureOr<std::vector<PlanKernel>> kernels = emitCuda(module);
  if (failed(kernels))
    return Status::internal(diagnostics.text());
  Expected<Plan> plan = program.finish(std::move(*kernels));
  if (!plan)
    return plan.status();
  const std::chrono::duration<double> passes = lowered - begin;
  const std::chrono::duration<double> emission = std::chrono::steady_clock::now() - lowered;
  return TimedPlan{*std::move(plan), passes.count(), emission.count()};
}

static Status leaveAsItIs(ModuleOp) { return Status::ok(); }

Expected<Plan> compileToPlan(ModuleOp module) { return compileToPlan(module, leaveAsItIs); }

Expected<Plan> compileToPlan(ModuleOp module, LoweredChange change) {
  Expected<TimedPlan> timed = compile(module, change);
  if (!timed)
    return timed.status();
  return std::move(timed->plan);
}

Expected<TimedPlan> compileToTimedPlan(ModuleOp module) { return compile(module, leaveAsItIs); }

Expected<std::string> printStage(ModuleOp module, Stage stage) {
  if (stage == Stage::tile)
    return print(module);
  if (stage == Stage::cuda) {
    Expected<Plan> plan = compileToPlan(module);
    if (!plan)
      return plan.status();
    std::string text;
    for (const PlanKernel &kernel : plan->kernels)
      text += (text.empty() ? "" : "\n") + kernel.text;
    return text;
  }
  Status status = stage == Stage::scheduled
                      ? runPasses(module, {addSchedulePasses})
                      : runPasses(module, {addSchedulePasses, addLoweringPasses});
  if (!status.isOk())
    return status;
  return print(module);
}

} // namespace tilewright
