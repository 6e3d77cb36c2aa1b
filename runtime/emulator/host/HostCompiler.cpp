// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/host/HostCompiler.h"

#include "runtime/emulator/Api.h"
#include "support/Hash.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tilewright::emulator {

namespace {

namespace fs = std::filesystem;

// NOTE: hidden, so that two kernels in one process do not share `tw::emulator::api`. Contraction is
// off: which products and sums are fused is the text's to say. The kernel's poison is bits, so that
// no option for inexact arithmetic may be among these.
constexpr std::array kOptions = {"-std=c++20",
                                 "-O1",
                                 "-fPIC",
                                 "-shared",
                                 "-fvisibility=hidden",
                                 "-ffp-contract=off",
                                 "-fno-strict-aliasing",
                                 "-fno-exceptions",
                                 "-fno-rtti",
                                 "-w"};

/// A folder of our own under the folder of temporary files, removed with this value.
class TemporaryFolder {
public:
  static Expected<std::string> make(const Env &env) {
    std::string path = (fs::path(env.get(EnvKey::tmpDir)) / "tilewright-host-XXXXXX").string();
    if (!mkdtemp(path.data()))
      return Status::ioError("cannot make a folder " + path + ": " +
                             std::generic_category().message(errno) +
                             "; name another place with TMPDIR");
    return path;
  }
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] fs::path path() const { return path_; }

private:
  std::string path_;
};

Status writeFile(const fs::path &path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file ? Status::ok()
              : Status::ioError("cannot write " + path.string() + ": the disk is full?");
}

std::string readFile(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Runs a command with its messages in a file; whether it ended with 0.
Expected<bool> runQuietly(const std::vector<std::string> &command, const fs::path &messages) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return Status::unavailable("cannot run " + command[0] + ": " +
                               std::generic_category().message(error));
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR)
    continue;
  return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

std::string findProgram(const std::string &name, const std::string &searchPath) {
  if (name.find('/') != std::string::npos)
    return access(name.c_str(), X_OK) == 0 ? name : "";
  std::istringstream folders(searchPath);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    std::error_code ignored;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0 &&
        fs::is_regular_file(candidate, ignored))
      return candidate.string();
  }
  return {};
}

/// A folder for the user alone that nobody else can write to.
bool makePrivateFolder(const fs::path &folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  struct stat facts = {};
  return stat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid() &&
         (facts.st_mode & S_IWOTH) == 0;
}

/// Whether a file may be loaded: a regular one of the user's own that nobody else can write to.
bool isTrusted(const fs::path &path) {
  struct stat facts = {};
  return lstat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() &&
         (facts.st_mode & (S_IWOTH | S_IWGRP)) == 0;
}

/// What is compiled beside the kernel: how the emulator enters it.
std::string wrapperOf(const PlanKernel &kernel) {
  return "#include \"kernel.cu\"\n"
         "#define TW_EXPORT extern \"C\" __attribute__((visibility(\"default\")))\n"
         "TW_EXPORT int32_t tilewright_emulator_version() { return tw::emulator::kApiVersion; }\n"
         "TW_EXPORT void tilewright_emulator_bind(const tw::emulator::Api *api) {\n"
         "  tw::emulator::api = api;\n"
         "}\n"
         "TW_EXPORT void tilewright_emulator_run(void *const *values) {\n"
         "  tw::emulator::call(" +
         kernel.entry +
         ", values);\n"
         "}\n";
}

} // namespace

Expected<HostCompiler> HostCompiler::find(HostCompilerOptions options) {
  std::vector<std::string> names = {"c++", "g++", "clang++"};
  if (!options.program.empty())
    names = {options.program};
  else if (options.env.isSet(EnvKey::cxx))
    names = {options.env.get(EnvKey::cxx)};
  for (const std::string &name : names) {
    options.program = findProgram(name, options.env.get(EnvKey::path));
    if (options.program.empty())
      continue;
    struct stat facts = {};
    HostCompiler compiler(std::move(options));
    if (stat(compiler.options_.program.c_str(), &facts) == 0)
      compiler.identity_ = compiler.options_.program + " " + std::to_string(facts.st_size) + " " +
                           std::to_string(facts.st_mtim.tv_sec);
    return compiler;
  }
  std::string all;
  for (const std::string &name : names)
    all += (all.empty() ? "" : ", ") + name;
  return Status::unavailable("the emulator compiles kernels with the system's C++ compiler, and " +
                             all +
                             " cannot be run; install g++, or name a compiler with TILEWRIGHT_CXX");
}

std::string HostCompiler::keyOf(const PlanKernel &kernel) const {
  Hasher hasher;
  hasher.add("emulator object").add(tw::emulator::kApiVersion).add(identity_);
  for (const char *option : kOptions)
    hasher.add(option);
  for (const HostHeader &header : options_.headers)
    hasher.add(header.name).add(header.text);
  return hasher.add(kernel.text).add(kernel.entry).finish().toHex();
}

Expected<HostObject> HostCompiler::compile(const PlanKernel &kernel) const {
  const std::string key = keyOf(kernel);
  const fs::path home = fs::path(options_.folder) / "emulator" / key.substr(0, 2);
  const fs::path kept = home / (key + ".so");
  const bool keeps = !options_.folder.empty() && makePrivateFolder(home);
  if (!options_.folder.empty() && !keeps)
    options_.log.warning("kernels are not kept: {} is no folder that only you can write to",
                         home.string());
  if (keeps && isTrusted(kept))
    return HostObject{.path = kept.string(), .isTemporary = false, .wasFound = true, .seconds = 0};

  Expected<std::string> made = TemporaryFolder::make(options_.env);
  if (!made)
    return made.status();
  const TemporaryFolder scratch(*made);
  for (const HostHeader &header : options_.headers)
    if (Status status = writeFile(scratch.path() / header.name, header.text); !status.isOk())
      return status;
  if (Status status = writeFile(scratch.path() / "kernel.cu", kernel.text); !status.isOk())
    return status;
  if (Status status = writeFile(scratch.path() / "wrapper.cpp", wrapperOf(kernel)); !status.isOk())
    return status;

  const fs::path object = scratch.path() / "kernel.so";
  std::vector<std::string> command = {options_.program};
  command.insert(command.end(), kOptions.begin(), kOptions.end());
  for (const std::string &word :
       {"-I" + scratch.path().string(), (scratch.path() / "wrapper.cpp").string(),
        std::string("-o"), object.string(), std::string("-lm")})
    command.push_back(word);
  const auto begin = std::chrono::steady_clock::now();
  const fs::path messages = scratch.path() / "messages";
  Expected<bool> worked = runQuietly(command, messages);
  if (!worked)
    return worked.status();
  if (!*worked)
    return Status::compileFailed(options_.program + " refuses the text of " + kernel.entry + ":\n" +
                                 readFile(messages));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;

  // Into place by a rename within the target's folder, so that nobody sees half a file.
  HostObject result{.path = {}, .isTemporary = !keeps, .wasFound = false, .seconds = took.count()};
  const fs::path folder = keeps ? home : fs::path(options_.env.get(EnvKey::tmpDir));
  std::string name = (folder / "tilewright-object-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0)
    return Status::ioError("cannot make a file " + name + ": " +
                           std::generic_category().message(errno));
  close(descriptor);
  std::error_code error;
  fs::copy_file(object, name, fs::copy_options::overwrite_existing, error);
  if (!error && keeps)
    fs::rename(name, kept, error);
  if (error) {
    unlink(name.c_str());
    return Status::ioError("cannot write " + name + ": " + error.message());
  }
  result.path = keeps ? kept.string() : name;
  return result;
}

} // namespace tilewright::emulator
