// SPDX-License-Identifier: Apache-2.0
#ifndef TILEWRIGHT_COMPILER_SM90_OPS
#define TILEWRIGHT_COMPILER_SM90_OPS

include "compiler/sm90/BarrierOps.td"
include "compiler/sm90/FragmentOps.td"
include "compiler/sm90/GlobalOps.td"
include "compiler/sm90/KernelOps.td"
include "compiler/sm90/LaunchOps.td"
include "compiler/sm90/MathOps.td"
include "compiler/sm90/SharedOps.td"
include "compiler/sm90/TmaOps.td"
include "compiler/sm90/WarpOps.td"
include "compiler/sm90/WgmmaOps.td"

#endif // TILEWRIGHT_COMPILER_SM90_OPS
