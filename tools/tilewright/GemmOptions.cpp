// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/GemmOptions.h"

#include "support/Suite.h"
#include "templates/gemm/Space.h"
#include "tools/tilewright/SelectDevice.h"

#include <fmt/format.h>

namespace tilewright::cli {

namespace {

/// The problem of a suite's case, and of the first type that it lists if none is named.
Expected<GemmProblem> problemOfCase(const std::string &reference) {
  const size_t colon = reference.find(':');
  if (colon == std::string::npos || colon + 1 == reference.size())
    return Status::invalidArgument("'" + reference + "': expected FILE:NAME or FILE:NAME:TYPE");
  const std::string file = reference.substr(0, colon);
  SuiteCase which;
  const size_t second = std::min(reference.find(':', colon + 1), reference.size());
  which.name = reference.substr(colon + 1, second - colon - 1);
  if (second < reference.size())
    which.dtype = reference.substr(second + 1);

  Expected<std::string> suite = readFile(file);
  if (!suite)
    return suite.status();
  Expected<std::vector<SuiteCase>> cases = gemmSuiteCases(*suite);
  if (!cases)
    return cases.status().withContext(file);
  std::string known;
  for (const SuiteCase &candidate : *cases) {
    if (candidate.name != which.name)
      continue;
    known += (known.empty() ? "" : ", ") + candidate.dtype;
    if (which.dtype.empty())
      which.dtype = candidate.dtype;
  }
  if (!known.empty() && (", " + known + ",").find(" " + which.dtype + ",") == std::string::npos)
    return Status::notFound(file + ": the case '" + which.name + "' has no type '" + which.dtype +
                            "'; it has " + known);
  Expected<GemmProblem> problem = gemmSuiteProblem(*suite, which);
  return problem ? problem : problem.status().withContext(file);
}

template <typename T>
void assign(T &value, const std::optional<T> &given) {
  if (given)
    value = *given;
}

template <typename Target, typename Parser>
Status assignParsed(Target &value, const std::optional<std::string> &given, const char *option,
                    Parser parse) {
  if (!given)
    return Status::ok();
  auto parsed = parse(*given);
  if (!parsed)
    return parsed.status().withContext(option);
  value = *std::move(parsed);
  return Status::ok();
}

} // namespace

void GemmOptions::addTo(CLI::App &command) {
  const auto option = [&](const char *names, auto &value, const char *help, const char *type) {
    command.add_option(names, value, help)->type_name(type);
  };
  const char *const kType = "TYPE";
  option("-m", m, "rows of D", "M");
  option("-n", n, "columns of D", "N");
  option("-k", k, "the dimension that is summed over", "K");
  option("--a", a, "type of A: bf16 (default), fp16, fp32, tf32, e4m3, e5m2, int8, int32", kType);
  option("--b", b, "type of B (default: that of A)", kType);
  option("--c", c, "type of C, which is read unless beta is 0 (default: that of D)", kType);
  option("--d", d, "type of D (default: that of A)", kType);
  option(
      "--layout", layout,
      "how A and B are stored, row-major: n is A[M,K], B[K,N]; t is A[K,M], B[N,K] (default: nt)",
      "nt|nn|tn|tt");
  option("--alpha", alpha, "D = epilogue(alpha A B + beta C) (default: 1)", "X");
  option("--beta", beta, "(default: 0)", "X");
  option("--batch", batch, "problems of this size (default: 1)", "N");
  option("--lda", lda, "elements from one stored row of A to the next (default: tight)", "N");
  option("--ldb", ldb, "of B", "N");
  option("--ldc", ldc, "of C", "N");
  option("--ldd", ldd, "of D", "N");
  option(
      "--epilogue", epilogue,
      "ops in order: bias, bias_row, relu, gelu, gelu_erf, silu, residual, scale_row, scale_col; "
      "an operand's type may follow (bias:fp32)",
      "a,b,...");
  option("--case", suiteCase, "a case of a suite; other options change it", "FILE:NAME[:TYPE]");
  option("--target", target, "build for this card, no GPU needed (default: this machine's)",
         "h100|h200");
  option("--config", config,
         "schedule knobs, by name (--list-configs shows them); the rest is the heuristic's choice",
         "k=v,...");
}

Expected<GemmProblem> GemmOptions::problem() const {
  GemmProblem problem;
  if (!suiteCase.empty()) {
    Expected<GemmProblem> found = problemOfCase(suiteCase);
    if (!found)
      return found.status().withContext("--case");
    problem = *std::move(found);
  } else if (!m || !n || !k) {
    return Status::invalidArgument("expected the sizes -m, -n and -k, or --case FILE:NAME");
  }
  assign(problem.m, m);
  assign(problem.n, n);
  assign(problem.k, k);
  assign(problem.batch, batch);
  assign(problem.lda, lda);
  assign(problem.ldb, ldb);
  assign(problem.ldc, ldc);
  assign(problem.ldd, ldd);
  assign(problem.alpha, alpha);
  assign(problem.beta, beta);
  const bool isFromCase = !suiteCase.empty();
  for (const Status &status : {
           assignParsed(problem.a, a, "--a", parseDType),
           assignParsed(problem.b, b ? b : a, "--b", parseDType),
           assignParsed(problem.c, c, "--c", parseDType),
           assignParsed(problem.d, d || isFromCase ? d : a, "--d", parseDType),
           assignParsed(problem.layout, layout, "--layout", parseLayout),
           assignParsed(problem.epilogue, epilogue, "--epilogue", Epilogue::parse),
       })
    if (!status.isOk())
      return status;
  if (Status status = problem.validate(); !status.isOk())
    return status;
  return problem;
}

Expected<GemmRequest> GemmRequest::from(const Session &session, const GemmOptions &options) {
  Expected<GemmProblem> problem = options.problem();
  if (!problem)
    return problem.status();
  Expected<DeviceInfo> device = selectDevice(options.target, session.env);
  if (!device)
    return device.status();
  Expected<GemmConfig> heuristic = heuristicConfig(*problem, *device);
  if (!heuristic)
    return heuristic.status();
  Expected<GemmConfig> config = GemmConfig::parse(options.config, *heuristic);
  if (!config)
    return config.status().withContext("--config");
  if (std::optional<GemmRejection> rejection = checkConfig(*problem, *device, *config))
    return Status::invalidArgument(fmt::format("--config: {} breaks the rule {}: {}",
                                               config->toString(), rejection->rule,
                                               rejection->text));
  return GemmRequest{*std::move(problem), *std::move(device), *config};
}

Json problemJson(const GemmProblem &problem) {
  return {{"m", problem.m},
          {"n", problem.n},
          {"k", problem.k},
          {"a", dtypeName(problem.a)},
          {"b", dtypeName(problem.b)},
          {"c", problem.usesC() ? Json(dtypeName(problem.typeC())) : Json()},
          {"d", dtypeName(problem.d)},
          {"layout", layoutName(problem.layout)},
          {"alpha", problem.alpha},
          {"beta", problem.beta},
          {"batch", problem.batch},
          {"lda", problem.pitchA()},
          {"ldb", problem.pitchB()},
          {"ldc", problem.usesC() ? Json(problem.pitchC()) : Json()},
          {"ldd", problem.pitchD()},
          {"epilogue", problem.epilogue.toString()}};
}

std::string describe(const GemmProblem &problem) {
  std::string text = fmt::format("gemm {}x{}x{} {} {}", problem.m, problem.n, problem.k,
                                 dtypeName(problem.a), layoutName(problem.layout));
  if (problem.d != problem.a)
    text += fmt::format(" to {}", dtypeName(problem.d));
  if (problem.usesAlpha())
    text += fmt::format(" alpha={}", problem.alpha);
  if (problem.usesC())
    text += fmt::format(" beta={}", problem.beta);
  return problem.epilogue.empty() ? text : text + " " + problem.epilogue.toString();
}

} // namespace tilewright::cli
