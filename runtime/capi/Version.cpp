// SPDX-License-Identifier: Apache-2.0
#include "support/Version.h"

#include "tilewright/tilewright.h"

// The texts are literals, so they end with a zero byte.
int32_t twVersion(void) { return TW_VERSION; }
const char *twVersionString(void) { return tilewright::versionString().data(); }
const char *twBuildId(void) { return tilewright::buildId().data(); }
