// SPDX-License-Identifier: Apache-2.0
#include "support/Env.h"

#include <cstdlib>

namespace tilewright {

Env Env::fromProcess() {
  Env env;
  for (const EnvVariable &variable : kEnvVariables)
    if (const char *value = std::getenv(std::string(variable.name).c_str()))
      env.values_[static_cast<size_t>(variable.key)] = value;
  return env;
}

Env Env::with(EnvKey key, std::string value) const {
  Env changed = *this;
  changed.values_[static_cast<size_t>(key)] = std::move(value);
  return changed;
}

std::string Env::get(EnvKey key) const {
  return isSet(key) ? slot(key) : std::string(envVariable(key).defaultValue);
}

Expected<std::string> Env::cacheFolder() const {
  if (isSet(EnvKey::cacheDir))
    return slot(EnvKey::cacheDir);
  // The XDG rules: a relative XDG_CACHE_HOME is to be ignored.
  if (isSet(EnvKey::xdgCacheHome) && slot(EnvKey::xdgCacheHome).front() == '/')
    return slot(EnvKey::xdgCacheHome) + "/tilewright";
  if (isSet(EnvKey::home))
    return slot(EnvKey::home) + "/.cache/tilewright";
  return Status::unavailable("no folder for the caches: set TILEWRIGHT_CACHE_DIR, XDG_CACHE_HOME "
                             "(an absolute path) or HOME");
}

} // namespace tilewright
