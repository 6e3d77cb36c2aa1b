// SPDX-License-Identifier: Apache-2.0
//
// The tables of kinds, one for each part of a kernel that can go wrong.

#pragma once

#include "compiler/mutation/Mutation.h"

namespace tilewright::mutation {

/// Waits that are missing, too weak, too late, for another phase, or not made by all.
llvm::ArrayRef<Kind> waitKinds();
/// Arrivals, releases and commits that are missing, doubled, early or elsewhere.
llvm::ArrayRef<Kind> arrivalKinds();
/// Fences that are missing, misplaced, of another sort or not run by all.
llvm::ArrayRef<Kind> fenceKinds();
/// Barriers of the CTA, of the cluster and named ones; registers of the roles.
llvm::ArrayRef<Kind> barrierKinds();
/// Turns of warpgroups that alternate.
llvm::ArrayRef<Kind> turnKinds();
/// Stages, cursors, and where they lie in shared memory.
llvm::ArrayRef<Kind> ringKinds();
/// TMA loads: coordinates, destinations, barriers, masks.
llvm::ArrayRef<Kind> transferKinds();
/// Tensor maps and launch facts, which the host makes.
llvm::ArrayRef<Kind> tensorKinds();
/// wgmma: descriptors, accumulators, order.
llvm::ArrayRef<Kind> wgmmaKinds();
/// From accumulators to global memory: staging, guards, slices of K.
llvm::ArrayRef<Kind> epilogueKinds();
/// Changes that leave a kernel right.
llvm::ArrayRef<Kind> legalKinds();

} // namespace tilewright::mutation
