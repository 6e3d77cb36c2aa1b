// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/CompileCases.h"

#include "compiler/device/DeviceHeaders.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace tilewright {

namespace fs = std::filesystem;

namespace {

/// Calls body(0) … body(count - 1), several at once.
void inParallel(size_t count, const std::function<void(size_t)> &body) {
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1U); ++i)
    threads.emplace_back([&] {
      for (size_t index = next++; index < count; index = next++)
        body(index);
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// The host headers and the texts of kernels on disk, removed with this value.
class TextFolder {
public:
  TextFolder() {
    std::string pattern = (fs::temp_directory_path() / "tilewright-text-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
    for (const DeviceHeader &header : hostHeaders())
      write(std::string(header.name), header.text);
  }
  TextFolder(const TextFolder &) = delete;
  TextFolder &operator=(const TextFolder &) = delete;
  ~TextFolder() { fs::remove_all(path_); }

  [[nodiscard]] std::string path() const { return path_.string(); }
  void write(const std::string &name, std::string_view text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }

private:
  fs::path path_;
};

/// What a command printed; empty if it succeeded.
std::string failureOf(const std::string &command) {
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return "can't start " + command;
  std::string messages;
  std::array<char, 4096> buffer;
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    messages.append(buffer.data(), n);
  if (pclose(pipe) == 0)
    return "";
  return messages.empty() ? command + " failed" : messages.substr(0, 4000);
}

} // namespace

int32_t CompiledCase::spillBytes() const {
  int32_t most = 0;
  if (result)
    for (const NvrtcOutput &output : result->kernels)
      for (const KernelResources &kernel : output.kernels)
        most = std::max(most, kernel.spillBytes());
  return most;
}

std::vector<CompiledCase> compileCases(const std::vector<KernelCase> &cases, const Nvrtc &nvrtc) {
  std::vector<CompiledCase> compiled(cases.size());
  inParallel(cases.size(), [&](size_t index) {
    const KernelCase &one = cases[index];
    CompiledCase &to = compiled[index];
    to.kernelCase = one;
    to.accumulators = deriveGemm(one.problem, testDevice(), one.config).accumulators;
    to.result = compileGemm(one.problem, one.config, testDevice(), nvrtc,
                            {.policy = gemmPolicy(one.problem, testDevice(), one.config)});
  });
  return compiled;
}

void expectAccepted(const std::vector<CompiledCase> &compiled) {
  for (const CompiledCase &one : compiled) {
    Status status = one.result ? one.result->accept() : one.result.status();
    if (!status.isOk())
      ADD_FAILURE() << one.kernelCase.toString() << "\n  (" << one.accumulators << " accumulators) "
                    << status.message().substr(0, 2000);
  }
}

void expectCompiled(const std::vector<CompiledCase> &compiled) {
  for (const CompiledCase &one : compiled) {
    if (!one.result) {
      ADD_FAILURE() << one.kernelCase.toString() << "\n  " << one.result.status().message();
      continue;
    }
    for (const Rejection &rejection : one.result->rejections)
      if (!rejection.reason.starts_with("spills"))
        ADD_FAILURE() << one.kernelCase.toString() << "\n  " << rejection.kernel << ": "
                      << rejection.reason;
  }
}

void expectPlainText(const std::vector<CompiledCase> &compiled) {
  // One run of the compiler for some files at a time: starting it costs as much as a file.
  constexpr size_t kBatch = 16;
  const TextFolder folder;
  std::mutex mutex;
  inParallel((compiled.size() + kBatch - 1) / kBatch, [&](size_t batch) {
    std::string command = "cd " + folder.path() +
                          " && c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror "
                          "-Wno-unknown-pragmas -Wno-unused -I. -x c++";
    const size_t first = batch * kBatch;
    const size_t end = std::min(first + kBatch, compiled.size());
    bool isEmpty = true;
    for (size_t index = first; index < end; ++index) {
      if (!compiled[index].result)
        continue;
      for (const PlanKernel &kernel : compiled[index].result->plan.kernels) {
        const std::string name = std::to_string(index) + "-" + kernel.entry + ".cu";
        folder.write(name, kernel.text);
        command += " " + name;
        isEmpty = false;
      }
    }
    if (isEmpty)
      return;
    const std::string failure = failureOf(command);
    const std::lock_guard lock(mutex);
    EXPECT_EQ(failure, "") << "the first of the batch: " << compiled[first].kernelCase.toString();
  });
}

std::string spillDistribution(const std::vector<CompiledCase> &compiled) {
  std::map<int32_t, int> counts;
  for (const CompiledCase &one : compiled)
    if (one.result)
      ++counts[one.spillBytes()];
  std::string text;
  for (auto [bytes, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(bytes) + " B: " + std::to_string(count);
  return text;
}

} // namespace tilewright
