// SPDX-License-Identifier: Apache-2.0
// A second process finds the plan of the first on disk: no MLIR, no NVRTC.
#include "tests/gpu/StoredPlan.h"
#include "tests/gpu/EngineRun.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace tilewright {

namespace {

GemmProblem storedProblem() {
  GemmProblem problem{.m = 515, .n = 776, .k = 392};
  problem.epilogue.bias().gelu().residual();
  return problem;
}

/// A folder that goes with this value.
class TemporaryFolder {
public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "tilewright-gpu-XXXXXX").string();
    EXPECT_TRUE(mkdtemp(path_.data()));
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string &path() const { return path_; }

private:
  std::string path_;
};

class StoredPlan : public GpuTest {};

TEST_F(StoredPlan, RunsInASecondProcessWithoutACompiler) {
  const TemporaryFolder scratch;
  {
    const Expected<Engine> engine = makeEngine(scratch.path());
    ASSERT_TRUE(engine) << engine.status().toString();
    const Expected<Kernel> kernel = engine->request(storedProblem());
    ASSERT_TRUE(kernel) << kernel.status().toString();
    EXPECT_EQ(kernel->info().source, "heuristic");
  }
  const std::string folder = scratch.path();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // NOTE: a forked process must not touch the driver; exec makes a new one of it.
    execl("/proc/self/exe", "test_gpu", kStoredPlanFlag, folder.c_str(),
          static_cast<char *>(nullptr));
    _exit(127);
  }
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 0) << "see the messages of the second process above";
}

TEST_F(StoredPlan, ADamagedFileIsCompiledAnew) {
  const TemporaryFolder scratch;
  const auto source = [&]() -> std::string {
    const Expected<Engine> engine = makeEngine(scratch.path());
    const Expected<EngineRun> run =
        engine ? EngineRun::create(*engine, storedProblem()) : engine.status();
    if (!run)
      return run.status().toString();
    const Status launched = run->launch();
    const Status judged = launched.isOk() ? run->judge() : launched;
    return judged.isOk() ? run->kernel().info().source : judged.toString();
  };
  EXPECT_EQ(source(), "heuristic");
  EXPECT_EQ(source(), "disk");
  // Cuts every file short.
  const std::string cut = "find '" + scratch.path() + "' -type f -exec truncate -s 100 {} +";
  ASSERT_EQ(std::system(cut.c_str()), 0);
  EXPECT_EQ(source(), "heuristic");
}

/// Says what the second process found wrong; its exit code.
int fail(const std::string &what) {
  std::fprintf(stderr, "second process: %s\n", what.c_str());
  return 1;
}

} // namespace

int runStoredPlan(const std::string &folder) {
  if (!gpu())
    return fail(gpu().status().toString());
  // There is no such NVRTC: whoever needs one fails.
  const Expected<Engine> engine = Engine::create({.device = gpu()->facts.ordinal,
                                                  .cacheFolder = folder,
                                                  .nvrtcLibrary = "/nowhere/libnvrtc.so"});
  if (!engine)
    return fail(engine.status().toString());
  const Expected<EngineRun> run = EngineRun::create(*engine, storedProblem(), 9);
  if (!run)
    return fail(run.status().toString());
  const KernelInfo info = run->kernel().info();
  if (info.source != "disk" || info.mlir || info.nvrtcCalls != 0 ||
      engine->counters().mlirContexts != 0 || engine->counters().nvrtcCalls != 0)
    return fail("source " + info.source + ", mlir " + std::to_string(info.mlir) + ", nvrtc_calls " +
                std::to_string(info.nvrtcCalls) + "; expected disk, 0 and 0");
  if (Status status = run->launch(); !status.isOk())
    return fail(status.toString());
  if (Status status = run->judge(); !status.isOk())
    return fail(status.toString());
  return 0;
}

} // namespace tilewright
