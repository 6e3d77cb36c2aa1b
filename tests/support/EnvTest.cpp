// SPDX-License-Identifier: Apache-2.0
#include "support/Env.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

using namespace tilewright;

namespace {

TEST(Env, TableIsInTheOrderOfTheKeysAndExplainsItself) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < kEnvVariables.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(kEnvVariables[i].key), i);
    EXPECT_FALSE(kEnvVariables[i].help.empty());
    names.insert(kEnvVariables[i].name);
  }
  EXPECT_EQ(names.size(), kEnvVariables.size());
}

TEST(Env, DefaultsHoldWhereNothingIsSet) {
  Env env;
  EXPECT_FALSE(env.isSet(EnvKey::log));
  EXPECT_EQ(env.get(EnvKey::log), "warning");
  EXPECT_EQ(env.get(EnvKey::nvrtc), "");
  EXPECT_EQ(env.with(EnvKey::log, "debug").get(EnvKey::log), "debug");
  EXPECT_EQ(env.with(EnvKey::log, "").get(EnvKey::log), "warning");
}

TEST(Env, ReadsTheProcess) {
  ASSERT_EQ(setenv("TILEWRIGHT_CACHE_DIR", "/tmp/here", 1), 0);
  Env env = Env::fromProcess();
  ASSERT_EQ(unsetenv("TILEWRIGHT_CACHE_DIR"), 0);
  EXPECT_EQ(env.get(EnvKey::cacheDir), "/tmp/here");
  EXPECT_FALSE(Env::fromProcess().isSet(EnvKey::cacheDir));
}

TEST(Env, CacheFolderHasAnOrder) {
  Env env = Env().with(EnvKey::home, "/home/a");
  EXPECT_EQ(*env.cacheFolder(), "/home/a/.cache/tilewright");
  env = env.with(EnvKey::xdgCacheHome, "relative");
  EXPECT_EQ(*env.cacheFolder(), "/home/a/.cache/tilewright");
  env = env.with(EnvKey::xdgCacheHome, "/xdg");
  EXPECT_EQ(*env.cacheFolder(), "/xdg/tilewright");
  env = env.with(EnvKey::cacheDir, "/own");
  EXPECT_EQ(*env.cacheFolder(), "/own");
}

TEST(Env, NoCacheFolderIsUnavailable) {
  EXPECT_EQ(Env().cacheFolder().status().code(), StatusCode::unavailable);
}

} // namespace
