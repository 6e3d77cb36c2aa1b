// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/Disassembler.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

extern char **environ;

namespace tilewright::cli {

namespace {

namespace fs = std::filesystem;

/// A file that is removed with this value.
class TemporaryFile {
public:
  static Expected<std::string> write(std::string pattern, const std::string &bytes) {
    const int descriptor = mkstemp(pattern.data());
    if (descriptor < 0)
      return Status::ioError("cannot write " + pattern + ": " + std::strerror(errno) +
                             "; name another folder with TMPDIR");
    const bool written =
        ::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    close(descriptor);
    if (!written)
      return Status::ioError("cannot write " + pattern + ": the disk is full?");
    return pattern;
  }
  explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() { unlink(path_.c_str()); }
  [[nodiscard]] const std::string &path() const { return path_; }

private:
  std::string path_;
};

/// Runs a program and collects its stdout; its stderr is ours.
Expected<std::string> outputOf(const std::vector<std::string> &command) {
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0)
    return Status::ioError(std::string("cannot make a pipe: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe[1]);
  std::string output;
  char chunk[65536];
  for (ssize_t count = 0; error == 0 && (count = read(pipe[0], chunk, sizeof chunk)) > 0;)
    output.append(chunk, static_cast<size_t>(count));
  close(pipe[0]);
  if (error != 0)
    return Status::unavailable("cannot run " + command[0] + ": " + std::strerror(error));
  int state = 0;
  waitpid(child, &state, 0);
  if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
    return Status::unavailable(command[0] + " fails; is it of a CUDA that knows sm_90a?");
  return output;
}

} // namespace

Expected<std::string> findDisassembler(const Env &env) {
  std::vector<std::string> folders;
  if (env.isSet(EnvKey::cudaHome))
    folders.push_back(env.get(EnvKey::cudaHome) + "/bin");
  const std::string path = env.get(EnvKey::path);
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    folders.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  folders.push_back("/usr/local/cuda/bin");
  for (const std::string &folder : folders)
    if (std::string file = folder + "/nvdisasm"; access(file.c_str(), X_OK) == 0)
      return file;
  return Status::unavailable(
      "nvdisasm is in none of CUDA_HOME, PATH and /usr/local/cuda; the stage "
      "sass needs it: install NVIDIA's package cuda-nvdisasm-13-0");
}

Expected<std::string> disassemble(const Env &env, const std::string &cubin) {
  Expected<std::string> program = findDisassembler(env);
  if (!program)
    return program.status();
  Expected<std::string> path = TemporaryFile::write(
      (fs::path(env.get(EnvKey::tmpDir)) / "tilewright-cubin-XXXXXX").string(), cubin);
  if (!path)
    return path.status();
  const TemporaryFile file(*path);
  return outputOf({*program, "--print-code", file.path()});
}

} // namespace tilewright::cli
