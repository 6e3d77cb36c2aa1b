// SPDX-License-Identifier: Apache-2.0
//
// The layout maths of the `tile` dialect, free of MLIR: where an element of a tile lies, in shared
// memory (SharedLayout) and in registers (FragmentLayout). Values without state; thread-safe.

#pragma once

#include "compiler/tile/FragmentLayout.h"
#include "compiler/tile/SharedLayout.h"
