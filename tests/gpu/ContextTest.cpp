// SPDX-License-Identifier: Apache-2.0
// Whatever context the caller has current, or none, is current afterwards.
#include "tests/gpu/EngineRun.h"

#include <dlfcn.h>

#include <thread>

using namespace tilewright;

namespace {

/// The driver's functions that make another context. The driver room has none of them: it makes no
/// context.
struct ContextMaker {
  cu::Result (*create)(cu::Context *, unsigned flags, cu::Device) = nullptr;
  cu::Result (*destroy)(cu::Context) = nullptr;
  cu::Result (*setCurrent)(cu::Context) = nullptr;
  cu::Result (*getCurrent)(cu::Context *) = nullptr;

  ContextMaker() {
    // NOTE: the library is loaded already; this finds it again.
    void *library = dlopen(gpu()->driver->library().c_str(), RTLD_NOW | RTLD_NOLOAD);
    const auto load = [&](auto &function, const char *name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    };
    if (!library)
      return;
    load(create, "cuCtxCreate_v2");
    load(destroy, "cuCtxDestroy_v2");
    load(setCurrent, "cuCtxSetCurrent");
    load(getCurrent, "cuCtxGetCurrent");
  }
  [[nodiscard]] bool isComplete() const { return create && destroy && setCurrent && getCurrent; }
  [[nodiscard]] cu::Context current() const {
    cu::Context context = nullptr;
    EXPECT_EQ(getCurrent(&context), cu::kSuccess);
    return context;
  }
};

class Contexts : public GpuTest {};

/// A whole life of an engine, with `expected` current before each call and after it.
void runAll(const ContextMaker &contexts, cu::Context expected) {
  const auto expectUnchanged = [&](const char *after) {
    EXPECT_EQ(contexts.current(), expected) << "after " << after;
  };
  expectUnchanged("nothing");
  {
    const Expected<Engine> engine = makeEngine();
    ASSERT_TRUE(engine) << engine.status().toString();
    expectUnchanged("Engine::create");
    const GemmProblem problem{.m = 300, .n = 264, .k = 136};
    const Expected<Kernel> kernel = engine->request(problem, Policy::heuristic, {.prepare = false});
    ASSERT_TRUE(kernel) << kernel.status().toString();
    expectUnchanged("request");
    ASSERT_TRUE(kernel->prepare().isOk());
    expectUnchanged("prepare");
    const Expected<EngineRun> run = EngineRun::create(*engine, problem);
    ASSERT_TRUE(run) << run.status().toString();
    expectUnchanged("setting up operands");
    const Status launched = run->launch();
    EXPECT_TRUE(launched.isOk()) << launched.toString();
    expectUnchanged("launch");
    // A launch that fails.
    EXPECT_FALSE(run->kernel().launch(Operands(), nullptr).isOk());
    expectUnchanged("a launch that fails");
    const Status judged = run->judge();
    EXPECT_TRUE(judged.isOk()) << judged.toString();
    expectUnchanged("judging");
  }
  expectUnchanged("the end of the engine");
}

TEST_F(Contexts, NoneStaysNone) {
  const ContextMaker contexts;
  ASSERT_TRUE(contexts.isComplete());
  // A fresh thread has no context.
  std::thread([&] { runAll(contexts, nullptr); }).join();
}

TEST_F(Contexts, AnotherStays) {
  const ContextMaker contexts;
  ASSERT_TRUE(contexts.isComplete());
  std::thread([&] {
    cu::Context other = nullptr;
    ASSERT_EQ(contexts.create(&other, 0, gpu()->facts.ordinal), cu::kSuccess);
    ASSERT_NE(other, gpu()->context->handle());
    runAll(contexts, other);
    EXPECT_EQ(contexts.destroy(other), cu::kSuccess);
  }).join();
}

TEST_F(Contexts, ThePrimaryStays) {
  const ContextMaker contexts;
  ASSERT_TRUE(contexts.isComplete());
  std::thread([&] {
    ASSERT_EQ(contexts.setCurrent(gpu()->context->handle()), cu::kSuccess);
    runAll(contexts, gpu()->context->handle());
  }).join();
}

} // namespace
