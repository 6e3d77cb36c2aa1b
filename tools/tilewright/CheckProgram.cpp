// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/CheckProgram.h"

#include "compiler/Compiler.h"
#include "compiler/tile/TileDialect.h"
#include "support/Hash.h"
#include "tools/tilewright/OperandUse.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

namespace tilewright::cli {

namespace {

/// Differences of this share of the largest output are those of fp64 in another order.
constexpr double kTolerance = 1e-9;

/// Without rounding: passes and other ways to write a program may round at other places.
constexpr EvaluationOptions kExact = {.round = false};

Expected<mlir::Operation *> findEntry(mlir::ModuleOp module) {
  auto programs = llvm::to_vector(module.getOps<tile::ProgramOp>());
  auto kernels = llvm::to_vector(module.getOps<tile::KernelOp>());
  if (programs.size() == 1)
    return programs.front().getOperation();
  if (programs.empty() && kernels.size() == 1)
    return kernels.front().getOperation();
  return Status::invalidArgument(
      fmt::format("--check needs a module with one tile.program, or with one tile.kernel and no "
                  "program; found {} programs and {} kernels",
                  programs.size(), kernels.size()));
}

struct Argument {
  std::string name;
  mlir::Type type;
};

std::vector<Argument> argumentsOf(mlir::Operation *entry) {
  std::vector<Argument> arguments;
  const auto collect = [&](auto function) {
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
      arguments.push_back({function.argumentName(index), type});
  };
  if (auto program = mlir::dyn_cast<tile::ProgramOp>(entry))
    collect(program);
  else
    collect(mlir::cast<tile::KernelOp>(entry));
  return arguments;
}

std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

template <typename Number>
std::optional<Number> parseNumber(std::string_view text) {
  Number number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest != text.data() + text.size())
    return std::nullopt;
  return number;
}

/// The scalars that `settings` name, each of the type that its argument has.
Expected<ScalarBindings> parseSettings(const std::vector<std::string> &settings,
                                       const std::vector<Argument> &arguments) {
  ScalarBindings scalars;
  std::string known;
  for (const Argument &argument : arguments)
    if (!mlir::isa<tile::PtrType>(argument.type))
      known +=
          fmt::format("{}{} ({})", known.empty() ? "" : ", ", argument.name, textOf(argument.type));
  for (const std::string &setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos)
      return Status::invalidArgument("-s: '" + setting + "' is not of the form name=value");
    const std::string name = setting.substr(0, equals), value = setting.substr(equals + 1);
    const Argument *found = nullptr;
    for (const Argument &argument : arguments)
      if (argument.name == name && !mlir::isa<tile::PtrType>(argument.type))
        found = &argument;
    if (!found)
      return Status::invalidArgument("-s: the program has no scalar '" + name + "'; it has " +
                                     (known.empty() ? "none" : known));
    if (found->type.isInteger()) {
      const std::optional<int64_t> number = parseNumber<int64_t>(value);
      if (!number)
        return Status::invalidArgument("-s: " + name + " is '" + value +
                                       "', expected a whole number");
      if (*number < 0)
        return Status::invalidArgument("-s: " + setting + "; sizes and strides are 0 or more");
      scalars[name] = *number;
    } else {
      const std::optional<double> number = parseNumber<double>(value);
      if (!number)
        return Status::invalidArgument("-s: " + name + " is '" + value + "', expected a number");
      scalars[name] = *number;
    }
  }
  std::string missing;
  for (const Argument &argument : arguments)
    if (!mlir::isa<tile::PtrType>(argument.type) && !scalars.contains(argument.name))
      missing += (missing.empty() ? "" : ",") + argument.name + "=…";
  if (!missing.empty())
    return Status::invalidArgument("--check needs a value for each scalar of the program: -s " +
                                   missing);
  return scalars;
}

/// Random operands. The same on every machine: the standard fixes mt19937_64, not distributions.
std::vector<double> operandData(const OperandUse &use, std::mt19937_64 &random) {
  std::vector<double> data(use.elements);
  const bool isInteger = use.elementType.isInteger();
  const bool isOutputOnly = use.isWritten && !use.isRead && !isInteger;
  for (double &element : data) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    element = isOutputOnly ? std::numeric_limits<double>::quiet_NaN()
              : isInteger  ? std::floor(unit * 9) - 4
                           : 2 * unit - 1;
  }
  return data;
}

/// An output in a few numbers.
struct Summary {
  size_t elements = 0, notNumbers = 0;
  double smallest = 0, largest = 0, mean = 0, rms = 0;
  std::string checksum;
};

Summary summarise(const std::vector<double> &data) {
  Summary summary;
  summary.elements = data.size();
  double sum = 0, squares = 0;
  bool isFirst = true;
  for (double element : data) {
    if (std::isnan(element)) {
      ++summary.notNumbers;
      continue;
    }
    summary.smallest = isFirst ? element : std::min(summary.smallest, element);
    summary.largest = isFirst ? element : std::max(summary.largest, element);
    isFirst = false;
    sum += element;
    squares += element * element;
  }
  if (const size_t numbers = summary.elements - summary.notNumbers; numbers > 0) {
    summary.mean = sum / static_cast<double>(numbers);
    summary.rms = std::sqrt(squares / static_cast<double>(numbers));
  }
  summary.checksum =
      hashBytes({reinterpret_cast<const char *>(data.data()), data.size() * sizeof(double)})
          .toHex()
          .substr(0, 16);
  return summary;
}

/// How far two arrays are apart: the largest difference as a share of the largest value; infinite
/// if one has a number where the other has none.
double relativeDifference(const std::vector<double> &expected, const std::vector<double> &found) {
  if (expected.size() != found.size())
    return HUGE_VAL;
  double largest = 0, scale = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i]) != std::isnan(found[i]))
      return HUGE_VAL;
    if (std::isnan(expected[i]) || expected[i] == found[i])
      continue;
    largest = std::max(largest, std::abs(expected[i] - found[i]));
    scale = std::max(scale, std::abs(expected[i]));
  }
  return largest == 0 ? 0 : scale == 0 ? HUGE_VAL : largest / scale;
}

/// Compares every output; adds a line to the report and, if they differ, the failure.
void compare(const EvaluationResult &expected, const EvaluationResult &found,
             const std::vector<std::string> &outputs, std::string_view key,
             std::string_view sentence, Report &report) {
  Json differences = Json::object();
  double worst = 0;
  std::string where;
  for (const std::string &name : outputs) {
    const double difference = relativeDifference(expected.arrays.at(name), found.arrays.at(name));
    differences[name] = std::isfinite(difference) ? Json(difference) : Json("inf");
    if (difference >= worst) {
      worst = difference;
      where = name;
    }
  }
  const bool agrees = worst <= kTolerance;
  report.json["check"][std::string(key)] = {{"agrees", agrees}, {"difference", differences}};
  report.text += fmt::format("{}: {} (largest difference {:.3g} of the largest value)\n", sentence,
                             agrees ? "agrees" : "DIFFERS", worst);
  if (!agrees && report.outcome.isOk())
    report.outcome = Status::checkFailed(
        fmt::format("{}: output '{}' differs by {:.3g} of its largest value, more than {:.0e}",
                    sentence, where, worst, kTolerance));
}

/// The module after the scheduling passes, read back from its text: so the text is checked too.
Expected<EvaluationResult> evaluateScheduled(mlir::ModuleOp module, const Bindings &bindings) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  Expected<std::string> text = printStage(*copy, Stage::scheduled);
  if (!text)
    return text.status();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> scheduled =
      parseModule(*module.getContext(), *text, "scheduled");
  if (!scheduled)
    return Status::internal("the scheduled form does not read back: " +
                            scheduled.status().message());
  return evaluate(**scheduled, bindings, kExact);
}

Expected<EvaluationResult> evaluateFile(mlir::MLIRContext &context, const std::string &path,
                                        const Bindings &bindings) {
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.status();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = parseModule(context, *text, path);
  if (!module)
    return Status::compileFailed(module.status().message());
  return evaluate(**module, bindings, kExact);
}

} // namespace

Expected<Report> checkProgram(const Session &session, mlir::ModuleOp module,
                              const CheckOptions &options) {
  Expected<mlir::Operation *> entry = findEntry(module);
  if (!entry)
    return entry.status();
  Expected<ScalarBindings> scalars = parseSettings(options.settings, argumentsOf(*entry));
  if (!scalars)
    return scalars.status();
  Expected<std::map<std::string, OperandUse>> uses = operandUses(*entry, *scalars);
  if (!uses)
    return uses.status();

  Bindings bindings{.arrays = {}, .scalars = *scalars};
  std::vector<std::string> outputs;
  std::mt19937_64 random(options.seed);
  for (const auto &[name, use] : *uses) {
    bindings.arrays[name] = operandData(use, random);
    session.log.info("{}: {} elements of {}", name, use.elements, textOf(use.elementType));
    if (use.isWritten)
      outputs.push_back(name);
  }
  Expected<EvaluationResult> result = evaluate(*entry, bindings, kExact);
  if (!result)
    return result.status().withContext("--check");

  Report report;
  Json &json = report.json["check"] = Json::object();
  for (const auto &[name, value] : *scalars)
    std::visit([&, &key = name](auto number) { json["scalars"][key] = number; }, value);
  json["seed"] = options.seed;
  json["outputs"] = Json::object();
  for (const std::string &name : outputs) {
    const Summary summary = summarise(result->arrays.at(name));
    json["outputs"][name] = {{"elements", summary.elements}, {"nan", summary.notNumbers},
                             {"min", summary.smallest},      {"max", summary.largest},
                             {"mean", summary.mean},         {"rms", summary.rms},
                             {"checksum", summary.checksum}};
    report.text += fmt::format("{}: {} elements, {} not numbers or not written; from {:.6g} to "
                               "{:.6g}, mean {:.6g}, rms {:.6g}, checksum {}\n",
                               name, summary.elements, summary.notNumbers, summary.smallest,
                               summary.largest, summary.mean, summary.rms, summary.checksum);
  }

  Expected<EvaluationResult> scheduled = evaluateScheduled(module, bindings);
  if (!scheduled)
    return scheduled.status().withContext("after the scheduling passes");
  compare(*result, *scheduled, outputs, "scheduled", "after the scheduling passes", report);
  if (options.against.empty())
    return report;
  Expected<EvaluationResult> reference =
      evaluateFile(*module.getContext(), options.against, bindings);
  if (!reference)
    return reference.status().withContext("--against");
  compare(*reference, *result, outputs, "against", "against " + options.against, report);
  return report;
}

} // namespace tilewright::cli
