// SPDX-License-Identifier: Apache-2.0
#include "runtime/nvrtc/Discovery.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <spawn.h>
#include <sstream>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewright {

namespace fs = std::filesystem;

namespace {

/// File names, best first. A toolkit has the first as a link to what its version is; wheels have
/// only the others.
constexpr std::array<const char *, 3> kLibraryNames = {"libnvrtc.so", "libnvrtc.so.13",
                                                       "libnvrtc.so.12"};

bool isFile(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool isFolder(const fs::path &path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// Adds the first library of `folder`, if it has one.
void addFromFolder(const fs::path &folder, const std::string &origin,
                   std::vector<NvrtcCandidate> &candidates) {
  for (const char *name : kLibraryNames) {
    if (!isFile(folder / name))
      continue;
    candidates.push_back({fs::absolute(folder / name).string(), origin});
    return;
  }
}

void addFromToolkit(const fs::path &home, const std::string &origin,
                    std::vector<NvrtcCandidate> &candidates) {
  for (const char *folder : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"})
    addFromFolder(home / folder, origin, candidates);
}

/// The wheels nvidia-cuda-nvrtc (13) and nvidia-cuda-nvrtc-cu12 in a folder of packages.
void addFromPackages(const fs::path &packages, const std::string &origin,
                     std::vector<NvrtcCandidate> &candidates) {
  for (const char *folder : {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"})
    addFromFolder(packages / folder, origin, candidates);
}

void addFromVirtualEnv(const fs::path &home, std::vector<NvrtcCandidate> &candidates) {
  std::error_code ignored;
  for (const fs::directory_entry &entry : fs::directory_iterator(home / "lib", ignored))
    if (entry.path().filename().string().starts_with("python3"))
      addFromPackages(entry.path() / "site-packages", "wheels in VIRTUAL_ENV", candidates);
}

std::string findProgram(const std::string &name, const std::string &searchPath) {
  std::istringstream folders(searchPath);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0 && isFile(candidate))
      return candidate.string();
  }
  return {};
}

/// What a program prints; empty if it can't be started.
std::string outputOf(const std::string &program, std::vector<std::string> arguments) {
  int ends[2];
  if (pipe(ends) != 0)
    return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0 /* O_RDONLY */, 0);
  std::vector<char *> argv = {const_cast<char *>(program.c_str())};
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  std::array<char, 4096> buffer;
  if (!failed)
    for (ssize_t n = 0; (n = read(ends[0], buffer.data(), buffer.size())) > 0;)
      output.append(buffer.data(), static_cast<size_t>(n));
  close(ends[0]);
  if (!failed)
    waitpid(child, nullptr, 0);
  return output;
}

} // namespace

std::vector<NvrtcCandidate> nvrtcCandidates(const NvrtcSearch &search) {
  std::vector<NvrtcCandidate> candidates;
  const bool byOption = !search.library.empty();
  const std::string library = byOption ? search.library : search.env.get(EnvKey::nvrtc);
  if (!library.empty()) {
    const std::string origin = byOption ? "the option" : "TILEWRIGHT_NVRTC";
    if (isFolder(library))
      addFromFolder(library, origin, candidates);
    else
      candidates.push_back({library, origin});
    return candidates;
  }
  if (search.loaderPath)
    for (const char *name : kLibraryNames)
      candidates.push_back({name, "the loader's path"});
  if (search.env.isSet(EnvKey::cudaHome))
    addFromToolkit(search.env.get(EnvKey::cudaHome), "CUDA_HOME", candidates);
  if (!search.toolkit.empty())
    addFromToolkit(search.toolkit, "the CUDA toolkit", candidates);
  if (search.env.isSet(EnvKey::virtualEnv))
    addFromVirtualEnv(search.env.get(EnvKey::virtualEnv), candidates);
  return candidates;
}

std::vector<NvrtcCandidate> nvrtcPythonCandidates(const NvrtcSearch &search) {
  std::vector<NvrtcCandidate> candidates;
  const std::string python = findProgram("python3", search.env.get(EnvKey::path));
  if (python.empty())
    return candidates;
  std::istringstream folders(outputOf(python, {"-c", "import sys; print('\\n'.join(sys.path))"}));
  for (std::string folder; std::getline(folders, folder);)
    if (!folder.empty())
      addFromPackages(folder, "wheels of " + python, candidates);
  return candidates;
}

std::string nvrtcPlaces(const NvrtcSearch &search) {
  if (!search.library.empty())
    return "the option's " + search.library;
  if (search.env.isSet(EnvKey::nvrtc))
    return "TILEWRIGHT_NVRTC's " + search.env.get(EnvKey::nvrtc);
  std::string places;
  if (search.loaderPath)
    places += "the loader's path, ";
  places += search.env.isSet(EnvKey::cudaHome)
                ? "CUDA_HOME (" + search.env.get(EnvKey::cudaHome) + "), "
                : "CUDA_HOME (not set), ";
  if (!search.toolkit.empty())
    places += search.toolkit + ", ";
  return places + "the NVIDIA wheels of VIRTUAL_ENV and of the python3 in PATH";
}

} // namespace tilewright
