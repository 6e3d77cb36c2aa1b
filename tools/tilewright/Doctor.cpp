// SPDX-License-Identifier: Apache-2.0
//
// What works on this machine. Only NVRTC decides the exit code: kernels can be compiled, looked at
// and checked without a GPU.

#include "runtime/driver/Device.h"
#include "runtime/engine/Compile.h"
#include "support/Version.h"
#include "tools/tilewright/Commands.h"
#include "tools/tilewright/Disassembler.h"

#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>

namespace tilewright::cli {

namespace {

namespace fs = std::filesystem;

/// One line: a part of the machine, and whether it is there.
struct Finding {
  std::string part;
  bool works = false;
  /// What was found, or what is missing and how to get it.
  std::string text;
  Json facts = Json::object();
};

Finding findNvrtc(const Session &session, const Expected<Nvrtc> &nvrtc) {
  if (!nvrtc)
    return {"nvrtc", false, nvrtc.status().message()};
  const NvrtcLibrary &library = nvrtc->library();
  const std::string version = nvrtc->version().toString();
  session.log.debug("NVRTC found by {}", library.origin());
  return {"nvrtc",
          true,
          fmt::format("{} at {} (found by {}), with {}", version, library.path(), library.origin(),
                      library.builtinsName()),
          {{"version", version},
           {"path", library.path()},
           {"origin", library.origin()},
           {"builtins", library.builtinsName()}}};
}

/// Compiles a kernel with a header of the device library, which shows that all parts work together.
Finding findCompile(const Expected<Nvrtc> &nvrtc) {
  if (!nvrtc)
    return {"compile", false, "needs NVRTC"};
  const Expected<NvrtcOutput> output = nvrtc->compile(
      {.text = "#include \"tilewright/warp.cuh\"\n"
               "extern \"C\" __global__ void probe(int *p) { *p = tw::lane_id(); }\n",
       .name = "probe.cu",
       .headers = nvrtcHeaders()});
  if (!output)
    return {"compile", false, output.status().message()};
  return {"compile",
          true,
          fmt::format("a kernel for sm_90a in {:.0f} ms", output->seconds * 1e3),
          {{"milliseconds", output->seconds * 1e3}}};
}

Finding findDriver(const Expected<std::shared_ptr<const Driver>> &driver) {
  if (!driver)
    return {"driver", false,
            driver.status().message() + "; needed to run kernels, not to compile them"};
  const std::string version = (*driver)->version().toString();
  return {"driver",
          true,
          fmt::format("CUDA {} ({})", version, (*driver)->library()),
          {{"version", version}, {"library", (*driver)->library()}}};
}

/// One device in a line of text and an object.
void addDevice(Finding &finding, const DeviceFacts &device) {
  const DeviceInfo &info = device.info;
  finding.works |= device.isUsable();
  finding.text +=
      fmt::format("{}{}: {}, {} SMs, {:.0f} GB, {:.2f} TB/s, L2 {} MiB, compute capability {}.{}{}",
                  finding.text.empty() ? "" : "; ", device.ordinal, info.name, info.smCount,
                  static_cast<double>(info.memoryBytes) / 1e9, info.memoryBandwidth / 1e12,
                  info.l2Bytes >> 20, device.computeMajor, device.computeMinor,
                  device.isUsable() ? "" : " (not supported: 9.0 is needed)");
  finding.facts["devices"].push_back({{"ordinal", device.ordinal},
                                      {"name", info.name},
                                      {"uuid", device.uuid},
                                      {"pci_bus_id", device.pciBusId},
                                      {"compute_major", device.computeMajor},
                                      {"compute_minor", device.computeMinor},
                                      {"sm_count", info.smCount},
                                      {"memory_bytes", info.memoryBytes},
                                      {"l2_bytes", info.l2Bytes},
                                      {"usable", device.isUsable()}});
}

Finding findDevice(const Expected<std::shared_ptr<const Driver>> &driver) {
  Finding finding{"gpu", false, "", {{"devices", Json::array()}}};
  for (int32_t i = 0; driver && i < (*driver)->deviceCount(); ++i) {
    if (const Expected<DeviceFacts> device = readDevice(**driver, i))
      addDevice(finding, *device);
    else
      finding.text +=
          fmt::format("{}{}: {}", finding.text.empty() ? "" : "; ", i, device.status().message());
  }
  if (!finding.works)
    finding.text += fmt::format("{}kernels can be built for a named card: --target h100 or "
                                "--target h200",
                                finding.text.empty() ? "none; " : "; ");
  return finding;
}

/// Whether a folder can be written, or made.
bool isWritable(fs::path folder) {
  std::error_code error;
  while (!fs::exists(folder, error) && folder.has_relative_path())
    folder = folder.parent_path();
  return fs::is_directory(folder, error) && access(folder.c_str(), W_OK | X_OK) == 0;
}

Finding findCache(const Env &env) {
  const Expected<std::string> folder = env.cacheFolder();
  if (!folder)
    return {"cache", false, folder.status().message()};
  const bool works = isWritable(*folder);
  return {"cache",
          works,
          works ? *folder
                : *folder + " cannot be written; name another folder with TILEWRIGHT_CACHE_DIR",
          {{"folder", *folder}}};
}

Finding findSass(const Env &env) {
  const Expected<std::string> program = findDisassembler(env);
  if (!program)
    return {"nvdisasm", false, program.status().message()};
  return {"nvdisasm", true, *program, {{"path", *program}}};
}

Expected<Report> diagnose(const Session &session) {
  const Expected<Nvrtc> nvrtc = Nvrtc::find({.library = session.nvrtc, .env = session.env});
  const Expected<std::shared_ptr<const Driver>> driver = Driver::open({.env = session.env});
  const std::vector<Finding> findings = {
      {"tilewright",
       true,
       fmt::format("{}, build {}", versionString(), buildId()),
       {{"version", versionString()}, {"build_id", buildId()}}},
      {"mlir", true, std::string(mlirVersion()) + ", linked in", {{"version", mlirVersion()}}},
      findNvrtc(session, nvrtc),
      findCompile(nvrtc),
      findDriver(driver),
      findDevice(driver),
      findCache(session.env),
      findSass(session.env),
  };

  Report report;
  bool canCompile = true, canRun = true;
  for (const Finding &finding : findings) {
    report.text += fmt::format("{:11} {:8} {}\n", finding.part, finding.works ? "works" : "missing",
                               finding.text);
    Json &json = report.json["checks"][finding.part];
    json = finding.facts;
    json["works"] = finding.works;
    json["text"] = finding.text;
    if (finding.part == "nvrtc" || finding.part == "compile")
      canCompile &= finding.works;
    if (finding.part == "driver" || finding.part == "gpu")
      canRun &= finding.works;
  }
  report.text += "\nEnvironment variables:\n";
  for (const EnvVariable &variable : kEnvVariables) {
    if (variable.key == EnvKey::path)
      continue; // long, and no choice of ours
    report.text += fmt::format(
        "  {:21} {}  ({})\n", variable.name,
        session.env.isSet(variable.key) ? session.env.get(variable.key) : "not set", variable.help);
    report.json["environment"][std::string(variable.name)] =
        session.env.isSet(variable.key) ? Json(session.env.get(variable.key)) : Json();
  }
  report.text +=
      fmt::format("\nKernels {} be compiled here, and {} be run.\n", canCompile ? "can" : "cannot",
                  canCompile && canRun ? "can" : "cannot");
  report.json["can_compile"] = canCompile;
  report.json["can_run"] = canCompile && canRun;
  if (!canCompile)
    report.outcome = Status::unavailable("kernels cannot be compiled here: see nvrtc and compile");
  return report;
}

} // namespace

void addDoctor(CLI::App &app, Session &session) {
  CLI::App *command =
      app.add_subcommand("doctor", "what works on this machine, what is missing, how to get it");
  command->footer(
      "Exits with 0 if kernels can be compiled, a GPU or not, and with 4 if they cannot.\n\n"
      "Examples:\n"
      "  tilewright doctor\n"
      "  tilewright doctor --nvrtc /opt/cuda/lib64/libnvrtc.so.13 --json\n");
  addCommonOptions(*command, session);
  command->callback([&session] { session.command = [&session] { return diagnose(session); }; });
}

} // namespace tilewright::cli
