// SPDX-License-Identifier: Apache-2.0
//
// tilewright: the command line. Results go to stdout, everything else to stderr; with --json stdout
// is one JSON object, also when a command fails.

#include "runtime/nvrtc/NvrtcLibrary.h"
#include "support/Version.h"
#include "tools/tilewright/Commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

namespace tilewright::cli {

void addCommonOptions(CLI::App &command, Session &session) {
  command.add_flag("--json", session.json, "print one JSON object on stdout");
  command
      .add_option("--nvrtc", session.nvrtc, "the NVRTC library to use, or a folder that has one")
      ->type_name("PATH");
}

Report versionReport(const Session &session) {
  const Expected<NvrtcLibrary> nvrtc =
      NvrtcLibrary::find({.library = session.nvrtc, .env = session.env});
  Report report;
  const std::string nvrtcVersion = nvrtc ? nvrtc->version().toString() : "none found";
  report.text = fmt::format("tilewright {} (build {}, MLIR {}, NVRTC {})\n", versionString(),
                            buildId(), mlirVersion(), nvrtcVersion);
  report.json = {{"version", versionString()},
                 {"build_id", buildId()},
                 {"mlir", mlirVersion()},
                 {"nvrtc", nvrtc ? Json(nvrtcVersion) : Json()}};
  return report;
}

namespace {

const char *const kFooter =
    "Exit codes: 0 done, 1 a fault of tilewright itself, 2 usage, 3 unsupported problem,\n"
    "4 no usable device, driver or NVRTC, 5 check failed, 6 compile failed.\n\n"
    "Examples:\n"
    "  tilewright doctor\n"
    "  tilewright gemm -m 4096 -n 4096 -k 4096 --epilogue bias,gelu --check --bench\n"
    "  tilewright emit gemm -m 4096 -n 4096 -k 4096 --epilogue bias,gelu --target h200\n"
    "  tilewright compile examples/quick_gelu_gemm.mlir --stage cubin -o quick_gelu.cubin\n";

/// Messages to stderr, from the level that TILEWRIGHT_LOG names.
Expected<Log> makeLog(const Env &env) {
  Expected<LogLevel> level = parseLogLevel(env.get(EnvKey::log));
  if (!level)
    return level.status().withContext(envVariable(EnvKey::log).name);
  return Log(*level, [](LogLevel of, std::string_view message) {
    fmt::print(stderr, "tilewright: {}: {}\n", logLevelName(of), message);
  });
}

/// The parser's complaint, with where to read on.
Status usageError(const CLI::App &app, const CLI::ParseError &error) {
  const CLI::App *command = &app;
  std::string path = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    path += " " + command->get_name();
  }
  return Status::invalidArgument(fmt::format("{}; see {} --help", error.what(), path));
}

int run(int argc, char **argv) {
  Session session;
  session.env = Env::fromProcess();
  CLI::App app("A JIT kernel compiler for NVIDIA Hopper.", "tilewright");
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  bool wantVersion = false;
  app.add_flag("--version", wantVersion, "print the versions of this build, its MLIR and NVRTC");
  addCommonOptions(app, session);
  addDoctor(app, session);
  addGemm(app, session);
  addEmit(app, session);
  addCompile(app, session);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
      return app.exit(error); // --help
    // The parser stopped before it could tell.
    session.json =
        std::any_of(argv + 1, argv + argc, [](std::string_view word) { return word == "--json"; });
    return deliver(session, usageError(app, error));
  }
  Expected<Log> log = makeLog(session.env);
  if (!log)
    return deliver(session, log.status());
  session.log = *std::move(log);
  if (wantVersion)
    return deliver(session, versionReport(session));
  if (!session.command)
    return deliver(session,
                   Status::invalidArgument("expected a command: doctor, gemm, emit or compile; "
                                           "see tilewright --help"));
  return deliver(session, session.command());
}

} // namespace
} // namespace tilewright::cli

int main(int argc, char **argv) {
  try {
    return tilewright::cli::run(argc, argv);
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "tilewright: error: this takes more memory than the machine has; make the "
                         "problem smaller\n");
    return 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "tilewright: error: unexpected: %s; this is a fault of tilewright\n",
                 error.what());
    return 1;
  }
}
